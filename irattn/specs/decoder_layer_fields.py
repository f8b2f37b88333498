"""The fields of a decoder layer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from irattn.core.tensors import AnySize
from irattn.specs.dynamic import SizedByCalls
from irattn.specs.experts import Experts
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.layer_attention import LayerAttention, tokens_of_parts
from irattn.specs.layer_input import LayerInput
from irattn.specs.layer_streams import HiddenStreams
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.rope_scaling import RopeScaling
from irattn.specs.weight_formats import WeightFormats


@dataclass(frozen=True, kw_only=True)
class DecoderLayerFields(SizedByCalls):
    """The fields of a decoder layer, whose meaning DecoderLayerSpec tells, and its attention's."""

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
    softplus_gate: bool = False
    layer_qk_norm: bool = False
    norms_residual: bool = False
    reads_embedded: bool = False
    subtracts_heads: bool = False

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
