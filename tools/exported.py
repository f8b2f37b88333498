#!/usr/bin/env python3
"""Build and run exported folders on a GPU, and compare what they compute with the reference.

    python tools/exported.py TARGET compile
    python tools/exported.py TARGET

The first compiles and exports ENTRIES into `build/exported/TARGET`, with random inputs and what the
reference makes of them: that folder and this file can be taken to a machine with the GPU. There the
second builds each example as its README.md says, in C and, where there is a compiler, in Rust; it
needs NumPy and no irattn.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

# Matrix instructions and none, a mask, pages, sizes that a call chooses, and a constant.
ENTRIES = {
    "gqa_causal_tiny": [],
    "gqa_causal_base": ["q_len=512", "kv_len=512"],
    "gqa_paged_decode_tiny": [],
    "dynamic_paged_decode_tiny": [],
    "rope_tiny": ["head_dim=128"],
}
EXPORTED = Path("build") / "exported"
OUTPUTS = Path("expected") / "outputs.json"


def main() -> None:
    target, *others = sys.argv[1:]
    if others == ["compile"]:
        for name, settings in ENTRIES.items():
            export(name, settings, target)
        return
    failed = [problem for name in ENTRIES for problem in problems(EXPORTED / target / name)]
    sys.exit("\n".join(failed))


def export(name: str, settings: list[str], target: str) -> None:
    """Write a folder anew, with inputs of the largest sizes beside the example's outputs."""
    import irattn
    from irattn.binary.exporting import write_export
    from irattn.core.dtypes import dtype
    from irattn.lab.inputs import random_tensors
    from irattn.reference import reference
    from irattn.specs import apply_settings

    spec = apply_settings(irattn.compiling.catalog.get(name), settings)
    folder = EXPORTED / target / name
    shutil.rmtree(folder, ignore_errors=True)
    plan = write_export(irattn.compile(spec, target=target, name=name), folder)
    (folder / "tensors").mkdir()
    (folder / "expected").mkdir()
    tensors = random_tensors(spec)
    for one, array in tensors.items():
        np.ascontiguousarray(array).tofile(folder / "tensors" / f"{one}.bin")
    for output, array in zip(plan.outputs, reference(spec, tensors), strict=True):
        np.save(folder / "expected" / f"{output.name}.npy", array.astype(np.float64))
    kinds = {one.name: dtype(one.dtype) for one in plan.outputs}
    limits = {name: (kind.numpy.str, kind.tolerance) for name, kind in kinds.items()}
    (folder / OUTPUTS).write_text(json.dumps(limits))
    print(f"{folder}: {', '.join(limits)}")


def problems(folder: Path) -> Iterator[str]:
    """Run the blocks of the README; what went wrong, a line each."""
    for block in re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL):
        language = "Rust" if "rustc" in block else "C"
        if language == "Rust" and not shutil.which("rustc"):
            print(f"{folder.name}: no compiler for Rust here")
            continue
        ran = subprocess.run(["bash", "-ec", block], cwd=folder, capture_output=True, text=True)
        told = [ran.stderr] if ran.returncode else differences(folder)
        yield from (f"{folder.name} in {language}: {one}" for one in told)
        if not told:
            print(f"{folder.name} in {language}: right")


def differences(folder: Path) -> list[str]:
    """What an example wrote, against the reference; it is taken away, for the next one."""
    told = []
    for output, (kind, tolerance) in json.loads((folder / OUTPUTS).read_text()).items():
        place = folder / "tensors" / f"{output}.bin"
        expected = np.load(folder / "expected" / f"{output}.npy")
        found = np.fromfile(place, np.dtype(kind)).astype(np.float64).reshape(expected.shape)
        place.unlink()
        error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
        if not error <= tolerance:
            told.append(f"{output} differs by {error:.1e}, expected at most {tolerance}")
    return told


if __name__ == "__main__":
    main()
