"""Quantised caches in machine code of GPUs, executed: read by lanes, and written by scatters."""

import pytest

import irattn
from irattn import (
    AttentionSpec,
    CacheAppendSpec,
    CacheWriteSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)
from irattn.core.errors import RenderError
from irattn.rendering import GraphRequest, allowed_tiles, render
from irattn.rendering.attention.fused_plan import FusedPlan
from irattn.rendering.attention.plan import plan_attention
from irattn.specs.packed_paged_update_attention import packed_updating
from irattn.specs.paged_update_attention import updating
from irattn.targets import get
from support.emulated import failed_cases
from support.joined import artifact_of

SIZES = {
    **{"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64, "batch": 2},
    **{"num_blocks": 6, "max_blocks": 3, "block_size": 16},
}
PAGED = PagedAttentionSpec(**SIZES, q_len=1, io_dtype="f16", cache_dtype="int8")
PACKED = PackedPagedAttentionSpec(**SIZES, q_tokens=24, io_dtype="bf16", cache_dtype="fp8_e4m3")
CONTIGUOUS = AttentionSpec(
    **{"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64, "batch": 2, "q_len": 1, "kv_len": 40},
    cache_dtype="int8",
)
APPEND = CacheAppendSpec(
    batch=3, num_kv_heads=2, head_dim=64, q_len=4, kv_len=11, cache_dtype="int8"
)
WRITE = CacheWriteSpec(
    **{"num_tokens": 5, "num_kv_heads": 2, "head_dim": 64, "num_blocks": 4, "layout": "NHD"},
    cache_dtype="fp8_e4m3fnuz",
    cache_scale="head",
)


SIZES_OF_PROMPT = {
    **{"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 128, "batch": 1},
    **{"q_len": 512, "kv_len": 512},
}
INT4 = {"cache_dtype": "int4", "cache_scale": None}


CASES = [
    ("gfx1100", updating(PAGED)),
    ("gfx942", PAGED.replace(cache_dtype="fp8_e5m2", window=(20, None))),
    ("gfx1201", packed_updating(PACKED.replace(layout="NHD", joint_cache=True))),
    ("gfx1201", WRITE),
    ("gfx1100", CONTIGUOUS),
    ("gfx942", APPEND),
    ("gfx1201", PACKED.replace(**INT4, layout="NHD")),
    ("gfx1100", updating(PAGED.replace(**INT4))),
    ("gfx942", APPEND.replace(**INT4)),
    ("gfx942", PACKED.replace(cache_dtype="int8", cache_scale=None)),
    ("gfx1100", PACKED.replace(keep_mask="hqk")),
    ("gfx1201", PAGED.replace(keep_mask="bhq", q_len=3)),
    ("gfx942", PACKED.replace(**INT4, keep_mask="k", bias="hq", q_tokens=90)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("target", "spec"), CASES, ids=lambda one: getattr(one, "op", one))
def test_the_reference_is_met(target, spec):
    together = [one for its, one in CASES if its == target]
    assert failed_cases(artifact_of(spec, together, target)) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "spec"),
    [
        ("gfx1100", CONTIGUOUS.replace(io_dtype="f16", sinks=True)),
        ("gfx942", PAGED.replace(window=(20, None), io_dtype="bf16")),
    ],
    ids=lambda one: getattr(one, "op", one),
)
def test_weights_times_scales_meet_the_reference(monkeypatch, target, spec):
    """As on NVIDIA, where code is not executed here, and sums are of weights in f32."""
    spec = spec.replace(return_lse=True)
    monkeypatch.setattr(FusedPlan, "scales_weights", True)
    assert "%exps_shared" in render(GraphRequest(spec, get(target)))
    assert failed_cases(irattn.compile(spec, target=target)) == []


@pytest.mark.parametrize(("cache", "instruction"), [("fp8_e4m3", True), ("fp8_e5m2", False)])
def test_an_instruction_of_nvidia_makes_two_floats(cache, instruction):
    text = render(GraphRequest(PAGED.replace(cache_dtype=cache), get("sm_89")))
    assert ("llvm.nvvm.e4m3x2.to.f16x2.rn" in text) == instruction
    assert "e4m3x2" not in render(GraphRequest(PAGED.replace(cache_dtype=cache), get("sm_80")))


def test_tiles_of_quantised_caches_fit_the_memory_that_they_take():
    spec = AttentionSpec(**{**SIZES_OF_PROMPT, "io_dtype": "f16"})
    own, other = (
        {tuple(tile.values()) for tile in allowed_tiles(GraphRequest(one, get("sm_80")))}
        for one in (spec.replace(cache_dtype="int8"), spec)
    )
    assert own - other
    for waves, keys, query_tiles in own:
        tile = {"waves": waves, "keys": keys, "query_tiles": query_tiles}
        plan = plan_attention(spec.replace(cache_dtype="int8"), get("sm_80"), tile)
        assert plan.lds.bytes <= get("sm_80").lds_bytes


@pytest.mark.parametrize(
    ("target", "spec", "message"),
    [
        ("gfx1100", PAGED.replace(head_dim=32), "cache_dtype: in a fused graph expected a chip"),
        ("gfx1100", PAGED.replace(io_dtype="f32"), "cache_dtype: in a fused graph expected a chip"),
        ("gfx942", PAGED.replace(value_dim=256), "256, no wider than keys; leave it out"),
        ("gfx942", PAGED.replace(head_dim=192), "and values of 64, 128 or 256, no wider than keys"),
        ("sm_89", PAGED.replace(keep_mask="k"), "keep_mask: .* none on NVIDIA GPUs, got k; leave"),
        (
            "gfx942",
            PACKED.replace(joint_cache=True, cache_scale="token"),
            "cache_scale: expected tensor or head with joint_cache on a GPU, got token",
        ),
    ],
    ids=str,
)
def test_what_no_kernel_reads_is_refused(target, spec, message):
    with pytest.raises(RenderError, match=message):
        render(GraphRequest(spec, get(target)))
