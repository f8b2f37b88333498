"""The order in which workgroups of attention begin on GPUs."""

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
# Two heads have three tiles each for the six work-group processors of gfx1103, and two more.
ROUNDS = PROMPTS.replace(batch=1, q_len=600, kv_len=600)
# Too much to be compiled and executed here.
LARGE = PROMPTS.replace(num_q_heads=32, num_kv_heads=32, head_dim=128, q_len=1024, kv_len=1024)
ALONE = LARGE.replace(batch=1, num_kv_heads=8, q_len=2048, kv_len=2048)


@pytest.mark.parametrize("case", CASES)
def test_tiles_of_most_keys_of_all_sequences_begin_first(case):
    matrix = matrix_work(CASES[case], [*CASES.values()], "gfx942")
    assert len(set(matrix)) > 1
    assert matrix == sorted(matrix, reverse=True)


def test_tiles_of_fewest_keys_begin_beside_those_of_most():
    matrix = matrix_work(ROUNDS, [ROUNDS], "gfx1103")
    by_tile = sorted(set(matrix))
    assert len(by_tile) == 5
    assert matrix == [by_tile[tile] for tile in (4, 3, 2, 0, 1) for _ in range(2)]


def matrix_work(spec, specs, target):
    """The matrix instructions of each workgroup, in their order; outputs meet the reference."""
    artifact, inputs = artifact_of(spec, specs, target), random_tensors(spec)
    session = EmulatedSession(artifact, "emulator", measure=True)
    found = Kernel(session).outputs(**inputs)
    for values, exact in zip(found, reference(spec, inputs), strict=True):
        error = np.linalg.norm(values.astype(np.float64) - exact) / np.linalg.norm(exact)
        assert error < dtype(spec.io_dtype).tolerance
    (counts,) = session.counts
    work = counts.by_workgroup
    return work.instructions["matrix"][np.argsort(work.numbers)].tolist()


@pytest.mark.parametrize(
    ("spec", "target", "numbers"),
    [
        # Eight tiles of one number, of 32 rows in four heads, for 304 and 256 compute units.
        (ALONE, "gfx942", range(38, 64)),
        (ALONE, "gfx950", range(32, 64)),
        # Later ones fill what two rounds leave.
        (ALONE, "gfx90a", range(3, 6)),
        (ALONE.replace(q_len=512, kv_len=512), "gfx942", None),
        (ALONE.replace(causal=False), "gfx942", None),
        (ALONE.replace(window=(255, 0)), "gfx942", None),
        (ALONE.replace(dynamic=("q_len",)), "gfx942", None),
        # Sequences one after the other; and one number's tiles are more than half of the places.
        (ALONE.replace(batch=2), "gfx90a", None),
        (ALONE, "gfx1100", None),
        # A compute unit has LDS for one workgroup.
        (ALONE.replace(head_dim=256), "gfx942", None),
    ],
)
def test_a_second_round_has_as_many_tiles_as_the_first(spec, target, numbers):
    second = plan_attention(spec, targets.get(target)).second_round
    assert (second and range(second.first, second.end)) == numbers


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
