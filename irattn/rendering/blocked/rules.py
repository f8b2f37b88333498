"""What happens to the logits of a row between the two products."""

from dataclasses import dataclass

from irattn.core.tensors import Role, TensorType
from irattn.rendering.blocked.kernels import whole
from irattn.rendering.logits import LogitRules


@dataclass(frozen=True)
class RuleTensor:
    """A run-time tensor that the rules read: a value for each of its axes tells where."""

    tensor: TensorType
    place: tuple[str, ...]

    @property
    def name(self) -> str:
        """The kernel's argument."""
        return whole(self.tensor).name

    @property
    def element(self) -> str:
        """MLIR element type."""
        return whole(self.tensor).element

    @property
    def type(self) -> str:
        """MLIR type."""
        return whole(self.tensor).type

    @property
    def ones(self) -> str:
        """The sizes of a slice along all axes but that of keys."""
        return ", ".join("1" for _ in self.place[:-1])

    @property
    def has_keys(self) -> bool:
        """Whether it differs from key to key."""
        return self.place[-1] == "%first_key"


class BlockedRules(LogitRules):
    """The rules of a spec, and the tensors that they read."""

    @property
    def operands(self) -> list[RuleTensor]:
        """The tensors that the rules read for keys, in the order of the function's arguments."""
        read = (Role.BIAS, Role.KEEP_MASK)
        return [self._operand(tensor) for tensor in self.spec.inputs if tensor.role in read]

    @property
    def has_key_operands(self) -> bool:
        """Whether any of them differs from key to key."""
        return any(operand.has_keys for operand in self.operands)

    def _operand(self, tensor: TensorType) -> RuleTensor:
        letters = getattr(self.spec, tensor.name)
        values = {"b": "%b", "h": "%head", "q": "%query_token", "k": "%first_key"}
        place = (values[axis] if axis in letters else "%none" for axis in self.spec.axis_sizes)
        return RuleTensor(tensor, tuple(place))
