#!/usr/bin/env python3
"""Print which instructions the emulator executes on each AMD architecture.

Every opcode of AMD's tables is tried once, with registers for operands; VOPD pairs are those of
instructions that are listed by themselves.

    python3 tools/opcodes.py              the counts, by encoding
    python3 tools/opcodes.py --all        every opcode, those that stop the emulator too
"""

import argparse
from collections import Counter

from tabulate import tabulate

from irattn.codeobject import Instruction, opcodes
from irattn.emulator import executes

TARGETS = ("gfx1100", "gfx1151", "gfx1201", "gfx90a", "gfx942", "gfx950")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="every opcode, with yes or no")
    parser.add_argument("--targets", default=",".join(TARGETS), help="names, by commas")
    options = parser.parse_args()
    targets = options.targets.split(",")
    known = {target: {op: executes(op, target) for op in opcodes(target)} for target in targets}
    if options.all:
        for target in targets:
            for op, yes in known[target].items():
                print(
                    f"{target}  {op.encoding.__name__:14}  {op.name:36}  {'yes' if yes else 'no'}"
                )
        return
    print(tabulate(rows(known, targets), headers=["encoding", *targets], disable_numparse=True))


def rows(known: dict[str, dict[Instruction, bool]], targets: list[str]) -> list[list[str]]:
    """For each encoding, how many of its opcodes are executed on each target."""
    counts = {}
    for target in targets:
        total = Counter(op.encoding.__name__ for op in known[target])
        done = Counter(op.encoding.__name__ for op, yes in known[target].items() if yes)
        counts[target] = {name: f"{done[name]} of {total[name]}" for name in total}
    names = sorted({name for found in counts.values() for name in found})
    return [[name, *(counts[target].get(name, "-") for target in targets)] for name in names]


if __name__ == "__main__":
    main()
