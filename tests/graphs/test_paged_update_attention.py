"""Writing and attention in one function: its code on the CPU, and what it equals."""

import numpy as np
import pytest

from irattn import AttentionSpec, CacheWriteSpec, PagedAttentionSpec, PagedUpdateAttentionSpec
from irattn.core.errors import ArgumentError
from irattn.lab.inputs import CASES, random_tensors
from irattn.reference import reference
from irattn.runtime import load_artifact
from irattn.runtime.arguments import check_arguments
from support.joined import artifact_of, together

pytestmark = pytest.mark.slow

SIZES = {
    "batch": 2,
    "num_q_heads": 4,
    "num_kv_heads": 2,
    "q_len": 12,
    "head_dim": 16,
    "block_size": 8,
    "num_blocks": 10,
    "max_blocks": 5,
    "io_dtype": "f32",
}
SPEC = PagedUpdateAttentionSpec(**SIZES)

FORMULATIONS = pytest.mark.parametrize("formulation", ["fused", "blocked"])


ATTEND = PagedAttentionSpec(**SIZES)
RAGGED = SPEC.replace(ragged=True)
WRITE = CacheWriteSpec(
    num_tokens=24, num_kv_heads=2, head_dim=16, block_size=8, num_blocks=10, io_dtype="f32"
)
WHOLE = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=32, kv_len=32, head_dim=16, causal=True,
    io_dtype="f32",
)  # fmt: skip


def load(spec, formulation=None):
    among = (SPEC, ATTEND, RAGGED) if formulation else (WRITE, WHOLE)
    return load_artifact(artifact_of(spec, among, "cpu", formulation), "cpu")


def test_one_step_by_hand():
    """The query sees the old token with value 2 and its own with value 4, at equal logits."""
    spec = PagedUpdateAttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=1, head_dim=1, block_size=2, num_blocks=2, max_blocks=1
    )
    one = np.ones((1, 1, 1, 1))
    output, keys, values = reference(
        spec,
        {
            "query": one,
            "key": 3 * one,
            "value": 4 * one,
            "slot_mapping": np.array([[3]]),
            "key_cache": np.array([0.0, 0.0, 3.0, 9.0]).reshape(2, 1, 2, 1),
            "value_cache": np.array([0.0, 0.0, 2.0, 9.0]).reshape(2, 1, 2, 1),
            "block_table": np.array([[1]]),
            "context_lens": np.array([2]),
        },
    )
    np.testing.assert_array_equal(output, 3 * one)
    np.testing.assert_array_equal(keys.ravel(), [0, 0, 3, 3])
    np.testing.assert_array_equal(values.ravel(), [0, 0, 2, 4])


CHANGED = [
    SPEC.replace(**changes)
    for changes in (
        {"io_dtype": "f16"},
        {"io_dtype": "bf16"},
        {"q_len": 1},
        {"q_len": 1, "batch": 1, "max_blocks": 1},
        {"q_len": 1, "batch": 1, "num_q_heads": 1, "num_kv_heads": 1},
        {"head_dim": 40, "block_size": 7},
        {"ragged": True, "return_lse": True},
        {"num_blocks": 4},
        {"window": (5, None), "sinks": True, "alibi": True, "logits_soft_cap": 5.0},
        {"causal": False, "bias": "hqk", "keep_mask": "bk", "return_lse": True},
    )
]


@pytest.mark.parametrize(
    "one", [*together(CHANGED, "fused"), *together(CHANGED, "blocked")], ids=str
)
def test_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@FORMULATIONS
def test_equals_writing_and_then_attending(formulation):
    tensors = random_tensors(SPEC)
    before = {name: array.copy() for name, array in tensors.items()}
    output, *caches = load(SPEC, formulation)(**tensors)
    for name, array in tensors.items():
        np.testing.assert_array_equal(array, before[name])

    by_token = {
        name: tensors[name].transpose(0, 2, 1, 3).reshape(24, 2, 16) for name in ("key", "value")
    }
    old = {name: tensors[name] for name in ("key_cache", "value_cache")}
    slots = tensors["slot_mapping"].ravel()
    written = load(WRITE)(**by_token, **old, slot_mapping=slots)
    np.testing.assert_array_equal(caches, written)
    assert not np.array_equal(caches[0], tensors["key_cache"])

    rest = {name: tensors[name] for name in ("query", "block_table", "context_lens")}
    attend = load(ATTEND, formulation)
    expected = attend(**rest, key_cache=written[0], value_cache=written[1])
    np.testing.assert_allclose(output, expected, atol=2e-6)


@FORMULATIONS
def test_a_prompt_in_parts_equals_attention_at_once(formulation):
    """Parts of a prompt, the last of them padded, into a cache that begins with zeros."""
    tensors = random_tensors(WHOLE)
    kernel = load(RAGGED, formulation)
    caches = dict.fromkeys(("key_cache", "value_cache"), np.zeros((10, 2, 8, 16), np.float32))
    table = np.random.default_rng(0).permutation(10).reshape(2, 5).astype(np.int32)
    found = []
    for start in range(0, 32, 12):
        real = min(12, 32 - start)
        part = {name: np.zeros((2, 4, 12, 16), np.float32) for name in ("query",)}
        part |= {name: np.zeros((2, 2, 12, 16), np.float32) for name in ("key", "value")}
        for name, array in part.items():
            array[:, :, :real] = tensors[name][:, :, start : start + real]
        at = np.arange(start, start + real)
        slots = np.full((2, 12), -1, np.int32)
        slots[:, :real] = table[:, at // 8] * 8 + at % 8
        output, *updated = kernel(
            **part, **caches, slot_mapping=slots, block_table=table,
            q_lens=np.full(2, real, np.int32), context_lens=np.full(2, start + real, np.int32),
        )  # fmt: skip
        caches = dict(zip(caches, updated, strict=True))
        found.append(output[:, :, :real])
    expected = load(WHOLE)(**tensors)
    np.testing.assert_allclose(np.concatenate(found, axis=2), expected, atol=2e-6)


@pytest.mark.parametrize("case", CASES)
def test_samples_write_the_current_queries(case):
    spec = SPEC.replace(ragged=True)
    tensors = CASES[case].tensors(spec)
    check_arguments(spec, tensors)
    lens, q_lens = tensors["context_lens"], tensors["q_lens"]
    written = (tensors["slot_mapping"] >= 0).sum(axis=1)
    np.testing.assert_array_equal(written, np.minimum(lens, q_lens))
    for b in range(2):
        if written[b]:
            last = lens[b] - 1
            block = tensors["block_table"][b, last // 8]
            assert tensors["slot_mapping"][b, q_lens[b] - 1] == block * 8 + last % 8


def test_samples_skip_what_an_earlier_sequence_writes():
    spec = SPEC.replace(num_blocks=2)
    tensors = CASES["full_context"].tensors(spec)
    check_arguments(spec, tensors)
    assert (tensors["slot_mapping"] == -1).any()


def test_wrong_slots_are_refused():
    tensors = random_tensors(SPEC)
    slots = np.full((2, 12), -1, np.int32)
    slots[0, 3] = slots[1, 2] = 17
    with pytest.raises(
        ArgumentError, match=r"slot_mapping\[1, 2\]: .* got 17, which slot_mapping\[0, 3\]"
    ):
        check_arguments(SPEC, {**tensors, "slot_mapping": slots})
