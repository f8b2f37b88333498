#!/usr/bin/env python3
"""Execute the machine code of specs in the emulator, under every order of waves.

Tiny entries of the catalogue run as they are, base entries cut to 128 or more tokens, or there are
random specs of all ops; each runs on random inputs and is compared with the float64 reference.

    python3 tools/emulate.py                                  all, for gfx1100, gfx1201 and gfx942
    python3 tools/emulate.py --targets gfx90a rope_base       some
    python3 tools/emulate.py --tokens 1024 gqa_decode_base    with keys in several parts
    python3 tools/emulate.py --io-dtype bf16 gqa_causal_base  in another dtype
    python3 tools/emulate.py --draws 500 --device emulator    random specs of all ops
    python3 tools/emulate.py --draws 300 --op l2_norm         of one op, or such as any_attention
    python3 tools/emulate.py --functions 500 --device emulator   random functions of scores
    python3 tools/emulate.py --functions 500 --targets cpu --device cpu   the same, not emulated
"""

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from irattn.rendering import GraphRequest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from irattn import targets
from irattn.compiling import catalog
from irattn.compiling.artifact import Artifact
from irattn.compiling.build import build
from irattn.core.errors import IrattnError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.specs import Spec
from irattn.specs.gradients import GradientFeatures
from irattn.targets import Target
from support.draws import any_op, of_op
from support.emulator.cuts import cut
from support.expression_draws import any_functions
from support.gradient_bounds import of_bounds
from support.joined import MOST, Graph, compiled_together


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="catalogue entries; default: all tiny and base")
    parser.add_argument("--targets", default="gfx1100,gfx1201,gfx942", help="names, by commas")
    parser.add_argument("--device", default="emulator-schedules", help="or emulator")
    parser.add_argument("--tokens", type=int, default=128, help="of the cuts, 128 if not given")
    parser.add_argument("--io-dtype", help="f16, bf16 or f32; default: the entry's own")
    parser.add_argument("--draws", type=int, help="so many random specs instead of entries")
    parser.add_argument("--op", help="with --draws, the only op, or such as any_attention")
    parser.add_argument("--functions", type=int, help="so many with random functions of scores")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first of them")
    options = parser.parse_args()
    if options.functions is not None:
        failed = check_draws(options, options.functions, any_functions)
    elif options.draws is not None:
        draw = of_op(options.op) if options.op else any_op
        failed = check_draws(options, options.draws, draw)
    else:
        failed = check_entries(options)
    print(f"{failed} failed")
    return int(failed > 0)


def check_entries(options: argparse.Namespace) -> int:
    """How many entries of the catalogue fail."""
    failed = 0
    names = options.names or catalog.names(["tiny", "base"])
    for target in map(targets.get, options.targets.split(",")):
        for name in names:
            start = time.monotonic()
            said = check(chosen(name, options), target, options.device)
            failed += not said.startswith("ok")
            print(f"{target.name}  {name:32} {time.monotonic() - start:6.1f} s  {said}", flush=True)
    return failed


def check_draws(options: argparse.Namespace, count: int, draw: Callable[[int], Spec]) -> int:
    """How many random specs fail; each that does is said as Python."""
    failed = 0
    for target in map(targets.get, options.targets.split(",")):
        for first in range(options.first, options.first + count, MOST):
            seeds = range(first, min(first + MOST, options.first + count))
            start, specs = time.monotonic(), [draw(seed) for seed in seeds]
            artifacts = compiled(specs, target)
            for spec, artifact in zip(specs, artifacts, strict=True):
                said = check(spec, target, options.device, artifact)
                failed += not said.startswith("ok")
                if not said.startswith("ok"):
                    print(f"{target.name}  {spec!r}  {said}", flush=True)
            seconds = time.monotonic() - start
            print(f"{target.name}  seeds {first} to {seeds[-1]}  {seconds:.1f} s", flush=True)
    return failed


def compiled(specs: list[Spec], target: Target) -> list[Artifact | None]:
    """Artifacts of specs that are compiled together, or None of each where one does not compile."""
    try:
        return list(compiled_together([Graph(spec) for spec in specs], target))
    except Exception:
        # Which of them it is shows when each is compiled alone.
        return [None] * len(specs)


def chosen(name: str, options: argparse.Namespace) -> Spec:
    """An entry as it shall run; stages keep their dtype where they have no other."""
    spec = catalog.get(name)
    spec = spec if name.endswith("tiny") else cut(spec, options.tokens)
    with suppress(SpecError):
        spec = spec.replace(io_dtype=options.io_dtype or spec.io_dtype)
    return spec


def check(spec: Spec, target: Target, device: str, artifact: Artifact | None = None) -> str:
    """`ok` with the worst error in units of what is allowed, or what went wrong."""
    tensors = random_tensors(spec)
    try:
        outputs = load_artifact(artifact or build(GraphRequest(spec, target)), device).outputs(
            **tensors
        )
    except IrattnError as error:
        return f"FAILED: {error}"
    if isinstance(spec, GradientFeatures):
        # Of a row whose terms cancel no tolerance is known, but a bound is.
        worst, of = max(of_bounds(spec, outputs, tensors).values()), "bound"
    else:
        pairs = zip(outputs, reference(spec, tensors), spec.outputs, strict=True)
        worst, of = max(strain(measured(*pair)) for pair in pairs), "tolerance"
    return f"{'ok' if worst <= 1 else 'FAILED'}: {worst:.2f} of the {of}"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except IrattnError as problem:
        sys.exit(f"Error: {problem}")
