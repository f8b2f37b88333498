"""A decoder layer, or its attention half, from hidden state to hidden state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeAlias

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.core.tensors import AnySize, Role, TensorType, hidden, integers
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import check_flag, check_positive
from irattn.specs.block_cache import check_block_rows
from irattn.specs.dynamic import SizedByCalls
from irattn.specs.experts import Experts, stored_experts
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.latent_projection import LatentProjectionSpec
from irattn.specs.latent_sizes import LatentSizes, stored_latent
from irattn.specs.layer_attention import (
    CachedAttention,
    LayerAttention,
    stored_attention,
    token_axes,
    tokens_of_parts,
    updating_of,
)
from irattn.specs.layer_input import LayerInput, LayerInputParts, stored_layer_input
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.layer_streams import HiddenStreams, LaurelParts, StreamParts, stored_streams
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.packed_paged_attention import (
    PackedPagedAttentionSpec,
    packed_paged_base,
    packed_paged_tiny,
)
from irattn.specs.paged_attention import PagedAttentionSpec, paged_base, paged_tiny
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import RopeScaling, llama3
from irattn.specs.row_norm import check_eps, check_offset
from irattn.specs.weight_formats import (
    MLP_WEIGHTS,
    WeightFormats,
    check_formats_of_layer,
    format_of,
    formats_for,
    stored_some,
)

NORM_KINDS = ("rms", "layer")
PARALLEL_MLPS = ("own_norm", "shared_norm")

NormSpec: TypeAlias = RmsNormSpec | LayerNormSpec


@dataclass(frozen=True, kw_only=True)
class DecoderLayerSpec(SizedByCalls):
    """hidden + output projection(attention(RoPE(q/k norm(QKV(RMSNorm(hidden)))))), as Llama has it,
    and with an `intermediate_size` what comes after: x + MLP(RMSNorm(x)). Without, it is the
    attention half of a layer.

    `attention` is that of the layer, a PagedAttentionSpec or a PackedPagedAttentionSpec, or its
    fields, whose `op` then tells which, the first where there is none; `replace` and `--set` take
    its fields too, as `attention.window` or, where the layer has no field of that name, `window`.

    One graph for prefill (`q_len` > 1) and decode: the new keys and values go into the caches, in
    their own memory, before the queries attend. Tensors in the `io_dtype` of the attention unless
    said:

    - hidden, output `[batch, q_len, hidden_size]`
    - with `pre_norm`, norm_weight `[hidden_size]`; with `post_norm` (Gemma 2, and OLMo 2, which has
      no other norm) also post_norm_weight, of a norm that comes before the residual is added. All
      norms use `norm_eps` and `norm_offset`: RmsNormSpec. Where `norm_kind` is `layer` (GPT-2),
      those of the hidden state are LayerNormSpec's, and with `norm_bias` each has also a norm_bias,
      post_norm_bias and so on
    - qkv_weight and, with `qkv_bias`, qkv_bias: QkvProjectionSpec
    - with `qk_norm` (Qwen 3), query_norm_weight and key_norm_weight `[head_dim]`, over each head;
      with `joint_qk_norm` (OLMo 2) `[num_q_heads * head_dim]` and `[num_kv_heads * head_dim]`, over
      all heads of a token at once. Without `qk_norm_weights` they have none (Llama 4, whose norms
      come after the rotation, which changes no length); with `norms_after_rope` (Hunyuan), those
      with weights come after it, too
    - with `value_norm` (Gemma 4), values go through such a norm, over each head, without a weight
    - with a `qkv_clip` (OLMo, MPT), queries, keys and values are then between its negative and it
    - with `shares_kv` (Gemma 3n and 4), the layer makes queries alone: the caches are those of
      another layer, which has written the new tokens: no slot_mapping, and no updated caches
    - with `output_gate` (Qwen3-Next), what a head attends to is multiplied with the sigmoid of its
      gate, which the QKV projection makes, too, before the output projection
    - with `use_rope`, positions int32 `[batch, q_len]`, 0 to `max_positions - 1`; `rope_style`,
      `rotary_dim`, `theta` and `scaling`: RopeSpec
    - with `temperature` (Ministral 3, Llama 4), positions, too: queries are multiplied with
      1 + temperature * ln(1 + floor((position + temperature_offset) / temperature_tokens))
    - with `latent` (DeepSeek-V2), a LatentSizes, the parameters of LatentProjectionSpec and
      value_weight `[num_q_heads, value_dim, kv_lora_rank]` instead of those of QKV. The attention
      is absorbed: one KV head and a `latent_cache`, with keys of `kv_lora_rank + rope_dim` columns,
      values of `kv_lora_rank`, and the `softmax_scale` of `nope_dim + rope_dim`. What a head
      attends to goes through its value_weight
    - key_cache, value_cache, slot_mapping, block_table, context_lens, q_lens and the tensors of
      features: PagedUpdateAttentionSpec
    - output_weight and, with `output_bias`, output_bias: OutputProjectionSpec
    - with `intermediate_size`, mlp_norm_weight `[hidden_size]` of the second norm (Llama's
      post_attention_layernorm, Gemma 2's pre_feedforward_layernorm) and the parameters of the MLP,
      which has `activation`, `gated`, `mlp_bias` and `sparsity`: MlpSpec; with `post_norm` also
      mlp_post_norm_weight, of a norm that comes before the second residual is added; with
      `mlp_post_norm` (A.X K1) there is that one alone. With
      `parallel_mlp` the MLP reads the layer's hidden state instead of what attention made of it,
      with its `own_norm` (GPT-NeoX, Falcon 40B) or through the `shared_norm` of attention (Cohere)
    - with `experts` (Mixtral), an Experts, the same without an `intermediate_size`: in the place of
      the MLP are experts, whose parameters are MixtureOfExpertsSpec's. With one, and with
      `post_norm`, they stand beside the MLP (Gemma 4): what is added is the norm of
      norm(MLP) + norm(experts(norm(x))), of weights mlp_own_norm_weight, experts_post_norm_weight
      and experts_norm_weight, and router_hidden is x through the norm of
      experts_router_norm_weight. Other parameters of experts begin with experts_
    - with `layer_input` (Gemma 4), a LayerInput, token_ids int32 `[batch, q_len]`, embedded
      `[batch, q_len, hidden_size]`, the model's embedding of them, token_embedding_weight
      `[vocab_size, width]`, token_projection_weight `[width, hidden_size]`, token_norm_weight
      `[width]`, token_gate_weight `[width, hidden_size]`, token_output_weight
      `[hidden_size, width]` and token_post_norm_weight `[hidden_size]`. After the MLP comes
      x + norm(output(activation(gate(x)) * token)), where token is (width ** 0.5 * embedding +
      norm(projection(embedded) * hidden_size ** -0.5)) * 2 ** -0.5 of each token
      With `known_tokens`, token_ids may be up to that many, and those that the embedding does not
      have are as token 0
    - with a `laurel_rank` (Gemma 3n), laurel_down_weight `[laurel_rank, hidden_size]`,
      laurel_up_weight `[hidden_size, laurel_rank]` and laurel_norm_weight `[hidden_size]`: after
      attention comes (x + attention + y + norm(up(down(y)))) * 2 ** -0.5, of y = norm(x), what
      attention reads
    - with `streams` (Gemma 3n's AltUp), a HiddenStreams, hidden and output have an axis of
      `num_streams` hidden states before `hidden_size`. With coefficients p and c of
      StreamCoefficientsSpec, of norm and router stream_norm_weight `[hidden_size]` and
      stream_router_weight `[num_streams, hidden_size]`, and of stream_prediction_weight
      `[num_streams ** 2, num_streams]` and stream_correction_weight `[num_streams, num_streams]`,
      the layer reads the `active` one of predicted_i = hidden_i + sum_j p_ij hidden_j, where p is
      of the active hidden_a, and makes x of it; output_i is predicted_i +
      (1 + c_i) * (x - predicted_a), where c is of x. `layer_input` is there: its gate reads the
      active output, with `has_scale` times stream_scale `[hidden_size]`, and what it makes is
      added to all outputs but the first
    - updated_key_cache, updated_value_cache: the caches with the new tokens; with the attention's
      `cache_dtype` they are quantised, and have scales (CacheElements)

    Around packed attention, tokens are packed: hidden and output are `[q_tokens, hidden_size]`,
    positions and token_ids `[q_tokens]`, embedded `[q_tokens, hidden_size]`, and
    PackedPagedUpdateAttentionSpec has the tensors of the cache.

    `weight_format` is that of LinearSpec, for all weights of products, or maps some of them to one
    each: qkv, or qkv_query, qkv_key and qkv_value apart, output, gate_up, or gate and up, and down.
    `activation_format` is that of LinearSpec, of what these multiply; experts have their own.

    `dynamic` of the attention lists the sizes that every call chooses: PagedAttentionSpec.

    What attention and MLP add is multiplied with `residual_scale` first (Granite); with
    `scales_output` (Gemma 4) all that comes out with output_scale `[1]`. Between the steps values
    are rounded to `io_dtype`.
    """

    op: ClassVar[str] = "decoder_layer"

    attention: LayerAttention
    hidden_size: int
    max_positions: int
    use_rope: bool = True
    rope_style: str = "rotate_half"
    rotary_dim: int | None = None
    theta: float = 10000.0
    scaling: RopeScaling | None = None
    temperature: float | None = None
    temperature_tokens: int | None = None
    temperature_offset: int = 0
    norm_kind: str = "rms"
    norm_eps: float = 1e-6
    norm_offset: float = 0.0
    norm_bias: bool = False
    pre_norm: bool = True
    qk_norm: bool = False
    joint_qk_norm: bool = False
    qk_norm_weights: bool = True
    norms_after_rope: bool = False
    value_norm: bool = False
    shares_kv: bool = False
    output_gate: bool = False
    scales_output: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    post_norm: bool = False
    intermediate_size: int | None = None
    activation: str = "silu"
    gated: bool = True
    mlp_bias: bool = False
    parallel_mlp: str | None = None
    residual_scale: float = 1.0
    latent: LatentSizes | None = None
    experts: Experts | None = None
    weight_format: WeightFormats | None = None
    activation_format: str | None = None
    layer_input: LayerInput | None = None
    sparsity: float | None = None
    laurel_rank: int | None = None
    streams: HiddenStreams | None = None
    mlp_post_norm: bool = False
    qkv_clip: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "latent", stored_latent(self.latent))
        object.__setattr__(self, "experts", stored_experts(self.experts))
        object.__setattr__(self, "layer_input", stored_layer_input(self.layer_input))
        object.__setattr__(self, "streams", stored_streams(self.streams))
        object.__setattr__(self, "attention", stored_attention(self.attention, self.latent))
        object.__setattr__(self, "weight_format", stored_some(self.weight_format, _WEIGHTS))
        check_positive(self, "hidden_size", "max_positions")
        for flag in _FLAGS:
            check_flag(flag, getattr(self, flag))
        check_eps(self, "norm_eps")
        check_offset(self, "norm_offset")
        self._check_norms()
        self._check_latent()
        self._check_temperature()
        if self.qkv_clip is not None:
            clip = real("qkv_clip", self.qkv_clip, 1e-6, 1e6, expected=_SCALE_WORDS)
            object.__setattr__(self, "qkv_clip", clip)
        scale = real("residual_scale", self.residual_scale, 1e-6, 1e6, expected=_SCALE_WORDS)
        object.__setattr__(self, "residual_scale", scale)
        # The parts check what is theirs, and store it in one form.
        if self.use_rope:
            rope = self.rope
            for name in ("rotary_dim", "theta", "scaling"):
                object.__setattr__(self, name, getattr(rope, name))
        else:
            self._store_defaults(
                *("use_rope", "rope_style", "rotary_dim", "theta", "scaling", "norms_after_rope")
            )
        # Made to be checked.
        if self.mlp is None:
            self._store_defaults(
                *("intermediate_size", "activation", "gated", "mlp_bias", "parallel_mlp"),
                *("layer_input", "sparsity", "laurel_rank", "mlp_post_norm"),
            )
        self._check_layer_input()
        self._check_laurel()
        self._check_streams()
        self._check_experts()
        check_block_rows(self.cached_attention)
        self._check_weights()

    def _check_experts(self) -> None:
        """Refuse fields of an MLP that is not there, and experts beside one that go another way."""
        if self.experts is None:
            return
        is_beside = self.intermediate_size is not None
        for name in () if is_beside else _OF_MLPS:
            if getattr(self, name) != getattr(DecoderLayerSpec, name):
                raise SpecError(f"{name}: experts have their own; leave it out")
        if self.experts.has_router_input != is_beside:
            raise SpecError(
                "experts.has_router_input: experts beside an MLP have it, and no others; give "
                "intermediate_size with it"
            )
        for name, needed in _BESIDE.items() if is_beside else ():
            if getattr(self, name) != needed:
                raise SpecError(f"{name}: with experts beside an MLP it is {shown(needed)}")

    def _check_weights(self) -> None:
        """Parts have the formats of their weights, and check them."""
        check_activation_format(self)
        if self.weight_format is None:
            return
        if self.latent:
            raise SpecError("weight_format: layers with latent have none; leave it out")
        _ = self.qkv, self.projection
        check_formats_of_layer(
            self.weight_format,
            "qkv and output",
            has_mlp=not self.experts and self.mlp is not None,
            has_experts=self.experts is not None,
        )

    def _check_norms(self) -> None:
        if self.norm_kind not in NORM_KINDS:
            raise SpecError(
                f"norm_kind: expected {' or '.join(NORM_KINDS)}, got {shown(self.norm_kind)}"
            )
        if self.norm_kind == "rms":
            self._store_defaults("norm_kind layer", "norm_bias")
        if not self.qk_norm:
            self._store_defaults("qk_norm", "joint_qk_norm", "qk_norm_weights", "norms_after_rope")
        if self.joint_qk_norm and not self.qk_norm_weights:
            raise SpecError("qk_norm_weights: joint_qk_norm has weights; leave it out")
        if self.shares_kv and self.value_norm:
            raise SpecError("value_norm: with shares_kv there are no new values; leave it out")
        if self.post_norm and self.mlp_post_norm:
            raise SpecError("mlp_post_norm: layers with post_norm have it; leave it out")
        if self.parallel_mlp not in (None, *PARALLEL_MLPS):
            raise SpecError(
                f"parallel_mlp: expected {' or '.join(PARALLEL_MLPS)} or none, got "
                f"{shown(self.parallel_mlp)}"
            )
        if self.parallel_mlp == "own_norm" and not self.pre_norm:
            raise SpecError("parallel_mlp: own_norm needs pre_norm; give shared_norm")

    def _check_latent(self) -> None:
        for name in _NOT_OF_LATENTS if self.latent else ():
            if getattr(self, name) != getattr(DecoderLayerSpec, name):
                raise SpecError(f"{name}: layers with latent have no such thing; leave it out")

    def _check_layer_input(self) -> None:
        if self.layer_input and self.norm_kind != "rms":
            raise SpecError("norm_kind: with layer_input it is rms; leave it out")
        if self.layer_input and self.residual_scale != 1:
            raise SpecError("residual_scale: layers with layer_input have none; leave it out")
        # Made to be checked.
        _ = self.layer_input_parts and self.layer_input_parts.parameters

    def _check_laurel(self) -> None:
        if self.laurel_rank is None:
            return
        check_positive(self, "laurel_rank")
        for name, needed in _BESIDE_LAUREL.items():
            if getattr(self, name) != needed:
                raise SpecError(f"{name}: with laurel_rank it is {shown(needed)}")

    def _check_streams(self) -> None:
        if self.streams is None:
            return
        if self.layer_input is None:
            raise SpecError("layer_input: missing; layers with streams have one")
        for name in _NOT_OF_STREAMS:
            if getattr(self, name) != getattr(DecoderLayerSpec, name):
                raise SpecError(f"{name}: layers with streams have no such thing; leave it out")

    def _check_temperature(self) -> None:
        whole("temperature_offset", self.temperature_offset, least=0, error=SpecError)
        if self.temperature is None:
            self._store_defaults("temperature", "temperature_tokens", "temperature_offset")
            return
        if self.temperature_tokens is None:
            raise SpecError("temperature_tokens: missing; temperature counts in so many tokens")
        check_positive(self, "temperature_tokens")
        scale = real("temperature", self.temperature, 1e-6, 1e3, expected=_TEMPERATURE_WORDS)
        object.__setattr__(self, "temperature", scale)

    def _store_defaults(self, without: str, *names: str) -> None:
        """Refuse fields that have no effect where a part is not there."""
        for name in names:
            default = getattr(DecoderLayerSpec, name)
            if getattr(self, name) != default:
                raise SpecError(f"{name}: has no effect without {without}; leave it out")
            # Equal numbers can be different text.
            object.__setattr__(self, name, default)

    @classmethod
    def field_names(cls) -> list[str]:
        """The layer's own, and those of its attention that it does not leave alone."""
        own = super().field_names()
        its = PagedAttentionSpec.field_names() + PackedPagedAttentionSpec.field_names()
        return own + [n for n in dict.fromkeys(its) if n not in (*own, "return_lse")]

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed; fields that only the attention has are changed there."""
        own = super().field_names()
        its = [name for name in self.attention.field_names() if name not in own]
        return super().replace(
            **{f"attention.{name}" if name in its else name: v for name, v in changes.items()}
        )

    def to_dict(self) -> dict[str, Any]:
        if self.is_packed:
            return {**super().to_dict(), "attention": self.attention.to_dict()}
        return super().to_dict()

    def of_sizes(self, sizes: Mapping[str, int]) -> Self:
        return self.replace(attention=self.attention.of_sizes(sizes))

    @property
    def is_packed(self) -> bool:
        """Whether tokens of all sequences stand one after the other, with one axis for both."""
        return isinstance(self.attention, PackedPagedAttentionSpec)

    @property
    def is_cascade(self) -> bool:
        """Whether what groups of sequences share is read once."""
        return isinstance(self.attention, PackedPagedAttentionSpec) and self.attention.cascade

    @property
    def io_dtype(self) -> str:
        """The element type of the attention."""
        return self.attention.io_dtype

    @property
    def dynamic(self) -> tuple[str, ...]:
        return self.attention.dynamic

    def size(self, name: str) -> AnySize:
        return self.attention.size(name)

    @property
    def compiled(self) -> Self:
        return self.replace(attention=self.attention.compiled)

    @property
    def heads(self) -> dict[str, Any]:
        """The sizes that the parts around attention share with it."""
        names = ("num_q_heads", "num_kv_heads", "head_dim", "io_dtype")
        own = {name: getattr(self.attention, name) for name in names}
        if self.shares_kv:
            own["num_kv_heads"] = 0
        return {**own, **tokens_of_parts(self.attention)}

    @property
    def norm(self) -> NormSpec:
        """The norms of the hidden state, before and (with `post_norm`) after attention and MLP."""
        rms = self._norm(1, self.hidden_size)
        if self.norm_kind == "rms":
            return rms
        same = {name: getattr(rms, name) for name in rms.field_names()}
        return LayerNormSpec(**same, has_bias=self.norm_bias)

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value."""
        return QkvProjectionSpec(
            **self.heads,
            hidden_size=self.hidden_size,
            has_bias=self.qkv_bias,
            has_gate=self.output_gate,
            **self._formats(
                format_of(self.weight_format, "qkv")
                or formats_for(self.weight_format, _QKV_WEIGHTS)
            ),
        )

    def _formats(self, weights: WeightFormats | None) -> dict[str, Any]:
        """The formats of a part with such weights: only beside these are activations rounded."""
        rounded = self.activation_format if weights else None
        return {"weight_format": weights, "activation_format": rounded}

    @property
    def latent_projection(self) -> LatentProjectionSpec | None:
        """The projection into absorbed queries and latents, of a layer with these."""
        if self.latent is None:
            return None
        return LatentProjectionSpec(
            **tokens_of_parts(self.attention),
            io_dtype=self.io_dtype,
            num_q_heads=self.attention.num_q_heads,
            hidden_size=self.hidden_size,
            latent=self.latent,
            max_positions=self.max_positions,
            rope_style=self.rope_style,
            theta=self.theta,
            scaling=self.scaling,
        )

    @property
    def first_projection(self) -> QkvProjectionSpec | LatentProjectionSpec:
        """The projection into what attention takes."""
        return self.latent_projection or self.qkv

    @property
    def value_projection(self) -> HeadProjectionSpec | None:
        """The projection of what heads attend to among latents into their values."""
        if self.latent is None:
            return None
        return HeadProjectionSpec(
            **tokens_of_parts(self.attention),
            io_dtype=self.io_dtype,
            num_heads=self.attention.num_q_heads,
            in_columns=self.latent.kv_lora_rank,
            out_columns=self.latent.value_dim,
        )

    @property
    def query_norm(self) -> RmsNormSpec:
        """The norm of each query head, or of all of a token."""
        return self._norm_of_heads(self.attention.num_q_heads)

    @property
    def key_norm(self) -> RmsNormSpec:
        """The norm of each key head, or of all of a token."""
        return self._norm_of_heads(self.attention.num_kv_heads)

    @property
    def norm_of_values(self) -> RmsNormSpec:
        """The norm of each value head."""
        return self._norm(self.attention.num_kv_heads, self.attention.head_dim)

    @property
    def no_weight(self) -> float:
        """The weight of norms of heads that have none."""
        return 1.0 - self.norm_offset

    @property
    def rope(self) -> RopeSpec:
        """The rotation of query and key."""
        if self.latent_projection:
            return self.latent_projection.rope
        return RopeSpec(
            **self.heads,
            max_positions=self.max_positions,
            rope_style=self.rope_style,
            rotary_dim=self.rotary_dim,
            theta=self.theta,
            scaling=self.scaling,
        )

    @property
    def cached_attention(self) -> CachedAttention | LayerAttention:
        """The cache write, where there is something to write, and the attention over the caches."""
        return self.attention if self.shares_kv else updating_of(self.attention)

    @property
    def attention_inputs(self) -> tuple[TensorType, ...]:
        """The inputs of attention that the layer is given: all but query, key and value."""
        new = 1 if self.shares_kv else 2 if self.latent else 3
        return self.cached_attention.inputs[new:]

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        sizes = {name: size for name, size in self.heads.items() if name != "num_kv_heads"}
        if self.latent:
            sizes["head_dim"] = self.latent.value_dim
        return OutputProjectionSpec(
            **sizes,
            hidden_size=self.hidden_size,
            has_bias=self.output_bias,
            **self._formats(format_of(self.weight_format, "output")),
        )

    @property
    def mlp(self) -> MlpSpec | MixtureOfExpertsSpec | None:
        """The MLP, or the experts in its place, where the layer is a whole one."""
        if self.intermediate_size is None:
            return self._experts
        return MlpSpec(
            io_dtype=self.io_dtype,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            activation=self.activation,
            gated=self.gated,
            has_bias=self.mlp_bias,
            sparsity=self.sparsity,
            **self._formats(formats_for(self.weight_format, {n: n for n in MLP_WEIGHTS})),
            **tokens_of_parts(self.attention),
        )

    @property
    def experts_beside(self) -> MixtureOfExpertsSpec | None:
        """The experts beside the MLP, where there are both."""
        return None if self.intermediate_size is None else self._experts

    @property
    def _experts(self) -> MixtureOfExpertsSpec | None:
        if self.experts is None:
            return None
        return MixtureOfExpertsSpec(
            **vars(self.experts),
            io_dtype=self.io_dtype,
            hidden_size=self.hidden_size,
            **tokens_of_parts(self.attention),
        )

    @property
    def layer_input_parts(self) -> LayerInputParts | None:
        """The part that makes the layer's own input, and adds it, where there is one."""
        if self.layer_input is None:
            return None
        return LayerInputParts(self.layer_input, self._tokens, self._norm(1, self.hidden_size))

    @property
    def laurel(self) -> LaurelParts | None:
        """The part of the residual that is learned, where there is one."""
        if self.laurel_rank is None:
            return None
        return LaurelParts(self.laurel_rank, self._tokens, self._norm(1, self.hidden_size))

    @property
    def stream_parts(self) -> StreamParts | None:
        """The parts that mix hidden states beside one another, where there are several."""
        if self.streams is None:
            return None
        return StreamParts(self.streams, self._norm(1, self.hidden_size))

    @property
    def _tokens(self) -> dict[str, Any]:
        """The tokens of parts, and their type."""
        return {**tokens_of_parts(self.attention), "io_dtype": self.io_dtype}

    def _norm_of_heads(self, heads: int) -> RmsNormSpec:
        at_once = heads if self.joint_qk_norm else 1
        return self._norm(heads // at_once, at_once * self.attention.head_dim)

    def _norm(self, rows: int, columns: int) -> RmsNormSpec:
        """A norm of so many rows for each token."""
        tokens = tokens_of_parts(self.attention)
        return RmsNormSpec(
            rows=tokens["batch"] * tokens["q_len"] * rows,
            columns=columns,
            eps=self.norm_eps,
            offset=self.norm_offset,
            io_dtype=self.io_dtype,
            dynamic=("rows",) if tokens["dynamic"] else (),
        )

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        given: list[TensorType] = [
            hidden(self._streams, self.io_dtype),
            *(self.stream_parts.parameters if self.stream_parts else ()),
            *(self._norm_inputs("norm") if self.pre_norm else ()),
            *(self._latent_weights or _renamed("qkv", self.qkv.inputs[1:])),
        ]
        if self.qk_norm and self.qk_norm_weights:
            given += _renamed("query_norm", self.query_norm.inputs[1:])
            given += [] if self.shares_kv else _renamed("key_norm", self.key_norm.inputs[1:])
        if self.takes_positions:
            # In whole steps, as the queries.
            given.append(replace(self.rope.positions, shape=token_axes(self.attention)))
        given += self.attention_inputs
        given += _renamed("output", self.projection.inputs[1:])
        if self.post_norm:
            given += self._norm_inputs("post_norm")
        given += self.laurel.parameters if self.laurel else ()
        scale = TensorType("output_scale", (1,), self.io_dtype)
        given += [*self._mlp_inputs(), *self._own_inputs()]
        return (*given, *((scale,) if self.scales_output else ()))

    def _own_inputs(self) -> list[TensorType]:
        """The inputs of the layer's own embedding."""
        if self.layer_input is None or self.layer_input_parts is None:
            return []
        ids = (0, self.layer_input.all_tokens - 1)
        embedded = TensorType("embedded", self._hidden, self.io_dtype)
        return [
            integers("token_ids", token_axes(self.attention), Role.TOKEN_IDS, ids),
            embedded,
            *self.layer_input_parts.parameters,
        ]

    @property
    def _latent_weights(self) -> list[TensorType]:
        """The parameters of latent attention, where the layer has it."""
        if not (self.latent_projection and self.value_projection):
            return []
        of_values = _renamed("value", self.value_projection.inputs[1:])
        return [*self.latent_projection.weights, *of_values]

    def _mlp_inputs(self) -> list[TensorType]:
        if self.mlp is None:
            return []
        before = self._norm_inputs("mlp_norm") if self.has_mlp_norm else []
        after = self._norm_inputs("mlp_post_norm") if self.norms_mlp else []
        return [*before, *self.mlp.inputs[1:], *self._inputs_beside(), *after]

    def _inputs_beside(self) -> list[TensorType]:
        """The inputs of experts beside the MLP, and of the norms that go with them."""
        if self.experts_beside is None:
            return []
        norms = ("mlp_own_norm", "experts_norm", "experts_router_norm", "experts_post_norm")
        given = [tensor for name in norms for tensor in self._norm_inputs(name)]
        return [*given, *_renamed("experts", self.experts_beside.parameters)]

    @property
    def outgrows_values(self) -> bool:
        """Whether outputs may be larger than values, of which no norm is taken.

        A stream may get more than all that the layer changes.
        """
        return self.streams is not None and not self.post_norm

    @property
    def norms_mlp(self) -> bool:
        """Whether there is a norm of what the MLP, or experts, add."""
        return self.post_norm or self.mlp_post_norm

    @property
    def takes_positions(self) -> bool:
        """Whether the layer itself, not only its attention, goes by positions."""
        return self.use_rope or self.temperature is not None

    @property
    def has_mlp_norm(self) -> bool:
        """Whether there is a norm of what the MLP reads."""
        return self.mlp is not None and self.pre_norm and self.parallel_mlp != "shared_norm"

    def _norm_inputs(self, name: str) -> list[TensorType]:
        """The parameters of a norm of the hidden state."""
        return _renamed(name, self.norm.inputs[1:])

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (*token_axes(self.attention), self.hidden_size)

    @property
    def _streams(self) -> tuple[AnySize, ...]:
        """The axes of what the layer takes and gives: all hidden states of each token."""
        beside = (self.streams.num_streams,) if self.streams else ()
        return (*token_axes(self.attention), *beside, self.hidden_size)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        outputs = self.cached_attention.outputs
        caches = (tensor for tensor in outputs if tensor.name in self.updates)
        if (stored := self.attention.cache_dtype) is not None:
            # New keys and values are rounded before they are quantised: next to a tie, another
            # number may be stored.
            rounded = {stored: stored, "f32": self.activation_format or self.io_dtype}
            caches = (replace(tensor, rounded=rounded[tensor.dtype]) for tensor in caches)
        elif self.activation_format:
            caches = (replace(tensor, rounded=self.activation_format) for tensor in caches)
        rounded_to = stored or self.activation_format
        return (TensorType("output", self._streams, self.io_dtype, rounded=rounded_to), *caches)

    @property
    def updates(self) -> dict[str, str]:
        return self.cached_attention.updates

    @property
    def flops(self) -> int:
        return self._flops_around + self.attention.flops

    @property
    def least_flops(self) -> int:
        return self._flops_around + self.attention.least_flops

    @property
    def _flops_around(self) -> int:
        parts = (
            *(self.first_projection, self.value_projection, self.projection, self.mlp),
            *(self.experts_beside, self.layer_input_parts, self.laurel, self.stream_parts),
        )
        return sum(part.flops for part in parts if part)


_FLAGS = (
    *("use_rope", "qk_norm", "joint_qk_norm", "qkv_bias", "output_bias", "pre_norm", "post_norm"),
    *(
        "norm_bias",
        "scales_output",
        "gated",
        "mlp_bias",
        "qk_norm_weights",
        "norms_after_rope",
        "value_norm",
        "shares_kv",
        "output_gate",
        "mlp_post_norm",
    ),
)
_QKV_WEIGHTS = {f"qkv_{name}": name for name in ("query", "key", "value", "gate")}
_WEIGHTS = ("qkv", *_QKV_WEIGHTS, "output", *MLP_WEIGHTS)
_OF_MLPS = ("activation", "gated", "mlp_bias", "sparsity")
# What experts beside an MLP need.
_BESIDE = {"norm_kind": "rms", "pre_norm": True, "post_norm": True, "parallel_mlp": None}
# What a learned residual needs, and what goes by no streams.
_BESIDE_LAUREL = {"norm_kind": "rms", "parallel_mlp": None, "residual_scale": 1.0}
_NOT_OF_STREAMS = ("parallel_mlp", "scales_output", "experts")
_NOT_OF_LATENTS = (
    *("use_rope", "rotary_dim", "qk_norm", "value_norm", "shares_kv", "output_gate", "qkv_bias"),
    "qkv_clip",
)
_SCALE_WORDS = "a number from 1e-6 to 1e6"
_TEMPERATURE_WORDS = "a number from 1e-6 to 1000"


def _renamed(prefix: str, tensors: tuple[TensorType, ...]) -> list[TensorType]:
    """Parameters of a part under the layer's names: `weight` of qkv is `qkv_weight`."""
    return [replace(tensor, name=f"{prefix}_{tensor.name}") for tensor in tensors]


def _tiny(q_len: int, **fields: Any) -> DecoderLayerSpec:
    attention = paged_tiny(q_len)
    return DecoderLayerSpec(attention=attention, hidden_size=128, max_positions=64, **fields)


def _base(q_len: int, **fields: Any) -> DecoderLayerSpec:
    """A layer of Llama 3.1 8B."""
    own = {"hidden_size": 4096, "max_positions": 131072, "theta": 500000.0, "norm_eps": 1e-5}
    scaling = llama3(8192)
    return DecoderLayerSpec(attention=paged_base(q_len), **own | {"scaling": scaling} | fields)


def _latent(
    attention: PackedPagedAttentionSpec, latent: LatentSizes, **fields: Any
) -> DecoderLayerSpec:
    """A layer with latent attention, whose scale is that of its heads before they are absorbed."""
    scaled = attention.replace(softmax_scale=latent.head_dim**-0.5)
    return DecoderLayerSpec(attention=scaled, latent=latent, rope_style="interleaved", **fields)


CATALOGUE = {
    # Llama, and the norms of Qwen 3 and Gemma 2.
    "layer_prefill_tiny": _tiny(32),
    "layer_prefill_base": _base(512),
    "layer_decode_tiny": _tiny(1),
    "layer_decode_base": _base(1),
    "layer_norms_tiny": _tiny(16, qk_norm=True, post_norm=True, norm_offset=1.0),
    "layer_norms_base": _base(64, qk_norm=True, post_norm=True, norm_offset=1.0),
    # With the MLP: Llama, and Gemma 2.
    "whole_layer_prefill_tiny": _tiny(32, intermediate_size=192),
    "whole_layer_prefill_base": _base(512, intermediate_size=14336),
    "whole_layer_decode_tiny": _tiny(1, intermediate_size=192),
    "whole_layer_decode_base": _base(1, intermediate_size=14336),
    # Qwen2-MoE's experts.
    "whole_layer_experts_tiny": _tiny(
        16,
        experts=Experts(
            num_experts=8,
            experts_per_token=2,
            intermediate_size=48,
            is_normalized=False,
            shared_size=64,
            has_shared_gate=True,
        ),
    ),
    "whole_layer_norms_tiny": _tiny(
        16, intermediate_size=192, activation="gelu_tanh", post_norm=True, norm_offset=1.0
    ),
    # The norms of OLMo 2; and Cohere 2's parallel MLP with GPT-2's norms, and Granite's scale.
    "whole_layer_joint_norms_tiny": _tiny(
        16, intermediate_size=192, qk_norm=True, joint_qk_norm=True, pre_norm=False, post_norm=True
    ),
    "whole_layer_parallel_tiny": _tiny(
        16,
        intermediate_size=192,
        norm_kind="layer",
        norm_bias=True,
        parallel_mlp="shared_norm",
        residual_scale=0.25,
    ),
    # A step of an engine: chunks of prompts and decodes.
    "packed_layer_tiny": _tiny(1, intermediate_size=192).replace(attention=packed_paged_tiny()),
    "packed_layer_base": _base(1, intermediate_size=14336).replace(attention=packed_paged_base()),
    # DeepSeek-V2-Lite, and the same in small, whose queries have a latent, too.
    "packed_latent_layer_tiny": _latent(
        packed_paged_tiny(num_kv_heads=1, head_dim=40, value_dim=32, latent_cache=True),
        LatentSizes(kv_lora_rank=32, q_lora_rank=24, nope_dim=16, rope_dim=8, value_dim=24),
        hidden_size=128,
        intermediate_size=192,
        max_positions=64,
    ),
    "packed_latent_layer_base": _latent(
        packed_paged_base(
            **{"num_q_heads": 16, "num_kv_heads": 1, "head_dim": 576, "value_dim": 512},
            latent_cache=True,
        ),
        LatentSizes(kv_lora_rank=512, nope_dim=128, rope_dim=64, value_dim=128),
        hidden_size=2048,
        intermediate_size=10944,
        max_positions=163840,
    ),
}
