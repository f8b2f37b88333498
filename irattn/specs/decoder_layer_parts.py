"""The parts of a decoder layer, as specs of their own."""

from typing import Any, TypeAlias

from irattn.core.tensors import TensorType
from irattn.specs.decoder_layer_fields import DecoderLayerFields
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.latent_projection import LATENT_WEIGHTS, LatentProjectionSpec
from irattn.specs.layer_attention import (
    CachedAttention,
    LayerAttention,
    tokens_of_parts,
    updating_of,
)
from irattn.specs.layer_input import LayerInputParts
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.layer_streams import LaurelParts, StreamParts
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope import RopeSpec
from irattn.specs.weight_formats import (
    MLP_WEIGHTS,
    WeightFormats,
    format_of,
    formats_for,
)

# The weights of the QKV projection apart, by the layer's words and by its own.
QKV_WEIGHTS = {f"qkv_{name}": name for name in ("query", "key", "value", "gate")}

NormSpec: TypeAlias = RmsNormSpec | LayerNormSpec


class DecoderLayerParts(DecoderLayerFields):
    """The parts of a decoder layer, each a spec of its own that has its share of the fields."""

    @property
    def norm(self) -> NormSpec:
        """The norms of the hidden state, before and (with `post_norm`) after attention and MLP."""
        rms = self._norm(1, self.hidden_size)
        return rms if self.norm_kind == "rms" else _layer_norm(rms, self.norm_bias)

    @property
    def first_norm(self) -> NormSpec:
        """The norm of what attention reads, to which the embedding belongs in some layers."""
        return self._norm(1, self.read_size) if self.reads_embedded else self.norm

    @property
    def read_size(self) -> int:
        """The columns of what attention reads."""
        return 2 * self.hidden_size if self.reads_embedded else self.hidden_size

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value."""
        return QkvProjectionSpec(
            **self.heads,
            hidden_size=self.read_size,
            has_bias=self.qkv_bias,
            has_gate=self.output_gate,
            **self._formats(
                format_of(self.weight_format, "qkv") or formats_for(self.weight_format, QKV_WEIGHTS)
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
            **self._tokens,
            num_q_heads=self.attention.num_q_heads,
            hidden_size=self.hidden_size,
            latent=self.latent,
            max_positions=self.max_positions,
            rope_style=self.rope_style,
            theta=self.theta,
            scaling=self.scaling,
            unrotated=not self.use_rope,
            weight_format=formats_for(self.weight_format, {n: n for n in LATENT_WEIGHTS}),
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
            **self._tokens,
            num_heads=self.attention.num_q_heads,
            in_columns=self.latent.kv_lora_rank,
            out_columns=self.latent.value_dim,
        )

    @property
    def query_norm(self) -> NormSpec:
        """The norm of each query head, or of all of a token."""
        return self._norm_of_heads(self.attention.num_q_heads)

    @property
    def key_norm(self) -> NormSpec:
        """The norm of each key head, or of all of a token."""
        return self._norm_of_heads(self.attention.num_kv_heads)

    @property
    def norm_of_values(self) -> RmsNormSpec:
        """The norm of each value head."""
        return self._norm(self.attention.num_kv_heads, self.attention.head_dim)

    @property
    def norm_of_differences(self) -> RmsNormSpec:
        """The norm of each head that another is subtracted from."""
        return self._norm(self.projected_heads, self.attention.head_dim)

    @property
    def projected_heads(self) -> int:
        """The heads that the output projection takes."""
        return self.attention.num_q_heads // (2 if self.subtracts_heads else 1)

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
        sizes["num_q_heads"] = self.projected_heads
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
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            activation=self.activation,
            gated=self.gated,
            has_bias=self.mlp_bias,
            sparsity=self.sparsity,
            **self._formats(formats_for(self.weight_format, {n: n for n in MLP_WEIGHTS})),
            **self._tokens,
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
            hidden_size=self.hidden_size,
            **self._tokens,
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

    def _norm_of_heads(self, heads: int) -> NormSpec:
        at_once = heads if self.joint_qk_norm else 1
        rms = self._norm(heads // at_once, at_once * self.attention.head_dim)
        return _layer_norm(rms, has_bias=True) if self.layer_qk_norm else rms

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


def _layer_norm(rms: RmsNormSpec, has_bias: bool) -> LayerNormSpec:
    """The norm of the same rows that takes their mean away, too."""
    same = {name: getattr(rms, name) for name in rms.field_names()}
    return LayerNormSpec(**same, has_bias=has_bias)
