#!/usr/bin/env python3
"""Time the plug-in for vLLM on this machine's CPU beside vLLM's own attention.

    build/environments/vllm/bin/python tools/vllm_cpu.py [REPEATS]

calls, in turns, vLLM's C++ kernels (new tokens written, then attention), the plug-in as vLLM calls
it, and the plug-in's kernel alone by addresses: medians in ms of wall-clock time, and medians
of the ratios of neighbours (61 turns unless told: with 7 the last column moves by 0.07). Two
threads each; run it on an idle machine. The sequences of the last row share 4,096 tokens, which
the plug-in reads once, and the kernel alone for each. The environment is what
`tools/dev.py integrations vllm` makes.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from operator import truediv
from types import SimpleNamespace
from typing import Any

os.environ |= {"VLLM_TARGET_DEVICE": "cpu", "VLLM_PLUGINS": "irattn"}
os.environ["VLLM_NO_USAGE_STATS"] = "1"
# As the plug-in tells it to the workers that vLLM starts.
os.environ["GOMP_SPINCOUNT"] = "10000"

import torch
import vllm.v1.attention.backends.cpu_attn as theirs
from vllm import _custom_ops as ops
from vllm.v1.attention.backend import CommonAttentionMetadata
from vllm.v1.kv_cache_interface import FullAttentionSpec

from irattn.integrations.vllm.cpu import CpuAttention, CpuBatchBuilder

HEADS, KV_HEADS, SIZE, BLOCK = 32, 8, 128, 32
THREADS, WARM_UP = 2, 3
# Queries and contexts of each sequence.
ROWS = {
    "prompt 1 x 1024": [(1024, 1024)],
    "prompts 4 x 512": [(512, 512)] * 4,
    "decodes 8 x 600": [(1, 600)] * 8,
    "decodes 8 x 2048": [(1, 2048)] * 8,
    "505 and 7 decodes": [(505, 505)] + [(1, 2048)] * 7,
    "decodes 16 x 4352": [(1, 4352)] * 16,
}
# Tokens that all sequences of a row have in the same blocks.
SHARED = {"decodes 16 x 4352": 4096}


class Row:
    """A step of one layer, and the three ways to attend in it."""

    def __init__(self, sequences: list[tuple[int, int]], element: Any, shared: int = 0) -> None:
        torch.manual_seed(0)
        self.element, self.sequences = element, sequences
        q_lens, self.lens = (torch.tensor(x).int() for x in zip(*sequences, strict=True))
        self.tokens = int(q_lens.sum())
        pages = -(-int(self.lens.max()) // BLOCK)
        blocks = pages * len(sequences)
        self.table = torch.randperm(blocks).view(len(sequences), pages).int()
        self.table[:, : shared // BLOCK] = self.table[0, : shared // BLOCK]
        self.query, self.output = (
            torch.randn(self.tokens, HEADS, SIZE, dtype=element) for _ in range(2)
        )
        self.key, self.value = (
            torch.randn(self.tokens, KV_HEADS, SIZE, dtype=element) for _ in range(2)
        )
        self.cache = torch.randn(blocks, KV_HEADS, BLOCK, 2 * SIZE, dtype=element)
        self.slots = torch.cat([self._new_slots(i, *one) for i, one in enumerate(sequences)])
        self.starts = torch.cat([torch.zeros(1).int(), q_lens.cumsum(0).int()])
        self.longest = int(q_lens.max())

    def _new_slots(self, sequence: int, q_len: int, length: int) -> Any:
        places = torch.arange(length - q_len, length)
        return self.table[sequence, places // BLOCK].long() * BLOCK + places % BLOCK

    def of_vllm(self) -> Callable[[], object]:
        """vLLM's own call."""
        isa = theirs._get_attn_isa(self.element, BLOCK, SIZE, "auto")
        told = {"query_start_loc": self.starts, "seq_lens": self.lens, "causal": True}
        plan = ops.cpu_attn_get_scheduler_metadata(
            num_reqs=len(self.sequences),
            num_heads=HEADS,
            num_kv_heads=KV_HEADS,
            head_dim=SIZE,
            dtype=self.element,
            sliding_window_size=-1,
            isa=isa,
            enable_kv_split=True,
            dynamic_causal=None,
            kv_cache_dtype="auto",
            **told,
        )
        mine = self.cache.clone().view(len(self.cache), KV_HEADS, 2 * BLOCK, SIZE)
        keys, values = mine.chunk(2, dim=2)
        scales = {"k_scale": 1.0, "v_scale": 1.0, "kv_cache_dtype": "auto"}
        output = torch.empty_like(self.output)

        def call() -> None:
            ops.cpu_attn_reshape_and_cache(
                self.key, self.value, keys, values, self.slots, isa, **scales
            )
            ops.cpu_attention_with_kv_cache(
                query=self.query,
                key_cache=keys,
                value_cache=values,
                output=output,
                scale=SIZE**-0.5,
                alibi_slopes=None,
                sliding_window=-1,
                block_table=self.table,
                softcap=0.0,
                scheduler_metadata=plan,
                s_aux=None,
                dynamic_causal=None,
                **told,
                **scales,
            )

        return call

    def of_plug_in(self) -> tuple[Callable[[], object], Callable[[], object]]:
        """The plug-in's call, and its kernel's alone."""
        layer = CpuAttention(HEADS, SIZE, SIZE**-0.5, KV_HEADS)
        spec = FullAttentionSpec(
            block_size=BLOCK, num_kv_heads=KV_HEADS, head_size=SIZE, dtype=self.element
        )
        context = {"layer": SimpleNamespace(impl=layer)}
        config = SimpleNamespace(
            compilation_config=SimpleNamespace(static_forward_context=context),
            scheduler_config=SimpleNamespace(max_num_batched_tokens=2048, max_num_seqs=16),
            model_config=SimpleNamespace(max_model_len=8192),
            cache_config=SimpleNamespace(enable_prefix_caching=True),
            additional_config={},
        )
        common = CommonAttentionMetadata(
            query_start_loc=self.starts,
            query_start_loc_cpu=self.starts,
            seq_lens=self.lens,
            num_reqs=len(self.sequences),
            num_actual_tokens=self.tokens,
            max_query_len=self.longest,
            max_seq_len=int(self.lens.max()),
            block_table_tensor=self.table,
            slot_mapping=self.slots,
        )
        batch = CpuBatchBuilder(spec, ["layer"], config, self.query.device).build(0, common)
        kernel = layer.prepare(self.element, BLOCK, self.query.device)
        new = {"query": self.query, "key": self.key, "value": self.value}
        calls = layer._calls(kernel, new, self.cache, batch)
        cache = self.cache.data_ptr()
        given = [*(one.data_ptr() for one in new.values()), cache, cache]

        def plug_in() -> None:
            layer.forward(None, *new.values(), self.cache, batch, self.output)

        return plug_in, lambda: calls.run(given, (self.output.data_ptr(),))


def times(row: Row, repeats: int) -> dict[str, list[float]]:
    """The milliseconds of each way's calls, in turns."""
    plug_in, kernel = row.of_plug_in()
    ways = {"vllm": row.of_vllm(), "plug-in": plug_in, "kernel": kernel}
    found: dict[str, list[float]] = {way: [] for way in ways}
    took: dict[str, float] = {}
    for turn in range(WARM_UP + repeats):
        # vLLM's threads still spin when the next begins, and its cache is another: the plug-in and
        # the kernel both come after it, each first in its turn.
        ours = ("plug-in", "kernel") if turn % 2 else ("kernel", "plug-in")
        for way in ("vllm", ours[0], "vllm", ours[1]):
            start = time.perf_counter()
            ways[way]()
            took[way] = 1e3 * (time.perf_counter() - start)
        if turn >= WARM_UP:
            for way, ms in took.items():
                found[way].append(ms)
    return found


def main() -> None:
    """Print the table."""
    torch.set_num_threads(THREADS)
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 61
    print(f"{'':18} {'':5} {'vLLM':>9} {'plug-in':>9} {'kernel':>9}   vLLM/plug-in kernel/plug-in")
    for name, sequences in ROWS.items():
        for element in (torch.bfloat16, torch.float32):
            found = times(Row(sequences, element, SHARED.get(name, 0)), repeats)
            medians = " ".join(f"{statistics.median(one):9.2f}" for one in found.values())
            ratios = "  ".join(
                f"{statistics.median(map(truediv, found[way], found['plug-in'])):12.2f}"
                for way in ("vllm", "kernel")
            )
            print(f"{name:18} {str(element)[6:][:5]:5} {medians} {ratios}", flush=True)


if __name__ == "__main__":
    main()
