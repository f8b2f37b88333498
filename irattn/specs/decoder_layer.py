"""A decoder layer, or its attention half, from hidden state to hidden state."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from irattn.core.tensors import AnySize, Role, TensorType, hidden, integers
from irattn.specs.decoder_layer_checks import check_decoder_layer
from irattn.specs.decoder_layer_parts import DecoderLayerParts
from irattn.specs.experts import Experts
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.layer_attention import token_axes
from irattn.specs.packed_paged_attention import (
    PackedPagedAttentionSpec,
    packed_paged_base,
    packed_paged_tiny,
)
from irattn.specs.paged_attention import paged_base, paged_tiny
from irattn.specs.rope_scaling import llama3


@dataclass(frozen=True, kw_only=True)
class DecoderLayerSpec(DecoderLayerParts):
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
      no other norm) also post_norm_weight, of a norm that comes before the residual is added, or
      with `norms_residual` (the first GPT) of the sum. All norms use `norm_eps` and `norm_offset`:
      RmsNormSpec. Where `norm_kind` is `layer` (GPT-2), those of the hidden state are
      LayerNormSpec's, and with `norm_bias` each has also a norm_bias, post_norm_bias and so on
    - qkv_weight and, with `qkv_bias`, qkv_bias: QkvProjectionSpec
    - with `qk_norm` (Qwen 3), query_norm_weight and key_norm_weight `[head_dim]`, over each head;
      with `joint_qk_norm` (OLMo 2) `[num_q_heads * head_dim]` and `[num_kv_heads * head_dim]`, over
      all heads of a token at once. Without `qk_norm_weights` they have none (Llama 4, whose norms
      come after the rotation, which changes no length); with `norms_after_rope` (Hunyuan), those
      with weights come after it, too. With `layer_qk_norm` (Persimmon) they are LayerNormSpec's,
      and have query_norm_bias and key_norm_bias
    - with `value_norm` (Gemma 4), values go through such a norm, over each head, without a weight
    - with a `qkv_clip` (OLMo, MPT), queries, keys and values are then between its negative and it
    - with `shares_kv` (Gemma 3n and 4), the layer makes queries alone: the caches are those of
      another layer, which has written the new tokens: no slot_mapping, and no updated caches
    - with `output_gate` (Qwen3-Next), what a head attends to is multiplied with the sigmoid of its
      gate, which the QKV projection makes, too, before the output projection; with
      `softplus_gate` (Laguna) with its softplus
    - with `subtracts_heads` (DiffLlama), difference_share f32 `[1]` and difference_norm_weight
      `[head_dim]`: from what each head of the first half attends to that share of what the head
      with its place in the second half attends to is taken away, and the rest goes through a norm
      of that weight, over each head. The output projection takes half as many heads
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
      mlp_post_norm_weight, of a norm like that of the attention half; with
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
    - with `reads_embedded` (Zamba 2), embedded `[batch, q_len, hidden_size]`, the model's embedding
      of the tokens: attention reads it behind the columns of hidden, through one norm, so that
      norm_weight and rows of the QKV projection have `2 * hidden_size` columns. The MLP reads what
      attention made alone, and what it makes of that is added to hidden
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
    each: qkv, or qkv_query, qkv_key and qkv_value apart, with `latent` those of
    LatentProjectionSpec, which are blocks; output, gate_up, or gate and up, and down.
    `activation_format` is that of LinearSpec, of what these multiply; experts have their own.

    `dynamic` of the attention lists the sizes that every call chooses: PagedAttentionSpec.

    What attention and MLP add is multiplied with `residual_scale` first (Granite); with
    `scales_output` (Gemma 4) all that comes out with output_scale `[1]`. Between the steps values
    are rounded to `io_dtype`.
    """

    op: ClassVar[str] = "decoder_layer"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_decoder_layer(self)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        given: list[TensorType] = [
            hidden(self._streams, self.io_dtype),
            *([self._embedded] if self.reads_embedded else []),
            *(self.stream_parts.parameters if self.stream_parts else ()),
            *(_renamed("norm", self.first_norm.inputs[1:]) if self.pre_norm else ()),
            *(self._latent_weights or _renamed("qkv", self.qkv.inputs[1:])),
        ]
        if self.qk_norm and self.qk_norm_weights:
            given += _renamed("query_norm", self.query_norm.inputs[1:])
            given += [] if self.shares_kv else _renamed("key_norm", self.key_norm.inputs[1:])
        if self.takes_positions:
            # In whole steps, as the queries.
            given.append(replace(self.rope.positions, shape=token_axes(self.attention)))
        given += self.attention_inputs
        if self.subtracts_heads:
            given.append(TensorType("difference_share", (1,), "f32"))
            given += _renamed("difference_norm", self.norm_of_differences.inputs[1:])
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
        return [
            integers("token_ids", token_axes(self.attention), Role.TOKEN_IDS, ids),
            self._embedded,
            *self.layer_input_parts.parameters,
        ]

    @property
    def _embedded(self) -> TensorType:
        """The model's embedding of the tokens."""
        return TensorType("embedded", self._hidden, self.io_dtype)

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

        A stream may get more than all that the layer changes. Where keys and values are shared,
        all are cached ones, of which the output projection may make more than f16 holds.
        """
        return self.shares_kv or (self.streams is not None and not self.post_norm)

    @property
    def norms_mlp(self) -> bool:
        """Whether there is a norm behind the MLP, or experts."""
        return self.post_norm or self.mlp_post_norm

    @property
    def norms_attended(self) -> bool:
        """Whether there is a norm of what attention adds, before it is added."""
        return self.post_norm and not self.norms_residual

    @property
    def norms_change(self) -> bool:
        """Whether there is a norm of what the MLP, or experts, add, before it is added."""
        return self.norms_mlp and not self.norms_residual

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
