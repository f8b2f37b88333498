#!/usr/bin/env python3
"""Executes the same attention by other makers' kernels and by ours, and counts both.

    pip install -e '.[dev,triton]'
    python3 tools/rivals.py                                causal, full and decode on six chips
    python3 tools/rivals.py --chips gfx942 --works causal --tokens 1024 --heads 32/8
    python3 tools/rivals.py --aiter aiter/hsa              AITER's files too (a clone of ROCm/aiter)
    python3 tools/rivals.py --markdown rivals.md           the table as a page has it

Triton compiles for AMD without a GPU, and keeps what it compiled in its cache. All code is executed
by the emulator, met by float64 NumPy, and estimated by one model. What the emulator's checks stop
is executed once more without them, and said so.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from rival_kernels import HEAD_DIM, Maker, Ran, aiter_files, by_aiter, by_triton, own
from tabulate import tabulate

from irattn import targets
from irattn.core.errors import IrattnError
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs import AttentionSpec
from irattn.targets import Target

CHIPS = ("gfx942", "gfx950", "gfx90a", "gfx1100", "gfx1151", "gfx1201")
WORKS = ("causal", "full", "decode")
# One product of 16 x 16 x 16.
MATRIX_FLOPS = 8192
HEADS = (
    *("chip", "work", "kernel", "executed / needed", "v", "s", "LDS", "LDS cycles"),
    *("over free", "lines", "VGPRs", "LDS B", "spills", "model us", "bound by", "error", "notes"),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chips", default=",".join(CHIPS), help="names, by commas")
    parser.add_argument("--works", default=",".join(WORKS), help="some of them, by commas")
    parser.add_argument("--tokens", type=int, default=512, help="keys, and queries but of a decode")
    parser.add_argument("--heads", default="8/2", help="of queries and of keys")
    parser.add_argument("--io-dtype", default="f16", help="f16 or bf16; AITER has bf16 alone")
    parser.add_argument("--aiter", type=Path, help="the folder hsa of a clone of ROCm/aiter")
    parser.add_argument("--no-triton", action="store_true", help="without Triton's kernels")
    parser.add_argument("--markdown", type=Path, help="a file for the table")
    options = parser.parse_args()
    q_heads, kv_heads = map(int, options.heads.split("/"))
    rows: list[list[str]] = []
    for chip in options.chips.split(","):
        for work in options.works.split(","):
            spec = spec_of(work, options.tokens, q_heads, kv_heads, options.io_dtype)
            for row in compared(spec, work, targets.get(chip), makers(options, work, chip)):
                rows.append(row)
                print(" ".join(row), file=sys.stderr, flush=True)
    print(tabulate(rows, HEADS, disable_numparse=True))
    if options.markdown:
        options.markdown.write_text(markdown(rows), encoding="utf-8")
    return 0


def spec_of(work: str, tokens: int, q_heads: int, kv_heads: int, io_dtype: str) -> AttentionSpec:
    """The work as a spec: every query sees all keys, those before it, or there is one query."""
    return AttentionSpec(
        io_dtype=io_dtype,
        batch=1,
        num_q_heads=q_heads,
        num_kv_heads=kv_heads,
        head_dim=HEAD_DIM,
        causal=work == "causal",
        q_len=1 if work == "decode" else tokens,
        kv_len=tokens,
    )


def makers(options: argparse.Namespace, work: str, chip: str) -> dict[str, Maker]:
    """Who has a kernel for the work on a chip."""
    found: dict[str, Maker] = {"irattn": own}
    if not options.no_triton:
        found["Triton"] = by_triton
    if options.aiter and options.io_dtype == "bf16":
        for file in aiter_files(options.aiter, work, chip):
            found[f"AITER {file.stem}"] = partial(by_aiter, file=file)
    return found


def compared(
    spec: AttentionSpec, work: str, target: Target, makers: dict[str, Maker]
) -> Iterable[list[str]]:
    """A row for each maker; what fails has a row that says why."""
    expected = reference(spec, random_tensors(spec))[0]
    for name, make in makers.items():
        try:
            yield row_of(make(spec, target), spec, work, target, expected)
        except IrattnError as error:
            yield [target.name, work, name, *[""] * (len(HEADS) - 4), f"not executed: {error}"]


def row_of(
    ran: Ran, spec: AttentionSpec, work: str, target: Target, expected: np.ndarray
) -> list[str]:
    """The figures of all launches of a call as one row of `HEADS`."""
    counts = [one.counts for one in ran.launches]
    matrices = sum(one.matrix_flops for one in counts) / MATRIX_FLOPS
    per_matrix = [
        f"{sum(one.instructions.get(kind, 0) for one in counts) / matrices:.2f}"
        for kind in ("vector", "scalar", "lds")
    ]
    traffic = [one.traffic for one in counts if one.traffic is not None]
    cycles, phases = (
        sum(getattr(t, f"lds_{what}") for t in traffic) for what in ("cycles", "phases")
    )
    most = max(ran.launches, key=lambda one: one.counts.matrix_flops)
    models = [estimate(one.counts, target, one.figures.occupancy) for one in ran.launches]
    longest = max((m for m in models if m), key=lambda m: m.microseconds)
    error = np.abs(ran.output.astype(np.float64) - expected).max()
    return [
        *(target.name, work, ran.maker),
        f"{matrices * MATRIX_FLOPS / needed_flops(spec):.2f}",
        *per_matrix,
        str(cycles),
        f"{cycles / phases:.2f}" if phases else "",
        str(sum(t.cache_lines for t in traffic)),
        str(most.figures.vgprs),
        str(most.figures.lds_bytes + most.lds),
        str(sum(one.figures.vgpr_spills for one in ran.launches)),
        f"{sum(m.microseconds for m in models if m):.1f}",
        longest.bound_by,
        f"{error:.1e}",
        ran.note,
    ]


def needed_flops(spec: AttentionSpec) -> float:
    """The FLOPs of both products for the keys that queries see."""
    seen = spec.q_len * spec.kv_len
    if spec.causal:
        seen -= spec.q_len * (spec.q_len - 1) // 2
    return 4.0 * HEAD_DIM * spec.num_q_heads * seen


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """The table as Markdown."""
    lines = [HEADS, ["---"] * len(HEADS), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
