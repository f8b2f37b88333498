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
from irattn.rendering import GraphRequest, render
from irattn.specs.packed_paged_update_attention import packed_updating
from irattn.specs.paged_update_attention import updating
from irattn.targets import get

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


INT4 = {"cache_dtype": "int4", "cache_scale": None}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "spec"),
    [
        ("gfx1100", updating(PAGED)),
        ("gfx942", PAGED.replace(cache_dtype="fp8_e5m2", window=(20, None))),
        ("gfx1201", packed_updating(PACKED.replace(layout="NHD", joint_cache=True))),
        ("gfx1201", WRITE),
        ("gfx1100", CONTIGUOUS),
        ("gfx942", APPEND),
        ("gfx1201", PACKED.replace(**INT4, layout="NHD")),
        ("gfx1100", updating(PAGED.replace(**INT4))),
        ("gfx942", APPEND.replace(**INT4)),
    ],
    ids=lambda one: getattr(one, "op", one),
)
def test_the_reference_is_met(target, spec):
    verdict = irattn.verify(spec, target=target, device="emulator")[0]
    assert verdict.passed, verdict


@pytest.mark.parametrize(
    ("target", "spec", "message"),
    [
        ("gfx1100", PAGED.replace(head_dim=32), "cache_dtype: in a fused graph expected a chip"),
        ("gfx1100", PAGED.replace(io_dtype="f32"), "cache_dtype: in a fused graph expected a chip"),
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
