#!/usr/bin/env python3
"""Measure gradients of attention on a GPU: the time on the device, and that of PyTorch's kernels.

    python tools/gradients.py TARGET FOLDER [compile]

compiles the specs for TARGET into FOLDER where there is a compiler; with `compile` that is all, so
that the folder can be taken to a machine with the GPU. Each gradient is compared with PyTorch's in
f32 before it is timed. Times are microseconds of a call within a captured graph, in turns with
PyTorch's (`aten::_scaled_dot_product_flash_attention_backward`, FlashAttention 2), medians of
rounds; PyTorch has keys and values repeated for each query head, as that operator takes no groups,
so that adding up their gradients is left out of its time.
"""

import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import irattn
from irattn import AttentionBackwardSpec

HEADS = {"num_q_heads": 32, "num_kv_heads": 8, "io_dtype": "f16", "causal": True}
SPECS = {
    f"backward_{length}_{width}": AttentionBackwardSpec(
        **HEADS, q_len=length, kv_len=length, head_dim=width
    )
    for length in (2048, 4096)
    for width in (64, 128)
}
SPECS |= {
    "backward_4096_128_bf16": replace(SPECS["backward_4096_128"], io_dtype="bf16"),
    "backward_2048_128_full": replace(SPECS["backward_2048_128"], causal=False),
    "backward_2048_64_full": replace(SPECS["backward_2048_64"], causal=False),
}
ROUNDS, CALLS = 9, 10


def main() -> None:
    target, folder, *others = sys.argv[1:]
    if others == ["compile"]:
        for name, spec in SPECS.items():
            irattn.compile(spec, target=target, name=name, out=Path(folder))
        return
    there = [name for name in SPECS if (Path(folder) / target / name).is_dir()]
    for name in there:
        print(f"{name}: {said(*measured(Path(folder) / target / name))}", flush=True)


def said(errors: list[float], ours: float, theirs: float, flops: int) -> str:
    """The figures of a spec in a line; products of PyTorch's count are five."""
    rates = (flops / us / 1e6 for us in (ours, theirs))
    return (
        f"irattn {ours:.1f} us, PyTorch {theirs:.1f} us, {theirs / ours:.3f} times its speed; "
        f"{', '.join(f'{rate:.0f}' for rate in rates)} TFLOP/s of five products; errors "
        f"{', '.join(f'{error:.1e}' for error in errors)}"
    )


def measured(artifact: Path) -> tuple[list[float], float, float, int]:
    """The relative errors of the gradients, the times of a call, and the operations needed."""
    import torch

    kernel = irattn.load(artifact, launcher="direct")
    kernel.prepare(torch.device("cuda:0"))
    spec = kernel.spec
    assert isinstance(spec, AttentionBackwardSpec)
    torch.manual_seed(0)
    element = torch.bfloat16 if spec.io_dtype == "bf16" else torch.float16
    query, key, value, gradient = (
        torch.randn(tensor.shape, dtype=element, device="cuda")
        for tensor in (*spec.inputs[:3], spec.outputs[0])
    )
    keys, values = (one.repeat_interleave(spec.group_size, 1) for one in (key, value))
    flash = torch.ops.aten._scaled_dot_product_flash_attention
    output, lse, *rest = flash(query, keys, values, 0.0, spec.causal)
    cum_q, cum_k, max_q, max_k, seed, offset, _ = rest
    backward = torch.ops.aten._scaled_dot_product_flash_attention_backward

    def theirs() -> Any:
        given = (gradient, query, keys, values, output, lse, cum_q, cum_k, max_q, max_k)
        return backward(*given, 0.0, spec.causal, seed, offset)

    def ours() -> Any:
        return kernel(query, key, value, output, lse, gradient)

    exact = in_f32(query, key, value, gradient, causal=spec.causal)
    errors = [
        float((one.float() - wanted).norm() / wanted.norm())
        for one, wanted in zip(ours(), exact, strict=True)
    ]
    assert max(errors) < 0.01, errors
    replays = [captured(call) for call in (ours, theirs)]
    rounds = [[microseconds(replay) for replay in replays] for _ in range(ROUNDS)]
    mine, other = (statistics.median(times) / CALLS for times in zip(*rounds, strict=True))
    return errors, mine, other, spec.least_flops


def in_f32(*given: Any, causal: bool) -> Any:
    """The gradients of queries, keys and values by PyTorch's own products in f32."""
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    *leaves, gradient = (one.float().requires_grad_() for one in given)
    with sdpa_kernel(SDPBackend.MATH):
        output = torch.nn.functional.scaled_dot_product_attention(
            *leaves, is_causal=causal, enable_gqa=True
        )
    return torch.autograd.grad(output, leaves, gradient.detach())


def captured(call: Callable[[], Any]) -> Callable[[], None]:
    """A graph of CALLS calls."""
    import torch

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    replay: Callable[[], None] = graph.replay
    return replay


def microseconds(replay: Callable[[], None]) -> float:
    """The device's time between two events around a graph."""
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    replay()
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) * 1e3


if __name__ == "__main__":
    main()
