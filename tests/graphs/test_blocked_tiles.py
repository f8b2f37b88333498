"""How the CPUs' graphs are cut up."""

import numpy as np
import pytest

from irattn import AttentionSpec, PagedAttentionSpec, targets
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering import GraphRequest, render
from irattn.rendering.attention.blocked_choose import tile_for
from irattn.rendering.cpu.across import across
from irattn.rendering.cpu.registers import registers_of
from irattn.runtime import load_artifact
from support.joined import artifact_of, together

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 8, "num_kv_heads": 2, "head_dim": 128}
TARGETS = pytest.mark.parametrize("name", ["x86-64-v3", "aarch64"])


def numbers_of(tree, registers):
    """What the graph does with a register for each row, in NumPy."""
    registers = dict(enumerate(registers))
    for halving in tree.halvings:
        both = np.concatenate([registers[halving.first], registers[halving.second]])
        registers[halving.number] = both[halving.evens] + both[halving.odds]
    return np.concatenate([registers[number] for number in tree.left])


@pytest.mark.parametrize("lanes", [4, 8, 16])
@pytest.mark.parametrize("rows", [1, 2, 4, 8, 16, 32])
def test_registers_become_a_number_for_each_row_in_order(rows, lanes):
    registers = np.random.default_rng(0).integers(0, 100, (rows, lanes))
    numbers = numbers_of(across(rows, lanes), registers)
    np.testing.assert_array_equal(numbers, registers.sum(axis=1))


@TARGETS
@pytest.mark.parametrize(
    ("io_dtype", "q_len", "copies"), [("f32", 16, False), ("f32", 1, True), ("f16", 16, True)]
)
def test_queries_in_f32_that_fill_a_block_are_not_copied(name, io_dtype, q_len, copies):
    """Each step would copy them: where they lie, they are numbers as products take them."""
    text = render(
        GraphRequest(
            AttentionSpec(**HEADS, q_len=q_len, kv_len=64, io_dtype=io_dtype), targets.get(name)
        )
    )
    assert ("-> !queries {" in text) == copies


@TARGETS
def test_few_rows_copy_neither_keys_nor_values(name):
    target = targets.get(name)
    spec = PagedAttentionSpec(**HEADS, q_len=1, num_blocks=4, max_blocks=4)
    tile = tile_for(target, spec, 1, spec.block_size)
    assert tile.reads_rows
    assert not tile.places_values
    text = render(GraphRequest(spec, target))
    assert "%keys = scf.for" not in text
    assert "%values = scf.for" not in text


@pytest.mark.parametrize(("name", "keys"), [("x86-64-v3", 256), ("aarch64", 128)])
def test_steps_are_long_where_keys_are_read_as_they_lie(name, keys):
    """Memory fetches ahead along a run of keys, and stops where values take its place."""
    target = targets.get(name)
    few, many = (
        tile_for(target, AttentionSpec(**HEADS, q_len=q_len, kv_len=512), q_len, None)
        for q_len in (1, 512)
    )
    assert few.keys == keys
    assert many.keys == 64


@pytest.mark.parametrize(("group_size", "heads"), [(1, 8), (4, 32), (3, 3)])
def test_a_workgroup_reads_all_heads_of_a_block_in_a_row(group_size, heads):
    """But where the rows of a KV head are no whole blocks of registers."""
    sizes = {"num_q_heads": 8 * group_size, "num_kv_heads": 8, "head_dim": 64}
    spec = PagedAttentionSpec(**sizes, q_len=1, num_blocks=4, max_blocks=4)
    tile = tile_for(targets.get("x86-64-v3"), spec, 1, spec.block_size)
    assert tile.heads == heads
    assert tile.keys == (16 if heads > group_size else 256)


@pytest.mark.parametrize(("name", "block"), [("x86-64-v3", (1, 64)), ("aarch64", (1, 64))])
def test_values_are_read_whole_where_parts_are_short(name, block):
    spec = AttentionSpec(**HEADS, q_len=1, kv_len=512)
    tile = tile_for(targets.get(name), spec, 1, None)
    assert (tile.value_rows, tile.value_block) == block


HEADS_OF_A_BLOCK = {
    (group_size, q_len, io_dtype): PagedAttentionSpec(
        batch=3, num_q_heads=4 * group_size, num_kv_heads=4, head_dim=40, q_len=q_len,
        block_size=24, num_blocks=90, max_blocks=30, causal=True, return_lse=True,
        io_dtype=io_dtype,
    )
    for group_size, q_len, io_dtype in [
        (1, 1, "f32"), (4, 1, "f16"), (4, 1, "bf16"), (2, 2, "f32"), (3, 1, "f32")
    ]
}  # fmt: skip


@pytest.mark.parametrize(("group_size", "q_len", "io_dtype"), HEADS_OF_A_BLOCK)
def test_heads_of_a_block_do_not_mix(group_size, q_len, io_dtype):
    """More blocks than a part has keys, of three sequences, one of them without keys."""
    spec = HEADS_OF_A_BLOCK[group_size, q_len, io_dtype]
    tensors = random_tensors(spec)
    tensors["context_lens"][:] = 0, 511, 720
    tensors["block_table"][:] = np.random.default_rng(0).permutation(90).reshape(3, 30)
    artifact = artifact_of(spec, HEADS_OF_A_BLOCK.values(), "cpu")
    outputs = load_artifact(artifact, "cpu")(**tensors)
    for output, expected in zip(outputs, reference(spec, tensors), strict=True):
        near = 3e-2 if io_dtype == "bf16" else 3e-3
        np.testing.assert_allclose(output.astype(np.float64), expected, rtol=near, atol=near)


@TARGETS
def test_many_rows_share_keys_that_are_turned_once(name):
    spec = AttentionSpec(**HEADS, q_len=512, kv_len=512, causal=True)
    target = targets.get(name)
    assert not tile_for(target, spec, 512, None).reads_rows
    assert "%keys = scf.for" in render(GraphRequest(spec, target))


@pytest.mark.parametrize("q_len", [1, 64])
def test_no_row_is_added_up_alone(q_len):
    """A number across lanes is made for many rows at once."""
    spec = AttentionSpec(**HEADS, q_len=q_len, kv_len=64)
    assert "vector.reduction" not in render(GraphRequest(spec, targets.get("x86-64-v3")))


ONE_KEY = together(
    AttentionSpec(
        batch=2, num_q_heads=12, num_kv_heads=3, q_len=1, kv_len=1, head_dim=n, io_dtype=io_dtype
    )
    for n in (8, 16, 40)
    for io_dtype in ("f32", "f16", "bf16")
)


@pytest.mark.parametrize("one", ONE_KEY, ids=str)
def test_a_query_reads_no_other(one):
    """One key gives its value, but to the query that is NaN: NaN times zero is not zero."""
    kernel = one.load()
    tensors = random_tensors(kernel.spec)
    tensors["query"][1, 5] = np.nan
    expected = tensors["value"].repeat(4, axis=1).astype(np.float32)
    expected[1, 5] = np.nan
    near = {"rtol": 1e-2 if kernel.spec.io_dtype == "bf16" else 1e-3}
    np.testing.assert_allclose(kernel(**tensors).astype(np.float32), expected, **near)


@pytest.mark.parametrize("io_dtype", ["f32", "f16", "bf16"])
def test_heads_of_a_latent_share_what_is_read(io_dtype):
    """As many as a register has lanes, of all element types: nothing of the keys is kept."""
    latent = {"num_q_heads": 128, "num_kv_heads": 1, "head_dim": 576, "value_dim": 512}
    spec = PagedAttentionSpec(**latent, q_len=1, num_blocks=8, max_blocks=8, io_dtype=io_dtype)
    target = targets.get("x86-64-v4")
    assert tile_for(target, spec, 1, spec.block_size).heads == registers_of(target).lanes


RUNS = together(
    PagedAttentionSpec(
        batch=3, num_q_heads=6, num_kv_heads=1, head_dim=80, value_dim=64, q_len=1,
        io_dtype=io_dtype, block_size=block_size, num_blocks=18, max_blocks=6,
        causal=True, window=window,
    )
    for io_dtype in ("f32", "bf16")
    for block_size, window in ((24, None), (16, (20, 0)))
)  # fmt: skip


@pytest.mark.parametrize("one", RUNS, ids=str)
def test_a_run_of_keys_has_those_that_are_seen(one):
    """Both of a pair of bf16, but at the ends: what is not seen there is NaN."""
    kernel = one.load()
    spec, tensors = kernel.spec, random_tensors(kernel.spec)
    lens = tensors["context_lens"]
    lens[:] = 57, 90, 1
    tensors["block_table"][:] = np.random.default_rng(0).permutation(18).reshape(3, 6)
    (expected,) = reference(spec, tensors)
    left = spec.max_blocks * spec.block_size if spec.window is None else spec.window[0]
    for name in ("key_cache", "value_cache"):
        for table, length in zip(tensors["block_table"], lens, strict=True):
            for t in range(spec.max_blocks * spec.block_size):
                if not length - 1 - left <= t < length:
                    block, slot = divmod(t, spec.block_size)
                    tensors[name][table[block], :, slot] = np.nan
    near = 3e-2 if spec.io_dtype == "bf16" else 1e-4
    output = kernel(**tensors).astype(np.float64)
    np.testing.assert_allclose(output, expected, rtol=near, atol=near)
