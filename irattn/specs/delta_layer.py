"""A layer of a hybrid model: a gated delta net, then an MLP or experts."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, Role, TensorType, hidden
from irattn.specs.base import check_head_dim, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.experts import Experts, stored_experts
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.gated_rms_norm import GatedRmsNormSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.row_norm import check_eps, check_offset
from irattn.specs.short_convolution import ShortConvolutionSpec


@dataclass(frozen=True, kw_only=True)
class DeltaLayerSpec(DynamicSizes):
    """x = hidden + output projection(gated norm(gated delta rule(...))), and with an
    `intermediate_size` what comes after: x + MLP(RMSNorm(x)). Without, it is half of a layer.

    A layer of kind `linear_attention` of Qwen3-Next and Qwen 3.5 (Yang, Kautz and Hatamizadeh
    2024), over packed tokens of `batch` sequences, whose states it takes and gives. Of the normed
    hidden state are made query, key and value, which go through a short convolution and silu, a
    gate of the output, and for each value head the share of a value that is written, `sigmoid(b)`,
    and the log of what is kept, `-exp(decay_log) softplus(a + time_bias)`. Tensors in `io_dtype`
    unless said:

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
    - gated_norm_weight `[value_dim]`: GatedRmsNormSpec, with `norm_eps` and no offset
    - output_weight `[hidden_size, num_v_heads * value_dim]`: OutputProjectionSpec
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`
    - with `experts` (Qwen3-Next), an Experts, and without an `intermediate_size`: in the place of
      the MLP are experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state, updated_state: as conv_state and state; state in its own memory

    Between the steps values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "delta_layer"
    dynamic_names: ClassVar[tuple[str, ...]] = ("q_tokens",)

    io_dtype: str = "f16"
    batch: int = 1
    q_tokens: int
    hidden_size: int
    num_k_heads: int
    num_v_heads: int
    key_dim: int
    value_dim: int
    kernel: int = 4
    norm_eps: float = 1e-6
    norm_offset: float = 0.0
    intermediate_size: int | None = None
    activation: str = "silu"
    experts: Experts | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "experts", stored_experts(self.experts))
        check_positive(self, "batch", "q_tokens", "hidden_size", "num_k_heads", "num_v_heads")
        check_head_dim(self, "key_dim", "value_dim")
        check_eps(self, "norm_eps")
        check_offset(self, "norm_offset")
        self._check_dynamic()
        # Made to be checked.
        _ = (self.convolution, self.rule)
        if self.mlp is None and self.activation != DeltaLayerSpec.activation:
            raise SpecError("activation: has no effect without intermediate_size; leave it out")
        for name in ("intermediate_size", "activation") if self.experts else ():
            if getattr(self, name) != getattr(DeltaLayerSpec, name):
                raise SpecError(f"{name}: experts have their own; leave it out")

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
    def norm(self) -> RmsNormSpec:
        """The norms of the hidden state."""
        return RmsNormSpec(
            **self._rows(1), columns=self.hidden_size, eps=self.norm_eps, offset=self.norm_offset
        )

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value, as heads of a size that divides both."""
        size = math.gcd(self.key_dim, self.value_dim)
        return self._projection(self.channels // size, size)

    @property
    def gate(self) -> QkvProjectionSpec:
        """The projection into the gate of the output."""
        return self._projection(self.num_v_heads, self.value_dim)

    @property
    def rates(self) -> QkvProjectionSpec:
        """The projection into b and a of each value head."""
        return self._projection(2, self.num_v_heads)

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
            qk_l2_norm=True,
            layout="NHD",
        )

    @property
    def gated_norm(self) -> GatedRmsNormSpec:
        """The norm of each head, and its gate."""
        return GatedRmsNormSpec(
            **self._rows(self.num_v_heads), columns=self.value_dim, eps=self.norm_eps
        )

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        return OutputProjectionSpec(
            **self._tokens,
            num_q_heads=self.num_v_heads,
            head_dim=self.value_dim,
            hidden_size=self.hidden_size,
        )

    @property
    def mlp(self) -> MlpSpec | MixtureOfExpertsSpec | None:
        """The MLP, or the experts in its place, where the layer is a whole one."""
        if self.experts:
            return MixtureOfExpertsSpec(
                **vars(self.experts), **self._tokens, hidden_size=self.hidden_size
            )
        if self.intermediate_size is None:
            return None
        return MlpSpec(
            **self._tokens,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            activation=self.activation,
        )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, conv_weight, conv_state, *_ = self.convolution.inputs
        *_, state, bounds = self.rule.inputs
        each, mlp = (self.num_v_heads,), self.mlp
        after = (_named("mlp_norm_weight", self.norm.inputs[1]), *mlp.inputs[1:]) if mlp else ()
        return (
            hidden(self._hidden, self.io_dtype),
            _named("norm_weight", self.norm.inputs[1]),
            _named("qkv_weight", self.qkv.inputs[1]),
            _named("gate_weight", self.gate.inputs[1]),
            _named("rates_weight", self.rates.inputs[1]),
            _named("conv_weight", conv_weight),
            TensorType("decay_log", each, "f32"),
            TensorType("time_bias", each, "f32", role=Role.WEIGHT_BIAS),
            _named("conv_state", conv_state),
            _named("state", state),
            bounds,
            _named("gated_norm_weight", self.gated_norm.inputs[2]),
            _named("output_weight", self.projection.inputs[1]),
            *after,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype),
            _named("updated_conv_state", self.convolution.outputs[1]),
            _named("updated_state", self.rule.outputs[1]),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"updated_state": "state"}

    @property
    def flops(self) -> int:
        parts = (self.qkv, self.gate, self.rates, self.convolution, self.rule, self.projection)
        return sum(part.flops for part in (*parts, self.mlp) if part)

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (self.size("q_tokens"), self.hidden_size)

    @property
    def _packed(self) -> dict[str, Any]:
        """The tokens as the convolution and the rule take them."""
        dynamic = ("q_len",) if self.dynamic else ()
        sizes = {"batch": self.batch, "q_len": self.q_tokens, "packed": True}
        return {**sizes, "io_dtype": self.io_dtype, "dynamic": dynamic}

    @property
    def _tokens(self) -> dict[str, Any]:
        """The tokens as products take them, each a sequence of its own."""
        dynamic = ("batch",) if self.dynamic else ()
        sizes = {"batch": self.q_tokens, "q_len": 1}
        return {**sizes, "io_dtype": self.io_dtype, "dynamic": dynamic}

    def _rows(self, of_token: int) -> dict[str, Any]:
        """So many rows of each token, as norms take them."""
        dynamic = ("rows",) if self.dynamic else ()
        return {"rows": self.q_tokens * of_token, "io_dtype": self.io_dtype, "dynamic": dynamic}

    def _projection(self, heads: int, size: int) -> QkvProjectionSpec:
        return QkvProjectionSpec(
            **self._tokens,
            num_q_heads=heads,
            num_kv_heads=0,
            head_dim=size,
            hidden_size=self.hidden_size,
        )


def _named(name: str, tensor: TensorType) -> TensorType:
    return replace(tensor, name=name)


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
