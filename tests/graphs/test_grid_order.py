"""The order in which workgroups of attention begin on GPUs of several dies."""

import numpy as np
import pytest

from irattn import targets
from irattn.core.dtypes import dtype
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering.attention.plan import plan_attention
from irattn.runtime.kernel import Kernel
from irattn.specs import AttentionSpec
from support.joined import artifact_of

PROMPTS = AttentionSpec(
    num_q_heads=2, num_kv_heads=1, head_dim=64, batch=3, q_len=300, kv_len=300, causal=True
)
CASES = {
    "static": PROMPTS,
    "tokens-first": PROMPTS.replace(layout="NHD", return_lse=True),
    # A call chooses how many sequences there are: workgroups ask for their place.
    "dynamic": PROMPTS.replace(dynamic=("batch",)),
}
# Too much to be compiled and executed here.
LARGE = PROMPTS.replace(num_q_heads=32, num_kv_heads=32, head_dim=128, q_len=1024, kv_len=1024)


@pytest.mark.parametrize("case", CASES)
def test_tiles_of_most_keys_of_all_sequences_begin_first(case):
    spec = CASES[case]
    artifact, inputs = artifact_of(spec, [*CASES.values()], "gfx942"), random_tensors(spec)
    session = EmulatedSession(artifact, "emulator", measure=True)
    found = Kernel(session).outputs(**inputs)
    (counts,) = session.counts
    work = counts.by_workgroup
    matrix = work.instructions["matrix"][np.argsort(work.numbers)]
    assert len(set(matrix)) > 1
    assert matrix.tolist() == sorted(matrix, reverse=True)
    for values, exact in zip(found, reference(spec, inputs), strict=True):
        error = np.linalg.norm(values.astype(np.float64) - exact) / np.linalg.norm(exact)
        assert error < dtype(spec.io_dtype).tolerance


@pytest.mark.parametrize(
    ("spec", "target", "are_inside"),
    [
        (LARGE, "gfx942", True),
        (LARGE, "gfx950", True),
        # Keys and values of 128 MiB, half of the cache that dies share, and of more.
        (LARGE.replace(batch=8), "gfx942", True),
        (LARGE.replace(batch=9), "gfx942", False),
        (LARGE.replace(batch=1), "gfx942", False),
        (LARGE.replace(causal=False), "gfx942", False),
        (LARGE.replace(ragged=True), "gfx942", False),
        (LARGE, "gfx90a", False),
        (LARGE, "gfx1100", False),
    ],
)
def test_sequences_are_read_side_by_side_where_the_cache_of_all_dies_has_their_keys(
    spec, target, are_inside
):
    plan = plan_attention(spec, targets.get(target))
    assert plan.sequences_inside == are_inside
