"""What happens to the logits of a workgroup's tile between the two products.

A new mask is a name in `conditions`, a new change to the logits one in `addends`;
`templates/attention/gpu_tiles.mlir.j2` says what each name does.
"""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.dynamic import value_of
from irattn.rendering.fused.arguments import Size
from irattn.rendering.logits import LogitRules

_MOST_I32 = 2**31 - 1

# For small x, tanh(x) / 2 is y p(y^2) with y = -2 x log2(e). Of all polynomials of four terms this
# one, highest first, has the least largest relative error up to x = 0.4: 1e-7. What exponentials
# give is off by 1.2e-7 of 1, which at that x is 3e-7 of a tangent.
_HALF_TANGENT = (1.42797844e-05, -3.31780000e-04, 6.93760347e-03, -1.73286781e-01)
_SMALL = 0.4


@dataclass(frozen=True)
class RuleRow:
    """A run-time tensor that the rules read, as one row of elements.

    `local` is its element in the body. `strides` are those of its own axes, by letter (`bhqk`).
    """

    tensor: TensorType
    local: str
    strides: dict[str, Size]
    dims: tuple[str, ...]

    @property
    def name(self) -> str:
        """The function's argument."""
        return self.tensor.name

    @property
    def element(self) -> str:
        """MLIR element type."""
        return dtype(self.tensor.dtype).mlir

    @property
    def number_type(self) -> str:
        """The type that counts its elements."""
        return "i32" if self.tensor.elements <= _MOST_I32 else "i64"

    @property
    def has_keys(self) -> bool:
        """Whether it differs from key to key."""
        return "t" in self.dims

    @property
    def placed_element(self) -> str:
        """The element type that the rules get: shared memory has no bits."""
        return "i8" if self.element == "i1" else self.element


@dataclass(frozen=True)
class FusedRules(LogitRules):
    """The rules of a spec for tiles of rows m and keys t.

    `cuts_keys` says that the last tile of keys may be cut short, `has_head_rows` that the rows of a
    tile belong to several heads.
    """

    cuts_keys: bool
    has_head_rows: bool

    @property
    def conditions(self) -> list[str]:
        """What must hold for a query to see a key."""
        named = {
            "key_is_real": self.cuts_keys,
            "query_is_real": any(t.role == Role.QUERY_LENGTHS for t in self.spec.inputs),
            "ahead_is_seen": self.hides_ahead,
            "behind_is_seen": self.hides_behind,
            "keep_mask": self.spec.keep_mask is not None,
            "bias_shows": self.spec.bias is not None,
        }
        return [name for name, wanted in named.items() if wanted]

    @property
    def addends(self) -> list[str]:
        """What is added to the logits."""
        named = {"bias": self.spec.bias is not None, "alibi": self.spec.alibi}
        return [name for name, wanted in named.items() if wanted]

    @property
    def unit(self) -> float:
        """What turns scores, or where there is a cap half their tangents, into logits."""
        cap = self.spec.logits_soft_cap
        return self.scale if cap is None else self.in_base(2.0 * cap)

    @property
    def steepness(self) -> float:
        """What turns scores into y, where exp2(y) is the exp(-2x) that tanh(x) is made of."""
        return -2.0 * math.log2(math.e) * self.scale

    half_tangent = _HALF_TANGENT
    most_small = 2.0 * math.log2(math.e) * _SMALL

    @property
    def has_sinks_alone(self) -> bool:
        """Whether there are rows without a query: all that such a row has is its sink."""
        return self.spec.sinks and "query_is_real" in self.conditions

    @property
    def uses_position(self) -> bool:
        """Whether any rule asks where a query stands."""
        return bool(
            {"query_is_real", "ahead_is_seen", "behind_is_seen", "alibi"}
            & {*self.conditions, *self.addends}
        )

    @property
    def uses_key(self) -> bool:
        """Whether any rule asks which key it is."""
        return self.uses_position or "key_is_real" in self.conditions

    @property
    def operands(self) -> list[RuleRow]:
        """The tensors that the rules read, in the order of the function's arguments."""
        return [o for o in self._all_operands if o.tensor.role != Role.SINKS]

    @property
    def once(self) -> list[RuleRow]:
        """What is read once for all keys: one element for each row."""
        return [operand for operand in self._all_operands if not operand.has_keys]

    @property
    def _all_operands(self) -> list[RuleRow]:
        known = {
            Role.SLOPES: ("slope", "h"),
            Role.BIAS: ("bias_at", self.spec.bias or ""),
            Role.KEEP_MASK: ("kept", self.spec.keep_mask or ""),
            Role.SINKS: ("sink", "h"),
        }
        operands = []
        for tensor in self.spec.inputs:
            if tensor.role in known:
                local, letters = known[tensor.role]
                operands.append(RuleRow(tensor, local, self._strides(tensor), self._dims(letters)))
        return operands

    def _dims(self, letters: str) -> tuple[str, ...]:
        rows = "q" in letters or ("h" in letters and self.has_head_rows) or "k" not in letters
        return (*(["m"] if rows else []), *(["t"] if "k" in letters else []))

    def _strides(self, tensor: TensorType) -> dict[str, Size]:
        letters = "h" if len(tensor.shape) == 1 else "".join(self.spec.axis_sizes)
        axes = list(zip(letters, tensor.shape, strict=True))
        return {
            letter: _product(tensor.shape[i + 1 :])
            for i, (letter, size) in enumerate(axes)
            if isinstance(size, DynamicSize) or size > 1
        }


def _product(sizes: tuple[AnySize, ...]) -> Size:
    number = math.prod(size for size in sizes if not isinstance(size, DynamicSize))
    factors = tuple(str(value_of(size)) for size in sizes if isinstance(size, DynamicSize))
    return Size("", number, factors)
