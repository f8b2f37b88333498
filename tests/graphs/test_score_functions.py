"""Score and mask functions: random ones, and what they read, beside the reference."""

import numpy as np
import pytest

import irattn
from irattn import (
    AttentionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PagedAttentionSpec,
)
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.rendering.attention.choose import choose
from support.against_reference import assert_meets_reference
from support.expression_draws import Drawn, any_functions
from support.joined import artifact_of, together
from support.mixes import with_lengths

KEYS = 39
FLOATS = np.zeros((KEYS, KEYS), np.float16)
FLAGS = np.zeros((4, KEYS), bool)
NUMBERS = np.zeros(KEYS, np.int32)

PLAIN = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, batch=2, q_len=21, kv_len=KEYS, head_dim=16, io_dtype="f32"
)
VARIED = [
    {},
    {"q_len": 1, "kv_len": 37},
    {"causal": True, "logits_soft_cap": 3.0, "io_dtype": "f16"},
    {"layout": "NHD", "bias": "hk", "window": (9, 4)},
    {"io_dtype": "bf16", "sinks": True, "return_lse": True, "keep_mask": "bk"},
]


def drawn(seed):
    functions = Drawn(seed, FLOATS, FLAGS, NUMBERS)
    fields = VARIED[seed % len(VARIED)]
    return PLAIN.replace(
        score_mod=functions.score_mod if seed % 4 != 3 else None,
        mask_mod=functions.mask_mod if seed % 4 != 1 else None,
        **fields,
    )


SLOPES = np.zeros(4, np.float32)
HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 16, "io_dtype": "f32"}
PAGES = {"block_size": 13, "num_blocks": 9, "max_blocks": 3}
LARGE = PLAIN.replace(head_dim=64, batch=1, io_dtype="f16", mask_mod=None)


def leaning(score, batch, head, query, key):
    return np.where(key % 5 == 3, np.tanh(score), score) + SLOPES[head] * (key - query)


def striped(batch, head, query, key):
    return (query + key) % 5 != 2


SQUARE = np.zeros((KEYS, KEYS), np.float32)


def turned(score, batch, head, query, key):
    return score + SQUARE[key // 2 - query, query] + (query >> 2 ^ key << (query & 3)) * 0.01


def within(batch, head, query, key):
    is_near = (query + 30 >= key) & ~(head > query)
    return (NUMBERS[query] == NUMBERS[key]) & is_near | FLAGS[head, key]


def doubled(batch, head, query, key):
    """A window that no feature says, and that ends before the last keys."""
    return (2 * (query - key) <= 50) & (2 * (key - query) < 1)


def but_one_head(batch, head, query, key):
    return np.where(head == 1, False, True) & True


def nothing(batch, head, query, key):
    return False


def unlike(batch, head, query, key):
    """False, which MLIR finds out."""
    return key != key


def by_place(score, batch, head, query, key):
    return (query + (key - key)) * 0.5


# Of a sequence of many queries, one of a few, and one of none.
MIXED = PackedPagedAttentionSpec(
    **HEADS, **PAGES, batch=3, q_tokens=23, causal=False, score_mod=turned, mask_mod=within
)
MIX = [17, 3, 0]
# As many rows as tiles are made for, of two heads of a group.
WINDOWED = PLAIN.replace(q_len=130, kv_len=260, batch=1, mask_mod=doubled)
# Behind the last queries of a tile are blocks of rows that are none, and see nothing of any step.
BEYOND = PagedAttentionSpec(
    **HEADS | {"num_q_heads": 2, "num_kv_heads": 1, "head_dim": 128}, **PAGES | {"max_blocks": 6},
    batch=1, q_len=40, mask_mod=striped,
)  # fmt: skip

SPECS = [
    *map(drawn, range(7)),
    PackedAttentionSpec(
        **HEADS, batch=3, q_tokens=31, kv_tokens=KEYS, score_mod=leaning, mask_mod=within
    ),
    PagedAttentionSpec(
        **HEADS, **PAGES, batch=2, q_len=9, ragged=True, score_mod=leaning, mask_mod=within
    ),
    PagedAttentionSpec(**HEADS, **PAGES, batch=2, q_len=1, score_mod=leaning, mask_mod=within),
    PLAIN.replace(q_len=70, kv_len=150, mask_blocks=(32, 64)),
    PLAIN.replace(mask_mod=striped, mask_blocks=(16, 64), q_len=70, kv_len=150, causal=True),
    MIXED,
    WINDOWED,
    BEYOND,
    PLAIN.replace(mask_mod=but_one_head),
    PLAIN.replace(mask_mod=nothing),
    PLAIN.replace(score_mod=by_place, mask_mod=unlike),
]


def tensors_of(spec):
    tensors = random_tensors(spec)
    return with_lengths(spec, tensors, MIX) if spec.op == MIXED.op else tensors


@pytest.mark.parametrize("one", together(SPECS), ids=range(len(SPECS)))
def test_random_functions_on_a_cpu(one):
    tensors = tensors_of(one.graph.spec)
    atol = {"f32": 1e-5, "f16": 0.004, "bf16": 0.03}[one.graph.spec.io_dtype]
    assert_meets_reference(one.graph.spec, one.load(), tensors, atol)


def test_what_no_query_of_a_tile_sees_is_not_read():
    artifact = artifact_of(WINDOWED, SPECS, "cpu")
    kernel, tensors = irattn.load(artifact), random_tensors(WINDOWED)
    output = kernel(**tensors)
    for name in ("key", "value"):
        # Beyond the last query's place, by whole steps.
        tensors[name][:, :, 192:] = np.nan
    np.testing.assert_array_equal(kernel(**tensors), output)


@pytest.mark.parametrize("is_causal", [False, True])
def test_other_documents_are_not_read(is_causal):
    ids = np.repeat(np.arange(2, dtype=np.int32), 256)

    def of_same_document(batch, head, query, key):
        return ids[query] == ids[key]

    pick = np.random.default_rng(0)
    query, key, value = (pick.standard_normal((1, 2, 512, 16), np.float32) for _ in range(3))
    words = {"mask_mod": of_same_document, "is_causal": is_causal, "target": "cpu"}
    output = irattn.attention(query, key, value, **words)
    key[:, :, :256], value[:, :, :256] = np.nan, np.nan
    of_second = irattn.attention(query, key, value, **words)[:, :, 256:]
    np.testing.assert_array_equal(of_second, output[:, :, 256:])


# Many rows, whose waves share keys; few, whose waves have keys of their own; and a single one.
ON_GPUS = [
    LARGE.replace(score_mod=leaning, mask_mod=within, q_len=39, num_kv_heads=4),
    LARGE.replace(score_mod=leaning, mask_mod=within, q_len=1),
    LARGE.replace(mask_mod=within, q_len=1, num_kv_heads=4, logits_soft_cap=2.0),
    PagedAttentionSpec(
        **HEADS | {"head_dim": 64, "io_dtype": "f16"},
        **PAGES,
        batch=2,
        q_len=2,
        score_mod=leaning,
        mask_mod=within,
    ),
    MIXED.replace(head_dim=64, io_dtype="f16"),
    # Steps of tensors: rows of one head, of several, and of sequences.
    LARGE.replace(score_mod=turned, mask_mod=within, q_len=39, io_dtype="f32", head_dim=32),
    LARGE.replace(score_mod=leaning, mask_mod=within, q_len=2, head_dim=40, causal=True),
    MIXED.replace(head_dim=24, alignment="offsets"),
    # Nothing but the mask asks which keys these are: all steps are whole.
    LARGE.replace(mask_mod=striped, q_len=5, kv_len=64, io_dtype="f32", head_dim=32, num_q_heads=2),
    LARGE.replace(mask_mod=nothing, q_len=5, io_dtype="f32", head_dim=32),
    LARGE.replace(mask_mod=but_one_head, q_len=5),
    # Nothing asks for scores.
    LARGE.replace(mask_mod=unlike, q_len=5, io_dtype="f32", head_dim=32),
    LARGE.replace(score_mod=by_place, q_len=5, io_dtype="f32", head_dim=32),
]
ON_GPUS_NAMES = ["rows", "decode", "alone", "paged", "mixed", "tensors", "few", "packed", "whole"]
ON_GPUS_NAMES += ["nothing", "constants", "unlike", "by_place"]


@pytest.mark.parametrize("spec", ON_GPUS, ids=ON_GPUS_NAMES)
def test_functions_on_a_gpu(spec):
    kernel = irattn.load(artifact_of(spec, ON_GPUS, "gfx1100"), device="emulator")
    assert_meets_reference(spec, kernel, tensors_of(spec), atol=0.004)


def beyond(score, batch, head, query, key):
    return np.where(query < 2, np.where(query < 1, -3e38, -1e9), score)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_rows_of_the_lowest_scores_have_the_mean(target):
    """Rounding a maximum times log2(e) is 86 off of -1e9: weights were infinite in f16."""
    spec = LARGE.replace(score_mod=beyond, q_len=5, return_lse=True)
    kernel = irattn.load(irattn.compile(spec, target=target), device="emulator")
    tensors = random_tensors(spec)
    found, lse = kernel.outputs(**tensors)
    expected, expected_lse = reference(spec, tensors)
    np.testing.assert_allclose(found.astype(np.float64), expected, atol=0.004)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5)


FLAGS_OF_KEYS, FLAG = np.zeros(KEYS, bool), np.array(True)


def flagged(batch, head, query, key):
    return FLAGS_OF_KEYS[key] | FLAG & (key % 3 == 0)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_rows_of_bools_are_read(target):
    """As bytes they are no tensor of the call: IREE refused one name for both."""
    spec = LARGE.replace(mask_mod=flagged, q_len=5)
    kernel = irattn.load(irattn.compile(spec, target=target), device="emulator")
    assert_meets_reference(spec, kernel, random_tensors(spec), atol=0.004)


def lowered(score, batch, head, query, key):
    return score - 0.1 * (key % 5)


@pytest.mark.parametrize("heads", [1, 17])
def test_a_function_of_a_single_row_on_cdna(heads):
    """Waves that share the keys of a row, of a group or of one head, would write beyond LDS."""
    sizes = {"num_q_heads": heads, "num_kv_heads": 1, "head_dim": 64, "io_dtype": "bf16"}
    spec = PagedAttentionSpec(
        **sizes, batch=2, q_len=1, block_size=8, num_blocks=9, max_blocks=9, score_mod=lowered
    )
    kernel = irattn.load(irattn.compile(spec, target="gfx942"), device="emulator")
    assert_meets_reference(spec, kernel, tensors_of(spec), atol=0.03)


def test_steps_have_room_for_what_is_read_for_each_score():
    """LLVM lays it out in LDS: with 32 keys a step took 65,888 bytes of the 65,536 of CDNA 3."""
    spec = LARGE.replace(io_dtype="f32", head_dim=64, q_len=40)
    numbers = np.arange(LARGE.kv_len, dtype=np.int32)
    by_key, by_score = (
        choose(spec.replace(score_mod=function), irattn.targets.get("gfx942")).tile.keys
        for function in (
            lambda score, batch, head, query, key: score + numbers[key],
            lambda score, batch, head, query, key: score + numbers[query + 0 * key],
        )
    )
    assert (by_key, by_score) == (32, 16)


def test_products_begin_with_nothing_where_registers_are_scarce():
    """Of a zero that it knew, LLVM took a copy away: in the second, compiled with the first."""
    specs = [any_functions(20), any_functions(23)]
    kernel = irattn.load(artifact_of(specs[1], specs, "gfx1100"), device="emulator")
    assert_meets_reference(specs[1], kernel, random_tensors(specs[1]), atol=0.002)
