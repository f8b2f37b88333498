"""Attention over contiguous keys and values."""

from dataclasses import dataclass
from typing import Any, ClassVar

from irattn.core.dtypes import FLOAT_NAMES
from irattn.core.errors import SpecError
from irattn.core.tensors import AnySize, TensorType, context_lens, key, q_lens, query, value
from irattn.specs.base import check_flag, check_positive
from irattn.specs.block_lists import block_lists, stored_blocks
from irattn.specs.cache_elements import CacheElements
from irattn.specs.dynamic import DynamicAttention
from irattn.specs.sizes import (
    BASE_HEADS,
    BASE_TOKENS,
    BENCH_GQA,
    BENCH_MHA,
    TINY_HEADS,
    TINY_TOKENS,
)


@dataclass(frozen=True, kw_only=True)
class AttentionSpec(CacheElements, DynamicAttention):
    """softmax(query · keyᵀ · scale) · value, per head (Vaswani et al. 2017, equation 1).

    Tensors in `io_dtype`; accumulation is f32:

    - query `[batch, num_q_heads, q_len, head_dim]`
    - key `[batch, num_kv_heads, kv_len, head_dim]`
    - value `[batch, num_kv_heads, kv_len, value_dim]`
    - output `[batch, num_q_heads, q_len, value_dim]`

    With `layout` `NHD`, tokens come before heads in all of them: query
    `[batch, q_len, num_q_heads, head_dim]` and so on.

    Query head `h` reads KV head `h // group_size`. With `ragged`, sequences of the batch are
    padded: q_lens and context_lens, int32 (int64 accepted) `[batch]`, say how many queries and
    keys of each are real; padding queries give zeros. `dynamic` lists the sizes that every call
    chooses for itself, some of batch, q_len and kv_len; the fields say how large they may be.
    What the other fields do to the logits, AttentionFeatures tells.

    With `mask_blocks` `(queries, keys)`, two tensors of int32 (int64 accepted) tell which blocks of
    scores are seen, for each block of queries: block_counts `[batch, num_q_heads, rows, 2]`, of
    `ceil(q_len / queries)` rows, how many are seen as `mask_mod` says and how many all of, and
    block_columns `[batch, num_q_heads, rows, columns]`, of `ceil(kv_len / keys)` columns, which
    these are, the former first; what follows counts for nothing. Each may be listed once. Other
    features hide keys as ever. Keys and values of other blocks are not read. Queries and keys of a
    block are multiples of a tile's, and queries are many.

    With `cache_dtype` keys and values are a quantised cache, as `cache_append` writes it, and
    key_scale and value_scale follow them (CacheElements); those of tokens are
    `[batch, num_kv_heads, kv_len]`, with `NHD` `[batch, kv_len, num_kv_heads]`.
    """

    op: ClassVar[str] = "attention"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len", "kv_len")
    takes_functions: ClassVar[bool] = True
    takes_dropout: ClassVar[bool] = True
    late: ClassVar[tuple[str, ...]] = ("cache_dtype", "cache_scale")

    q_len: int
    kv_len: int
    mask_blocks: tuple[int, int] | None = None
    cache_dtype: str | None = None
    cache_scale: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "q_len", "kv_len")
        check_flag("ragged", self.ragged)
        self._check_features()
        self._check_sizes()
        self._check_elements()
        object.__setattr__(self, "mask_blocks", stored_blocks(self.mask_blocks))
        if self.mask_blocks and self.dynamic:
            raise SpecError(f"mask_blocks: expected static sizes, got dynamic {list(self.dynamic)}")

    @property
    def counts_from_first_key(self) -> bool:
        is_square = self.q_len == self.kv_len and not (self.ragged or self.dynamic)
        return super().counts_from_first_key or (self.alignment == "bottom_right" and is_square)

    @property
    def num_queries(self) -> AnySize:
        return self.size("q_len")

    @property
    def num_keys(self) -> AnySize:
        return self.size("kv_len")

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        b, t = self.size("batch"), self.io_dtype
        rows = self.laid_out(self.num_q_heads, self.num_queries)
        lens = (q_lens(b, self.q_len), context_lens(b, self.kv_len))
        return (
            query((b, *rows, self.head_dim), t),
            *self.stored,
            *(lens if self.ragged else ()),
            *self.feature_inputs,
            *self.lists,
        )

    @property
    def caches(self) -> tuple[TensorType, ...]:
        return (
            key((*self._slots, self.cached_columns(self.head_dim)), self.cache_element),
            value((*self._slots, self.cached_columns(self.v_dim)), self.cache_element),
        )

    @property
    def _slots(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), *self.laid_out(self.num_kv_heads, self.num_keys))

    @property
    def lists(self) -> tuple[TensorType, ...]:
        """The inputs that list the blocks that are seen, if there are any."""
        if not self.mask_blocks:
            return ()
        lengths = (self.q_len, self.kv_len)
        return block_lists(self.batch, self.num_q_heads, lengths, self.mask_blocks)


def _tiny(num_kv_heads: int, **fields: Any) -> AttentionSpec:
    return AttentionSpec(**TINY_HEADS | TINY_TOKENS | fields, num_kv_heads=num_kv_heads)


def _base(num_kv_heads: int, **fields: Any) -> AttentionSpec:
    return AttentionSpec(**BASE_HEADS | BASE_TOKENS | fields, num_kv_heads=num_kv_heads)


def _bench(
    name: str, heads: dict[str, Any], length: int, io_dtype: str = "f32", **fields: Any
) -> dict[str, AttentionSpec]:
    """An entry of the suite that is timed; causal, and as many keys as queries, unless told."""
    sizes = {"q_len": length, "kv_len": length, "causal": True, "io_dtype": io_dtype}
    return {f"{name}_{length}_{io_dtype}_bench": AttentionSpec(**heads | sizes | fields)}


def _suite() -> dict[str, AttentionSpec]:
    suite: dict[str, AttentionSpec] = {}
    for length in (512, 1024, 2048, 4096):
        for io_dtype in FLOAT_NAMES:
            suite |= _bench("causal", BENCH_GQA, length, io_dtype)
    for io_dtype in FLOAT_NAMES:
        suite |= _bench("mha", BENCH_MHA, 1024, io_dtype)
    suite |= _bench("full", {**BENCH_MHA, "head_dim": 128}, 512, causal=False)
    suite |= _bench("batch", BENCH_MHA, 512, batch=4)
    for kv_len in (1024, 4096, 16384):
        suite |= _bench("decode", BENCH_GQA, kv_len, q_len=1)
    for io_dtype in ("f16", "bf16"):
        suite |= _bench("decode", BENCH_GQA, 16384, io_dtype, q_len=1)
    suite |= _bench("window", BENCH_GQA, 2048, window=(255, None))
    suite |= _bench("dynamic", BENCH_GQA, 2048, dynamic=("q_len", "kv_len"))
    return suite | _bench("tiny", {"num_kv_heads": 4, **TINY_HEADS}, 32)


CATALOGUE = {
    "mha_full_tiny": _tiny(4),
    "mha_full_base": _base(32),
    "mha_causal_tiny": _tiny(4, causal=True),
    "mha_causal_base": _base(32, causal=True),
    "gqa_causal_tiny": _tiny(2, causal=True),
    "gqa_causal_base": _base(8, causal=True),
    "gqa_causal_long": _base(8, causal=True, q_len=2048, kv_len=2048),
    "gqa_causal_xlong": _base(8, causal=True, q_len=4096, kv_len=4096),
    "mqa_causal_tiny": _tiny(1, causal=True),
    "mqa_causal_base": _base(1, causal=True),
    "cross_gqa_tiny": _tiny(2, kv_len=20),
    "cross_gqa_base": _base(8, kv_len=1500),
    # More queries than keys: the first rows see no key.
    "gqa_short_kv_tiny": _tiny(2, causal=True, kv_len=20),
    "gqa_short_kv_base": _base(8, causal=True, kv_len=300),
    "gqa_decode_tiny": _tiny(2, causal=True, q_len=1),
    "gqa_decode_base": _base(8, causal=True, q_len=1),
    # Features by the models that made them known.
    "window_tiny": _tiny(2, causal=True, window=(7, None)),
    "window_base": _base(8, causal=True, window=(127, None)),
    "window_both_ways_tiny": _tiny(4, window=(5, 3)),
    "window_both_ways_base": _base(32, window=(64, 64)),
    "soft_cap_tiny": _tiny(2, causal=True, logits_soft_cap=2.0),
    "soft_cap_base": _base(8, causal=True, logits_soft_cap=50.0),
    "alibi_tiny": _tiny(4, causal=True, alibi=True),
    "alibi_base": _base(32, causal=True, alibi=True),
    "bias_tiny": _tiny(4, bias="hqk"),
    "bias_base": _base(32, bias="hqk"),
    "keep_mask_tiny": _tiny(4, batch=2, keep_mask="bk"),
    "keep_mask_base": _base(32, batch=4, keep_mask="bk"),
    "sinks_tiny": _tiny(2, causal=True, sinks=True, window=(7, None)),
    "sinks_base": _base(8, causal=True, sinks=True, window=(127, None)),
    "lse_tiny": _tiny(2, causal=True, return_lse=True),
    "lse_base": _base(8, causal=True, return_lse=True),
    "top_left_tiny": _tiny(2, causal=True, alignment="top_left", kv_len=48),
    "top_left_base": _base(8, causal=True, alignment="top_left", kv_len=1024),
    # Heads after tokens, as vLLM and FlashAttention have them.
    "tokens_first_tiny": _tiny(2, batch=2, causal=True, layout="NHD"),
    # A chunk of a prompt, or drafted tokens, anywhere among the keys.
    "offsets_tiny": _tiny(2, batch=2, causal=True, alignment="offsets", q_len=5),
    "ragged_tiny": _tiny(2, batch=2, causal=True, ragged=True),
    "ragged_base": _base(8, batch=4, causal=True, ragged=True),
    # One artifact for all lengths up to these.
    "dynamic_causal_tiny": _tiny(2, causal=True, dynamic=("q_len", "kv_len")),
    "dynamic_causal_base": _base(8, causal=True, dynamic=("q_len", "kv_len")),
    **_suite(),
}
