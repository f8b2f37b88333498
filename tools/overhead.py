#!/usr/bin/env python3
"""Measure what a call costs beyond what IREE's virtual machine takes for it.

For small specs on the synchronous CPU driver: the bare invocation of the compiled function, a call
with device arrays, and a call with NumPy arrays, in turns, as microseconds of the quickest of each.
"""

import time
from collections.abc import Callable
from typing import Any

from iree.runtime import HalBufferView, VmVariantList

import irattn
from irattn import AttentionSpec, DeviceArray, Kernel, catalog
from irattn.inputs import random_tensors

SPECS = {
    "attention of 4 heads, 32 x 32 tokens, head_dim 32": AttentionSpec(
        num_q_heads=4, num_kv_heads=4, q_len=32, kv_len=32, head_dim=32, io_dtype="f32", causal=True
    ),
    "gqa_decode_tiny": catalog.get("gqa_decode_tiny"),
    "gqa_paged_decode_tiny": catalog.get("gqa_paged_decode_tiny"),
    "rms_norm_tiny": catalog.get("rms_norm_tiny"),
    "replicate_kv_tiny": catalog.get("replicate_kv_tiny"),
}
TURNS, CALLS = 300, 20


def microseconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def bare(kernel: Kernel, arrays: list[DeviceArray]) -> Callable[[], Any]:
    """What nobody can leave out: arguments into a list, the invocation, outputs out of a list."""
    session: Any = kernel._session
    views = [array._live() for array in arrays]
    context, function, outputs = session._context(), session._function, len(kernel.spec.outputs)

    def call() -> list[Any]:
        arguments, results = VmVariantList(len(views)), VmVariantList(outputs)
        for view in views:
            arguments.push_ref(view)
        context.invoke(function, arguments, results)
        return [results.get_as_object(i, HalBufferView) for i in range(outputs)]

    return call


def main() -> None:
    for name, spec in SPECS.items():
        kernel = irattn.load(spec, device="local-sync")
        tensors = random_tensors(spec)
        if "block_table" in tensors:
            tensors["block_table"] = tensors["block_table"].clip(0)
        arrays = [DeviceArray.from_numpy(array, kernel.device) for array in tensors.values()]
        calls = {
            "bare": bare(kernel, arrays),
            "prepared": lambda kernel=kernel, arrays=arrays: kernel(*arrays),
            "from NumPy": lambda kernel=kernel, tensors=tensors: kernel(**tensors),
        }
        turns = [{way: microseconds(call) for way, call in calls.items()} for _ in range(TURNS)]
        best = {way: min(turn[way] for turn in turns) for way in calls}
        times = ", ".join(f"{way} {best[way]:.1f}" for way in calls)
        print(f"{name}: {times} us; prepared / bare {best['prepared'] / best['bare']:.2f}")


if __name__ == "__main__":
    main()
