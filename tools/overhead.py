#!/usr/bin/env python3
"""Measure what a call costs beyond what IREE's virtual machine takes for it.

For small specs on the synchronous CPU driver, in turns, as microseconds of the quickest of each:
the bare invocation of the compiled function, on arrays of its own sizes; a call with device arrays,
in order and by name, where those that the function updates are copied and those of other sizes are
padded; one that donates what the function updates; a call with NumPy arrays; and one with those
besides bound weights. Block tables have -1 past a context. Names of the catalogue may follow.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

from iree.runtime import HalBufferView, VmVariantList

import irattn
from irattn import AttentionSpec, DeviceArray, Kernel, Spec
from irattn.compiling import catalog
from irattn.lab.inputs import random_tensors
from irattn.runtime.device_calls import DeviceCalls

SMALL = AttentionSpec(
    num_q_heads=4, num_kv_heads=4, q_len=32, kv_len=32, head_dim=32, io_dtype="f32", causal=True
)
NAMES = (
    *("gqa_decode_tiny", "gqa_paged_decode_tiny", "gqa_paged_prefill_tiny"),
    *("dynamic_paged_decode_tiny", "paged_update_decode_tiny", "rms_norm_tiny"),
    "replicate_kv_tiny",
)
TURNS, CALLS = 100, 20


def microseconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS * 1e6


def bare(kernel: Kernel, arrays: list[DeviceArray]) -> Callable[[], Any]:
    """What nobody can leave out: arguments into a list, the invocation, outputs out of a list."""
    session: Any = kernel._session
    given: Any = [array._ref for array in arrays]
    if padding := DeviceCalls(session)._padding(kernel.spec):
        given = padding.pad(given)
    memory = [*given, *session.fences]
    context, function, outputs = session._context(), session._function, len(kernel.spec.outputs)

    def call() -> list[Any]:
        arguments, results = VmVariantList(len(memory)), VmVariantList(outputs)
        for one in memory:
            arguments.push_ref(one)
        context.invoke(function, arguments, results)
        return [results.get_as_object(i, HalBufferView) for i in range(outputs)]

    return call


def donating(kernel: Kernel, arrays: list[DeviceArray]) -> Callable[[], Any]:
    """Calls of which each is given what the one before it has updated."""
    arrays = list(arrays)
    names, made = ([t.name for t in ts] for ts in (kernel.spec.inputs, kernel.spec.outputs))
    places = [(names.index(n), made.index(output)) for output, n in kernel.spec.updates.items()]
    donate = tuple(kernel.spec.updates.values())

    def call() -> None:
        outputs = kernel(*arrays, donate=donate)
        for i, output in places:
            arrays[i] = outputs[output]

    return call


def beside_weights(kernel: Kernel, tensors: dict[str, Any]) -> Callable[[], Any] | None:
    """A call with NumPy arrays of a kernel that has its weights, where there are any."""
    weights = {name: array for name, array in tensors.items() if name.endswith("weight")}
    bound = kernel.bind(**weights)
    rest = {name: array for name, array in tensors.items() if name not in weights}
    return (lambda: bound(**rest)) if weights else None


def measure(name: str, spec: Spec) -> None:
    kernel = irattn.load(spec, device="local-sync")
    tensors = random_tensors(spec)
    full = {n: array.clip(0) if n == "block_table" else array for n, array in tensors.items()}
    there = [
        [DeviceArray.from_numpy(array, kernel.device) for array in given.values()]
        for given in (tensors, full, tensors)
    ]
    named = dict(zip(tensors, there[0], strict=True))
    calls = {
        "bare": bare(kernel, there[1]),
        "prepared": lambda: kernel(*there[0]),
        "by name": lambda: kernel(**named),
        "from NumPy": lambda: kernel(**tensors),
    }
    if spec.updates:
        calls["donating"] = donating(kernel, there[2])
    if beside := beside_weights(kernel, tensors):
        calls["beside weights"] = beside
    turns = [{way: microseconds(call) for way, call in calls.items()} for _ in range(TURNS)]
    best = {way: min(turn[way] for turn in turns) for way in calls}
    times = (f"{way} {us:.1f} ({us / best['bare']:.2f})" for way, us in best.items())
    print(f"{name}: {', '.join(times)}", flush=True)


def main() -> None:
    print("us, and as a multiple of the bare invocation")
    if not sys.argv[1:]:
        measure("attention of 4 heads, 32 x 32 tokens, head_dim 32", SMALL)
    for name in sys.argv[1:] or NAMES:
        measure(name, catalog.get(name))


if __name__ == "__main__":
    main()
