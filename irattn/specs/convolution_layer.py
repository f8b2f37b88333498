"""A layer of a hybrid model: a short convolution between two gates, then an MLP or experts."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.tensors import TensorType, hidden
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import Spec, check_flag
from irattn.specs.experts import Experts
from irattn.specs.linear import LinearSpec
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.state_layer import StateLayer, named, parameters
from irattn.specs.weight_formats import (
    MLP_WEIGHTS,
    WeightFormats,
    check_formats_of_layer,
    format_of,
    formats_for,
    stored_some,
)


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
    - with `post_norm` (LFM3), post_norm_weight and, with an MLP, mlp_post_norm_weight
      `[hidden_size]`, of norms of what is added to the hidden state
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`; with
      `plain_mlp` up_weight in the place of the first, of an MLP without a gate
    - with `experts`, an Experts, and without an `intermediate_size`: in the place of the MLP are
      experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state: as conv_state

    `weight_format` is that of LinearSpec, for all weights of products, or maps some of them to one
    each: in, out, gate_up, or gate and up, and down. Experts have their own. `activation_format` is
    that of LinearSpec, of what these multiply.

    What is added to the hidden state, by the MLP too, is multiplied with `residual_scale` first
    (Granite 4).

    Between the steps values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "convolution_layer"
    late: ClassVar[tuple[str, ...]] = (*StateLayer.late, "post_norm")

    kernel: int = 3
    weight_format: WeightFormats | None = None
    activation_format: str | None = None
    post_norm: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight_format", stored_some(self.weight_format, _WEIGHTS))
        super().__post_init__()
        check_flag("post_norm", self.post_norm)
        check_activation_format(self)
        check_formats_of_layer(
            self.weight_format,
            "in and out",
            has_mlp=self.intermediate_size is not None,
            has_experts=self.experts is not None,
        )
        # Made to be checked.
        _ = self.convolution, self.into, self.out

    @property
    def into(self) -> LinearSpec:
        """The projection into both gates and what the convolution is of."""
        return self._linear("in", 3 * self.hidden_size)

    @property
    def convolution(self) -> ShortConvolutionSpec:
        """The convolution of what the first gate lets through."""
        return ShortConvolutionSpec(**self._packed, channels=self.hidden_size, kernel=self.kernel)

    @property
    def out(self) -> LinearSpec:
        """The projection back into the hidden state."""
        return self._linear("out", self.hidden_size)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, conv_weight, conv_state, bounds = self.convolution.inputs
        return (
            hidden(self._hidden, self.io_dtype),
            named("norm_weight", self.norm.inputs[1]),
            *parameters("in", self.into),
            named("conv_weight", conv_weight),
            named("conv_state", conv_state),
            bounds,
            *parameters("out", self.out),
            *([named("post_norm_weight", self.norm.inputs[1])] if self.post_norm else []),
            *self._mlp_inputs,
        )

    @property
    def norms_change(self) -> bool:
        return self.post_norm

    @property
    def _mlp_inputs(self) -> tuple[TensorType, ...]:
        given = super()._mlp_inputs
        if not (self.post_norm and self.mlp):
            return given
        return (*given, named("mlp_post_norm_weight", self.norm.inputs[1]))

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype, rounded=self.activation_format),
            self._state,
        )

    @property
    def _products(self) -> tuple[Spec, ...]:
        return (self.into, self.convolution, self.out)

    @property
    def _state(self) -> TensorType:
        """The last tokens that went into the convolution."""
        state = named("updated_conv_state", self.convolution.outputs[1])
        # Next to a tie, another whole number may be multiplied.
        return replace(state, rounded=self.activation_format)

    @property
    def _mlp_formats(self) -> dict[str, Any]:
        return self._formats(formats_for(self.weight_format, {n: n for n in MLP_WEIGHTS}))

    def _linear(self, name: str, columns: int) -> LinearSpec:
        formats = self._formats(format_of(self.weight_format, name))
        parts = {**self._tokens, **formats}
        return LinearSpec(**parts, in_columns=self.hidden_size, out_columns=columns)

    def _formats(self, weights: WeightFormats | None) -> dict[str, Any]:
        """The formats of a part with such weights: only beside these are activations rounded."""
        rounded = self.activation_format if weights else None
        return {"weight_format": weights, "activation_format": rounded}


_WEIGHTS = ("in", "out", *MLP_WEIGHTS)

_TINY = ConvolutionLayerSpec(
    batch=3, q_tokens=20, hidden_size=64, intermediate_size=96, io_dtype="f32"
)

CATALOGUE = {
    "convolution_layer_tiny": _TINY,
    "convolution_experts_tiny": _TINY.replace(
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
