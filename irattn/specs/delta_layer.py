"""A layer of a hybrid model: a gated delta net, then an MLP or experts."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.tensors import Role, TensorType, hidden
from irattn.specs.base import Spec, check_flag, check_head_dim, check_positive
from irattn.specs.experts import Experts
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.gated_rms_norm import GatedRmsNormSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.row_norm import check_eps
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.state_layer import OF_MLP, StateLayer, named, parameters
from irattn.specs.weight_formats import (
    WeightFormats,
    check_formats_of_layer,
    format_of,
    formats_for,
    stored_some,
)

_WEIGHTS = ("qkv", "gate", "rates", "output", *OF_MLP)


@dataclass(frozen=True, kw_only=True)
class DeltaLayerSpec(StateLayer):
    """x = hidden + output projection(gated norm(gated delta rule(...))), and with an
    `intermediate_size` what comes after: x + MLP(RMSNorm(x)). Without, it is half of a layer.

    A layer of kind `linear_attention` of Qwen3-Next and Qwen 3.5 (Yang, Kautz and Hatamizadeh
    2024), over packed tokens of `batch` sequences, whose states it takes and gives. Of the normed
    hidden state are made query, key and value, which go through a short convolution and silu, a
    gate of the output, and for each value head the share of a value that is written, `sigmoid(b)`,
    with `doubles_shares` (OLMo Hybrid) twice that, and the log of what is kept,
    `-exp(decay_log) softplus(a + time_bias)`. Tensors in `io_dtype` unless said:

    - hidden, output `[q_tokens, hidden_size]`
    - norm_weight and, with an MLP, mlp_norm_weight `[hidden_size]`: RmsNormSpec, with `norm_eps`
      and `norm_offset`
    - qkv_weight `[channels, hidden_size]`: the rows of all queries, of all keys and of all values,
      `channels = 2 * num_k_heads * key_dim + num_v_heads * value_dim` together
    - gate_weight `[num_v_heads * value_dim, hidden_size]`
    - rates_weight `[2 * num_v_heads, hidden_size]`: the rows of all b, then of all a
    - conv_weight `[channels, kernel]` and conv_state `[batch, kernel - 1, channels]`:
      ShortConvolutionSpec
    - decay_log, time_bias f32 `[num_v_heads]`
    - state f32 `[batch, num_v_heads, key_dim, value_dim]`: GatedDeltaRuleSpec, with `qk_l2_norm`
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its states then stay as they are.
      Tokens after the last one are padding
    - gated_norm_weight `[value_dim]`: GatedRmsNormSpec, with no offset, and with `norm_eps` where
      `gated_norm_eps` is None
    - output_weight `[hidden_size, num_v_heads * value_dim]`: OutputProjectionSpec
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`; with
      `plain_mlp` up_weight in the place of the first, of an MLP without a gate
    - with `experts` (Qwen3-Next), an Experts, and without an `intermediate_size`: in the place of
      the MLP are experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state, updated_state: as conv_state and state; state in its own memory

    `weight_format` is that of LinearSpec, for all weights of products, or maps some of them to one
    each: qkv, gate, rates, output, gate_up or up, and down. Experts have their own.

    With a `gate_rank` (Kimi Linear) the state is forgotten by channel, and a sigmoid of the gate
    opens the output. Both gates are then made of so many columns each, and of the tensors above
    these are others; gates_down and decay have no `weight_format`:

    - gates_down_weight `[2 * gate_rank, hidden_size]`: the rows of what decays are made of, then
      of what the gate is
    - gate_weight `[num_v_heads * value_dim, gate_rank]`
    - decay_weight `[num_v_heads * key_dim, gate_rank]`, whose product is a
    - rates_weight `[num_v_heads, hidden_size]`: the rows of all b
    - time_bias f32 `[num_v_heads * key_dim]`

    What is added to the hidden state, by the MLP too, is multiplied with `residual_scale` first
    (Granite 4).

    Between the steps values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "delta_layer"
    late: ClassVar[tuple[str, ...]] = (*StateLayer.late, "gate_rank")

    num_k_heads: int
    num_v_heads: int
    key_dim: int
    value_dim: int
    kernel: int = 4
    gated_norm_eps: float | None = None
    doubles_shares: bool = False
    weight_format: WeightFormats | None = None
    gate_rank: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight_format", stored_some(self.weight_format, _WEIGHTS))
        super().__post_init__()
        check_formats_of_layer(
            self.weight_format,
            "qkv, gate, rates and output",
            has_mlp=self.intermediate_size is not None,
            has_experts=self.experts is not None,
            of_mlp=OF_MLP,
        )
        check_positive(self, "num_k_heads", "num_v_heads")
        check_head_dim(self, "key_dim", "value_dim")
        check_flag("doubles_shares", self.doubles_shares)
        if self.gated_norm_eps is not None:
            check_eps(self, "gated_norm_eps")
        if self.gate_rank is not None:
            check_positive(self, "gate_rank")
        # Made to be checked.
        _ = (self.convolution, self.rule, self.qkv, self.projection)

    @property
    def size_words(self) -> list[str]:
        return [f"h{self.num_v_heads}x{self.num_k_heads}", f"d{self.value_dim}"]

    @property
    def channels(self) -> int:
        """Columns of query, key and value of all heads."""
        return sum(self.columns)

    @property
    def columns(self) -> tuple[int, int, int]:
        """Columns of all queries, of all keys and of all values."""
        keys = self.num_k_heads * self.key_dim
        return keys, keys, self.num_v_heads * self.value_dim

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value, as heads of a size that divides both."""
        size = math.gcd(self.key_dim, self.value_dim)
        return self._into_heads(self.channels // size, size, self._format("qkv"))

    @property
    def gate(self) -> QkvProjectionSpec:
        """The projection into the gate of the output."""
        return self._into_heads(
            self.num_v_heads, self.value_dim, self._format("gate"), self.gate_rank
        )

    @property
    def gates_down(self) -> QkvProjectionSpec | None:
        """The projection into what decays and the gate are made of, where that is narrow."""
        return self._into_heads(2, self.gate_rank) if self.gate_rank else None

    @property
    def decay(self) -> QkvProjectionSpec | None:
        """The projection into a of each channel, where channels have their own."""
        if self.gate_rank is None:
            return None
        return self._into_heads(self.num_v_heads, self.key_dim, rank=self.gate_rank)

    @property
    def rates(self) -> QkvProjectionSpec:
        """The projection into b and, unless channels have their own, a of each value head."""
        return self._into_heads(1 if self.gate_rank else 2, self.num_v_heads, self._format("rates"))

    @property
    def convolution(self) -> ShortConvolutionSpec:
        """The convolution of query, key and value."""
        return ShortConvolutionSpec(
            **self._packed, channels=self.channels, kernel=self.kernel, silu=True
        )

    @property
    def rule(self) -> GatedDeltaRuleSpec:
        """The gated delta rule."""
        return GatedDeltaRuleSpec(
            **self._packed,
            num_k_heads=self.num_k_heads,
            num_v_heads=self.num_v_heads,
            key_dim=self.key_dim,
            value_dim=self.value_dim,
            gate="channel" if self.gate_rank else "head",
            qk_l2_norm=True,
            layout="NHD",
        )

    @property
    def gated_norm(self) -> GatedRmsNormSpec:
        """The norm of each head, and its gate."""
        return GatedRmsNormSpec(
            **self._rows(self.num_v_heads),
            columns=self.value_dim,
            eps=self.norm_eps if self.gated_norm_eps is None else self.gated_norm_eps,
            sigmoid_gate=self.gate_rank is not None,
        )

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        return self._from_heads(self.num_v_heads, self.value_dim, self._format("output"))

    def _format(self, name: str) -> str | None:
        return format_of(self.weight_format, name)

    @property
    def _mlp_formats(self) -> dict[str, Any]:
        return {"weight_format": formats_for(self.weight_format, {n: n for n in OF_MLP})}

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, conv_weight, conv_state, *_ = self.convolution.inputs
        *_, state, bounds = self.rule.inputs
        each = (self.num_v_heads,)
        biases = (self.num_v_heads * self.key_dim,) if self.gate_rank else each
        return (
            hidden(self._hidden, self.io_dtype),
            named("norm_weight", self.norm.inputs[1]),
            *parameters("qkv", self.qkv),
            *(parameters("gates_down", self.gates_down) if self.gates_down else ()),
            *parameters("gate", self.gate),
            *(parameters("decay", self.decay) if self.decay else ()),
            *parameters("rates", self.rates),
            named("conv_weight", conv_weight),
            TensorType("decay_log", each, "f32"),
            TensorType("time_bias", biases, "f32", role=Role.WEIGHT_BIAS),
            named("conv_state", conv_state),
            named("state", state),
            bounds,
            named("gated_norm_weight", self.gated_norm.inputs[2]),
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
        narrow = (self.gates_down, self.decay) if self.gates_down and self.decay else ()
        own = (self.qkv, *narrow, self.gate, self.rates)
        return (*own, self.convolution, self.rule, self.projection)


_TINY = DeltaLayerSpec(
    batch=3,
    q_tokens=20,
    hidden_size=64,
    num_k_heads=1,
    num_v_heads=2,
    key_dim=32,
    value_dim=32,
    intermediate_size=96,
    norm_offset=1.0,
    io_dtype="f32",
)

CATALOGUE = {
    "delta_layer_tiny": _TINY,
    "delta_layer_experts_tiny": _TINY.replace(
        intermediate_size=None,
        experts=Experts(
            num_experts=8,
            experts_per_token=2,
            intermediate_size=48,
            shared_size=64,
            has_shared_gate=True,
        ),
    ),
    # Weights as GGUF files have them.
    "delta_layer_packed_tiny": _TINY.replace(
        weight_format={
            **{"qkv": "q8_0", "gate": "q4_0", "rates": "q8_0", "output": "q8_0"},
            **{"gate_up": "q4_0", "down": "q8_0"},
        },
    ),
    "delta_layer_channels_tiny": _TINY.replace(norm_offset=0.0, gate_rank=16),
    # Qwen 3.5 9B.
    "delta_layer_base": DeltaLayerSpec(
        batch=4,
        q_tokens=512,
        hidden_size=4096,
        num_k_heads=16,
        num_v_heads=32,
        key_dim=128,
        value_dim=128,
        intermediate_size=12288,
        norm_offset=1.0,
    ),
}
