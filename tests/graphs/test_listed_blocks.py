"""Listed blocks of scores on GPUs: right, and how much is multiplied of what they hide."""

import numpy as np
import pytest

from irattn import AttentionSpec
from irattn.core.errors import RenderError
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.rendering import GraphRequest, render
from irattn.runtime.kernel import Kernel
from irattn.targets import get
from support.against_reference import assert_meets_reference
from support.joined import artifact_of


def striped(batch, head, query, key):
    return (query + key) % 5 != 2


# Keys end within a block, and behind the causal mask.
LISTED = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=200, kv_len=330, head_dim=64, io_dtype="f16",
    mask_blocks=(128, 64), mask_mod=striped, causal=True,
)  # fmt: skip
QUARTER = AttentionSpec(
    num_q_heads=1, num_kv_heads=1, q_len=256, kv_len=1024, head_dim=128, io_dtype="f16",
    mask_blocks=(128, 128), mask_mod=striped,
)  # fmt: skip
SPECS = (LISTED, QUARTER)
# Where a step is of tensors, and where waves share the columns of wide heads.
OTHERS = (
    LISTED.replace(io_dtype="f32", head_dim=32),
    LISTED.replace(head_dim=512, num_q_heads=2, num_kv_heads=1, q_len=130),
)
TARGETS = ("gfx1100", "gfx1201", "gfx942")


@pytest.mark.parametrize("target", TARGETS)
def test_listed_blocks_on_a_gpu(target):
    kernel = Kernel(EmulatedSession(artifact_of(LISTED, SPECS, target), "emulator"))
    assert_meets_reference(LISTED, kernel, random_tensors(LISTED), atol=0.004)


@pytest.mark.parametrize("spec", OTHERS, ids=["tensors", "wide"])
def test_listed_blocks_of_other_kernels(spec):
    kernel = Kernel(EmulatedSession(artifact_of(spec, OTHERS, "gfx1100"), "emulator"))
    tensors = random_tensors(spec)
    assert_meets_reference(spec, kernel, tensors, atol=0.004)


@pytest.mark.parametrize("target", TARGETS)
def test_a_quarter_of_blocks_is_a_quarter_of_the_products(target):
    session = EmulatedSession(artifact_of(QUARTER, SPECS, target), "emulator")
    tensors = random_tensors(QUARTER)
    tensors["block_counts"][...] = [1, 1]
    outputs = Kernel(session).outputs(**tensors)
    # What is not listed is not read.
    hidden = ~np.isin(np.arange(1024) // 128, tensors["block_columns"][..., :2])
    assert hidden.any()
    for name in ("key", "value"):
        tensors[name] = np.where(hidden[:, None], np.float16(np.nan), tensors[name])
    np.testing.assert_array_equal(Kernel(session).outputs(**tensors)[0], outputs[0])
    dense = QUARTER.replace(mask_blocks=None).flops
    share = sum(one.matrix_flops for one in session.counts) / dense
    print(f"{target}: {share:.3f}")
    assert 0.25 <= share <= 0.28


def test_blocks_that_lanes_do_not_fit_are_refused():
    for fields, why in (
        ({"mask_blocks": (128, 24)}, "multiples of"),
        ({"q_len": 1, "causal": False}, "queries are few"),
    ):
        with pytest.raises(RenderError, match=why):
            render(GraphRequest(LISTED.replace(**fields), get("gfx1100")))
