"""vLLM's attention on CPUs: a plug-in that takes the place of its own backend."""

import os
import re
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.functional.arrays import taken
from irattn.integrations.extras import need
from irattn.runtime.cores import give_cores
from irattn.runtime.kernel_cache import KernelCache
from irattn.specs.base import MAX_HEAD_DIM
from irattn.specs.paged_attention import PagedAttentionSpec

need("vllm")

# After it: who lacks it is told of it first, not of PyTorch.
from irattn.integrations.torch import torch  # noqa: E402

_theirs: Any = import_module("vllm.v1.attention.backend")
_registry: Any = import_module("vllm.v1.attention.backends.registry")

Tensor: TypeAlias = Any

# Where vLLM tells OpenMP a worker's CPUs: GNU's library, which binds the main thread to the first
# before Python begins, Intel's, or any other.
_BINDINGS = ("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES")
# As vLLM writes them: `0 1`, `...,proclist=[0,1]`, `{0,1}`. Other forms are a user's own.
_LISTED = re.compile(r"(?:^|[\[{])(\d+(?:[ ,]\d+)*)(?:$|[\]}])")


def register() -> None:
    """Take the place of CPU_ATTN; vLLM calls it at its start, in each of its processes.

    Only where VLLM_PLUGINS names irattn: to be installed is not to be asked for.
    """
    if "irattn" in os.environ.get("VLLM_PLUGINS", "").split(","):
        _registry.register_backend(
            _registry.AttentionBackendEnum.CPU_ATTN, f"{__name__}.{Backend.__qualname__}"
        )
        give_cores(_cpus_of_worker())


def _cpus_of_worker() -> list[int]:
    """The logical CPUs that vLLM gave this process; none where it bound none."""
    listed = (_LISTED.search(os.environ.get(name, "")) for name in _BINDINGS)
    return next(([int(cpu) for cpu in re.split("[ ,]", one[1])] for one in listed if one), [])


class Backend(_theirs.AttentionBackend):  # type: ignore[misc]
    """The backend, with what vLLM asks about it first; vLLM refuses the rest in its own words."""

    supported_dtypes = (torch.float32, torch.float16, torch.bfloat16)
    supported_kv_cache_dtypes = ("auto", "float16", "bfloat16")
    forward_includes_kv_cache_update = True

    @staticmethod
    def get_name() -> str:
        """The name that it goes by, as it takes that one's place."""
        return "CPU_ATTN"

    @staticmethod
    def get_impl_cls() -> type:
        """The class that attends."""
        return LayerAttention

    @staticmethod
    def get_builder_cls() -> type:
        """The class that finds the tokens of a batch."""
        return BatchBuilder

    @staticmethod
    def get_supported_kernel_block_sizes(kv_cache_spec: Any = None) -> list[Any]:
        """Sizes of blocks with which each lies at an address that IREE takes."""
        return [_theirs.MultipleOf(32)]

    @classmethod
    def supported_kv_cache_layouts(cls) -> tuple[Any, ...]:
        """Blocks of each head together: its keys, then its values."""
        return (_theirs.KVCacheLayout.LBHNC,)

    @classmethod
    def supports_head_size(cls, head_size: int) -> bool:
        """Heads that irattn compiles."""
        return head_size <= MAX_HEAD_DIM

    @classmethod
    def supports_sliding_window(cls) -> bool:
        """Whether kernels have sliding windows: all have."""
        return True

    @classmethod
    def supports_non_causal(cls) -> bool:
        """Whether kernels attend without a causal mask: all do."""
        return True


@dataclass
class BatchMetadata(_theirs.AttentionMetadata):  # type: ignore[misc]
    """The places of a batch's tokens: packed queries, and blocks and slots of the cache."""

    num_actual_tokens: int
    query_start_loc: Tensor
    seq_lens: Tensor
    block_table: Tensor
    slot_mapping: Tensor
    causal: bool


class BatchBuilder(_theirs.AttentionMetadataBuilder):  # type: ignore[misc]
    """Makes a Batch once for all layers."""

    def __init__(
        self, kv_cache_spec: Any, layer_names: list[str], vllm_config: Any, device: Any
    ) -> None:
        super().__init__(kv_cache_spec, layer_names, vllm_config, device)

    def build(
        self, common_prefix_len: int, common_attn_metadata: Any, fast_build: bool = False
    ) -> BatchMetadata:
        """ArgumentError for a batch in which some sequences are causal only."""
        common = common_attn_metadata
        if not isinstance(common.causal, bool):
            raise ArgumentError("causal: expected one for the whole batch, got one a sequence")
        return BatchMetadata(
            num_actual_tokens=common.num_actual_tokens,
            query_start_loc=common.query_start_loc,
            seq_lens=common.seq_lens,
            block_table=common.block_table_tensor,
            slot_mapping=common.slot_mapping,
            causal=common.causal,
        )


class LayerAttention(_theirs.AttentionImpl):  # type: ignore[misc]
    """A layer's attention over vLLM's cache, which the kernels read where it lies."""

    def __init__(
        self,
        num_heads: int,
        head_size: int,
        scale: float,
        num_kv_heads: int | None = None,
        alibi_slopes: list[float] | None = None,
        sliding_window: int | None = None,
        kv_cache_dtype: str = "auto",
        logits_soft_cap: float | None = None,
        attn_type: str = "decoder",
        kv_sharing_target_layer_name: str | None = None,
        sinks: Tensor | None = None,
    ) -> None:
        refused = {"alibi_slopes": alibi_slopes, "sinks": sinks}
        for name, given in refused.items():
            if given is not None:
                raise ArgumentError(f"{name}: expected none, as heads are taken one by one")
        if attn_type != "decoder" or "fp8" in kv_cache_dtype:
            raise ArgumentError(
                "attn_type, kv_cache_dtype: expected decoder attention over a cache that is not "
                f"quantised, got {attn_type} over {kv_cache_dtype}"
            )
        self.num_heads, self.head_size, self.scale = num_heads, head_size, scale
        self.num_kv_heads = num_kv_heads or num_heads
        # Theirs counts the query's own token.
        self.window = None if sliding_window is None else (sliding_window - 1, None)
        self.logits_soft_cap = logits_soft_cap
        self.kv_cache_dtype = kv_cache_dtype
        self.kv_sharing_target_layer_name = kv_sharing_target_layer_name

    def forward(
        self,
        layer: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        kv_cache: Tensor,
        attn_metadata: BatchMetadata | None,
        output: Tensor,
        output_scale: Tensor | None = None,
        output_block_scale: Tensor | None = None,
    ) -> Tensor:
        """Write the new keys and values to the cache, attend, and fill `output`.

        query `[tokens, num_heads, head_size]`, key and value `[tokens, num_kv_heads, head_size]`,
        kv_cache `[num_blocks, num_kv_heads, block_size, 2 * head_size]`.
        """
        if output_scale is not None or output_block_scale is not None:
            raise ArgumentError("output_scale: expected none, as outputs are not quantised")
        if attn_metadata is None:
            # A rehearsal, before there is a cache.
            return output
        tokens = attn_metadata.num_actual_tokens
        num_blocks, heads, block_size, _ = kv_cache.shape
        halves = kv_cache.view(num_blocks, heads, 2, block_size, self.head_size)
        if self.kv_sharing_target_layer_name is None:
            _write(halves, attn_metadata.slot_mapping[:tokens], key[:tokens], value[:tokens])
        query = query[:tokens].view(tokens, self.num_heads, self.head_size)
        output[:tokens] = self._attend(query, halves, attn_metadata).view_as(output[:tokens])
        return output

    def _attend(self, query: Tensor, halves: Tensor, batch: BatchMetadata) -> Tensor:
        """`[tokens, num_heads, head_size]`.

        Every KV head of every sequence counts as a sequence of its own: keys and values of a head
        then are blocks of one cache, the values one block behind the keys.
        """
        q_lens = batch.query_start_loc.diff()
        places = _places(q_lens)
        heads, count, size = self.num_kv_heads, len(q_lens), self.head_size
        q_len, context = int(q_lens.max()), int(batch.seq_lens.max())
        padded = query.new_zeros(count, q_len, self.num_heads, size)
        padded[places] = query
        by_head = padded.view(count, q_len, heads, -1, size).permute(0, 2, 3, 1, 4).flatten(0, 1)
        blocks = halves.view(-1, 1, *halves.shape[3:])
        table = batch.block_table[:count, : -(-context // halves.shape[3])]
        table = 2 * (heads * table[:, None] + torch.arange(heads)[:, None])
        tensors = {
            "query": by_head,
            "key_cache": blocks[:-1],
            "value_cache": blocks[1:],
            "block_table": table.flatten(0, 1).int(),
            "context_lens": batch.seq_lens.int().repeat_interleave(heads),
        }
        if q_len > 1:
            tensors["q_lens"] = q_lens.int().repeat_interleave(heads)
        call = self._spec(tensors, batch.causal)
        given = {name: taken(name, tensor) for name, tensor in tensors.items()}
        (attended,) = KernelCache(target="cpu").outputs(call, given)
        output = torch.from_dlpack(attended)
        by_token = output.view(count, heads, -1, q_len, size).permute(0, 3, 1, 2, 4)
        return by_token[places].flatten(1, 2)

    def _spec(self, tensors: dict[str, Tensor], causal: bool) -> PagedAttentionSpec:
        query, cache, table = (tensors[name] for name in ("query", "key_cache", "block_table"))
        return PagedAttentionSpec(
            io_dtype=str(query.dtype),
            batch=query.shape[0],
            num_q_heads=query.shape[1],
            num_kv_heads=1,
            q_len=query.shape[2],
            head_dim=self.head_size,
            block_size=cache.shape[2],
            num_blocks=cache.shape[0],
            max_blocks=table.shape[1],
            softmax_scale=self.scale,
            causal=causal,
            window=self.window,
            logits_soft_cap=self.logits_soft_cap,
            ragged="q_lens" in tensors,
        )


def _write(halves: Tensor, slots: Tensor, key: Tensor, value: Tensor) -> None:
    """New keys and values to their slots; -1 is none."""
    is_slot = slots >= 0
    slots = slots[is_slot].long()
    block, offset = slots // halves.shape[3], slots % halves.shape[3]
    for half, new in enumerate((key, value)):
        rows = new.view(len(new), *halves.shape[1:2], halves.shape[4])
        halves[block, :, half, offset] = rows[is_slot].to(halves.dtype)


def _places(q_lens: Tensor) -> tuple[Tensor, Tensor]:
    """The sequence of each packed token, and its place in it."""
    sequence = torch.arange(len(q_lens)).repeat_interleave(q_lens)
    first = q_lens.cumsum(0) - q_lens
    return sequence, torch.arange(len(sequence)) - first[sequence]
