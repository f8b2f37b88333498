"""The machine code for AMD GPUs, as the compiler wrote it: matrix instructions and spills."""

import pytest

from irattn.compiling import catalog
from support.machine_code import kernels, matrix_instructions
from support.tiny import TINY, tiny_artifact

pytestmark = pytest.mark.slow


# tools/sweep.py compiles the whole catalogue for six targets.
@pytest.mark.parametrize(
    ("target", "name", "io_dtype"),
    [
        ("gfx1100", "mha_full_base", "f16"),
        ("gfx1201", "gqa_causal_base", "f16"),
        ("gfx942", "gqa_causal_base", "bf16"),
        ("gfx1100", "cross_gqa_base", "f16"),
        ("gfx942", "gqa_paged_prefill_base", "f16"),
        ("gfx1201", "gqa_paged_prefill_base", "bf16"),
        ("gfx1100", "gqa_causal_tiny", "f16"),
        ("gfx1100", "gqa_paged_prefill_tiny", "f16"),
    ],
)
def test_prefill_is_one_kernel_with_matrix_instructions(target, name, io_dtype):
    spec = catalog.get(name).replace(io_dtype=io_dtype)
    check_prefill(kernels(spec, target))


def check_prefill(found):
    """One attention kernel with matrix instructions, and nothing spilled by any kernel."""
    assert matrix_instructions(found) >= 4
    assert len(found) == 1
    assert spilled(found) == 0


def spilled(found):
    assert found, "no machine code came out"
    return sum(kernel.vgpr_spills for kernel in found)


@pytest.mark.parametrize(
    "name",
    [
        "window_both_ways_base",
        "soft_cap_base",
        "alibi_base",
        "bias_base",
        "keep_mask_base",
        "sinks_base",
        "lse_base",
        "ragged_base",
        "paged_mixed_base",
        "packed_causal_base",
    ],
)
def test_every_feature_fits_the_registers(name):
    check_prefill(kernels(catalog.get(name), "gfx1100"))


@pytest.mark.parametrize("name", ["gqa_causal_base", "gqa_paged_prefill_base"])
def test_many_features_together_fit_the_registers(name):
    spec = catalog.get(name).replace(
        logits_soft_cap=30.0,
        alibi=True,
        window=(127, None),
        ragged=True,
        sinks=True,
        return_lse=True,
    )
    check_prefill(kernels(spec, "gfx1100"))


@pytest.mark.parametrize("target", ["gfx1201", "gfx942"])
def test_paged_prompts_with_windows_fit_the_scalar_registers(target):
    heads = {"num_q_heads": 64, "num_kv_heads": 8, "head_dim": 64, "sinks": True}
    pages = {"batch": 2, "num_blocks": 300, "max_blocks": 256}
    spec = catalog.get("gqa_paged_prefill_base").replace(
        **heads, **pages, window=(127, None), io_dtype="bf16"
    )
    found = kernels(spec, target)
    check_prefill(found)
    assert [kernel.sgpr_spills for kernel in found] == [0]


@pytest.mark.parametrize(
    ("target", "name", "io_dtype"),
    [
        ("gfx1100", "gqa_causal_tiny", "f32"),
        ("gfx1100", "gqa_causal_tiny", "bf16"),
        ("gfx1201", "dynamic_paged_decode_tiny", "bf16"),
    ],
)
def test_wide_heads_fit_the_registers_of_waves_of_32_lanes(target, name, io_dtype):
    sizes = {"q_len": 512, "kv_len": 512} if name == "gqa_causal_tiny" else {"max_blocks": 32}
    spec = catalog.get(name).replace(io_dtype=io_dtype, head_dim=512, **sizes)
    assert spilled(kernels(spec, target)) == 0


@pytest.mark.parametrize(
    "name", ["qkv_projection_base", "output_projection_base", "weighted_values_base"]
)
def test_products_fit_the_registers(name):
    found = kernels(catalog.get(name), "gfx1100")
    assert matrix_instructions(found) >= 4
    assert spilled(found) == 0


ODD_SIZES = {
    (tokens, head_dim): catalog.get("gqa_causal_tiny").replace(
        io_dtype="f16", q_len=tokens, kv_len=tokens, head_dim=head_dim
    )
    for tokens, head_dim in [(1, 40), (7, 96), (33, 192), (100, 40)]
}


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
@pytest.mark.parametrize(("tokens", "head_dim"), ODD_SIZES)
def test_odd_sizes_keep_matrix_instructions(target, tokens, head_dim):
    spec = ODD_SIZES[tokens, head_dim]
    # Few rows without whole tiles of columns are attended to in rows on RDNA.
    is_by_rows = (target, tokens, head_dim) == ("gfx1100", 1, 40)
    assert bool(matrix_instructions(kernels(spec, target, together(target)))) is not is_by_rows


SINGLE_HEADS = [("gfx1100", 48, 1), ("gfx942", 40, 7), ("gfx942", 256, 1), ("gfx1100", 256, 7)]
OF_A_SINGLE_HEAD = ["gqa_causal_tiny", "gqa_paged_prefill_tiny"]


@pytest.mark.parametrize(("target", "head_dim", "q_len"), SINGLE_HEADS)
@pytest.mark.parametrize("name", OF_A_SINGLE_HEAD)
def test_a_single_head_compiles(target, name, head_dim, q_len):
    """Dimensions of size 1 vanish before the compiler reads the tile, and others may merge."""
    spec = single_head(name, head_dim, q_len)
    assert matrix_instructions(kernels(spec, target, together(target)))


def single_head(name, head_dim, q_len):
    return catalog.get(name).replace(
        io_dtype="f16", batch=1, num_q_heads=1, num_kv_heads=1, head_dim=head_dim, q_len=q_len
    )


LAYERS = {
    q_len: catalog.get("layer_prefill_base").replace(batch=1, q_len=q_len, num_blocks=128)
    for q_len in (1, 64)
}


@pytest.mark.parametrize("q_len", LAYERS)
def test_a_layer_of_a_single_sequence_compiles(q_len):
    """What comes before and after attention must not change the dimensions of its kernel."""
    assert matrix_instructions(kernels(LAYERS[q_len], "gfx1100", LAYERS.values()))


@pytest.mark.parametrize("name", TINY)
def test_every_tiny_entry_compiles_for_the_first_target_of_the_readme(name):
    assert tiny_artifact(name, "gfx1100").vmfb


PAGES = [
    ("gfx1100", 64, "f32"),
    ("gfx1100", 64, "f16"),
    ("gfx942", 128, "f32"),
    ("gfx942", 80, "bf16"),
]


@pytest.mark.parametrize(("target", "head_dim", "io_dtype"), PAGES)
def test_decode_over_any_number_of_pages_compiles(target, head_dim, io_dtype):
    assert kernels(decode_over_pages(head_dim, io_dtype), target, together(target))


def decode_over_pages(head_dim, io_dtype):
    return catalog.get("dynamic_paged_decode_tiny").replace(head_dim=head_dim, io_dtype=io_dtype)


def together(target):
    """What is compiled together: no registers are counted."""
    specs = list(ODD_SIZES.values())
    for gfx, *sizes in SINGLE_HEADS:
        specs += [single_head(name, *sizes) for name in OF_A_SINGLE_HEAD if gfx == target]
    return specs + [decode_over_pages(*sizes) for gfx, *sizes in PAGES if gfx == target]
