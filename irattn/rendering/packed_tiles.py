"""How GPUs multiply many tokens with quantised weights, by matrix instructions.

A workgroup has some tokens and rows of the weight, and each of its waves rows of its own. A lane
takes the numbers of its operands out of bytes in registers, where each number is made once in a
workgroup; tokens come through LDS. The loads of a step begin while lanes multiply the one before.
"""

from dataclasses import dataclass
from itertools import groupby

from irattn.core.tensors import AnySize
from irattn.core.weight_formats import weight_format
from irattn.rendering.attention.lane_layouts import LAYOUTS
from irattn.rendering.byte_pairs import byte_pairs
from irattn.rendering.expert_rows import ExpertRows
from irattn.rendering.packed_tile_sizes import ACCESS, PackedTileSizes
from irattn.rendering.packed_units import Carried, LaneRun, Read, lane_format
from irattn.rendering.values import Value, vector_type
from irattn.targets import Target

# From a row of tokens in LDS to the next, beyond its columns: lanes of one column read all banks.
_PADDING = 8


@dataclass(frozen=True, kw_only=True)
class PackedTile(PackedTileSizes):
    """The kernel of tokens · weightᵀ, with `first` and `columns` as DepthProduct has them."""

    @property
    def name(self) -> str:
        """The kernel's name."""
        return f"{self.sums.name}_of_blocks"

    @property
    def element(self) -> str:
        """The element that is multiplied."""
        return self.tokens.element

    @property
    def is_short(self) -> bool:
        """Whether lanes have registers for little else than sums and operands."""
        return self.instruction.family.startswith("WMMA")

    # ---- Tokens.

    @property
    def pitch(self) -> int:
        """From a row of tokens in LDS to the next."""
        return self.step + _PADDING

    @property
    def access(self) -> int:
        """Columns of tokens that a lane moves at once."""
        return ACCESS

    @property
    def pieces_of_row(self) -> int:
        """Lanes that move a row."""
        return self.step // ACCESS

    @property
    def pieces(self) -> range:
        """The pieces of a step's tokens that a lane moves."""
        return range(-(-self.tile_rows * self.pieces_of_row // self.lanes))

    @property
    def idles(self) -> bool:
        """Whether there are more lanes than pieces."""
        return self.tile_rows * self.pieces_of_row < self.lanes

    @property
    def piece_rows(self) -> int:
        """From the row of a lane's piece to that of its next."""
        return self.lanes // self.pieces_of_row

    @property
    def row_numbers(self) -> range:
        """The tokens of a lane by number."""
        return range(self.row_tiles * self.layout.queries)

    def row_place(self, number: int) -> tuple[int, int]:
        """The tile of a lane's token, and which of its own it is there."""
        return divmod(number, self.layout.queries)

    # ---- Numbers.

    @property
    def groups(self) -> int:
        """Groups of lanes that share a row's columns."""
        return self.layout.operand_groups

    @property
    def own(self) -> int:
        """Rows of the weight whose sums a lane has, of a tile."""
        return self.layout.side // self.layout.groups

    @property
    def own_columns(self) -> int:
        """Rows of the weight whose sums it has of a token: they lie together."""
        return self.own * self.column_tiles

    @property
    def tiles(self) -> range:
        """The tiles of rows of the weight."""
        return range(self.column_tiles)

    def runs(self, step: int) -> list[LaneRun]:
        """The numbers of a lane, of a step."""
        units = [
            part
            for unit in self.format.units(step, self.step)
            for part in unit.parts(self.slice_count * self.groups)
        ]
        counts = [unit.count // self.groups for unit in units]
        return [
            LaneRun(
                f"{step}_{n}",
                unit,
                counts[n],
                sum(counts[:n]),
                f"bytes{step}_{unit.place}",
                f"bytes{step}_{unit.high[0]}" if unit.high else None,
                f"head{step}_{192 + unit.scale}",
                unit.count == 32,
            )
            for n, unit in enumerate(units)
        ]

    def slices(self, step: int) -> list[list[LaneRun]]:
        """The runs of a step by what is multiplied at once."""
        by_slice = groupby(self.runs(step), key=lambda run: run.place // self.slice_count)
        return [list(runs) for _, runs in by_slice]

    def place_in_slice(self, run: LaneRun) -> int:
        """Where a run begins in its slice."""
        return run.place % self.slice_count

    def sums_around(self, step: int, number: int) -> tuple[str, str]:
        """The names of the sums before and after a slice."""
        before = sum(len(self.slices(one)) for one in range(step)) + number
        last = sum(len(self.slices(one)) for one in self.steps)
        return f"sums_{before}", "sums_next" if before + 1 == last else f"sums_{before + 1}"

    @property
    def slice_count(self) -> int:
        """Numbers of a lane that are multiplied at once."""
        return max(ACCESS, self.instruction.k // self.groups)

    @property
    def slice_steps(self) -> int:
        """Matrix instructions along these."""
        return self.slice_count * self.groups // self.instruction.k

    @property
    def scales_halves(self) -> bool:
        """Whether numbers are multiplied as f16: with a scale that is one, f32 rounds alike."""
        return self.element == "f16" and self.format.has_half_scale

    @property
    def half_depth(self) -> int:
        """Numbers of an operand, of one half of its depth."""
        return self.instruction.k // self.groups // self.layout.halves

    def reads(self, step: int) -> list[Read]:
        """The accesses of a lane for a step, to each of its rows."""
        access, found = self.format.access, {}
        for run in self.runs(step):
            for place in (run.unit.place, *(run.unit.high or ())[:1]):
                count = run.count // access
                found[place] = Read(
                    f"bytes{step}_{place}",
                    place // access,
                    count,
                    count,
                    self.turn_places,
                    vector_type([count], self.places.element),
                    vector_type([run.count // 4], "i32"),
                )
        return [*found.values(), *self.heads(step)]

    def heads(self, step: int) -> list[Read]:
        """The heads that it reads for a step."""
        access, reads = self.format.access, []
        for head in self.format.heads(step, self.step):
            given = vector_type([head.count // access], self.places.element)
            name = f"head{step}_{head.place}"
            place, count = head.place // access, head.count // access
            reads.append(Read(name, place, count, 0, self.turn_places, given, given))
        return reads

    @property
    def carried(self) -> list[Carried]:
        """The values that a turn leaves to the next, besides tokens and sums."""
        return [
            Carried(f"{read.name}_of{tile}", read.type)
            for read in self.reads(0)
            for tile in self.tiles
        ]

    @property
    def half_of_groups(self) -> int:
        """Groups that have the first half of a unit."""
        return max(self.groups // 2, 1)

    # ---- The dispatch.

    @property
    def arguments(self) -> list[Value]:
        """The tensors that the kernel reads."""
        scales = [self.scale] if self.scale else []
        return [self.tokens, self.places, *scales, *(self.of.arguments if self.of else [])]

    @property
    def sizes(self) -> list[str]:
        """The sizes that a call chooses: of tokens, first."""
        return list(dict.fromkeys(size for value in self.arguments for size in value.chosen))

    @property
    def own_sums(self) -> Value:
        """The sums of a workgroup."""
        return Value("tile", (self.tile_rows, self.tile_columns), "f32")


def packed_tile(
    target: Target,
    tokens: Value,
    weight: Value,
    sums: Value,
    rows: AnySize,
    first: int,
    packed: str,
    scale: Value | None,
    of: ExpertRows | None = None,
) -> PackedTile | None:
    """The kernel, or None where there are no matrix instructions for it, or one token only."""
    kind = {"f16": "f16", "bf16": "bf16"}.get(tokens.element, "")
    instruction = target.lane_matrix.get(kind)
    if instruction is None or instruction.family not in LAYOUTS or rows == 1:
        return None
    return PackedTile(
        tokens=tokens,
        weight=weight,
        sums=sums,
        scale=scale,
        scaled_by=weight_format(packed).scaled or (1, 0),
        rows=rows,
        first=first,
        format=lane_format(packed),
        instruction=instruction,
        layout=LAYOUTS[instruction.family],
        wave_size=target.wave_size or 1,
        pairs=byte_pairs(target, lane_format(packed).floats),
        of=of,
    )
