"""Short names of dispatches: from what the compiler calls them, and what they read and write."""

import pytest

from irattn.binary.inspection.figures import StepFigures
from irattn.binary.inspection.names import kind_of, loops_of, short_names

pytestmark = pytest.mark.slow

INPUTS = [
    {"name": "query", "shape": [1, 8, 1, 128]},
    {"name": "key_cache", "shape": [64, 2, 16, 128]},
    {"name": "block_table", "shape": [1, 64]},
]
OUTPUTS = [{"name": "output", "shape": [1, 8, 1, 128]}, {"name": "lse", "shape": [1, 8, 1]}]

TRANSIENT = ("transient0",)


def step(kernel, reads=TRANSIENT, writes=TRANSIENT):
    """A launch of a kernel, or a fill or copy by its own name."""
    if "_" not in kernel:
        return StepFigures(kernel, None, None, 64, None, reads, writes)
    return StepFigures("dispatch", kernel, (1, 1, 1), None, None, reads, writes)


def names(*steps):
    return short_names(steps, INPUTS, OUTPUTS)


@pytest.mark.parametrize(
    ("kernel", "kind", "loops"),
    [
        (
            "a_dispatch_12_online_attention_8x4xDx128",
            "online attention",
            "online_attention_8x4xDx128",
        ),
        ("a_dispatch_0_slow_memcpy", "slow memcpy", "slow_memcpy"),
        ("a_dispatch_1_elementwise_8388608_f32xf16", "elementwise", "elementwise_8388608_f32xf16"),
        ("a_dispatch_1_elementwise_transpose_DxD_bf16", "elementwise transpose", None),
        ("a_dispatch_0_scatter_256x32xf32_dispatch_tensor_store", "scatter", None),
        ("a_dispatch_3_sort_D_i32", "sort", None),
        ("a_dispatch_3_reduction_i32xf32", "reduction", None),
        ("a_dispatch_3_dequantize_2x4", "dequantize", None),
        ("paged_attention_kernel_gather_8x2", "attention", "gather_8x2"),
        ("paged_attention_merge_elementwise_8", "merge", "elementwise_8"),
        ("a_dispatch_3_4x8_f32", "a_dispatch_3", "4x8_f32"),
        ("a_dispatch_3", "a_dispatch_3", ""),
        ("main", "main", "main"),
    ],
)
def test_the_compilers_words(kernel, kind, loops):
    assert kind_of(kernel) == kind
    assert loops is None or loops_of(kernel) == loops


def test_a_decode_in_parts():
    found = names(
        step("fill"),
        step("a_dispatch_0_slow_memcpy", ("input0",)),
        step("a_dispatch_1_online_attention_8x2x16", ("transient0", "input1", "input2")),
        step("a_dispatch_2_reduction_8x16x2_f32"),
        step("a_dispatch_3_reduction_8x16x128x2_f32"),
        step("a_dispatch_4_elementwise_8x4x128_f32", TRANSIENT, ("output0",)),
    )
    assert found.steps == (
        "fill", "pad query", "attention", "merge 1", "merge 2", "elementwise output",
    )  # fmt: skip
    assert found.tasks[3:5] == ("merge", "merge")
    assert list(found.kernels.values()) == list(found.steps[1:])
    assert found.kernels["a_dispatch_3_reduction_8x16x128x2_f32"] == "merge 2"


@pytest.mark.parametrize(
    ("dispatch", "name"),
    [
        # Into memory that nobody filled before.
        (step("a_dispatch_0_slow_memcpy", ("input0",)), "copy query"),
        (step("copy", ("input0",)), "copy query"),
        (step("a_dispatch_0_slow_memcpy"), "copy"),
        # No merge without an attention before it, nor where it is not known what is read.
        (step("a_dispatch_0_reduction_8_f32"), "reduction"),
        (step("a_dispatch_0_reduction_8_f32", (), ()), "reduction"),
        # The largest input tells, and the one that is written before those that are read.
        (step("a_dispatch_0_gather_8x2", ("input2", "input1")), "gather key_cache"),
        (step("a_dispatch_0_scatter_8x2", ("input0", "input2"), ("input1",)), "write key_cache"),
        (step("a_dispatch_0_matmul_like_8x2_f16", ("input0",)), "matmul query"),
        (step("a_dispatch_0_matvec_like_8x2_f16"), "matvec"),
        # Several outputs in one piece of memory.
        (step("a_dispatch_0_elementwise_8_f16", TRANSIENT, ("output0", "output1")), "elementwise"),
        # What is not known keeps the compiler's name, shortened.
        (step("a_dispatch_0_top_k_8x2_f16", ("input0",)), "top k query"),
        (step("a_dispatch_7_8x2_f16", ("input0",)), "a_dispatch_7"),
        (step("some_kernel", ("input0",)), "some_kernel"),
    ],
)
def test_single_dispatches(dispatch, name):
    assert names(dispatch).steps == (name,)


def test_a_fill_is_for_the_next_step_that_writes_there():
    copies = [step("a_dispatch_0_slow_memcpy", (f"input{i}",)) for i in (0, 1)]
    assert names(step("fill"), *copies).steps == ("fill", "pad query", "copy key_cache")
    elsewhere = step("a_dispatch_1_reduction_8_f32", ("input0",), ("output0",))
    assert names(step("fill"), elsewhere, copies[0]).steps[2] == "pad query"
    there = step("a_dispatch_1_reduction_8_f32", ("input0",))
    assert names(step("fill"), there, copies[0]).steps[2] == "copy query"


def test_a_kernel_that_is_launched_twice_has_one_name():
    kernel = "a_dispatch_0_slow_memcpy"
    found = names(*(step(kernel, (buffer,)) for buffer in ("input0", "input1", "input0")))
    assert found.steps == ("copy query", "copy key_cache", "copy query")
    assert found.kernels == {kernel: "copy query, key_cache"}
