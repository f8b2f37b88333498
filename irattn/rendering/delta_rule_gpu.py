"""How GPUs take the gated delta rule: a wave has some columns of a head's state in its registers.

Columns know nothing of each other: each is written to and read by the same keys and queries. The
state is read and written once in a call. Lanes side by side have columns side by side; groups of
lanes have rows, whose sums they exchange.
"""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, TensorType
from irattn.rendering.dynamic import has_dynamic
from irattn.rendering.flat_tensors import FlatTensor, RowCount
from irattn.rendering.values import Value
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.targets import Target

# Columns of a lane: 16 bytes of a row, the most that it reads at once.
_COLUMNS = 4

# Of lanes with rows of their own. A wave of 32 lanes then reads 64 bytes of a row at once, and its
# lanes keep 16 of 128 rows.
_GROUPS = 8

# Numbers of the state that a lane may keep, half of its registers: of long keys it has fewer
# columns.
_MOST_KEPT = 128


_STATE_AXES = ("batch", "head", "row", "column")

# Whose columns a tensor has, and with those of keys and of scores its heads; other tensors have one
# number of a value head.
_COLUMNS_OF = {
    "query": "key",
    "key": "key",
    "key_scores": "scores",
    "query_scores": "scores",
    "key_factor": "scores",
    "query_factor": "scores",
    "value": "value",
    "output": "value",
}


@dataclass(frozen=True)
class GpuDeltaRule:
    """The kernel: values named %b and %h count sequences and value heads, %t tokens."""

    spec: GatedDeltaRuleSpec
    target: Target

    template = "linalg/gated_delta_rule_gpu.mlir.j2"

    @property
    def wave_size(self) -> int:
        """The lanes of a wave."""
        return self.target.wave_size or 1

    @property
    def lanes(self) -> int:
        """The lanes of a workgroup."""
        return self.wave_size

    @property
    def by_channel(self) -> bool:
        """Whether each row of the state has a gate of its own."""
        return self.spec.gate == "channel"

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def is_nvidia(self) -> bool:
        """Whether powers of two are NVIDIA's."""
        return self.target.driver == "cuda"

    @property
    def row_count(self) -> int:
        """Rows of the state that a lane keeps."""
        return -(-self.spec.key_dim // _GROUPS)

    @property
    def rows(self) -> range:
        """The numbers of rows that a lane keeps."""
        return range(self.row_count)

    @property
    def own_columns(self) -> int:
        """Columns of a lane."""
        own = _COLUMNS
        while own > 1 and own * self.row_count > _MOST_KEPT:
            own //= 2
        return own

    @property
    def column_numbers(self) -> range:
        """Columns of a lane by number."""
        return range(self.own_columns)

    @property
    def column_lanes(self) -> int:
        """Lanes side by side."""
        return self.wave_size // _GROUPS

    @property
    def columns(self) -> int:
        """Columns of a workgroup."""
        return self.column_lanes * self.own_columns

    @property
    def column_blocks(self) -> int:
        """Workgroups of a head."""
        return -(-self.spec.value_dim // self.columns)

    @property
    def distances(self) -> list[int]:
        """The distances between lanes that exchange sums: halfway across, and halfway again."""
        return [self.column_lanes << n for n in range(_GROUPS.bit_length() - 1)]

    @property
    def cuts_columns(self) -> bool:
        """Whether the last workgroup of a head has fewer columns."""
        return self.spec.value_dim % self.columns > 0

    @property
    def cuts_rows(self) -> bool:
        """Whether the last lanes have fewer rows."""
        return self.spec.key_dim % _GROUPS > 0

    @property
    def has_lengths(self) -> bool:
        """Whether a call tells how many tokens are real."""
        return self.spec.ragged or self.spec.packed

    @property
    def tokens(self) -> int | str:
        """The real tokens of a workgroup's sequence: a number, or the name of a value."""
        size = self.spec.size("q_len")
        if self.has_lengths:
            return "count"
        return "q_len_dim" if isinstance(size, DynamicSize) else size

    @property
    def output_tokens(self) -> int | str:
        """The tokens that the workgroup gives outputs of, zeros for those that are not real."""
        if self.spec.packed:
            return "output_count"
        size = self.spec.size("q_len")
        return "q_len_dim" if isinstance(size, DynamicSize) else size

    @property
    def operands(self) -> list[FlatTensor]:
        """The tensors that the kernel reads besides the state."""
        return [self._flat(t) for t in self.spec.inputs if t.name != "initial_state"]

    @property
    def made(self) -> list[FlatTensor]:
        """The tensors that the kernel reads besides, which another one makes of keys."""
        return []

    @property
    def key_columns(self) -> dict[str, int]:
        """The columns of a key head, by what has them."""
        return {"key": self.spec.key_dim}

    def operand(self, name: str) -> FlatTensor:
        """The tensor of that name that the kernel reads."""
        return next(flat for flat in self.operands if flat.name == name)

    @property
    def state(self) -> FlatTensor:
        """The state, which is written in its own memory."""
        return self._flat(next(t for t in self.spec.inputs if t.name == "initial_state"))

    @property
    def output(self) -> FlatTensor:
        """The output."""
        return self._flat(self.spec.outputs[0])

    @property
    def sizes(self) -> list[RowCount]:
        """The sizes that a call chooses, and the numbers of rows that follow from them."""
        known: dict[str, RowCount] = {}
        for chosen in map(self.spec.size, self.spec.dynamic):
            assert isinstance(chosen, DynamicSize)
            known[f"{chosen.name}_dim"] = RowCount(f"{chosen.name}_dim", [chosen], 1)
        if self.spec.packed and "batch" in self.spec.dynamic:
            bounds = self.spec.inputs[-1].shape[0]
            assert isinstance(bounds, DynamicSize)
            known["bounds_dim"] = RowCount("bounds_dim", [bounds], 1)
        for flat in (*self.operands, self.state, self.output):
            for name, group in zip(flat.value.shape, flat.groups, strict=True):
                if isinstance(name, str) and name not in known:
                    axes = [flat.tensor.shape[axis] for axis in group]
                    factors = [axis for axis in axes if isinstance(axis, DynamicSize)]
                    number = math.prod(axis for axis in axes if isinstance(axis, int))
                    known[name] = RowCount(name, factors, number)
        return list(known.values())

    @property
    def known_sizes(self) -> dict[str, int]:
        """The sizes that no call chooses."""
        sizes = {name: self.spec.size(name) for name in ("batch", "q_len")}
        return {name: size for name, size in sizes.items() if isinstance(size, int)}

    def count(self, name: str) -> str:
        """How many sequences (`batch`) or tokens (`q_len`): a value of the kernel."""
        size = self.spec.size(name)
        return f"{name}_dim" if isinstance(size, DynamicSize) else name

    def _flat(self, tensor: TensorType) -> FlatTensor:
        rank, element = len(tensor.shape), dtype(tensor.dtype).mlir
        if rank == 1:
            value = Value(tensor.name, tuple(map(_named, tensor.shape)), element)
            return FlatTensor(tensor, [[0]], value, "0", value)
        groups = self._groups(tensor)
        shape = tuple(self._joined(tensor, group) for group in groups)
        name = tensor.name if len(groups) == rank else f"{tensor.name}_rows"
        value = Value(name, shape, element)
        return FlatTensor(tensor, groups, value, *self._slice(tensor, element))

    def _groups(self, tensor: TensorType) -> list[list[int]]:
        axes = list(range(len(tensor.shape)))
        if tensor.name == "initial_state" or self.spec.layout == "HND":
            # Gates and shares of heads have no columns.
            return [axes[:-1], axes[-1:]] if len(axes) == len(_STATE_AXES) else [axes]
        first_head = 1 if self.spec.packed else 2
        return [axes[:first_head], axes[first_head:]]

    def _joined(self, tensor: TensorType, group: list[int]) -> int | str:
        sizes = [tensor.shape[axis] for axis in group]
        if has_dynamic(sizes):
            if len(sizes) == 1:
                return _named(sizes[0])
            if tensor.name == "initial_state":
                return "state_rows_dim"
            return f"{'key' if self._is_of_keys(tensor.name) else 'value'}_rows_dim"
        return math.prod(size for size in sizes if isinstance(size, int))

    def _slice(self, tensor: TensorType, element: str) -> tuple[str, Value]:
        """Where a workgroup's part begins, and the part."""
        name, by_key = tensor.name, self._is_of_keys(tensor.name)
        if name == "initial_state":
            shape = (self.spec.key_dim, self._own_width)
            return "%state_row, %column", Value("state_tile", shape, element)
        tokens = self.output_tokens if name == "output" else self.tokens
        head = "key_head" if by_key else "h"
        row = "%key_row" if by_key else "%value_row"
        kind = _COLUMNS_OF.get(name, "gate")
        is_by_column = kind == "value"
        has_columns = len(tensor.shape) == len(_STATE_AXES) - self.spec.packed
        width = self._own_width if is_by_column else self.key_columns.get(kind, self.spec.key_dim)
        tile = Value(f"{name}_tile", (tokens, width) if has_columns else (tokens,), element)
        if self.spec.layout == "HND":
            column = "%column" if is_by_column else "0"
            return f"{row}, {column}" if has_columns else row, tile
        if not has_columns:
            return f"{row}, %{head}", Value(tile.name, (tokens, 1), element)
        return f"{row}, %first_{kind}_column", tile

    def _is_of_keys(self, name: str) -> bool:
        return _COLUMNS_OF.get(name) in self.key_columns

    @property
    def _own_width(self) -> int | str:
        return "columns_here" if self.cuts_columns else self.columns


def _named(size: AnySize) -> int | str:
    return f"{size.name}_dim" if isinstance(size, DynamicSize) else size
