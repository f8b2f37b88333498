#!/usr/bin/env python3
"""Measure calls with PyTorch's tensors on a GPU: the launcher, IREE's queue, and PyTorch.

    python tools/launching.py TARGET [compile]

compiles the specs for TARGET into `build/launching` where there is a compiler; with `compile` that
is all, so that the folder can be taken to a machine with the GPU. In microseconds of the quickest
of several rounds: the host's time for a call, eager calls, calls within a captured graph, calls
into `out=`, and the same call through IREE and by PyTorch's own attention.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import irattn
from irattn import AttentionSpec, PagedAttentionSpec, Spec

HEADS = {"num_q_heads": 32, "num_kv_heads": 8, "head_dim": 128, "io_dtype": "f16"}
TINY = {"num_q_heads": 4, "num_kv_heads": 4, "head_dim": 32, "io_dtype": "f16"}
SPECS: dict[str, Spec] = {
    "tiny_4x32": AttentionSpec(**TINY, q_len=32, kv_len=32, causal=True),
    "causal_512": AttentionSpec(**HEADS, q_len=512, kv_len=512, causal=True),
    "causal_4096": AttentionSpec(**HEADS, q_len=4096, kv_len=4096, causal=True),
    "paged_4x4096": PagedAttentionSpec(
        **HEADS, batch=4, q_len=1, num_blocks=1024, max_blocks=256, causal=True
    ),
}
STORE = Path("build") / "launching"
ROUNDS, CALLS = 7, 100


def main() -> None:
    target, *others = sys.argv[1:]
    if others == ["compile"]:
        for name, spec in SPECS.items():
            irattn.compile(spec, target=target, name=name, out=STORE)
        return
    for name in SPECS:
        figures = measured(STORE / target / name)
        print(
            f"{name}: {', '.join(f'{what} {us:.2f}' for what, us in figures.items())}", flush=True
        )


def measured(artifact: Path) -> dict[str, float]:
    """The times of an artifact's calls, once its results are those of IREE's queue, bit for bit."""
    import torch

    from irattn.lab.inputs import random_tensors

    kernel = irattn.load(artifact, launcher="direct")
    tensors = random_tensors(kernel.spec)
    given = [torch.from_numpy(array).cuda() for array in tensors.values()]
    kernel.prepare(torch.device("cuda:0"))
    out = kernel(*given)
    by_iree = irattn.load(artifact, launcher="iree")
    there = [irattn.DeviceArray.from_dlpack(tensor) for tensor in given]
    assert torch.equal(out.cpu(), torch.from_numpy(by_iree(*there).to_numpy()))
    calls: dict[str, Callable[[], Any]] = {
        "eager": lambda: kernel(*given),
        "into out": lambda: kernel(*given, out=out),
        "by IREE": lambda: by_iree(*there).synchronize(),
    }
    if isinstance(kernel.spec, AttentionSpec):
        attend = torch.nn.functional.scaled_dot_product_attention
        calls["PyTorch"] = lambda: attend(*given, is_causal=True, enable_gqa=True)
    figures = {"host": microseconds(calls["eager"], waits=False)}
    figures |= {what: microseconds(call) for what, call in calls.items()}
    of_graphs = ("eager", "PyTorch") if "PyTorch" in calls else ("eager",)
    return figures | {f"{what} in a graph": in_graph(calls[what]) for what in of_graphs}


def microseconds(call: Callable[[], Any], calls: int = CALLS, *, waits: bool = True) -> float:
    """The time of a call in the quickest round; without `waits`, until the host has launched it."""
    import torch

    rounds = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(calls):
            call()
        launched = time.perf_counter()
        torch.cuda.synchronize()
        rounds.append((time.perf_counter() if waits else launched) - start)
    return min(rounds) / calls * 1e6


def in_graph(call: Callable[[], Any], calls: int = 20) -> float:
    """The time of a call among `calls` of one captured graph."""
    import torch

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(calls):
            call()
    return microseconds(graph.replay, 5) / calls


if __name__ == "__main__":
    main()
