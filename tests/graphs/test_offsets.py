"""The call tells where the first query of each sequence stands."""

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec, PagedUpdateAttentionSpec
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, RenderError, SpecError, UsageError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.runtime import load_artifact
from irattn.specs.pipeline import stages_of
from irattn.targets import get as get_target
from support.against_reference import assert_meets_reference
from support.joined import artifact_of, together
from support.tiny import tiny_artifact

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 32, "io_dtype": "f32"}
CHUNK = AttentionSpec(
    **HEADS, batch=3, q_len=33, kv_len=70, causal=True, alignment="offsets", return_lse=True
)
PAGED = PagedAttentionSpec(
    **HEADS, batch=3, q_len=5, num_blocks=12, max_blocks=5, alignment="offsets"
)
PACKED = PackedAttentionSpec(
    **HEADS, batch=3, q_tokens=90, kv_tokens=130, causal=True, alignment="offsets", return_lse=True
)
FAR = CHUNK.replace(q_len=5, kv_len=61, causal=False, window=(2**40, 2))
SPECS = [
    CHUNK,
    FAR,
    CHUNK.replace(q_len=5, kv_len=61, causal=False, window=(7, 2), ragged=True),
    CHUNK.replace(q_len=1, kv_len=1500, alibi=True),
    CHUNK.replace(q_len=40, dynamic=("batch", "q_len", "kv_len")),
    PAGED,
    PagedUpdateAttentionSpec(
        **HEADS, batch=3, q_len=5, num_blocks=12, max_blocks=5, alignment="offsets", ragged=True
    ),
    PACKED,
]


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_offsets_on_a_cpu(formulation):
    for one in together(SPECS, formulation):
        spec = one.graph.spec
        spec = spec.of_sizes({}) if getattr(spec, "dynamic", ()) else spec
        assert_meets_reference(spec, one.load(), random_tensors(spec))


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_offsets_on_a_gpu(target):
    spec = AttentionSpec(
        num_q_heads=2, num_kv_heads=1, head_dim=64, batch=2, q_len=64, kv_len=100, causal=True,
        alignment="offsets", alibi=True,
    )  # fmt: skip
    run = irattn.load(irattn.compile(spec, target=target), device="emulator")
    assert_meets_reference(spec, run, random_tensors(spec), atol=0.004)


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_a_key_past_an_offset_is_hidden(formulation):
    """Hidden keys of any value change no bit; the queries after them see them."""
    tensors = random_tensors(CHUNK)
    tensors["offsets"] = np.array([0, 10, 37], np.int32)
    run = load_artifact(artifact_of(CHUNK, SPECS, "cpu", formulation), "cpu")
    clean = run(**tensors)
    for b, first in enumerate(tensors["offsets"]):
        tensors["key"][b, :, first + 20 :] = np.nan
    for before, after in zip(clean, run(**tensors), strict=True):
        np.testing.assert_array_equal(after[:, :, :20], before[:, :, :20])
        assert np.isnan(after[:, :, 20:]).all()


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_a_window_without_end_at_the_largest_offset(formulation):
    tensors = random_tensors(FAR)
    tensors["offsets"][:] = 2**30
    run = load_artifact(artifact_of(FAR, SPECS, "cpu", formulation), "cpu")
    assert_meets_reference(FAR, run, tensors)


def test_equal_to_both_alignments():
    tensors = random_tensors(CHUNK)
    for alignment, first in (("top_left", 0), ("bottom_right", 37)):
        tensors["offsets"][:] = first
        same = CHUNK.replace(alignment=alignment)
        for found, expected in zip(
            reference(CHUNK, tensors), reference(same, tensors), strict=True
        ):
            np.testing.assert_array_equal(found, expected)


def test_what_cannot_have_them_says_so():
    with pytest.raises(SpecError, match="alignment: expected bottom_right, top_left or offsets"):
        CHUNK.replace(alignment="left")
    with pytest.raises(UsageError, match="alignment: the stages of attention say"):
        stages_of(CHUNK.replace(return_lse=False))
    with pytest.raises(RenderError, match="alignment: torch's scaled_dot_product_attention"):
        render(
            GraphRequest(CHUNK.replace(return_lse=False), get_target("gfx1100"), dialect="torch")
        )


def test_an_offset_out_of_range_is_refused():
    spec = catalog.get("offsets_tiny")
    tensors = random_tensors(spec)
    tensors["offsets"][1] = -1
    with pytest.raises(ArgumentError, match=r"offsets\[1\]: expected 0 to 1073741824, got -1"):
        load_artifact(tiny_artifact("offsets_tiny"), "cpu")(**tensors)
