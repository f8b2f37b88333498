"""A decoder layer, or its attention half, from hidden state to hidden state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, TensorType, hidden
from irattn.specs.base import check_flag, check_positive
from irattn.specs.block_cache import CACHE_UPDATES, check_block_rows
from irattn.specs.dynamic import SizedByCalls
from irattn.specs.layer_attention import (
    CachedAttention,
    LayerAttention,
    stored_attention,
    token_axes,
    tokens_of_parts,
    updating_of,
)
from irattn.specs.mlp import MlpSpec
from irattn.specs.packed_paged_attention import (
    PackedPagedAttentionSpec,
    packed_paged_base,
    packed_paged_tiny,
)
from irattn.specs.paged_attention import PagedAttentionSpec, paged_base, paged_tiny
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec, check_norm
from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import RopeScaling, llama3


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
    - norm_weight `[hidden_size]`; with `post_norm` (Gemma 2) also post_norm_weight, of a norm that
      comes before the residual is added. All norms use `norm_eps` and `norm_offset`: RmsNormSpec
    - qkv_weight and, with `qkv_bias`, qkv_bias: QkvProjectionSpec
    - with `qk_norm` (Qwen 3), query_norm_weight and key_norm_weight `[head_dim]`, over each head
    - with `use_rope`, positions int32 `[batch, q_len]`, 0 to `max_positions - 1`; `rope_style`,
      `rotary_dim`, `theta` and `scaling`: RopeSpec
    - key_cache, value_cache, slot_mapping, block_table, context_lens, q_lens and the tensors of
      features: PagedUpdateAttentionSpec
    - output_weight and, with `output_bias`, output_bias: OutputProjectionSpec
    - with `intermediate_size`, mlp_norm_weight `[hidden_size]` of the second norm (Llama's
      post_attention_layernorm, Gemma 2's pre_feedforward_layernorm) and the parameters of the MLP,
      which has `activation`, `gated` and `mlp_bias`: MlpSpec; with `post_norm` also
      mlp_post_norm_weight, of a norm that comes before the second residual is added
    - updated_key_cache, updated_value_cache: the caches with the new tokens

    Around packed attention, tokens are packed: hidden and output are `[q_tokens, hidden_size]`,
    positions `[q_tokens]`, and PackedPagedUpdateAttentionSpec has the tensors of the cache.

    `dynamic` of the attention lists the sizes that every call chooses: PagedAttentionSpec.

    Between the steps values are rounded to `io_dtype`.
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
    norm_eps: float = 1e-6
    norm_offset: float = 0.0
    qk_norm: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    post_norm: bool = False
    intermediate_size: int | None = None
    activation: str = "silu"
    gated: bool = True
    mlp_bias: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "attention", stored_attention(self.attention))
        check_positive(self, "hidden_size", "max_positions")
        for flag in _FLAGS:
            check_flag(flag, getattr(self, flag))
        check_norm(self, "norm_eps", "norm_offset")
        # The parts check what is theirs, and store it in one form.
        if self.use_rope:
            rope = self.rope
            for name in ("rotary_dim", "theta", "scaling"):
                object.__setattr__(self, name, getattr(rope, name))
        else:
            self._store_defaults("use_rope", "rope_style", "rotary_dim", "theta", "scaling")
        # Made to be checked.
        if self.mlp is None:
            self._store_defaults("intermediate_size", "activation", "gated", "mlp_bias")
        check_block_rows(self.cached_attention)

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
        return {**own, **tokens_of_parts(self.attention)}

    @property
    def norm(self) -> RmsNormSpec:
        """The norms of the hidden state, before and (with `post_norm`) after attention and MLP."""
        return self._norm(1, self.hidden_size)

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value."""
        return QkvProjectionSpec(**self.heads, hidden_size=self.hidden_size, has_bias=self.qkv_bias)

    @property
    def query_norm(self) -> RmsNormSpec:
        """The norm of each query head."""
        return self._norm(self.attention.num_q_heads, self.attention.head_dim)

    @property
    def key_norm(self) -> RmsNormSpec:
        """The norm of each key head."""
        return self._norm(self.attention.num_kv_heads, self.attention.head_dim)

    @property
    def rope(self) -> RopeSpec:
        """The rotation of query and key."""
        return RopeSpec(
            **self.heads,
            max_positions=self.max_positions,
            rope_style=self.rope_style,
            rotary_dim=self.rotary_dim,
            theta=self.theta,
            scaling=self.scaling,
        )

    @property
    def cached_attention(self) -> CachedAttention:
        """The cache write and the attention over the caches."""
        return updating_of(self.attention)

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        sizes = {name: size for name, size in self.heads.items() if name != "num_kv_heads"}
        return OutputProjectionSpec(
            **sizes, hidden_size=self.hidden_size, has_bias=self.output_bias
        )

    @property
    def mlp(self) -> MlpSpec | None:
        """The MLP, where the layer is a whole one."""
        if self.intermediate_size is None:
            return None
        return MlpSpec(
            io_dtype=self.io_dtype,
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            activation=self.activation,
            gated=self.gated,
            has_bias=self.mlp_bias,
            **tokens_of_parts(self.attention),
        )

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
            hidden(self._hidden, self.io_dtype),
            self._vector("norm_weight", self.hidden_size),
            *_renamed("qkv", self.qkv.inputs[1:]),
        ]
        if self.qk_norm:
            size = self.attention.head_dim
            given += [self._vector(f"{name}_norm_weight", size) for name in _NORMED]
        if self.use_rope:
            # In whole steps, as the queries.
            given.append(replace(self.rope.inputs[2], shape=token_axes(self.attention)))
        # All but query, key and value.
        given += self.cached_attention.inputs[3:]
        given += _renamed("output", self.projection.inputs[1:])
        if self.post_norm:
            given.append(self._vector("post_norm_weight", self.hidden_size))
        return (*given, *self._mlp_inputs())

    def _mlp_inputs(self) -> list[TensorType]:
        if self.mlp is None:
            return []
        names = ("mlp_norm_weight", *(("mlp_post_norm_weight",) if self.post_norm else ()))
        before, *after = (self._vector(name, self.hidden_size) for name in names)
        return [before, *self.mlp.inputs[1:], *after]

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (*token_axes(self.attention), self.hidden_size)

    def _vector(self, name: str, size: int) -> TensorType:
        return TensorType(name, (size,), self.io_dtype)

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        outputs = self.cached_attention.outputs
        caches = (tensor for tensor in outputs if tensor.name in CACHE_UPDATES)
        return (TensorType("output", self._hidden, self.io_dtype), *caches)

    @property
    def updates(self) -> dict[str, str]:
        return dict(CACHE_UPDATES)

    @property
    def flops(self) -> int:
        return self._flops_around + self.attention.flops

    @property
    def least_flops(self) -> int:
        return self._flops_around + self.attention.least_flops

    @property
    def _flops_around(self) -> int:
        parts = (self.qkv, self.projection, self.mlp)
        return sum(part.flops for part in parts if part)


_NORMED = ("query", "key")
_FLAGS = ("use_rope", "qk_norm", "qkv_bias", "output_bias", "post_norm", "gated", "mlp_bias")


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
    "whole_layer_norms_tiny": _tiny(
        16, intermediate_size=192, activation="gelu_tanh", post_norm=True, norm_offset=1.0
    ),
    # A step of an engine: chunks of prompts and decodes.
    "packed_layer_tiny": _tiny(1, intermediate_size=192).replace(attention=packed_paged_tiny()),
    "packed_layer_base": _base(1, intermediate_size=14336).replace(attention=packed_paged_base()),
}
