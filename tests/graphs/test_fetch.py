"""Keys, values and weights are fetched into the core's cache ahead of reading."""

import re

import pytest

from irattn import AttentionSpec, PagedAttentionSpec, targets
from irattn.compiling import catalog
from irattn.rendering import GraphRequest, render
from irattn.rendering.attention.blocked import plan_blocked
from support.compiled_once import compiled_once
from support.joined import joined

HEADS = {"num_q_heads": 8, "num_kv_heads": 2}
PAGES = {"num_blocks": 40, "max_blocks": 40}
# Keys and values differ in size, so that one is not taken for the other.
READERS = (
    AttentionSpec(**HEADS, head_dim=64, value_dim=32, q_len=1, kv_len=2048),
    PagedAttentionSpec(
        **HEADS, **PAGES, head_dim=64, value_dim=32, q_len=1, dynamic=("batch", "num_blocks")
    ),
    catalog.get("layer_decode_tiny"),
    AttentionSpec(**HEADS, head_dim=64, value_dim=32, q_len=64, kv_len=128, io_dtype="f32"),
)
# Query, key, value and output of the layer.
WEIGHTS = 4
READ = re.compile(r"binding\((\d+)\).* : \S+dispatch\.tensor<readonly:tensor<(.*?)>>")
FETCHED = re.compile(r"binding\((\d+)\).* : memref<(.*?)>")


@pytest.mark.slow
def test_what_is_fetched_is_what_the_kernel_reads():
    """The compiler numbers the memory of a kernel; the graph names numbers."""
    target = targets.get("x86-64-v4")
    texts = [render(GraphRequest(spec, target)) for spec in READERS]
    flags = (*target.flags, "--compile-to=executable-sources")
    functions = compiled_once(joined(texts), flags).decode().split("func.func @")
    kernels = [function for function in functions if "memref.prefetch" in function]
    all_fetched = [FETCHED.findall(kernel) for kernel in kernels]
    assert sorted(map(len, all_fetched)) == [1] * WEIGHTS + [2] * len(READERS)
    for kernel, fetched in zip(kernels, all_fetched, strict=True):
        read = dict(READ.findall(kernel))
        for binding, memory in fetched:
            assert read[binding] == memory


@pytest.mark.parametrize("io_dtype", ["f32", "f16"])
@pytest.mark.parametrize(
    ("target", "group", "head_dim"),
    [
        ("x86-64-v3", 1, 40), ("x86-64-v3", 4, 128), ("x86-64-v3", 8, 256),
        ("aarch64", 1, 40), ("aarch64", 4, 128), ("aarch64", 4, 256),
    ],
)  # fmt: skip
def test_every_line_of_a_row_is_fetched(target, io_dtype, group, head_dim):
    """Blocks of rows that read the same values share their lines."""
    sizes = {"num_q_heads": 2 * group, "num_kv_heads": 2, "head_dim": head_dim}
    spec = PagedAttentionSpec(**sizes, **PAGES, q_len=1, io_dtype=io_dtype)
    plan = plan_blocked(spec, targets.get(target))
    tile, fetch, line = plan.tile, plan.fetch, 16 if io_dtype == "f32" else 32
    assert fetch is not None
    passes = range(tile.block_rows // tile.value_rows)
    blocks = range(0, tile.value_columns, tile.value_block)
    values = {
        (block + share * fetch.value_columns + column) // line
        for block in blocks
        for share in passes
        for column in fetch.value_lines
    }
    assert values == set(range(-(-tile.value_columns // line)))
    assert [column // line for column in fetch.key_lines] == list(range(-(-head_dim // line)))


@pytest.mark.parametrize(("target", "keys"), [("x86-64-v3", 8), ("x86-64-v4", 16)])
def test_many_rows_fetch_the_keys_that_are_turned_next(target, keys):
    """As many as are turned at once; none where values are copied in between."""
    spec = AttentionSpec(**HEADS, head_dim=64, q_len=512, kv_len=512, io_dtype="f32")
    text = render(GraphRequest(spec, targets.get(target)))
    assert text.count("memref.prefetch %key_memory") == keys
    assert text.count("memref.prefetch %value_memory") == keys
    assert f"(t + {keys}, e - {keys})>(%t, %end)" in text
    copied = spec.replace(io_dtype="f16")
    assert "prefetch" not in render(GraphRequest(copied, targets.get(target)))
