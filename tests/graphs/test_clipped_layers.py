"""Layers whose queries, keys and values are clipped: OLMo's and MPT's."""

import numpy as np
import pytest

from irattn import DecoderLayerSpec
from irattn.core.errors import SpecError
from irattn.lab.certificates.bounds import error_bounds
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from support.emulated import failed_cases
from support.joined import artifacts_of, together

pytestmark = pytest.mark.slow

HEADS = {
    **{"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 8, "block_size": 4, "num_blocks": 8},
    **{"max_blocks": 3, "io_dtype": "f32", "batch": 2},
}
PACKED = DecoderLayerSpec(
    attention=PackedPagedAttentionSpec(**HEADS, q_tokens=7),
    **{"hidden_size": 24, "max_positions": 12, "intermediate_size": 40, "qkv_clip": 0.5},
)
MADE = [
    PACKED,
    PACKED.replace(qk_norm=True, value_norm=True, qkv_clip=1.0),
    PACKED.replace(shares_kv=True),
    PACKED.replace(attention=PagedAttentionSpec(**HEADS, q_len=5), use_rope=False),
    PACKED.replace(io_dtype="bf16", intermediate_size=None),
]
COMPILED = {one.graph.spec: one for one in together(MADE)}


@pytest.mark.parametrize("spec", MADE, ids=str)
def test_compiled_clips(spec):
    verdict = COMPILED[spec].verdict()
    assert verdict.passed, verdict


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_clips_on_a_gpu(target):
    for artifact in artifacts_of([PACKED], target).values():
        assert not failed_cases(artifact)


def test_no_key_and_no_value_is_larger():
    """Without a rotation, caches have what was clipped; some of it is as large as may be."""
    spec = PACKED.replace(use_rope=False)
    tensors = random_tensors(spec)
    for name in ("key_cache", "value_cache"):
        tensors[name][:] = 0
    for cache in reference(spec, tensors)[1:]:
        assert np.abs(cache).max() == 0.5


def test_bounds_of_clipped_layers_hold():
    tensors = random_tensors(PACKED)
    expected = reference(PACKED, tensors)
    found = COMPILED[PACKED].load()(**tensors)
    every = [np.ones(one.shape, bool) for one in expected]
    bounds = error_bounds(PACKED, tensors, expected, every)
    for one, wanted, bound in zip(found, expected, bounds, strict=True):
        assert (np.abs(one - wanted) <= bound).all()


@pytest.mark.parametrize("clip", [0, -1, "8"])
def test_a_clip_that_is_none_is_refused(clip):
    with pytest.raises(SpecError, match=r"qkv_clip: expected a number from 1e-6 to 1e6, got"):
        PACKED.replace(qkv_clip=clip)


def test_keys_of_other_layers_know_nothing_of_clips():
    assert "qkv_clip" not in PACKED.replace(qkv_clip=None).to_dict()
