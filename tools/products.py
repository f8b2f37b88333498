#!/usr/bin/env python3
"""Time products of tokens with quantised weights in turns with bf16's, on this machine's CPU.

`python3 tools/products.py [--tokens 1] [--rows 4096] [--columns 4096] [--turns 100] [FORMAT ...]`
has a line for each format, with activations as they are and rounded to int8: milliseconds of
processor time, the least of all turns and the median, and bf16's over them. Processor time of a
call counts where others use the machine, too; weights are read from memory, as those of all formats
take turns.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import irattn
from irattn.core.weight_formats import SCALED_FORMATS, WEIGHT_FORMATS
from irattn.lab.inputs import random_tensors
from irattn.runtime import Kernel
from irattn.runtime.arrays import aligned_copy

PLAIN = "bf16"


def main() -> None:
    options = asked()
    plain = irattn.LinearSpec(
        q_len=options.tokens,
        in_columns=options.columns,
        out_columns=options.rows,
        io_dtype="bf16",
    )
    specs = {PLAIN: plain}
    for name in options.formats or (*WEIGHT_FORMATS, *SCALED_FORMATS):
        specs[name] = plain.replace(weight_format=name)
        if name in WEIGHT_FORMATS:
            specs[f"{name}, int8"] = specs[name].replace(activation_format="int8")
    seconds = timed({name: made(spec) for name, spec in specs.items()}, options.turns)
    sizes = f"{options.tokens} x {options.columns} by {options.rows} rows"
    print(f"{sizes}, load {os.getloadavg()[0]:.1f}", flush=True)
    print(f"{'format':14} {'least':>8} {'median':>8}  bf16's over the least, and over each turn's")
    for name, times in seconds.items():
        ratios = seconds[PLAIN].min() / times.min(), np.median(seconds[PLAIN] / times)
        least, median = 1e3 * times.min(), 1e3 * np.median(times)
        print(f"{name:14} {least:8.3f} {median:8.3f}  {ratios[0]:.2f} {ratios[1]:.2f}")


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("tokens", 1), ("rows", 4096), ("columns", 4096), ("turns", 100)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    return parser.parse_args()


def made(spec: irattn.LinearSpec) -> tuple[Kernel, dict[str, np.ndarray]]:
    """A kernel and inputs that it reads where they lie."""
    given = {name: aligned_copy(array) for name, array in random_tensors(spec).items()}
    return irattn.load(spec, target="cpu", device="cpu"), given


def timed(
    calls: dict[str, tuple[Kernel, dict[str, np.ndarray]]], turns: int
) -> dict[str, np.ndarray]:
    """Seconds of processor time of each call, all of them in turns."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(turns + 1):
        for name, (kernel, given) in calls.items():
            before = time.process_time()
            kernel(**given)
            # The first calls find nothing in caches.
            if turn:
                seconds[name].append(time.process_time() - before)
    return {name: np.array(times) for name, times in seconds.items()}


if __name__ == "__main__":
    main()
