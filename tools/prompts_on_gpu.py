#!/usr/bin/env python3
"""Measure prompts and decodes on a GPU: the time on the device, and that of PyTorch's kernels.

    python tools/prompts_on_gpu.py TARGET FOLDER [compile]

compiles the specs for TARGET into FOLDER where there is a compiler; with `compile` that is all, so
that the folder can be taken to a machine with the GPU. Each output is compared with PyTorch's in
f32 before it is timed. Times are microseconds of a call within a captured graph, in turns with
`scaled_dot_product_attention` by FlashAttention 2 and by cuDNN, medians of rounds.
"""

import statistics
import sys
from pathlib import Path
from typing import Any

from gradients import CALLS, ROUNDS, captured, microseconds

import irattn
from irattn import AttentionSpec

HEADS = {"num_q_heads": 32, "num_kv_heads": 8, "head_dim": 128, "io_dtype": "f16"}
PROMPTS = {
    f"causal_{length}": AttentionSpec(**HEADS, q_len=length, kv_len=length, causal=True)
    for length in (512, 2048, 4096, 8192)
} | {
    "causal_4096_bf16": AttentionSpec(
        **HEADS | {"io_dtype": "bf16"}, q_len=4096, kv_len=4096, causal=True
    ),
    "causal_4096_d64": AttentionSpec(
        **HEADS | {"head_dim": 64}, q_len=4096, kv_len=4096, causal=True
    ),
    "full_2048": AttentionSpec(**HEADS, q_len=2048, kv_len=2048),
    "full_2048_bf16": AttentionSpec(**HEADS | {"io_dtype": "bf16"}, q_len=2048, kv_len=2048),
}
DECODES = {
    f"decode_{batch}x{length}": AttentionSpec(**HEADS, batch=batch, q_len=1, kv_len=length)
    for batch, length in ((4, 4096), (1, 16384), (32, 2048))
}
PEERS = {"FA2": "FLASH_ATTENTION", "cuDNN": "CUDNN_ATTENTION"}


def main() -> None:
    target, folder, *others = sys.argv[1:]
    if others == ["compile"]:
        for name, spec in (PROMPTS | DECODES).items():
            irattn.compile(spec, target=target, name=name, out=Path(folder))
        return
    for name in PROMPTS | DECODES:
        print(f"{name}: {measured(Path(folder) / target / name)}", flush=True)


def measured(artifact: Path) -> str:
    """The times of an artifact's calls and of PyTorch's, with the output's relative error."""
    import torch

    kernel = irattn.load(artifact, launcher="direct")
    kernel.prepare(torch.device("cuda:0"))
    spec = kernel.spec
    assert isinstance(spec, AttentionSpec)
    torch.manual_seed(0)
    element = getattr(torch, {"f16": "float16", "bf16": "bfloat16"}[spec.io_dtype])
    given = [torch.randn(one.shape, dtype=element, device="cuda") for one in spec.inputs[:3]]
    error = relative_error(kernel(*given), *given, causal=spec.causal)
    assert error < 0.01, error
    replays = {"irattn": captured(lambda: kernel(*given))}
    replays |= {
        peer: captured(lambda backend=backend: by_torch(backend, *given, causal=spec.causal))
        for peer, backend in PEERS.items()
    }
    rounds = [[microseconds(replay) for replay in replays.values()] for _ in range(ROUNDS)]
    medians = [statistics.median(times) / CALLS for times in zip(*rounds, strict=True)]
    times = ", ".join(f"{who} {us:.1f} us" for who, us in zip(replays, medians, strict=True))
    return f"{times}; {medians[1] / medians[0]:.2f} times FA2's speed; error {error:.1e}"


def by_torch(backend: str, *given: Any, causal: bool) -> Any:
    """PyTorch's attention by one of its kernels."""
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    with sdpa_kernel(getattr(SDPBackend, backend)):
        return torch.nn.functional.scaled_dot_product_attention(
            *given, is_causal=causal, enable_gqa=True
        )


def relative_error(output: Any, *given: Any, causal: bool) -> float:
    """How far an output is from PyTorch's in f32, relative to that one's norm."""
    exact = by_torch("MATH", *(one.float() for one in given), causal=causal)
    return float((output.float() - exact).norm() / exact.norm())


if __name__ == "__main__":
    main()
