"""Attention of packed queries, prompts and decodes alike, over a cache kept in blocks."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import Role, TensorType, context_lens, integers
from irattn.specs.base import check_flag, check_positive
from irattn.specs.layouts import check_layout
from irattn.specs.merge_states import MergeStatesSpec
from irattn.specs.packed import PackedSequences
from irattn.specs.pages import ReadsPages
from irattn.specs.sizes import BASE_HEADS, BASE_PAGES, BENCH_GQA, TINY_HEADS, TINY_PAGES

# What a cascade calls the inputs of its groups that sequences name so.
SHARED_NAMES = {
    "cu_seqlens_q": "shared_cu_seqlens_q",
    "block_table": "shared_block_table",
    "context_lens": "shared_lens",
}

# What would have to know where a query stands, or be there twice.
_NOT_OF_CASCADES = ("window", "bias", "keep_mask", "alibi", "score_mod", "mask_mod")

# Sequences of so many queries at most have their keys cut into parts, decodes and short drafts; and
# so many, where a spec asks for it.
FEW_QUERIES, MOST_FEW_QUERIES = 8, 256


@dataclass(frozen=True, kw_only=True)
class PackedPagedAttentionSpec(ReadsPages, PackedSequences):
    """One step of an engine: new tokens of `batch` sequences attend to what a cache holds of each.

    This is the call of vLLM and of FlashInfer's and FlashAttention's variable lengths over pages
    (Kwon et al. 2023, PagedAttention): some sequences have a prompt or a chunk of one, some a
    single new token. Tensors:

    - query `[q_tokens, num_q_heads, head_dim]` in `io_dtype`
    - key_cache `[num_blocks, num_kv_heads, block_size, head_dim]` and value_cache
      `[num_blocks, num_kv_heads, block_size, value_dim]` in `io_dtype`; with `layout` `NHD`
      `[num_blocks, block_size, num_kv_heads, …]`
      With `joint_cache` keys and values are in one array, given as both: a block has twice as many
      slots, `[num_blocks, num_kv_heads, 2 * block_size, head_dim]`, those of its keys before those
      of its values, as in vLLM's caches and, with NHD, in FlashInfer's. With `latent_cache`
      (DeepSeek-V2) there is no value_cache: values are the first `value_dim` columns of the keys.
      With `cache_dtype` the caches are quantised, and key_scale and value_scale follow them
      (CacheElements)
    - cu_seqlens_q int32 (int64 accepted) `[batch + 1]`: the queries of sequence `s` are the tokens
      `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`; it begins with 0 and never falls. Tokens past
      the last one are padding, whose output is zeros
    - block_table int32 (int64 accepted) `[batch, max_blocks]`: token `j` of sequence `s` lies in
      block `block_table[s, j // block_size]`, slot `j % block_size`; entries past the context, and
      those of which all tokens lie before the window of the first query, are ignored
    - context_lens int32 (int64 accepted) `[batch]`: valid tokens of each sequence, the current
      queries included
    - output `[q_tokens, num_q_heads, value_dim]` in `io_dtype`

    Causal by default: query `i` of sequence `s` sees token `j` where
    `j <= i + context_lens[s] - q_len` of its `q_len` queries. `bias` and `keep_mask` have the axes
    `hqk`, `[num_q_heads, q_tokens, max_blocks * block_size]`: packed queries, and keys of the
    query's own sequence; `lse` is `[num_q_heads, q_tokens]`. What the other fields do to the
    logits, AttentionFeatures tells. `dynamic` lists the sizes that every call chooses for itself,
    some of batch, q_tokens, num_blocks and max_blocks; the fields say how large they may be.
    Slots past a context, and blocks that no sequence uses, may hold anything.

    Sequences of up to `few_queries` queries, 8 to 256, have their keys cut into parts on GPUs,
    which workgroups attend to at the same time: for the drafts of a few sequences, or what many
    share (`irattn.cascade_attention`). None means 8, for steps of prompts and single tokens.

    With `cascade`, groups of sequences share the first blocks of their contexts, which are read
    once for all queries of a group (Ye et al. 2024, "Cascade Inference", FlashInfer): block_table
    and context_lens are those of what each sequence has of its own, behind what its group shares,
    and there follow, as `PagedCache.cascade_step` gives them,

    - shared_cu_seqlens_q int32 (int64 accepted) `[batch + 1]`: the queries of group `g`, as
      cu_seqlens_q has those of sequences; groups that are not there have none
    - shared_block_table int32 (int64 accepted) `[batch, max_blocks]`: the blocks that each shares
    - shared_lens int32 (int64 accepted) `[batch]`: tokens in these, all of which the group's
      queries see

    The two results, `of_own` and `of_shared`, are merged by their log-sum-exps. Sinks count once.
    There is no window, bias, keep_mask, ALiBi, score_mod or mask_mod then.
    """

    op: ClassVar[str] = "packed_paged_attention"
    fills_memory: ClassVar[bool] = True
    takes_functions: ClassVar[bool] = True
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_tokens", "num_blocks", "max_blocks")

    block_size: int = 16
    num_blocks: int
    max_blocks: int
    causal: bool = True
    layout: str = "HND"
    joint_cache: bool = False
    latent_cache: bool = False
    cache_dtype: str | None = None
    cache_scale: str | None = None
    few_queries: int | None = None
    cascade: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "block_size", "num_blocks", "max_blocks")
        self._check_few()
        self._check_packed()
        check_layout(self.layout)
        self._check_pages()
        self._check_joint(self.joint_cache, self.v_dim)
        self._check_cascade()

    def _check_few(self) -> None:
        few, most = self.few_queries, MOST_FEW_QUERIES
        if few is not None and not FEW_QUERIES <= whole("few_queries", few) <= most:
            raise SpecError(
                f"few_queries: expected a number from {FEW_QUERIES} to {most} or None, got {few}"
            )

    def _check_cascade(self) -> None:
        check_flag("cascade", self.cascade)
        if not self.cascade:
            return
        if not self.causal:
            raise SpecError("causal: with cascade queries see what is before them; leave it out")
        if self.alignment != "bottom_right":
            raise SpecError("alignment: with cascade it is bottom_right; leave it out")
        for name in _NOT_OF_CASCADES:
            if getattr(self, name) not in (None, False):
                raise SpecError(f"{name}: cascade has no such thing; leave it out")

    @property
    def of_own(self) -> "PackedPagedAttentionSpec":
        """The half of a cascade that attends to what each sequence has of its own."""
        own = self.packed_fields | {"cascade": False, "return_lse": True}
        return PackedPagedAttentionSpec(**own)

    @property
    def of_shared(self) -> "PackedPagedAttentionSpec":
        """The half of a cascade in which groups, as sequences, attend to what they share.

        Many of a group's queries count as few: their tiles are, and take as long as keys are many.
        """
        few = max(2 * FEW_QUERIES, min(self.q_tokens, MOST_FEW_QUERIES))
        return self.of_own.replace(causal=False, sinks=False, few_queries=self.few_queries or few)

    @property
    def merge(self) -> MergeStatesSpec:
        """The spec by which the two results of a cascade become one."""
        return MergeStatesSpec(
            io_dtype=self.io_dtype,
            num_q_heads=self.num_q_heads,
            q_len=self.q_tokens,
            head_dim=self.v_dim,
            layout="packed",
            dynamic=("q_len",) if "q_tokens" in self.dynamic else (),
        )

    @property
    def packed_fields(self) -> dict[str, Any]:
        """The fields of the attention alone, without those of a spec that writes new tokens."""
        return {f.name: getattr(self, f.name) for f in fields(PackedPagedAttentionSpec)}

    @property
    def has_tokens_first(self) -> bool:
        """Whether slots come before heads in the caches; tokens always do in queries."""
        return self.layout == "NHD"

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        batch, blocks = self.size("batch"), (0, self.num_blocks - 1)
        return (
            self.queries,
            *self.stored,
            self.bounds("cu_seqlens_q", Role.QUERY_BOUNDS, self.q_tokens),
            integers("block_table", (batch, self.size("max_blocks")), Role.BLOCK_IDS, blocks),
            context_lens(batch, self.max_context),
            *(self._shared_inputs if self.cascade else ()),
            *self.feature_inputs,
        )

    @property
    def _shared_inputs(self) -> tuple[TensorType, ...]:
        """The groups of a cascade, and what they share."""
        batch, blocks = self.size("batch"), (0, self.num_blocks - 1)
        pages, lengths = (batch, self.size("max_blocks")), (0, self.max_context)
        return (
            self.bounds("shared_cu_seqlens_q", Role.GROUP_BOUNDS, self.q_tokens),
            integers("shared_block_table", pages, Role.SHARED_IDS, blocks),
            integers("shared_lens", (batch,), Role.SHARED_LENGTHS, lengths),
        )

    @property
    def flops(self) -> int:
        if self.cascade:
            return self.of_own.flops + self.of_shared.flops
        return super().flops // self.batch

    @property
    def least_flops(self) -> int:
        """For sequences of equal lengths and full contexts."""
        if self.cascade:
            return self.of_own.least_flops + self.of_shared.least_flops
        q_len = -(-self.q_tokens // self.batch)
        pairs = self.batch * q_len * self.max_context
        return self.flops * self.batch * self._visible_pairs(q_len, self.max_context) // pairs


def packed_paged_tiny(**fields: Any) -> PackedPagedAttentionSpec:
    """Catalogue entries of a few short sequences."""
    sizes = {**TINY_HEADS, **TINY_PAGES, "batch": 4, "q_tokens": 40, "num_kv_heads": 2}
    return PackedPagedAttentionSpec(**sizes | fields)


def packed_paged_base(**fields: Any) -> PackedPagedAttentionSpec:
    """Catalogue entries of sixteen sequences of up to 2048 tokens, and 1024 new ones of all."""
    sizes = {**BASE_HEADS, **BASE_PAGES, "batch": 16, "q_tokens": 1024, "num_kv_heads": 8}
    return PackedPagedAttentionSpec(**sizes | fields)


def _bench(name: str, batch: int, q_tokens: int) -> dict[str, PackedPagedAttentionSpec]:
    """Entries of the suite that is timed: a step of prompts and of decodes over 2048 tokens."""
    sizes: dict[str, Any] = {"batch": batch, "num_blocks": batch * 128, "max_blocks": 128}
    return {
        f"{name}_{io_dtype}_bench": PackedPagedAttentionSpec(
            **BENCH_GQA, io_dtype=io_dtype, q_tokens=q_tokens, **sizes
        )
        for io_dtype in ("f32", "bf16")
    }


_OF_A_CALL = ("batch", "q_tokens", "num_blocks", "max_blocks")

CATALOGUE = {
    "packed_paged_tiny": packed_paged_tiny(),
    "packed_paged_base": packed_paged_base(),
    "dynamic_packed_paged_tiny": packed_paged_tiny(dynamic=_OF_A_CALL),
    "dynamic_packed_paged_base": packed_paged_base(dynamic=_OF_A_CALL),
    **_bench("step_505_and_7_of_1", 8, 512),
    **_bench("step_2_of_512_and_64_of_1", 66, 1088),
    **_bench("step_512_and_1", 2, 513),
}
