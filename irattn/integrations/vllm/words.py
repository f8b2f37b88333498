"""Say in irattn's words what vLLM asks of a layer; what they have no word for is refused."""

from irattn.core.dtypes import FLOAT_NAMES, any_name
from irattn.core.errors import SpecError
from irattn.specs.block_cache import MAX_ROWS
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.sizes import ANY_STEP_OVER_PAGES

# What vLLM calls caches of quantised numbers that kernels read: a layer has one scale for all its
# keys and one for its values. Those with scales of tokens lie in layouts of vLLM's own.
QUANTISED = {"fp8": "fp8_e4m3", "fp8_e4m3": "fp8_e4m3", "fp8_e5m2": "fp8_e5m2"}


def layer_spec(
    *,
    element: object,
    head_size: int,
    num_heads: int = 1,
    num_kv_heads: int = 1,
    block_size: int = 1,
    scale: float | None = None,
    causal: bool = True,
    sliding_window: int | None = None,
    logits_soft_cap: float | None = None,
    has_alibi: bool = False,
    has_sinks: bool = False,
    writes: bool = True,
    kv_cache_dtype: str = "auto",
    cascade: bool = False,
) -> PackedPagedAttentionSpec:
    """The spec of all steps of a layer over vLLM's cache; SpecError for what it cannot say.

    Arguments have vLLM's names and meanings. `element` is the type of queries; `writes` says that
    new keys and values go into the cache, `cascade` that sequences may share their first blocks.
    """
    make = PackedPagedUpdateAttentionSpec if writes else PackedPagedAttentionSpec
    most = dict(ANY_STEP_OVER_PAGES)
    # Rows of a cache that is written to are counted in 32 bits.
    most["num_blocks"] = min(most["num_blocks"], MAX_ROWS // (num_kv_heads * 2 * block_size))
    return make(
        io_dtype=str(element),
        num_q_heads=num_heads,
        num_kv_heads=num_kv_heads,
        head_dim=head_size,
        block_size=block_size,
        joint_cache=True,
        cache_dtype=QUANTISED.get(kv_cache_dtype),
        softmax_scale=scale,
        causal=causal,
        # Theirs counts the query's own token.
        window=None if sliding_window is None else (sliding_window - 1, None),
        logits_soft_cap=logits_soft_cap,
        alibi=has_alibi,
        sinks=has_sinks,
        cascade=cascade,
        dynamic=tuple(most),
        **most,
    )


def check_kind(attn_type: str, kv_cache_dtype: str | None, element: object = None) -> None:
    """SpecError for attention of another kind than a decoder's, or a cache of another element type.

    `element` is the type of queries, None where it is not known yet.
    """
    if attn_type != "decoder":
        raise SpecError(f"attn_type: expected decoder, got {attn_type}")
    if kv_cache_dtype in (None, "auto", *QUANTISED):
        return
    readable = FLOAT_NAMES if element is None else (any_name(element),)
    if any_name(kv_cache_dtype) not in readable:
        raise SpecError(
            f"kv_cache_dtype: expected auto, {', '.join(QUANTISED)}, or the element type of "
            f"queries, as kernels read a cache of no other, got {kv_cache_dtype}"
        )
