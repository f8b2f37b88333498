"""Head sizes beyond 256, and values narrower or wider than keys, in every graph that has them."""

import numpy as np
import pytest

import irattn
from irattn import (
    AttentionSpec,
    CacheWriteSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
)
from irattn.binary.inspection import inspect_artifact
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import execute
from irattn.reference import reference
from irattn.runtime import load_artifact
from support.emulated import failed_cases
from support.joined import artifacts_of, together

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 4, "num_kv_heads": 1}
WIDE = AttentionSpec(**HEADS, q_len=9, kv_len=40, head_dim=512, causal=True)
LATENT = PagedAttentionSpec(
    **HEADS, batch=2, q_len=1, head_dim=576, value_dim=512, num_blocks=8, max_blocks=3
)
NARROW = PagedUpdateAttentionSpec(
    **HEADS, batch=2, q_len=3, head_dim=40, value_dim=24, num_blocks=8, max_blocks=3, io_dtype="f32"
)
WRITE = CacheWriteSpec(
    num_tokens=5, num_kv_heads=2, head_dim=16, value_dim=24, num_blocks=3, io_dtype="f32"
)


@pytest.mark.parametrize("formulation", ["blocked", "fused"])
def test_wide_heads_and_values_of_their_own_on_a_cpu(formulation):
    specs = [LATENT, LATENT.replace(q_len=9, io_dtype="bf16"), NARROW]
    specs += [WIDE.replace(io_dtype=io_dtype) for io_dtype in ("f32", "bf16")]
    specs += [WIDE.replace(head_dim=384)]
    for one in together(specs, formulation):
        spec = one.graph.spec
        tensors = random_tensors(spec)
        output = one.load().outputs(**tensors)[0]
        assert_close(spec, output, reference(spec, tensors)[0])


def assert_close(spec, found, expected):
    atol = {"f32": 2e-5, "f16": 0.004, "bf16": 0.03}[spec.io_dtype]
    np.testing.assert_allclose(found.astype(np.float64), expected, atol=atol)


@pytest.mark.parametrize(
    ("target", "spec"),
    [
        ("gfx1100", LATENT.replace(batch=1)),
        ("gfx942", LATENT.replace(batch=1)),
        ("gfx942", WIDE.replace(io_dtype="bf16")),
        ("gfx1201", WIDE),
    ],
    ids=["gfx1100 decode", "gfx942 decode", "gfx942 prefill", "gfx1201 prefill"],
)
def test_wide_heads_on_a_gpu(target, spec):
    tensors = random_tensors(spec)
    run = irattn.load(irattn.compile(spec, target=target), device="emulator")
    assert_close(spec, run(**tensors), reference(spec, tensors)[0])


@pytest.mark.parametrize(("target", "head_dim"), [("gfx1100", 512), ("gfx1201", 384)])
def test_waves_that_share_the_columns_of_wide_values(target, head_dim):
    """Matrix instructions, no spills, no score twice, and what lies past a length is never seen."""
    spec = WIDE.replace(
        **{"num_q_heads": 1, "batch": 2, "q_len": 40, "kv_len": 128, "head_dim": head_dim},
        **{"ragged": True, "io_dtype": "bf16", "return_lse": True},
    )
    artifact = irattn.compile(spec, target=target)
    assert [kernel.spills for kernel in inspect_artifact(artifact).module.kernels] == [0]
    call = execute(artifact)
    assert 0 < sum(one.counts.matrix_flops for one in call.dispatches) <= 2 * spec.flops
    tensors = random_tensors(spec)
    tensors["q_lens"][:], tensors["context_lens"][:] = [40, 3], [100, 3]
    expected, expected_lse = reference(spec, tensors)
    for b, length in enumerate(tensors["context_lens"]):
        tensors["key"][b, :, length:] = tensors["value"][b, :, length:] = np.nan
    found, lse = irattn.load(artifact, device="emulator")(**tensors)
    assert_close(spec, found, expected)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-5)
    assert not found[1, :, 3:].any()


ODD = [
    AttentionSpec(**HEADS, q_len=3, kv_len=9, head_dim=head_dim, value_dim=value_dim)
    for head_dim, value_dim in [(2, 40), (40, 7), (9, 12)]
]


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_odd_and_narrow_heads_on_a_gpu(target):
    for spec, artifact in artifacts_of(ODD, target).items():
        tensors = random_tensors(spec)
        run = load_artifact(artifact, "emulator")
        assert_close(spec, run(**tensors), reference(spec, tensors)[0])


# Of no whole tiles of columns, and few rows.
UNEVEN = AttentionSpec(**HEADS, batch=2, q_len=4, kv_len=300, head_dim=200, causal=True)
UNEVEN_PAGES = PackedPagedAttentionSpec(
    **{**HEADS, "num_kv_heads": 2}, batch=2, q_tokens=9, head_dim=136, num_blocks=30, max_blocks=12
)
UNEVEN_OF_FEW_ROWS = [
    ("gfx1100", UNEVEN.replace(alibi=True, bias="hqk")),
    ("gfx1100", UNEVEN_PAGES.replace(keep_mask="hqk", return_lse=True, io_dtype="bf16")),
    ("gfx1201", UNEVEN_PAGES.replace(mask_mod=irattn.masks.dilated(3), head_dim=200)),
    ("gfx1201", UNEVEN.replace(q_len=1, head_dim=63, io_dtype="bf16", ragged=True)),
]


@pytest.mark.parametrize(
    ("target", "spec"), UNEVEN_OF_FEW_ROWS, ids=["bias", "packed", "mask", "decode"]
)
def test_few_rows_of_uneven_heads_spill_nothing(target, spec):
    """Matrix instructions would read elements: up to 161 registers were spilled."""
    artifact = irattn.compile(spec, target=target)
    assert not any(kernel.spills for kernel in inspect_artifact(artifact).module.kernels)
    assert failed_cases(artifact) == []


# Few rows that CDNA takes with matrix instructions.
DRAFTS = PackedPagedAttentionSpec(
    **HEADS, batch=2, q_tokens=5, head_dim=512, io_dtype="bf16", num_blocks=30, max_blocks=12
)
FEW_OF_MATRICES = [
    ("gfx942", DRAFTS.replace(window=(20, None), causal=True, dynamic=("batch", "q_tokens"))),
    ("gfx90a", UNEVEN.replace(head_dim=136, q_len=3, ragged=True)),
    ("gfx942", UNEVEN.replace(head_dim=40, q_len=1, io_dtype="f32", alibi=True)),
]


@pytest.mark.parametrize(("target", "spec"), FEW_OF_MATRICES, ids=["wide", "uneven", "f32"])
def test_few_rows_have_four_waves_on_cdna(target, spec):
    """One wave took up to 3.4 times as long, and of 512 columns spilled 173 registers."""
    artifact = irattn.compile(spec, target=target)
    kernels = inspect_artifact(artifact).module.kernels
    assert {k.workgroup_size[0] for k in kernels if k.instructions["matrix"]} == {256}
    assert not any(kernel.spills for kernel in kernels)
    assert failed_cases(artifact) == []


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_latent_decode_of_real_size_keeps_to_its_registers(target):
    artifact = irattn.compile(catalog.get("paged_latent_decode_base"), target=target)
    assert [kernel.spills for kernel in inspect_artifact(artifact).module.kernels] == [0, 0]


@pytest.mark.parametrize("head_dim", [288, 320])
def test_one_latent_token_in_packed_pages(head_dim):
    spec = PackedPagedAttentionSpec(
        **{"io_dtype": "bf16", "batch": 1, "num_q_heads": 4, "num_kv_heads": 1, "q_tokens": 1},
        **{"head_dim": head_dim, "value_dim": 256, "latent_cache": True, "causal": False},
        **{"block_size": 4, "num_blocks": 3, "max_blocks": 2},
    )
    tensors = random_tensors(spec)
    run = irattn.load(irattn.compile(spec, target="gfx1100"), device="emulator")
    assert_close(spec, run(**tensors), reference(spec, tensors)[0])


def test_wide_heads_multiply_nothing_twice():
    spec = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=64, kv_len=32, head_dim=512)
    call = execute(irattn.compile(spec, target="gfx942"))
    assert sum(one.counts.matrix_flops for one in call.dispatches) == spec.flops


def test_a_cache_of_values_of_their_own_is_written():
    tensors = random_tensors(WRITE)
    found = irattn.load(irattn.compile(WRITE, target="cpu"))(**tensors)
    for one, expected in zip(found, reference(WRITE, tensors), strict=True):
        np.testing.assert_array_equal(one, expected)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"head_dim": 300}, "head_dim: expected at most 256, or 288 or 320 or 384 or 512 or 576"),
        ({"head_dim": 576}, "value_dim: expected at most 512, got 576, which is head_dim"),
        ({"value_dim": 576}, "value_dim: expected at most 256, or 288 .* or 512, got 576"),
        ({"value_dim": 300}, "value_dim: expected at most 256, or 288 .* or 512, got 300"),
    ],
)
def test_other_sizes_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        WIDE.replace(**changes)


@pytest.mark.parametrize("name", ["head_dim", "value_dim"])
def test_one_column_is_for_the_graph_of_cpus_alone(name):
    spec = WIDE.replace(**{"head_dim": 16, name: 1})
    for how in ({"target": "gfx1100"}, {"target": "cpu", "formulation": "fused"}):
        with pytest.raises(RenderError, match=f"{name}: expected at least 2 in a fused graph, got"):
            irattn.render(spec, **how)
    assert "util.func" in irattn.render(spec, target="cpu")


def test_a_layer_has_values_as_wide_as_its_keys():
    layer = catalog.get("layer_decode_tiny")
    with pytest.raises(SpecError, match="value_dim: a layer's values are as wide as its keys"):
        layer.replace(value_dim=24)


@pytest.mark.parametrize(
    ("target", "head_dim"), [("gfx1201", 128), ("gfx1201", 256), ("gfx1100", 256)]
)
def test_values_too_narrow_for_all_lanes_of_a_prompt(target, head_dim):
    """Of a step's values some lanes would bring nothing: fewer waves share it."""
    heads = {"num_q_heads": 1, "num_kv_heads": 1, "head_dim": head_dim, "value_dim": 64}
    spec = AttentionSpec(**heads, q_len=100, kv_len=100, causal=True)
    kernel = load_artifact(irattn.compile(spec, target=target), "emulator")
    tensors = random_tensors(spec)
    assert_close(spec, kernel.outputs(**tensors)[0], reference(spec, tensors)[0])


@pytest.mark.parametrize(
    ("target", "head_dim"), [("gfx1201", 576), ("gfx942", 576), ("gfx1100", 512)]
)
def test_latents_in_f32_with_values_of_any_width_fit_lds(target, head_dim):
    """Single elements are read: fewer keys and rows of these have room."""
    sizes = {"head_dim": head_dim, "value_dim": 115, "q_len": 3, "io_dtype": "f32"}
    spec = LATENT.replace(latent_cache=True, batch=1, block_size=4, **sizes)
    kernel = load_artifact(irattn.compile(spec, target=target), "emulator")
    tensors = random_tensors(spec)
    assert_close(spec, kernel.outputs(**tensors)[0], reference(spec, tensors)[0])
