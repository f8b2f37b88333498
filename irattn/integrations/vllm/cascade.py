"""Which steps of vLLM's engine on CPUs read once what their sequences share, and their integers."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from irattn.integrations.vllm.theirs import envs
from irattn.kvcache.cascade import LEAST_BYTES_OF_CPUS, CascadeStep, cascade_step, saved_tokens
from irattn.kvcache.views import PackedStep

# What a user says in vLLM's `additional_config` to leave cascades out.
OPTION = "irattn_cascade"


@dataclass(frozen=True)
class SharedPrefixes:
    """The least that sequences of a decode share to be worth two halves and a merge.

    vLLM's prefix caching gives sequences that begin alike the same blocks. So many `least_tokens`
    of a layer need not be read again then.
    """

    block_size: int
    least_tokens: int

    @classmethod
    def of(cls, kv_cache_spec: Any, vllm_config: Any) -> Self | None:
        """The least that steps over a cache share; None where none can share so much, or may."""
        told = vllm_config.additional_config
        is_left_out = isinstance(told, dict) and not told.get(OPTION, True)
        if is_left_out or envs.VLLM_BATCH_INVARIANT:
            return None
        if not vllm_config.cache_config.enable_prefix_caching:
            return None
        size = kv_cache_spec.block_size
        least_tokens = -(-LEAST_BYTES_OF_CPUS * size // kv_cache_spec.page_size_bytes)
        others = vllm_config.scheduler_config.max_num_seqs - 1
        if others * vllm_config.model_config.max_model_len < least_tokens:
            return None
        return cls(size, least_tokens)

    def step(self, common: Any) -> CascadeStep | None:
        """A step of vLLM with its sequences in groups; None where that does not pay.

        Only neighbours in vLLM's order are in a group.
        """
        count = len(common.query_start_loc) - 1
        if common.max_query_len > 1 or (count - 1) * common.max_seq_len < self.least_tokens:
            return None
        pages = -(-common.max_seq_len // self.block_size)
        table = common.block_table_tensor[:count, :pages].numpy()
        bounds, lengths = common.query_start_loc.numpy(), common.seq_lens[:count].numpy()
        nothing = np.empty(0, np.int32)
        step = PackedStep(bounds, table, lengths, nothing, nothing)
        if saved_tokens(step, self.block_size) < self.least_tokens:
            return None
        return cascade_step(step, self.block_size)


def integers(step: CascadeStep) -> dict[str, np.ndarray]:
    """A step's integers, by the names of kernels, with as many groups as there are sequences."""
    count, groups = len(step.context_lens), len(step.shared_lens)
    columns = max(step.block_table.shape[1], step.shared_block_table.shape[1])

    def pages(table: np.ndarray) -> np.ndarray:
        # 0 where there is no block spares the device a check of which these are.
        more = (0, count - len(table)), (0, columns - table.shape[1])
        return np.pad(np.maximum(table, 0), more)

    more = (0, count - groups)
    return {
        "cu_seqlens_q": step.cu_seqlens_q,
        "block_table": pages(step.block_table),
        "context_lens": step.context_lens,
        "shared_cu_seqlens_q": np.pad(step.shared_cu_seqlens_q, more, mode="edge"),
        "shared_block_table": pages(step.shared_block_table),
        "shared_lens": np.pad(step.shared_lens, more),
    }
