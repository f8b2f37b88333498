"""Random mixes of prompts and decodes over pages on GPUs: machine code executed, among NaN.

CI executes 18; `IRATTN_MIXES=300 pytest tests/graphs/test_packed_paged_mixes.py` executes more.
A wrong mix is named with its spec.
"""

import os

import numpy as np
import pytest

from irattn.lab.certificates.hidden import hidden_places, poisoned
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.runtime import load_artifact
from support.draws import packed_pages
from support.joined import artifact_of
from support.mixes import any_mix

pytestmark = pytest.mark.slow

MIXES = int(os.environ.get("IRATTN_MIXES", "18"))
TARGETS = ("gfx1100", "gfx1201", "gfx942")
# Graphs for a target that are compiled together, and mixes that each of them is called with.
TOGETHER, OF_SPEC = 2, 3


def strain_of(kernel, spec, seed):
    """The worst error in units of the tolerance, with NaN in all that no query may see."""
    tensors = any_mix(spec, seed)
    outputs = kernel.outputs(**poisoned(tensors, hidden_places(spec, tensors), np.nan))
    pairs = zip(outputs, reference(spec, tensors), spec.outputs, strict=True)
    return max(
        strain(measured(found, exact, tensor))
        for found, exact, tensor in pairs
        if tensor.name not in spec.updates
    )


@pytest.mark.parametrize("start", range(0, MIXES, TOGETHER * OF_SPEC))
def test_mixes_meet_the_reference(start):
    target = TARGETS[start // (TOGETHER * OF_SPEC) % len(TARGETS)]
    specs = [packed_pages(start + n * OF_SPEC) for n in range(TOGETHER)]
    failures = []
    for n, spec in enumerate(specs):
        kernel = load_artifact(artifact_of(spec, specs, target), "emulator")
        for seed in range(start + n * OF_SPEC, start + (n + 1) * OF_SPEC):
            worst = strain_of(kernel, spec.replace(dynamic=()), seed)
            print(f"{target}: mix {seed}: {worst:.2f} of the tolerance")
            failures += [f"mix {seed} on {target}: {worst:.3g}: {spec!r}"] if worst > 1 else []
    assert not failures, "\n".join(failures)
