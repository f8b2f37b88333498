#!/usr/bin/env python3
"""Measure calls with PyTorch's tensors on a GPU: the launcher, IREE's queue, and PyTorch.

    python tools/launching.py TARGET [compile]

compiles the specs for TARGET into `build/launching` where there is a compiler; with `compile` that
is all, so that the folder can be taken to a machine with the GPU. In microseconds of the quickest
of several rounds: the host's time for a call, eager calls, calls within a captured graph, calls
into `out=`, and the same call through IREE and by PyTorch's own attention.

Two threads then call at once, each on a stream of its own, and each result must have its bits.

Then 32 layers of a decode as large as those of Llama 3 8B, captured in one graph: attention that
writes the cache by irattn, norms and products by PyTorch. A layer's attention costs what the graph
takes longer than the same graph without attention; beside it stands its time in a graph of its own.
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import irattn
from irattn import AttentionSpec, PagedAttentionSpec, PagedUpdateAttentionSpec, Spec

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
LAYER = "update_4x4096"
LAYERS, SEQUENCES, HIDDEN, INTERMEDIATE = 32, 4, 4096, 14336
STEP = PagedUpdateAttentionSpec(
    **HEADS, batch=SEQUENCES, q_len=1, num_blocks=1024, max_blocks=256, causal=True
)
STORE = Path("build") / "launching"
ROUNDS, CALLS = 7, 100


def main() -> None:
    target, *others = sys.argv[1:]
    if others == ["compile"]:
        for name, spec in (SPECS | {LAYER: STEP}).items():
            irattn.compile(spec, target=target, name=name, out=STORE)
        return
    for name in SPECS:
        figures = measured(STORE / target / name)
        print(
            f"{name}: {', '.join(f'{what} {us:.2f}' for what, us in figures.items())}", flush=True
        )
        say_threads(irattn.load(STORE / target / name, launcher="direct"))
    say_layers(irattn.load(STORE / target / LAYER, launcher="direct"))


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


def say_threads(kernel: irattn.Kernel) -> None:
    """Print how many calls of two threads had right bits; AssertionError where one had not."""
    import torch

    from irattn.lab.inputs import random_tensors

    kernel.prepare(torch.device("cuda:0"))
    calls = []
    for seed in range(2):
        arrays = random_tensors(kernel.spec, seed).values()
        given = [torch.from_numpy(array).cuda() for array in arrays]
        calls.append((given, kernel(*given)))
    torch.cuda.synchronize()

    def checked(given: list[Any], expected: Any) -> int:
        with torch.cuda.stream(torch.cuda.Stream()):
            results = [kernel(*given) for _ in range(CALLS)]
            return sum(torch.equal(result, expected) for result in results)

    with ThreadPoolExecutor(2) as threads:
        right = [*threads.map(checked, *zip(*calls, strict=True))]
    assert right == [CALLS, CALLS], right
    print(f"two threads on two streams: {right} calls right", flush=True)


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


def say_layers(kernel: irattn.Kernel) -> None:
    """Print what attention costs in a captured decode of many layers, and what it takes alone."""
    import torch

    kernel.prepare(torch.device("cuda:0"))
    tensors = random_step()
    layers = [random_layer() for _ in range(LAYERS)]
    x = torch.randn(SEQUENCES, HIDDEN, dtype=torch.float16, device="cuda")

    def attend(query: Any, key: Any, value: Any, caches: list[Any]) -> Any:
        given = {"query": query, "key": key, "value": value, **tensors}
        given |= dict(zip(("key_cache", "value_cache"), caches, strict=True))
        return kernel(**given, donate=("key_cache", "value_cache"))[0]

    def step(attend: Callable[..., Any]) -> Any:
        hidden = x
        for layer in layers:
            hidden = decoded(layer, hidden, attend)
        return hidden

    new = [torch.randn(*shape, dtype=torch.float16, device="cuda") for shape in NEW]
    of_step = in_graph(lambda: step(attend), 1)
    without = in_graph(lambda: step(lambda query, *_: query), 1)
    alone = in_graph(lambda: [attend(*new, layer["caches"]) for layer in layers], 1)
    print(
        f"{LAYERS} layers: {of_step:.1f}, without attention {without:.1f}, so {LAYERS} times "
        f"{(of_step - without) / LAYERS:.2f}; attention alone {alone / LAYERS:.2f}",
        flush=True,
    )


NEW = [(SEQUENCES, HEADS[f"num_{kind}_heads"], 1, HEADS["head_dim"]) for kind in ("q", "kv", "kv")]


def random_step() -> dict[str, Any]:
    """Where the sequences of a step lie: each has as many tokens as there is room for."""
    import torch

    table = torch.arange(STEP.num_blocks, dtype=torch.int32).view(SEQUENCES, -1)
    lengths = torch.full((SEQUENCES,), STEP.max_blocks * STEP.block_size, dtype=torch.int32)
    slots = (table[:, -1:] + 1) * STEP.block_size - 1
    tensors = {"slot_mapping": slots, "block_table": table, "context_lens": lengths}
    return {name: tensor.cuda() for name, tensor in tensors.items()}


def random_layer() -> dict[str, Any]:
    """A layer's weights and caches."""
    import torch

    def random(*shape: int) -> Any:
        return torch.empty(*shape, dtype=torch.float16, device="cuda").normal_(0, 0.02)

    widths = [heads * size for _, heads, _, size in NEW]
    cache = (STEP.num_blocks, STEP.num_kv_heads, STEP.block_size, STEP.head_dim)
    return {
        "projections": [random(HIDDEN, width) for width in widths],
        "output": random(widths[0], HIDDEN),
        "gate_up": random(HIDDEN, 2 * INTERMEDIATE),
        "down": random(INTERMEDIATE, HIDDEN),
        "norms": [random(HIDDEN), random(HIDDEN)],
        "caches": [random(*cache), random(*cache)],
    }


def decoded(layer: dict[str, Any], x: Any, attend: Callable[..., Any]) -> Any:
    """A layer's output for one token of each sequence, `[batch, hidden]`."""
    from torch.nn import functional

    first, second = layer["norms"]
    normed = functional.rms_norm(x, (HIDDEN,), first)
    parts = [
        (normed @ weight).view(shape)
        for weight, shape in zip(layer["projections"], NEW, strict=True)
    ]
    x = x + attend(*parts, layer["caches"]).view(SEQUENCES, -1) @ layer["output"]
    gate, up = (functional.rms_norm(x, (HIDDEN,), second) @ layer["gate_up"]).chunk(2, dim=-1)
    return x + (functional.silu(gate) * up) @ layer["down"]


if __name__ == "__main__":
    main()
