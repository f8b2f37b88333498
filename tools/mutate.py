"""Tests the emulator's tests: changes instructions of compiled kernels, and shows who notices.

Run it with the environment's Python; it takes minutes:

    python tools/mutate.py                          300 mutants of all programs
    python tools/mutate.py decode_f32 --count 40    of one
    python tools/mutate.py --barriers               every barrier deleted in turn
    python tools/mutate.py --waits                  every wait taken out or weakened in turn

Each row is one program: its instructions, how many of them no wave comes to, and its mutants by
what became of them. `error` and `numbers` are noticed: by an error of the emulator, or by numbers
beyond the tolerance on one of the inputs. The others are listed with their instruction:

- `same`: whenever it executes, it leaves the registers that the old instruction leaves. No input of
  these can tell, so that such mutants do not count.
- `dead`: registers differ, but no bit of the outputs does.
- `small`: outputs differ by less than is allowed.

What the last two are, in a sample:

- Steps of exact divisions and square roots (`v_mul`, `v_fma`, `v_fmac`, `v_div_fmas` and
  `s_denorm_mode` between `v_div_scale` and `v_div_fixup`): the steps that follow make up for them,
  or only the last bit differs.
- The first product of an exponential: its remainder is added again.
- The scale of a division or a logarithm, which only tiny numbers need.
- The low part of a constant, as 849703007, of log2(e): 2e-8 is less than is allowed for f32.
- One number fewer in the maximum of a softmax: any number that is near the largest will do.
- Lanes that a bank mask leaves out and that nobody asks for; exec that is restored before the end.
- Bounds that are kept twice: by a comparison, and by the size in a buffer's resource.

A barrier is needless where each wave, on both sides of it, only touches LDS of its own.

Of waits it says how many changes are found in the code as it is, how many stop it in the emulator,
and lists those that neither finds: what their wait is for has no register that is used too early,
and is no store to LDS before a barrier, as between stores to LDS and loads of the same wave, which
LDS keeps in order. Then it takes a wait state from each S_NOP that stands for several, and deletes
each S_WAITCNT_DEPCTR and S_WAIT_ALU: these are found in the code only.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.emulator.judges import judge, judge_barrier, waves_meet
from support.emulator.mutants import SPECS, TARGET, Program
from support.emulator.wait_mutants import (
    by_execution,
    by_static,
    padding,
    wait_mutants,
    waits,
    without_padding,
)

KINDS = ("error", "numbers", "same", "dead", "small")


def main() -> int:
    options = _options()
    if options.barriers:
        return show_barriers(options.names, options.target)
    if options.waits:
        return show_waits(options.names, options.target)
    kinds = "".join(f"{kind:>9}" for kind in KINDS)
    print(f"{'program':20}{'code':>6}{'idle':>6}{kinds}{'seconds':>10}")
    total: Counter[str] = Counter()
    count = -(-options.count // len(options.names))
    for name in options.names:
        total += show(Program(name, options.target), count, options.seed)
    noticed, counted = total["error"] + total["numbers"], total.total() - total["same"]
    print(f"noticed: {noticed} of {total.total()}, or of {counted} that change something", end="")
    print(f": {noticed / counted:.1%}")
    return 0


def show(program: Program, count: int, seed: int) -> Counter[str]:
    """Print a program's row and the mutants that nobody noticed."""
    start = time.monotonic()
    ends = [(judge(program, mutant), mutant) for mutant in program.mutants(count, seed)]
    by_end = Counter(end for end, _ in ends)
    idle = len(program.places) - len(program.executed)
    counts = "".join(f"{by_end[kind]:9}" for kind in KINDS)
    seconds = time.monotonic() - start
    print(f"{program.name:20}{len(program.places):6}{idle:6}{counts}{seconds:10.1f}")
    for end, mutant in ends:
        if end not in ("error", "numbers"):
            print(f"    {end:6}{mutant}", flush=True)
    return by_end


def show_barriers(names: list[str], target: str) -> int:
    """Delete each barrier in turn; 1 where one is missed that keeps waves apart."""
    missed = 0
    for name in names:
        program = Program(name, target)
        for place in program.barriers:
            mutant = program.without(place)
            noticed = judge_barrier(program, mutant)
            if noticed is None and not waves_meet(program, mutant):
                noticed = "needless: without it, no two waves meet in LDS"
            missed += noticed is None
            print(f"{name:20}{place.instruction.at:#06x}  {noticed or 'not noticed'}", flush=True)
    return 1 if missed else 0


def show_waits(names: list[str], target: str) -> int:
    """Change each wait in turn; 1 where a change is noticed by nobody."""
    total: Counter[str] = Counter()
    print(f"{'program':20}{'waits':>6}{'changes':>9}{'in code':>9}{'in runs':>9}{'neither':>9}")
    for name in names:
        program = Program(name, target)
        counted: Counter[str] = Counter()
        for place in waits(program):
            for mutant in wait_mutants(program, place):
                sides = by_static(program, mutant), by_execution(program, mutant)
                counted.update(changes=1, code=sides[0], runs=sides[1], neither=not any(sides))
                if not any(sides):
                    print(f"    {place.kernel.name} {mutant}", flush=True)
        counts = "".join(f"{counted[key]:9}" for key in ("changes", "code", "runs", "neither"))
        print(f"{name:20}{len(waits(program)):6}{counts}", flush=True)
        apart = [without_padding(program, place) for place in padding(program)]
        unseen = [mutant for mutant in apart if not by_static(program, mutant)]
        for mutant in unseen:
            print(f"    {mutant.place.kernel.name} {mutant}", flush=True)
        print(f"    between instructions: {len(apart) - len(unseen)} of {len(apart)}", flush=True)
        total += counted + Counter(changes=len(apart), neither=len(unseen))
    print(f"noticed: {total['changes'] - total['neither']} of {total['changes']}")
    return 1 if total["neither"] else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SPECS)}")
    parser.add_argument("--count", type=int, default=300, help="mutants of all programs together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", default=TARGET)
    parser.add_argument("--barriers", action="store_true")
    parser.add_argument("--waits", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.names) - set(SPECS):
        parser.error(f"expected names of {', '.join(SPECS)}, got {', '.join(sorted(unknown))}")
    options.names = options.names or list(SPECS)
    return options


if __name__ == "__main__":
    sys.exit(main())
