"""The machine code for AMD GPUs, as the compiler wrote it: matrix instructions and spills."""

import re

import pytest

from irattn import catalog, targets
from irattn.compiler import compile_mlir
from irattn.rendering import render

MATRIX = re.compile(r"^\s*v_(?:s?wmma|mfma)_", re.MULTILINE)
SPILLS = re.compile(r"\.vgpr_spill_count:\s*(\d+)")
KERNEL = re.compile(r"^\s*\.amdhsa_kernel (\w+)$", re.MULTILINE)


def assembly(spec, target, folder):
    flags = (*target.flags, f"--iree-hal-dump-executable-files-to={folder}")
    compile_mlir(render(spec, target), flags)
    return "\n".join(path.read_text() for path in folder.glob("*.rocmasm"))


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
def test_prefill_is_one_kernel_with_matrix_instructions(tmp_path, target, name, io_dtype):
    spec = catalog.get(name).replace(io_dtype=io_dtype)
    check_prefill(assembly(spec, targets.get(target), tmp_path))


def check_prefill(text):
    """One attention kernel with matrix instructions, and nothing spilled by any kernel."""
    assert len(MATRIX.findall(text)) >= 4
    assert sum("online_attention" in kernel for kernel in KERNEL.findall(text)) == 1
    assert spilled(text) == 0


def spilled(text):
    counts = [int(count) for count in SPILLS.findall(text)]
    assert counts, "no assembly came out"
    return sum(counts)


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
def test_every_feature_fits_the_registers(tmp_path, name):
    check_prefill(assembly(catalog.get(name), targets.get("gfx1100"), tmp_path))


@pytest.mark.parametrize("name", ["gqa_causal_base", "gqa_paged_prefill_base"])
def test_many_features_together_fit_the_registers(tmp_path, name):
    spec = catalog.get(name).replace(
        logits_soft_cap=30.0,
        alibi=True,
        window=(127, None),
        ragged=True,
        sinks=True,
        return_lse=True,
    )
    check_prefill(assembly(spec, targets.get("gfx1100"), tmp_path))


@pytest.mark.parametrize(
    "name", ["qkv_projection_base", "output_projection_base", "weighted_values_base"]
)
def test_products_fit_the_registers(tmp_path, name):
    text = assembly(catalog.get(name), targets.get("gfx1100"), tmp_path)
    assert len(MATRIX.findall(text)) >= 4
    assert spilled(text) == 0


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
@pytest.mark.parametrize(("tokens", "head_dim"), [(1, 40), (7, 96), (33, 192), (100, 40)])
def test_odd_sizes_keep_matrix_instructions(tmp_path, target, tokens, head_dim):
    spec = catalog.get("gqa_causal_tiny").replace(
        io_dtype="f16", q_len=tokens, kv_len=tokens, head_dim=head_dim
    )
    text = assembly(spec, targets.get(target), tmp_path)
    assert bool(MATRIX.search(text)) == (tokens > 1)


@pytest.mark.parametrize(
    ("target", "head_dim", "q_len"),
    [("gfx1100", 40, 1), ("gfx942", 40, 7), ("gfx942", 256, 1), ("gfx1100", 256, 7)],
)
@pytest.mark.parametrize("name", ["gqa_causal_tiny", "gqa_paged_prefill_tiny"])
def test_a_single_head_compiles(tmp_path, target, name, head_dim, q_len):
    """Dimensions of size 1 vanish before the compiler reads the tile, and others may merge."""
    spec = catalog.get(name).replace(
        io_dtype="f16", batch=1, num_q_heads=1, num_kv_heads=1, head_dim=head_dim, q_len=q_len
    )
    assert MATRIX.search(assembly(spec, targets.get(target), tmp_path))


@pytest.mark.parametrize("q_len", [1, 64])
def test_a_layer_of_a_single_sequence_compiles(tmp_path, q_len):
    """What comes before and after attention must not change the dimensions of its kernel."""
    spec = catalog.get("layer_prefill_base").replace(batch=1, q_len=q_len, num_blocks=128)
    text = assembly(spec, targets.get("gfx1100"), tmp_path)
    assert MATRIX.search(text)
    assert sum("online_attention" in kernel for kernel in KERNEL.findall(text)) == 1


@pytest.mark.parametrize("name", catalog.names(["tiny"]))
def test_every_tiny_entry_compiles_for_the_first_target_of_the_readme(name):
    spec = catalog.get(name)
    assert compile_mlir(render(spec, targets.get("gfx1100")), targets.get("gfx1100").flags)


@pytest.mark.parametrize(
    ("target", "head_dim", "io_dtype"),
    [
        ("gfx1100", 64, "f32"),
        ("gfx1100", 64, "f16"),
        ("gfx942", 128, "f32"),
        ("gfx942", 80, "bf16"),
    ],
)
def test_decode_over_any_number_of_pages_compiles(target, head_dim, io_dtype):
    spec = catalog.get("dynamic_paged_decode_tiny").replace(head_dim=head_dim, io_dtype=io_dtype)
    assert compile_mlir(render(spec, targets.get(target)), targets.get(target).flags)
