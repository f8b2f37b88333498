"""Where the threaded CPU driver begins to pay: times both drivers on specs of growing size.

Run it with the environment's Python. Each row is one spec: its floating-point operations, the size
of its results, the median time of a call with device arrays on either driver from interleaved
calls, and their ratio. Where the ratio passes 1 for attention is THREADED_FLOPS in
irattn/runtime/iree_providers.py; for what computes little it is below THREADED_BYTES.
"""

import statistics
import time

import irattn
from irattn import AttentionSpec, DeviceArray, RmsNormSpec, RopeSpec
from irattn.lab.inputs import random_tensors
from irattn.specs import Spec

CALLS = 61


def main() -> None:
    print(f"{'':32}{'flops':>10}{'MiB':>10}{'sync us':>10}{'task us':>10}{'sync/task':>10}")
    for name, spec in specs().items():
        sync, task = measure(spec)
        made = sum(tensor.bytes for tensor in spec.outputs) / 2**20
        print(f"{name:32}{spec.flops:10.1e}{made:10.2f}{sync:10.0f}{task:10.0f}{sync / task:10.2f}")


def specs() -> dict[str, Spec]:
    specs: dict[str, Spec] = {}
    for heads, q_len, kv_len, head_dim in SHAPES:
        specs[f"{heads} heads, {q_len} x {kv_len}, d {head_dim}"] = AttentionSpec(
            num_q_heads=heads,
            num_kv_heads=heads,
            q_len=q_len,
            kv_len=kv_len,
            head_dim=head_dim,
            io_dtype="f32",
        )
    for tokens in TOKENS:
        specs[f"norm, {tokens} x 4096"] = RmsNormSpec(rows=tokens, columns=4096, io_dtype="f32")
        specs[f"rope, {tokens} tokens"] = RopeSpec(
            num_q_heads=32,
            num_kv_heads=8,
            q_len=tokens,
            head_dim=128,
            max_positions=4096,
            io_dtype="f32",
        )
    return specs


TOKENS = (1, 16, 32, 64, 128, 512)
SHAPES = [
    (4, 1, 32, 32),
    (4, 16, 32, 32),
    (4, 32, 32, 32),
    (4, 32, 64, 32),
    (8, 32, 64, 64),
    (8, 64, 64, 64),
    (8, 64, 128, 64),
    (8, 128, 128, 64),
    (8, 256, 256, 64),
    (8, 512, 512, 64),
    (32, 1, 128, 128),
    (32, 1, 512, 128),
    (32, 1, 2048, 128),
]


def measure(spec: Spec) -> tuple[float, float]:
    """Median microseconds of a call on local-sync and on local-task."""
    tensors = random_tensors(spec)
    kernels = {
        driver: irattn.load(spec, target="cpu", device=driver)
        for driver in ("local-sync", "local-task")
    }
    given = {
        driver: [DeviceArray.from_numpy(array, driver) for array in tensors.values()]
        for driver in kernels
    }
    times: dict[str, list[float]] = {driver: [] for driver in kernels}
    for _ in range(CALLS):
        for driver, kernel in kernels.items():
            start = time.perf_counter()
            kernel.outputs(*given[driver])[0].synchronize()
            times[driver].append((time.perf_counter() - start) * 1e6)
    return statistics.median(times["local-sync"]), statistics.median(times["local-task"])


if __name__ == "__main__":
    main()
