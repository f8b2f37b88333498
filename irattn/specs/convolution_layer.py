"""A layer of a hybrid model: a short convolution between two gates, then an MLP or experts."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType, hidden
from irattn.specs.experts import Experts
from irattn.specs.linear import LinearSpec
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.state_layer import StateLayer, named


@dataclass(frozen=True, kw_only=True)
class ConvolutionLayerSpec(StateLayer):
    """x = hidden + out projection(c * short convolution(b * z)), and with an `intermediate_size`
    what comes after: x + MLP(RMSNorm(x)). Without, it is half of a layer.

    A layer of kind `conv` of LFM2 (Liquid AI 2025), over packed tokens of `batch` sequences, whose
    last tokens it takes and gives as states. Of the normed hidden state are made a gate b of what
    goes into the convolution, a gate c of what comes out of it, and the z that it is of; neither
    gate has an activation. Tensors in `io_dtype` unless said:

    - hidden, output `[q_tokens, hidden_size]`
    - norm_weight and, with an MLP, mlp_norm_weight `[hidden_size]`: RmsNormSpec, with `norm_eps`
      and `norm_offset`
    - in_weight `[3 * hidden_size, hidden_size]`: the rows of b, of c and of z
    - conv_weight `[hidden_size, kernel]` and conv_state `[batch, kernel - 1, hidden_size]`:
      ShortConvolutionSpec, of b * z
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its state then stays as it is.
      Tokens after the last one are padding
    - out_weight `[hidden_size, hidden_size]`
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`
    - with `experts`, an Experts, and without an `intermediate_size`: in the place of the MLP are
      experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state: as conv_state

    Between the steps values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "convolution_layer"

    kernel: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        # Made to be checked.
        _ = self.convolution

    @property
    def into(self) -> LinearSpec:
        """The projection into both gates and what the convolution is of."""
        return self._linear(3 * self.hidden_size)

    @property
    def convolution(self) -> ShortConvolutionSpec:
        """The convolution of what the first gate lets through."""
        return ShortConvolutionSpec(**self._packed, channels=self.hidden_size, kernel=self.kernel)

    @property
    def out(self) -> LinearSpec:
        """The projection back into the hidden state."""
        return self._linear(self.hidden_size)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, conv_weight, conv_state, bounds = self.convolution.inputs
        return (
            hidden(self._hidden, self.io_dtype),
            named("norm_weight", self.norm.inputs[1]),
            named("in_weight", self.into.inputs[1]),
            named("conv_weight", conv_weight),
            named("conv_state", conv_state),
            bounds,
            named("out_weight", self.out.inputs[1]),
            *self._mlp_inputs,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype),
            named("updated_conv_state", self.convolution.outputs[1]),
        )

    @property
    def flops(self) -> int:
        parts = (self.into, self.convolution, self.out, self.mlp)
        return sum(part.flops for part in parts if part)

    def _linear(self, columns: int) -> LinearSpec:
        return LinearSpec(**self._tokens, in_columns=self.hidden_size, out_columns=columns)


_TINY = ConvolutionLayerSpec(
    batch=3, q_tokens=20, hidden_size=64, intermediate_size=96, io_dtype="f32"
)

CATALOGUE = {
    "convolution_layer_tiny": _TINY,
    "convolution_layer_experts_tiny": _TINY.replace(
        intermediate_size=None,
        experts=Experts(
            num_experts=8,
            experts_per_token=2,
            intermediate_size=48,
            scores="sigmoid",
            has_choice_bias=True,
            sum_eps=1e-6,
        ),
    ),
}
