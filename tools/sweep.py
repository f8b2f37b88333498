"""What catalogue entries become for AMD GPUs: registers, spills and matrix instructions.

Run it with the environment's Python, from anywhere:

    python tools/sweep.py                                    every base entry for six targets
    python tools/sweep.py gqa_causal_base --targets gfx1100
    python tools/sweep.py mha_full_base gqa_causal_base --set logits_soft_cap=30 --set alibi=true

Each row is one entry for one target: how many kernels it has, the most VGPRs that one of them
takes, the registers, vector and scalar, that all of them spill, their matrix instructions and the
seconds of the compilation. It ends with 1 where anything spills or does not compile, and then says
how to repeat what did not compile.
"""

import argparse
import shlex
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from irattn import targets
from irattn.binary.inspection import inspect_module
from irattn.compiling import catalog
from irattn.compiling.compiler import DiagnosticsError
from irattn.core.errors import IrattnError
from irattn.lab.executors import Executor, executor_of, using
from irattn.rendering import GraphRequest, render
from irattn.specs import Spec, apply_settings

TARGETS = ("gfx1100", "gfx1151", "gfx1201", "gfx90a", "gfx942", "gfx950")


@dataclass(frozen=True)
class Row:
    """One entry for one target; `failure` says in a line why there is no machine code."""

    name: str
    target: str
    seconds: float
    kernels: int = 0
    registers: int = 0
    spills: int = 0
    matrix: int = 0
    failure: str = ""

    @property
    def is_good(self) -> bool:
        return not self.failure and self.spills == 0

    def __str__(self) -> str:
        if self.failure:
            return f"{self.name:32}{self.target:9}{self.failure}"
        counts = f"{self.kernels:8}{self.registers:7}{self.spills:8}{self.matrix:8}"
        return f"{self.name:32}{self.target:9}{counts}{self.seconds:9.1f}"


def main() -> int:
    options = _options()
    try:
        specs = {
            name: apply_settings(catalog.get(name), tuple(options.settings))
            for name in options.names or catalog.names(["base"])
        }
        chosen = [targets.get(name) for name in options.targets.split(",")]
        executor = executor_of(options.executor)
    except IrattnError as error:
        sys.exit(str(error))
    header = f"{'kernels':>8}{'VGPRs':>7}{'spills':>8}{'matrix':>8}{'seconds':>9}"
    print(f"{'entry':32}{'target':9}{header}", flush=True)
    rows = []
    work = [(name, specs[name], target) for name in specs for target in chosen]
    with using(executor) as runner, ThreadPoolExecutor(runner.jobs) as pool:
        for row in pool.map(lambda one: measure(*one, options.timeout, runner), work):
            rows.append(row)
            if not (options.bad and row.is_good):
                print(row, flush=True)
    bad = sum(not row.is_good for row in rows)
    print(f"{len(rows)} compilations, {bad} with spills or failures")
    for row in rows:
        if row.failure:
            print(f"again: {again(row, options)}", file=sys.stderr)
    return int(bad > 0)


def again(row: Row, options: argparse.Namespace) -> str:
    """The command for one row."""
    how = [word for setting in options.settings for word in ("--set", setting)]
    how += ["--timeout", f"{options.timeout:g}", "--executor", options.executor]
    return shlex.join(["python", "tools/sweep.py", row.name, "--targets", row.target, *how])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="catalogue entries; default: every base entry")
    parser.add_argument("--targets", default=",".join(TARGETS), help="names, by commas")
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="F=VALUE")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of one compilation")
    parser.add_argument("--executor", default="local:2", help="local:N or dask://HOST:PORT")
    parser.add_argument("--bad", action="store_true", help="print only what spills or fails")
    return parser.parse_args()


def measure(
    name: str, spec: Spec, target: targets.Target, timeout: float, executor: Executor
) -> Row:
    """Compile one spec for one target, and count what its machine code has."""
    start = time.monotonic()
    try:
        vmfb = executor.compile(render(GraphRequest(spec, target)), target.flags, timeout=timeout)
    except (DiagnosticsError, IrattnError) as error:
        # A worker that was lost is no fault of the others' either.
        said = error.first_error if isinstance(error, DiagnosticsError) else error
        failure = f"FAILED: {said}"[:90]
        return Row(name, target.name, time.monotonic() - start, failure=failure)
    seconds = time.monotonic() - start
    kernels = inspect_module(vmfb).kernels
    if not kernels:
        return Row(name, target.name, seconds, failure="no machine code for an AMD GPU came out")
    return Row(
        name,
        target.name,
        seconds,
        kernels=len(kernels),
        registers=max(kernel.vgprs for kernel in kernels),
        spills=sum(kernel.spills for kernel in kernels),
        matrix=sum((kernel.instructions or {}).get("matrix", 0) for kernel in kernels),
    )


if __name__ == "__main__":
    sys.exit(main())
