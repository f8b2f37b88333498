"""A layer of a hybrid model: Mamba 2's state-space step, then an MLP or experts."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import Role, TensorType, hidden
from irattn.specs.base import Spec, check_flag, check_head_dim, check_positive
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.state_layer import OF_MLP, StateLayer, named, parameters
from irattn.specs.weight_formats import (
    WeightFormats,
    check_formats_of_layer,
    format_of,
    formats_for,
    stored_some,
)

_WEIGHTS = ("gate", "channels", "steps", "output", *OF_MLP)


@dataclass(frozen=True, kw_only=True)
class StateSpaceLayerSpec(StateLayer):
    """x = hidden + output projection(norm(gate(state-space step(...)))), and with an
    `intermediate_size` what comes after: x + MLP(RMSNorm(x)). Without, it is half of a layer.

    A layer with Mamba 2 (Dao and Gu 2024), as Bamba and Granite 4 have it, over packed tokens of
    `batch` sequences, whose states it takes and gives. Of the normed hidden state are made the
    input x of each head, and B and C of each group of heads, which go through a short convolution
    and silu, a gate z, and for each head a time step, `softplus(dt + time_bias)`. By the time step
    x is written to the state at B, and the log of what is kept of it is `-exp(decay_log)` times the
    time step; C reads the state. Tensors in `io_dtype` unless said:

    - hidden, output `[q_tokens, hidden_size]`
    - with `has_residual_input` (Falcon-H1), residual_hidden `[q_tokens, hidden_size]`: what the
      step makes is added to it instead of hidden
    - norm_weight and, with an MLP, mlp_norm_weight `[hidden_size]`: RmsNormSpec, with `norm_eps`
      and `norm_offset`
    - gate_weight `[num_heads * head_dim, hidden_size]`
    - channels_weight `[channels, hidden_size]`: the rows of x of all heads, of B and of C of all
      groups, `channels = num_heads * head_dim + 2 * num_groups * state_size` together
    - steps_weight `[num_heads, hidden_size]`
    - conv_weight `[channels, kernel]`, with `has_conv_bias` conv_bias `[channels]`, and conv_state
      `[batch, kernel - 1, channels]`: ShortConvolutionSpec
    - decay_log, time_bias, skip_weight f32 `[num_heads]`: x goes around the step times skip_weight
    - state f32 `[batch, num_heads, state_size, head_dim]`: GatedDeltaRuleSpec, `uncorrected`
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its states then stay as they are.
      Tokens after the last one are padding
    - group_norm_weight `[num_heads * head_dim]`: what silu(z) is multiplied with is normed, the
      heads of a group together, as RmsNormSpec has it with `norm_eps` and no offset; with
      `skips_group_norm` (Falcon-H1) it is not, and there is no such weight
    - output_weight `[hidden_size, num_heads * head_dim]`: OutputProjectionSpec
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`; with
      `plain_mlp` up_weight in the place of the first, of an MLP without a gate
    - with `experts`, an Experts, and without an `intermediate_size`: in the place of the MLP are
      experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state, updated_state: as conv_state and state; state in its own memory

    `weight_format` is that of LinearSpec, for all weights of products, or maps some of them to one
    each: gate, channels, steps, output, gate_up or up, and down. Experts have their own.

    What is added to the hidden state, by the MLP too, is multiplied with `residual_scale` first
    (Granite 4).

    Between the steps values are rounded to `io_dtype`, the time steps by which x is written among
    them. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "state_space_layer"

    num_groups: int = 1
    num_heads: int
    state_size: int
    head_dim: int
    kernel: int = 4
    has_conv_bias: bool = False
    has_residual_input: bool = False
    skips_group_norm: bool = False
    weight_format: WeightFormats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight_format", stored_some(self.weight_format, _WEIGHTS))
        super().__post_init__()
        check_formats_of_layer(
            self.weight_format,
            "gate, channels, steps and output",
            has_mlp=self.intermediate_size is not None,
            has_experts=self.experts is not None,
            of_mlp=OF_MLP,
        )
        check_positive(self, "num_groups", "num_heads")
        check_head_dim(self, "state_size", "head_dim")
        for flag in ("has_conv_bias", "has_residual_input", "skips_group_norm"):
            check_flag(flag, getattr(self, flag))
        if self.num_heads % self.num_groups:
            raise SpecError(
                f"num_groups: expected a divisor of num_heads = {self.num_heads}, "
                f"got {self.num_groups}"
            )
        # Made to be checked.
        _ = (self.convolution, self.rule, self.gate, self.into, self.steps, self.projection)

    @property
    def size_words(self) -> list[str]:
        return [f"h{self.num_heads}x{self.num_groups}", f"d{self.head_dim}"]

    @property
    def inner_size(self) -> int:
        """Columns of all heads."""
        return self.num_heads * self.head_dim

    @property
    def channels(self) -> int:
        """Columns that the convolution mixes."""
        return sum(self.columns)

    @property
    def columns(self) -> tuple[int, int, int]:
        """Columns of x of all heads, and of B and of C of all groups."""
        of_groups = self.num_groups * self.state_size
        return self.inner_size, of_groups, of_groups

    @property
    def gate(self) -> QkvProjectionSpec:
        """The projection into the gate."""
        return self._into_heads(self.num_heads, self.head_dim, self._format("gate"))

    @property
    def into(self) -> QkvProjectionSpec:
        """The projection into x, B and C, as heads of a size that divides all."""
        size = math.gcd(self.head_dim, self.state_size)
        return self._into_heads(self.channels // size, size, self._format("channels"))

    @property
    def steps(self) -> QkvProjectionSpec:
        """The projection into the time step of each head, as heads of one column."""
        return self._into_heads(self.num_heads, 1, self._format("steps"))

    @property
    def convolution(self) -> ShortConvolutionSpec:
        """The convolution of x, B and C."""
        return ShortConvolutionSpec(
            **self._packed,
            channels=self.channels,
            kernel=self.kernel,
            use_bias=self.has_conv_bias,
            silu=True,
        )

    @property
    def rule(self) -> GatedDeltaRuleSpec:
        """The state-space step."""
        return GatedDeltaRuleSpec(
            **self._packed,
            num_k_heads=self.num_groups,
            num_v_heads=self.num_heads,
            key_dim=self.state_size,
            value_dim=self.head_dim,
            scale=1.0,
            uncorrected=True,
            layout="NHD",
        )

    @property
    def group_norm(self) -> RmsNormSpec:
        """The norm of the heads of a group."""
        return RmsNormSpec(
            **self._rows(1), columns=self.inner_size // self.num_groups, eps=self.norm_eps
        )

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        return self._from_heads(self.num_heads, self.head_dim, self._format("output"))

    def _format(self, name: str) -> str | None:
        return format_of(self.weight_format, name)

    @property
    def _mlp_formats(self) -> dict[str, Any]:
        return {"weight_format": formats_for(self.weight_format, {n: n for n in OF_MLP})}

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, *conv_parameters, conv_state, _ = self.convolution.inputs
        *_, state, bounds = self.rule.inputs
        each = (self.num_heads,)
        given = hidden(self._hidden, self.io_dtype)
        group_norm = TensorType("group_norm_weight", (self.inner_size,), self.io_dtype)
        return (
            given,
            *([named("residual_hidden", given)] if self.has_residual_input else []),
            named("norm_weight", self.norm.inputs[1]),
            *parameters("gate", self.gate),
            *parameters("channels", self.into),
            *parameters("steps", self.steps),
            *(named(f"conv_{tensor.name}", tensor) for tensor in conv_parameters),
            TensorType("decay_log", each, "f32"),
            TensorType("time_bias", each, "f32", role=Role.WEIGHT_BIAS),
            TensorType("skip_weight", each, "f32"),
            named("conv_state", conv_state),
            named("state", state),
            bounds,
            *([] if self.skips_group_norm else [group_norm]),
            *parameters("output", self.projection),
            *self._mlp_inputs,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype),
            named("updated_conv_state", self.convolution.outputs[1]),
            named("updated_state", self.rule.outputs[1]),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"updated_state": "state"}

    @property
    def _products(self) -> tuple[Spec, ...]:
        return (self.gate, self.into, self.steps, self.convolution, self.rule, self.projection)


_TINY = StateSpaceLayerSpec(
    batch=3,
    q_tokens=20,
    hidden_size=64,
    num_groups=2,
    num_heads=4,
    state_size=32,
    head_dim=16,
    has_conv_bias=True,
    intermediate_size=96,
    io_dtype="f32",
)

CATALOGUE = {
    "state_space_layer_tiny": _TINY,
    # Weights as GGUF files have them.
    "state_space_layer_packed_tiny": _TINY.replace(
        weight_format={
            **dict.fromkeys(("gate", "channels", "steps"), "q4_0"),
            **{"output": "q8_0", "gate_up": "q4_0", "down": "q8_0"},
        },
    ),
    # Bamba 9B.
    "state_space_layer_base": StateSpaceLayerSpec(
        batch=4,
        q_tokens=512,
        hidden_size=4096,
        num_heads=128,
        state_size=128,
        head_dim=64,
        has_conv_bias=True,
        norm_eps=1e-5,
        intermediate_size=14336,
    ),
}
