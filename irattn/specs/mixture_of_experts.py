"""Experts: MLPs of which a router chooses some for each token."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, hidden, largest, weight
from irattn.core.weight_formats import check_columns, check_scaled_rows
from irattn.specs.activation_formats import rounded_output
from irattn.specs.base import check_positive
from irattn.specs.dynamic import BatchOfTokens
from irattn.specs.experts import CLAMPED_SWIGLU, SHARED, Experts
from irattn.specs.mlp import MlpSpec
from irattn.specs.weight_formats import format_of, formats_for


@dataclass(frozen=True, kw_only=True)
class MixtureOfExpertsSpec(BatchOfTokens, Experts):
    """The weighted sum of `experts_per_token` of `num_experts` MLPs, those with the best scores.

    Shazeer et al. 2017, "Outrageously Large Neural Networks", as Mixtral, Qwen3-MoE, GPT-OSS and
    DeepSeek-V3 have it. Each expert is down(activation(gate(x)) * up(x)), or with `is_plain`
    (Nemotron 3) down(activation(up(x))), each of the three x · weightᵀ. Tensors in `io_dtype`
    unless said otherwise; sums are f32:

    - hidden, output `[batch, q_len, hidden_size]`
    - with `has_router_input` (Gemma 4), router_hidden `[batch, q_len, hidden_size]`, which the
      router reads instead of hidden
    - router_weight `[num_experts, hidden_size]`, with `has_router_bias` router_bias
      `[num_experts]`: hidden · router_weightᵀ + router_bias are the logits
    - with `has_expert_scales` (Gemma 4), expert_scale `[num_experts]`, which the weights of experts
      are multiplied with
    - with `has_choice_bias`, choice_bias f32 `[num_experts]`: added to scores, for choosing alone;
      with `biases_logits` (Kolibri), of sigmoids without groups, to logits instead
    - gate_up_weight `[num_experts, 2 * intermediate_size, hidden_size]`, of each expert the rows of
      the gate, then those of up, and with `is_plain` up_weight
      `[num_experts, intermediate_size, hidden_size]`; down_weight
      `[num_experts, hidden_size, intermediate_size]`
    - with `has_bias`, gate_up_bias `[num_experts, 2 * intermediate_size]` and down_bias
      `[num_experts, hidden_size]`
    - with `shared_size`, an MLP of every token beside: shared_gate_up_weight
      `[2 * shared_size, hidden_size]`, with `is_plain` shared_up_weight
      `[shared_size, hidden_size]`, shared_down_weight `[hidden_size, shared_size]`, and with
      `has_shared_gate` shared_gate_weight `[1, hidden_size]`, whose product's sigmoid it is
      multiplied with

    `scores` of logits: `softmax`, or `sigmoid` of each. Of equal scores that of the lower expert
    comes first. With `num_groups`, experts next to each other are a group, and only the
    `chosen_groups` with the best scores are chosen from: a group's score is that of its best
    expert, with `sigmoid` of its best two. A token's weights are the chosen scores without
    choice_bias; with `is_normalized` divided by their sum (`softmax` of all, divided so, is
    `softmax` of the chosen logits; to that of sigmoids `sum_eps` is added, 1e-20 where it is None,
    1e-6 in LFM2), and times `routed_scale`. With scores of `sparse_mixer` (Phi 3.5), each choice
    has a weight of its own: the share that `softmax` gives it of all logits that were not chosen
    before, of those x alone of which (best - x) / max(|x|, best) is at most twice `jitter`. With
    `scales_input` (Llama 4) what an expert reads is multiplied with the weight, instead of what it
    makes.

    `weight_format` is LinearSpec's, of all experts' weights, or maps gate_up and down to one each:
    `[num_experts, 2 * intermediate_size, bytes of a row]` and so on. Without biases gate and up may
    also be named apart: there are gate_weight and up_weight then. Where it maps them, those of what
    is shared are in `io_dtype` unless shared_gate_up and shared_down are mapped, too.
    `activation_format` is LinearSpec's, of what quantised weights multiply.

    `activation` is one of `mlp`'s, or `clamped_swiglu`, GPT-OSS's: x · sigmoid(1.702 x) of gates
    x of at most 7, times up clamped to -7 to 7, plus 1. What an activation makes is rounded to
    `io_dtype`. `dynamic` may name batch and q_len.
    """

    op: ClassVar[str] = "mixture_of_experts"

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size")
        self.check_experts()
        self._check_dynamic()
        for name in self.up_names:
            packed = format_of(self.weight_format, name)
            check_columns("hidden_size", self.hidden_size, packed)
            check_scaled_rows("intermediate_size", self.intermediate_size, packed)
        of_down = format_of(self.weight_format, "down")
        check_scaled_rows("hidden_size", self.hidden_size, of_down)
        # Made to be checked.
        _ = self.shared

    @property
    def shared(self) -> MlpSpec | None:
        """The MLP of every token."""
        if self.shared_size is None:
            return None
        formats = formats_for(self.weight_format, SHARED)
        return MlpSpec(
            io_dtype=self.io_dtype,
            batch=self.batch,
            q_len=self.q_len,
            hidden_size=self.hidden_size,
            intermediate_size=self.shared_size,
            activation=self.activation,
            gated=not self.is_plain,
            dynamic=self.dynamic,
            weight_format=formats,
            activation_format=self.activation_format if formats else None,
        )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        routed = TensorType("router_hidden", self._hidden, self.io_dtype)
        given = (routed,) if self.has_router_input else ()
        return hidden(self._hidden, self.io_dtype), *given, *self.parameters

    @property
    def parameters(self) -> tuple[TensorType, ...]:
        """The inputs but for hidden states."""
        experts, columns, inner = self.num_experts, self.hidden_size, self.intermediate_size
        made = [self._weight("router_weight", experts, columns)]
        if self.has_router_bias:
            made.append(self._bias("router_bias", experts))
        if self.has_choice_bias:
            bias = TensorType("choice_bias", (experts,), "f32", role=Role.WEIGHT_BIAS)
            made.append(bias)
        if self.has_expert_scales:
            made.append(TensorType("expert_scale", (experts,), self.io_dtype))
        up = [(name, self.up_rows, columns) for name in self.up_names]
        for name, rows, depth in (*up, ("down", columns, inner)):
            packed = format_of(self.weight_format, name)
            given = (f"{name}_weight", rows, depth, self.io_dtype, packed, experts)
            made += weight(*given)
            if self.has_bias:
                made.append(self._bias(f"{name}_bias", experts, rows))
        if self.shared:
            of_shared = self.shared.inputs[1:]
            made += [replace(tensor, name=f"shared_{tensor.name}") for tensor in of_shared]
        if self.has_shared_gate:
            made.append(self._weight("shared_gate_weight", 1, columns))
        return tuple(made)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (rounded_output(self, self._hidden),)

    @property
    def flops(self) -> int:
        """Operations of the products with the router, the chosen experts and what is shared."""
        width = self.experts_per_token * self.intermediate_size + (self.shared_size or 0)
        width *= 2 if self.is_plain else 3
        columns = self.num_experts + width + int(self.has_shared_gate)
        return 2 * largest(self.rows) * self.hidden_size * columns

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (*self.tokens, self.hidden_size)

    def _weight(self, name: str, *shape: int) -> TensorType:
        return TensorType(name, shape, self.io_dtype, role=Role.WEIGHT)

    def _bias(self, name: str, *shape: int) -> TensorType:
        return TensorType(name, shape, self.io_dtype, role=Role.WEIGHT_BIAS)


_TINY: dict[str, Any] = {
    "hidden_size": 64,
    "intermediate_size": 48,
    "num_experts": 8,
    "experts_per_token": 2,
    "io_dtype": "f32",
}
# OLMoE's experts.
_BASE: dict[str, Any] = {
    "hidden_size": 2048,
    "intermediate_size": 1024,
    "num_experts": 64,
    "experts_per_token": 8,
}

CATALOGUE = {
    "experts_tiny": MixtureOfExpertsSpec(**_TINY, q_len=32),
    "experts_base": MixtureOfExpertsSpec(**_BASE, q_len=512),
    "experts_decode_tiny": MixtureOfExpertsSpec(**_TINY, q_len=1),
    "experts_decode_base": MixtureOfExpertsSpec(**_BASE, q_len=1),
    # GPT-OSS's.
    "experts_clamped_tiny": MixtureOfExpertsSpec(
        **_TINY, q_len=32, activation=CLAMPED_SWIGLU, has_bias=True, has_router_bias=True
    ),
    # GPT-OSS's blocks.
    "experts_packed_tiny": MixtureOfExpertsSpec(
        **{**_TINY, "intermediate_size": 32, "num_experts": 4},
        q_len=3,
        weight_format="mxfp4",
    ),
    # GLM-4.5's, with groups as DeepSeek-V3 has them.
    "experts_groups_tiny": MixtureOfExpertsSpec(
        **_TINY,
        q_len=32,
        scores="sigmoid",
        has_choice_bias=True,
        num_groups=4,
        chosen_groups=2,
        routed_scale=2.5,
        shared_size=96,
    ),
}
