"""How steps of the gradient of attention lie in LDS, and how lanes bring them there."""

from dataclasses import dataclass

from irattn.rendering.attention_backward_tile import BackwardTile

# Bytes between a row in LDS and the next, and between columns, where others than an access make no
# lanes wait for each other: by the banks of LDS, and the bytes of an element.
_GAPS = {"MFMA": {(32, 2): (32, 8), (64, 2): (32, 16), (32, 4): (32, 16), (64, 4): (32, 16)}}
_GAP = (16, 16)


@dataclass(frozen=True)
class CopiedRows:
    """How a step's rows come from memory right into LDS, while lanes do the step before.

    `row_lanes` lanes copy a row, and a lane's rows are its first and those that lie `starts` from
    it. A matrix of 8 rows and columns is then loaded by one instruction, turned or not.
    """

    row_lanes: int
    starts: list[int]


@dataclass(frozen=True)
class SpreadLanes:
    """Which of so many pairs of tokens, and which piece of their rows, a lane brings to LDS.

    LDS serves eight lanes that store 16 bytes at once: these have four pairs, and two pieces.
    """

    pairs: int

    @property
    def pair_groups(self) -> int:
        """Groups of four pairs."""
        return self.pairs // 4

    @property
    def piece_lanes(self) -> int:
        """Lanes that bring the same two pieces of all pairs."""
        return 2 * self.pairs


@dataclass(frozen=True)
class BackwardLds:
    """Where rows and columns of a tile's steps lie in LDS."""

    tile: BackwardTile

    @property
    def copied(self) -> CopiedRows | None:
        """The copies to LDS; None where lanes fetch rows to registers, and place them."""
        if not self.tile.is_nvidia:
            return None
        row_lanes = self.tile.width // self.tile.access
        return CopiedRows(row_lanes, list(range(0, self.tile.tokens, self.tile.lanes // row_lanes)))

    @property
    def buffers(self) -> int:
        """Steps whose rows are in LDS at once."""
        return 2 if self.copied else 1

    @property
    def row_pitch(self) -> int:
        """From a row of a step in LDS to the next."""
        return self.tile.width + self._gaps[0]

    @property
    def own_pitch(self) -> int:
        """From an own row in LDS to the next: on NVIDIA lanes are 64 bytes apart in banks."""
        return (
            self.tile.width + 4 * self.tile.access // len(self.tile.queries)
            if self.copied
            else self.row_pitch
        )

    @property
    def column_pitch(self) -> int:
        """From a column in LDS to the next."""
        return self.tile.tokens + self._gaps[1]

    @property
    def spread(self) -> SpreadLanes | None:
        """How lanes are spread over banks; None where they take pairs of tokens in order."""
        return SpreadLanes(self.pairs) if self.tile.instruction.family == "MFMA" else None

    @property
    def column_tile(self) -> int:
        """From a tile of columns in LDS to the next: where lanes are spread, half of the banks."""
        return self.tile.layout.side + (4 if self.spread else 0)

    @property
    def column_places(self) -> int:
        """The columns that LDS has room for."""
        return len(self.tile.column_tiles) * self.column_tile

    @property
    def _gaps(self) -> tuple[int, int]:
        family = self.tile.target.family
        banks = family.lds_banks.banks if family else 0
        element = self.tile.element_bytes
        gaps = _GAPS.get(self.tile.instruction.family, {}).get((banks, element), _GAP)
        return gaps[0] // element, gaps[1] // element

    @property
    def pairs(self) -> int:
        """Pairs of neighbouring tokens of a step."""
        return self.tile.tokens // 2
