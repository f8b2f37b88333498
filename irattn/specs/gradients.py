"""Functions, checks and outputs that specs of gradients have in common."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import Role, TensorType
from irattn.specs.base import MAX_HEAD_DIM
from irattn.specs.expressions import Expression, derivative_of
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True, kw_only=True)
class GradientFeatures(AttentionFeatures):
    """The features of attention whose gradient is asked: a score function has a derivative."""

    takes_functions: ClassVar[bool] = True
    takes_dropout: ClassVar[bool] = True

    @property
    def functions(self) -> dict[str, Expression]:
        """`score_mod`, its derivative by the score, and `mask_mod`, those that there are."""
        given = super().functions
        if "score_mod" in given:
            given["score_derivative"] = derivative_of(given["score_mod"])
        return given

    def _check_has_gradient(self, taken: Collection[str]) -> None:
        """SpecError for a feature that is none of those taken, for offsets, and for wide heads."""
        if beyond := self.first_beyond(taken):
            raise SpecError(f"{beyond}: {self.op} has none; leave it out")
        if self.alignment == "offsets":
            raise SpecError(f"alignment: {self.op} has no offsets")
        for name, width in (("head_dim", self.head_dim), ("value_dim", self.v_dim)):
            if width > MAX_HEAD_DIM:
                raise SpecError(f"{name}: expected at most {MAX_HEAD_DIM}, got {width}")
        # A function whose derivative is too long is refused here.
        _ = self.functions


def gradients_of(inputs: Sequence[TensorType]) -> tuple[TensorType, ...]:
    """The gradients of those inputs that have one. A row of such may all but cancel."""
    of = {tensor.name: tensor for tensor in inputs}
    return tuple(
        TensorType(
            f"{name}_gradient", of[name].shape, of[name].dtype, by_row=False, role=Role.GRADIENT
        )
        for name in ("query", "key", "value", "bias", "sinks")
        if name in of
    )
