#!/usr/bin/env python3
"""Compare `irattn generate` with transformers, family by family, in an element type, on the CPU.

    python tools/families.py [FAMILY ...] [TYPE ...]

For a small random model of each family that tests have, or of those that are named: how many of the
greedy tokens after three prompts are transformers' likeliest in the same type, and by how much the
logarithms of the likeliest tokens' likelihoods differ from transformers' in f32, in irattn and in
transformers. TYPE is f32, bf16 or f16; bf16 if none is given. Needs torch and transformers.

Where two experts are nearly as good for a token, rounding chooses, and the worst token is that one:
Aria in bf16 is off by 1.1, and by 0.15 from transformers' f32 with the other expert (0.2 in bf16).
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.family_models import FAMILIES, TYPES, nearness, write_family


def main() -> None:
    given = sys.argv[1:]
    types = [one for one in given if one in TYPES] or ["bf16"]
    names = [one for one in given if one not in TYPES] or list(FAMILIES)
    if unknown := [name for name in names if name not in FAMILIES]:
        sys.exit(f"Error: {', '.join(unknown)}: expected some of {', '.join(FAMILIES)}")
    for io_dtype in types:
        print(f"{io_dtype:20} {'tokens':>8} {'irattn':>10} {'transformers':>13}", flush=True)
        for name in names:
            with TemporaryDirectory() as folder:
                near = nearness(Path(folder), write_family(Path(folder), name), io_dtype)
            tokens = f"{near.equal}/{near.count}"
            print(f"{name:20} {tokens:>8} {near.ours:10.2g} {near.theirs:13.2g}", flush=True)


if __name__ == "__main__":
    main()
