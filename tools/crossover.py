"""Where the threaded CPU driver begins to pay: times both drivers on specs of growing size.

Run it with the environment's Python. Each row is one spec: its floating-point operations, the
median time of a call on either driver from interleaved calls, and their ratio. The size at which
the ratio passes 1 is THREADED_FLOPS in irattn/runtime/own_providers.py.
"""

import statistics
import time

import irattn
from irattn import AttentionSpec
from irattn.inputs import random_tensors

CALLS = 61


def main() -> None:
    print(f"{'shape':32}{'flops':>10}{'sync us':>10}{'task us':>10}{'sync/task':>10}")
    for heads, q_len, kv_len, head_dim in SHAPES:
        spec = AttentionSpec(
            num_q_heads=heads,
            num_kv_heads=heads,
            q_len=q_len,
            kv_len=kv_len,
            head_dim=head_dim,
            io_dtype="f32",
        )
        sync, task = measure(spec)
        shape = f"{heads} heads, {q_len} x {kv_len}, d {head_dim}"
        print(f"{shape:32}{spec.flops:10.1e}{sync:10.0f}{task:10.0f}{sync / task:10.2f}")


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


def measure(spec: AttentionSpec) -> tuple[float, float]:
    """Median microseconds of a call on local-sync and on local-task."""
    tensors = random_tensors(spec)
    kernels = {
        driver: irattn.load(spec, target="cpu", device=driver)
        for driver in ("local-sync", "local-task")
    }
    times: dict[str, list[float]] = {driver: [] for driver in kernels}
    for _ in range(CALLS):
        for driver, kernel in kernels.items():
            start = time.perf_counter()
            kernel(**tensors)
            times[driver].append((time.perf_counter() - start) * 1e6)
    return statistics.median(times["local-sync"]), statistics.median(times["local-task"])


if __name__ == "__main__":
    main()
