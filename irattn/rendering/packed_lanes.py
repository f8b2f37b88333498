"""How sums with quantised weights are shared by the lanes of a GPU: each has one number a step."""

from dataclasses import dataclass

# Lanes of one sum: they read a part of a block, whose bytes and scale lie side by side.
_LANES = 32
# Sums of a workgroup.
_COLUMNS = 4


@dataclass(frozen=True)
class GpuLanes:
    """The sizes of what lanes read and make; `rows` is empty for one token."""

    rows: list[int | str]
    out_columns: int
    depth: int

    @property
    def count(self) -> int:
        """Lanes of a sum."""
        return _LANES

    @property
    def tokens(self) -> list[int | str]:
        """Tokens, by step and lane."""
        return [*self.rows, self.depth // _LANES, _LANES]

    @property
    def sums(self) -> list[int | str]:
        """The sums of lanes."""
        return [*self.rows, self.out_columns, _LANES]

    @property
    def columns(self) -> list[int | str]:
        """The sums over all lanes."""
        return [*self.rows, self.out_columns]


@dataclass(frozen=True)
class LaneTile:
    """How the loops over tokens, columns, lanes and steps are cut up; `column` is which is n."""

    column: int

    @property
    def workgroup(self) -> list[int]:
        """The tile of a workgroup."""
        return [*self._one_token, _COLUMNS, _LANES, 0]

    @property
    def thread(self) -> list[int]:
        """The tile of a lane."""
        return [*self._one_token, 1, 1, 0]

    @property
    def reduction(self) -> list[int]:
        """The tile of a step."""
        return [*(0 for _ in self._one_token), 0, 0, 1]

    @property
    def lanes(self) -> int:
        """Lanes of a workgroup."""
        return _COLUMNS * _LANES

    @property
    def _one_token(self) -> list[int]:
        return [1] * self.column
