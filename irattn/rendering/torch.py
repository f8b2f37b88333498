"""How the torch dialect says what its attention cannot say itself."""

from dataclasses import dataclass

from irattn.rendering.logits import logit_rules
from irattn.specs import Spec
from irattn.specs.attention import AttentionSpec
from irattn.specs.logits import ALIGNMENTS
from irattn.targets import Target

# The features that torch's attention says; any other must have its default.
_SAYABLE = frozenset(
    {"io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment", "bias", "keep_mask"}
)


@dataclass(frozen=True)
class TorchAttention:
    """Masks aligned at the bottom right; torch aligns its own at the top left."""

    spec: AttentionSpec
    target: Target

    @property
    def causal_offset(self) -> int:
        """Row 0 sees keys up to this one."""
        return logit_rules(self.spec).first_position

    @property
    def hides_keys(self) -> bool:
        """Whether the causal mask hides anything."""
        return self.spec.causal and logit_rules(self.spec).hides_ahead

    @property
    def has_tensor_masks(self) -> bool:
        """Whether a mask is known only at run time; then any row may see nothing."""
        return bool(self.spec.bias or self.spec.keep_mask)

    @property
    def first_row(self) -> int:
        """The first row that sees a key, where it matters: rows before it are not computed."""
        if self.has_tensor_masks or not self.hides_keys:
            return 0
        return max(0, -self.causal_offset)

    @property
    def rows(self) -> int:
        return self.spec.q_len - self.first_row

    @property
    def is_causal(self) -> bool:
        """Whether torch's own causal mask fits the rows that see a key."""
        if self.has_tensor_masks or not self.hides_keys:
            return False
        return self.causal_offset + self.first_row == 0

    @property
    def has_causal_tensor(self) -> bool:
        """Whether the causal mask must be given as a tensor."""
        return self.hides_keys and not self.is_causal

    @property
    def mask(self) -> str:
        """The mask that attention gets: `bias`, `seen` (bools) or `none`."""
        if self.spec.bias:
            return "bias"
        return "seen" if self.spec.keep_mask or self.has_causal_tensor else "none"


def unsayable(spec: Spec) -> str | None:
    """The first feature that torch's attention has no word for."""
    if isinstance(spec, AttentionSpec) and spec.alignment not in ALIGNMENTS:
        return "alignment"
    return spec.first_beyond(_SAYABLE)


PLANS = {("attention", "torch"): TorchAttention}
