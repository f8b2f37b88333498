"""The attention of a layer: which kinds there are, and what the parts around it take of it."""

from typing import Any, TypeAlias

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import AnySize
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import (
    PackedPagedUpdateAttentionSpec,
    packed_updating,
)
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.paged_update_attention import PagedUpdateAttentionSpec, updating

LayerAttention: TypeAlias = PagedAttentionSpec | PackedPagedAttentionSpec
CachedAttention: TypeAlias = PagedUpdateAttentionSpec | PackedPagedUpdateAttentionSpec

_BY_OP: dict[str, type[LayerAttention]] = {
    spec.op: spec for spec in (PagedAttentionSpec, PackedPagedAttentionSpec)
}


def stored_attention(attention: object, latent: LatentSizes | None) -> LayerAttention:
    """The attention as a spec, from itself or from its fields; SpecError otherwise.

    Fields without an `op` are those of a PagedAttentionSpec. `latent` are the sizes of latents,
    where the layer has them.
    """
    if isinstance(attention, dict):
        attention = _of_fields(attention)
    if not isinstance(attention, LayerAttention) or type(attention) not in _BY_OP.values():
        raise SpecError(
            f"attention: expected a PagedAttentionSpec or a PackedPagedAttentionSpec, got "
            f"{shown(attention)}"
        )
    if attention.return_lse:
        raise SpecError("return_lse: a layer returns hidden states; leave it out")
    if latent:
        _check_latent(attention, latent)
    elif attention.latent_cache:
        raise SpecError("latent_cache: a layer has one with latent only; leave it out")
    elif attention.value_dim is not None:
        raise SpecError("value_dim: a layer's values are as wide as its keys; leave it out")
    if attention.layout != "HND":
        raise SpecError(f"layout: a layer has heads before tokens, HND, got {attention.layout}")
    if isinstance(attention, PackedPagedAttentionSpec) and attention.joint_cache:
        raise SpecError("joint_cache: a layer writes keys and values to two caches; leave it out")
    return attention


def _check_latent(attention: LayerAttention, latent: LatentSizes) -> None:
    """SpecError for attention that is not the absorbed one of these latents."""
    expected = {
        "latent_cache": True,
        "num_kv_heads": 1,
        "head_dim": latent.cache_dim,
        "v_dim": latent.kv_lora_rank,
    }
    for name, value in expected.items():
        if getattr(attention, name) != value:
            raise SpecError(
                f"attention.{name.replace('v_dim', 'value_dim')}: expected {shown(value)} for "
                f"latents of {latent.kv_lora_rank} + {latent.rope_dim} columns, got "
                f"{shown(getattr(attention, name))}"
            )
    if attention.softmax_scale is None and latent.head_dim != latent.cache_dim:
        raise SpecError(
            f"attention.softmax_scale: missing; that of heads of {latent.nope_dim} + "
            f"{latent.rope_dim} columns is {latent.head_dim**-0.5}"
        )


def _of_fields(given: dict[str, Any]) -> LayerAttention:
    op = given.get("op", PagedAttentionSpec.op)
    if not isinstance(op, str) or op not in _BY_OP:
        raise SpecError(f"attention.op: expected {' or '.join(_BY_OP)}, got {shown(op)}")
    return _BY_OP[op].from_fields({name: value for name, value in given.items() if name != "op"})


def updating_of(attention: LayerAttention) -> CachedAttention:
    """The spec that also writes the new tokens."""
    if isinstance(attention, PackedPagedAttentionSpec):
        return packed_updating(attention)
    return updating(attention)


def token_axes(attention: LayerAttention) -> tuple[AnySize, ...]:
    """The axes of what a layer has one of for each token."""
    if isinstance(attention, PackedPagedAttentionSpec):
        return (attention.size("q_tokens"),)
    return (attention.size("batch"), attention.size("q_len"))


def tokens_of_parts(attention: LayerAttention) -> dict[str, Any]:
    """The tokens as the parts around attention take them, `batch`, `q_len` and `dynamic`.

    Each packed token is a sequence of its own there: its heads then lie side by side, as packed
    attention has them, and nothing moves in between.
    """
    if isinstance(attention, PackedPagedAttentionSpec):
        chosen = ["batch"] if "q_tokens" in attention.dynamic else []
        return {"batch": attention.q_tokens, "q_len": 1, "dynamic": tuple(chosen)}
    dynamic = tuple(name for name in attention.dynamic if name in ("batch", "q_len"))
    return {"batch": attention.batch, "q_len": attention.q_len, "dynamic": dynamic}
