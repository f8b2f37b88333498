"""Packed attention over pages on CPUs: all features, whatever lies where no query looks."""

from itertools import pairwise

import numpy as np
import pytest

from irattn import PackedAttentionSpec, PackedPagedAttentionSpec
from irattn.core.dtypes import dtype
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.joined import together

pytestmark = pytest.mark.slow

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 32, "io_dtype": "f32"}
# Nothing, decodes, drafts, a chunk just beyond those and prompts; the last tokens are padding.
Q_LENS = [1, 0, 9, 3, 40, 8, 2, 1]
# Of three parts of the keys, fewer than queries, none, whole parts, and prompts without a past.
CONTEXTS = [1100, 7, 9, 2, 700, 512, 0, 1024]
SIZES = {"batch": len(Q_LENS), "q_tokens": sum(Q_LENS) + 5, "num_blocks": 400, "max_blocks": 70}
SPEC = PackedPagedAttentionSpec(**HEADS, **SIZES)
IN_A_WINDOW = SPEC.replace(
    num_kv_heads=4, window=(30, None), sinks=True, return_lse=True, num_blocks=4000, block_size=4,
    max_blocks=280,
)  # fmt: skip
TOKENS_FIRST = SPEC.replace(
    io_dtype="bf16", layout="NHD", num_q_heads=6, value_dim=24, logits_soft_cap=3.0, alibi=True,
    block_size=1, num_blocks=9000, max_blocks=1101,
)  # fmt: skip
BIASED = SPEC.replace(
    alignment="offsets", causal=False, window=(90, 5), bias="hqk", keep_mask="hqk", return_lse=True
)
WIDE = SPEC.replace(
    num_q_heads=32, num_kv_heads=1, io_dtype="f16", return_lse=True, alignment="top_left"
)
LATENT = SPEC.replace(num_kv_heads=1, head_dim=576, value_dim=512)
JOINT = SPEC.replace(joint_cache=True, io_dtype="bf16", window=(200, None))
JOINT_TOKENS_FIRST = JOINT.replace(
    layout="NHD", io_dtype="f32", block_size=8, num_blocks=800, max_blocks=140
)
LARGER = {"batch": 11, "q_tokens": 200, "num_blocks": 900, "max_blocks": 130}
DYNAMIC = SPEC.replace(**LARGER, dynamic=("batch", "q_tokens", "num_blocks", "max_blocks"))
STATIC = [SPEC, IN_A_WINDOW, TOKENS_FIRST, BIASED, WIDE, LATENT, JOINT, JOINT_TOKENS_FIRST]
SMALL = SPEC.replace(batch=3, q_tokens=40, num_blocks=20, max_blocks=4, sinks=True)
CONTIGUOUS = PackedAttentionSpec(
    **HEADS, batch=3, q_tokens=40, kv_tokens=50, causal=True, bias="hk"
)
# Each size is chosen in one graph, and known in another.
SIZED_BY_CALLS = together(
    [
        *(
            SMALL.replace(dynamic=names)
            for names in (("batch", "num_blocks"), ("q_tokens", "max_blocks"))
        ),
        *(CONTIGUOUS.replace(dynamic=names) for names in (("batch",), ("q_tokens", "kv_tokens"))),
        CONTIGUOUS.replace(dynamic=CONTIGUOUS.dynamic_names),
    ],
    "blocked",
)
KERNELS = {one.graph.spec: one for one in together([*STATIC, DYNAMIC], "blocked")}


def tensors_of(spec, q_lens=Q_LENS, contexts=CONTEXTS, seed=1):
    tensors = random_tensors(spec, seed)
    rng = np.random.default_rng(seed)
    pages = spec.batch * spec.max_blocks
    places = rng.permutation(pages) if pages <= spec.num_blocks else rng.integers(0, 400, pages)
    tensors["block_table"] = places.reshape(spec.batch, spec.max_blocks).astype(np.int32)
    tensors["cu_seqlens_q"] = np.cumsum([0, *q_lens], dtype=np.int32)
    tensors["context_lens"] = np.array(contexts, np.int32)
    return tensors


def first_position(spec, tensors, s):
    """Where the first query of a sequence stands."""
    rows, context = np.diff(tensors["cu_seqlens_q"])[s], tensors["context_lens"][s]
    at = {"top_left": 0, "bottom_right": context - rows}
    return at[spec.alignment] if spec.alignment in at else tensors["offsets"][s]


def seen_keys(spec, tensors, s):
    """The keys of a sequence that some of its queries may see."""
    rows, keys = np.diff(tensors["cu_seqlens_q"])[s], np.arange(tensors["context_lens"][s])
    first, right = first_position(spec, tensors, s), 0 if spec.causal else spec.window_right
    seen = (rows > 0) & (keys <= first + rows - 1 + right)
    return keys[seen & (keys >= first - (spec.window_left or 2**20))]


def forget_pages(spec, tensors):
    """No block where none is needed: past a context, and before the window of the first query."""
    for s, context in enumerate(tensors["context_lens"]):
        starts = spec.block_size * np.arange(spec.max_blocks)
        behind = first_position(spec, tensors, s) - (spec.window_left or 2**20)
        is_needed = (starts < context) & (starts + spec.block_size > behind)
        tensors["block_table"][s, ~is_needed] = -1


def poisoned(spec, tensors, poison):
    """The tensors with a poison wherever no query looks, and no block where none is needed."""
    changed = {name: array.copy() for name, array in tensors.items()}
    used, end = np.zeros((spec.num_blocks, spec.block_size), bool), tensors["cu_seqlens_q"][-1]
    for s in range(spec.batch):
        seen = seen_keys(spec, tensors, s)
        blocks = tensors["block_table"][s, seen // spec.block_size]
        used[blocks, seen % spec.block_size] = True
    forget_pages(spec, changed)
    no_slots = np.zeros_like(used)
    for name, halves in (("key_cache", (used, no_slots)), ("value_cache", (no_slots, used))):
        by_slot = changed[name] if spec.layout == "NHD" else changed[name].swapaxes(1, 2)
        by_slot[~(np.concatenate(halves, 1) if spec.joint_cache else used)] = poison
    changed["query"][end:] = poison
    if spec.bias:
        changed["bias"][:, end:] = poison
        for s, context in enumerate(tensors["context_lens"]):
            rows = slice(*tensors["cu_seqlens_q"][s : s + 2])
            changed["bias"][:, rows, context:] = poison
    return changed


@pytest.mark.parametrize("poison", [np.nan, np.inf])
@pytest.mark.parametrize("spec", STATIC, ids=range(len(STATIC)))
def test_only_what_a_query_sees_counts(spec, poison):
    tensors, run = tensors_of(spec), KERNELS[spec].load()
    clean, expected = run.outputs(**tensors), reference(spec, tensors)
    changed = poisoned(spec, tensors, poison)
    for before, after in zip(clean, run.outputs(**changed), strict=True):
        np.testing.assert_array_equal(after, before)
    error = np.linalg.norm(clean[0].astype(np.float64) - expected[0])
    assert error < dtype(spec.io_dtype).tolerance * np.linalg.norm(expected[0])
    np.testing.assert_allclose(clean[1:], expected[1:], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("spec", STATIC, ids=range(len(STATIC)))
def test_rows_that_see_nothing_are_zeros(spec):
    tensors = tensors_of(spec, contexts=[0] * spec.batch)
    found = KERNELS[spec].load().outputs(**tensors)
    assert not found[0].any()
    if spec.return_lse:
        expected = tensors["sinks"] if spec.sinks else np.full(spec.num_q_heads, -np.inf)
        np.testing.assert_allclose(found[1], np.repeat(expected[:, None], spec.q_tokens, 1))


def sequence_alone(tensors, s, max_blocks):
    """A call of one sequence, with a table of so many blocks."""
    rows = slice(*tensors["cu_seqlens_q"][s : s + 2])
    table = np.full((1, max_blocks), -1, np.int32)
    held = min(max_blocks, tensors["block_table"].shape[1])
    table[0, :held] = tensors["block_table"][s, :held]
    return {
        **{name: tensors[name] for name in ("key_cache", "value_cache")},
        "query": tensors["query"][rows],
        "cu_seqlens_q": np.array([0, rows.stop - rows.start], np.int32),
        "block_table": table,
        "context_lens": tensors["context_lens"][s : s + 1],
    }


@pytest.mark.parametrize("max_blocks", [70, 130])
def test_bits_do_not_depend_on_company(max_blocks):
    """Nor on the largest sizes: alone, sequences are attended to by the other graph."""
    tensors, run = tensors_of(SPEC), KERNELS[DYNAMIC].load()
    together_ = KERNELS[SPEC].load()(**tensors)
    for s, (first, end) in enumerate(pairwise(tensors["cu_seqlens_q"])):
        if first < end:
            alone = run(**sequence_alone(tensors, s, max_blocks))
            np.testing.assert_array_equal(alone, together_[first:end])


def test_bits_do_not_depend_on_places():
    tensors, run = tensors_of(SPEC), KERNELS[SPEC].load()
    order = np.random.default_rng(3).permutation(SPEC.batch)
    rows = [slice(*tensors["cu_seqlens_q"][s : s + 2]) for s in order]
    moved = {name: tensors[name][order] for name in ("block_table", "context_lens")}
    moved["query"] = np.concatenate(
        [*(tensors["query"][one] for one in rows), tensors["query"][-5:]]
    )
    moved["cu_seqlens_q"] = np.cumsum([0, *(one.stop - one.start for one in rows)], dtype=np.int32)
    before, after = run(**tensors), run(**{**tensors, **moved})
    np.testing.assert_array_equal(after[:-5], np.concatenate([before[one] for one in rows]))


def test_a_call_of_one_kind_of_sequences():
    """Without any of many queries, or without any of few, the rest of the rows is as it is."""
    for q_lens in ([1] * 8, [0] * 8, [9, 0, 10, 0, 11, 0, 12, 13], [8] * 7 + [1], [60] + [0] * 7):
        tensors = tensors_of(SPEC, q_lens, [40] * SPEC.batch)
        found = KERNELS[SPEC].load()(**tensors)
        np.testing.assert_allclose(found, reference(SPEC, tensors)[0], atol=1e-5)
        assert not found[sum(q_lens) :].any()


def test_one_array_holds_keys_and_values():
    """Given as both, it is what two caches are that have its halves."""
    tensors = tensors_of(JOINT)
    joint = tensors["key_cache"]
    keys, values = np.split(joint, 2, axis=2)
    (expected,) = reference(
        JOINT.replace(joint_cache=False), {**tensors, "key_cache": keys, "value_cache": values}
    )
    found = KERNELS[JOINT].load()(**{**tensors, "value_cache": joint})
    error = np.linalg.norm(found.astype(np.float64) - expected)
    assert error < dtype("bf16").tolerance * np.linalg.norm(expected)


@pytest.mark.parametrize("one", SIZED_BY_CALLS, ids=str)
def test_a_call_chooses_sizes(one):
    assert one.verdict().passed
