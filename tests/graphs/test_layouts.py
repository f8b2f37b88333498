"""Tokens before heads, by strides: the same numbers, and nothing copied."""

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, CacheWriteSpec, PagedAttentionSpec, PagedUpdateAttentionSpec
from irattn.binary.inspection import inspect_artifact
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.runtime import load_artifact
from irattn.targets import get as get_target
from support.against_reference import assert_meets_reference
from support.joined import artifact_of, together

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 32, "io_dtype": "f32", "batch": 2}
PAGES = {"num_blocks": 8, "max_blocks": 4}
PREFILL = AttentionSpec(**HEADS, q_len=33, kv_len=50, causal=True, return_lse=True, layout="NHD")
PAGED = PagedAttentionSpec(**HEADS, q_len=3, **PAGES, sinks=True, layout="NHD")
SPECS = [
    PREFILL,
    PREFILL.replace(value_dim=24, bias="bhqk", causal=False),
    PREFILL.replace(q_len=1, kv_len=1100),
    PREFILL.replace(dynamic=("batch", "q_len", "kv_len")),
    PAGED,
    PAGED.replace(q_len=1, block_size=4, max_blocks=300, num_blocks=640),
    PagedUpdateAttentionSpec(**HEADS, q_len=5, **PAGES, value_dim=24, ragged=True, layout="NHD"),
]
WRITE = CacheWriteSpec(
    num_tokens=7, num_kv_heads=2, head_dim=16, num_blocks=4, layout="NHD", io_dtype="f32"
)
# What has heads and tokens.
TURNED = {"query", "key", "value", "key_cache", "value_cache"}
LANES = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64, "batch": 2}


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_tokens_first_on_a_cpu(formulation):
    for one in together(SPECS, formulation):
        spec = one.graph.spec
        spec = spec.of_sizes({}) if spec.dynamic else spec
        assert_meets_reference(spec, one.load(), random_tensors(spec))


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_unused_slots_are_hidden(formulation):
    (one,) = (one for one in together(SPECS, formulation) if one.graph.spec == PAGED)
    run, tensors = one.load(), random_tensors(PAGED)
    used = np.zeros((PAGED.num_blocks, PAGED.block_size), bool)
    for table, length in zip(tensors["block_table"], tensors["context_lens"], strict=True):
        for token in range(length):
            used[table[token // PAGED.block_size], token % PAGED.block_size] = True
    poisoned = {
        name: np.where(used[:, :, None, None], tensors[name], np.float32(np.nan))
        for name in ("key_cache", "value_cache")
    }
    np.testing.assert_array_equal(run(**tensors | poisoned), run(**tensors))


def test_a_cache_with_tokens_first_is_written():
    kernel = irattn.load(irattn.compile(WRITE, target="cpu"))
    assert_meets_reference(WRITE, kernel, random_tensors(WRITE), atol=0)


OF_LANES = [
    AttentionSpec(**LANES, q_len=70, kv_len=90, causal=True, layout="NHD"),
    PagedAttentionSpec(**LANES, q_len=70, num_blocks=20, max_blocks=8, layout="NHD"),
]


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
@pytest.mark.parametrize("spec", OF_LANES, ids=["contiguous", "paged"])
def test_tokens_first_on_a_gpu(target, spec):
    run = load_artifact(artifact_of(spec, OF_LANES, target), "emulator")
    assert_meets_reference(spec, run, random_tensors(spec), atol=0.004)


@pytest.mark.parametrize("spec", [PREFILL, PAGED], ids=["contiguous", "paged"])
def test_the_reference_says_the_same_in_both_layouts(spec):
    tensors = random_tensors(spec.replace(layout="HND"))
    turned = {
        name: array.swapaxes(1, 2) if name in TURNED else array for name, array in tensors.items()
    }
    output, *lse = reference(spec.replace(layout="HND"), tensors)
    found, *found_lse = reference(spec, turned)
    np.testing.assert_array_equal(found.swapaxes(1, 2), output)
    np.testing.assert_array_equal(found_lse, lse)


@pytest.mark.parametrize("spec", [PREFILL, PAGED], ids=["contiguous", "paged"])
def test_nothing_is_copied(spec):
    """As many launches as with heads first, and no other memory than theirs."""
    artifacts = (
        irattn.compile(spec.replace(layout=layout), target="gfx1100") for layout in ("HND", "NHD")
    )
    heads, tokens = (inspect_artifact(artifact).module for artifact in artifacts)
    assert [step.what for step in tokens.steps] == [step.what for step in heads.steps]
    assert tokens.transient_bytes == heads.transient_bytes


def test_what_cannot_have_it_says_so():
    with pytest.raises(SpecError, match=r"layout: expected HND .* or NHD .*, got 'BSHD'"):
        PREFILL.replace(layout="BSHD")
    with pytest.raises(SpecError, match="layout: a layer has heads before tokens"):
        catalog.get("layer_decode_tiny").replace(layout="NHD")
    with pytest.raises(RenderError, match="layout: torch's scaled_dot_product_attention"):
        render(
            GraphRequest(PREFILL.replace(return_lse=False), get_target("gfx1100"), dialect="torch")
        )
