"""Documents on a CPU beside FlexAttention compiled by PyTorch: the time of each, in turns.

    build/environments/libraries/bin/python tools/documents.py [ROW …]

Rows are dtype x heads x tokens x document x head_dim, as `bf16x8x2048x256x64`, or a few of these.
Both get lists of blocks of 128 by 128, and use as many threads as there are cores. The ratio is
PyTorch's median over irattn's. It needs PyTorch with a C++ compiler.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import irattn
from irattn import masks

ROWS = (
    *("f32x8x2048x256x64", "bf16x8x2048x256x64", "f32x8x2048x512x128", "bf16x8x2048x512x128"),
    *("f32x8x4096x512x64", "bf16x8x4096x512x64", "f32x8x4096x1024x128", "bf16x8x4096x1024x128"),
)
TURNS = 9
BLOCK = 128


def calls_of(row: str) -> dict[str, Callable[[], torch.Tensor]]:
    """A call of each side, whose results are compared once."""
    element, *sizes = row.split("x")
    heads, tokens, document, dim = map(int, sizes)
    made = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}[element]
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, heads, tokens, dim).to(made).unbind()
    ids = (np.arange(tokens) // document).astype(np.int32)
    mask, there = masks.document(ids), torch.from_numpy(ids)
    lists = irattn.block_mask(mask, 1, 1, tokens, tokens, (BLOCK, BLOCK))
    of_heads = irattn.BlockMask(
        np.repeat(lists.counts, heads, axis=1), np.repeat(lists.columns, heads, axis=1), lists.block
    )

    def seen(b: object, h: object, i: torch.Tensor, j: torch.Tensor) -> torch.Tensor:
        return there[i] == there[j]

    blocks = create_block_mask(seen, None, None, tokens, tokens, device="cpu")
    torch._dynamo.reset()
    flex = torch.compile(flex_attention, dynamic=False)
    both = {
        "irattn": lambda: irattn.attention(q, k, v, mask_mod=mask, block_mask=of_heads),
        "flex": lambda: flex(q, k, v, block_mask=blocks),
    }
    ours, theirs = (call().float() for call in both.values())
    assert (ours - theirs).norm() <= 2e-2 * theirs.norm(), row
    return both


def medians(calls: dict[str, Callable[[], torch.Tensor]]) -> dict[str, float]:
    """The median milliseconds of each call, in turns."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    with torch.no_grad():
        for _ in range(TURNS):
            for name, call in calls.items():
                call()
                start = time.perf_counter()
                call()
                times[name].append((time.perf_counter() - start) * 1e3)
    return {name: statistics.median(of) for name, of in times.items()}


if __name__ == "__main__":
    for row in sys.argv[1:] or ROWS:
        of_row = medians(calls_of(row))
        ratio = of_row["flex"] / of_row["irattn"]
        said = ", ".join(f"{name} {ms:.2f} ms" for name, ms in of_row.items())
        print(f"{row}: {said}; {ratio:.2f}", flush=True)
