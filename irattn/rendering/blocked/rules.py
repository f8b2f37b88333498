"""What happens to the logits of a row between the two products."""

from dataclasses import dataclass

from irattn.core.tensors import Role, TensorType
from irattn.rendering.blocked.kernels import whole
from irattn.rendering.logits import LogitRules


@dataclass(frozen=True)
class RuleTensor:
    """A run-time tensor that the rules read: a value for each of its axes but keys tells where.

    `has_keys` says that it differs from key to key.
    """

    tensor: TensorType
    place: tuple[str, ...]
    has_keys: bool

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
        return ", ".join("1" for _ in self.place)


class BlockedRules(LogitRules):
    """The rules of a spec, and the tensors that they read."""

    @property
    def bias(self) -> RuleTensor:
        """What is added to logits."""
        return self._operand(Role.BIAS)

    @property
    def keep_mask(self) -> RuleTensor:
        """Which keys are kept, as bytes."""
        return self._operand(Role.KEEP_MASK)

    @property
    def has_key_operands(self) -> bool:
        """Whether the bias or the mask differs from key to key."""
        return "k" in (self.spec.bias or "") + (self.spec.keep_mask or "")

    def _operand(self, role: Role) -> RuleTensor:
        tensor = next(tensor for tensor in self.spec.inputs if tensor.role == role)
        letters = getattr(self.spec, tensor.name)
        values = {"b": "%b", "h": "%head", "q": "%query_token"}
        *axes, _ = self.spec.axis_sizes
        place = tuple(values[axis] if axis in letters else "%none" for axis in axes)
        return RuleTensor(tensor, place, "k" in letters)
