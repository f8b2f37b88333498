"""What no query sees never reaches a result, and what a query sees does, be it NaN or infinite."""

import numpy as np
import pytest

from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.joined import together

pytestmark = pytest.mark.slow

FORMULATIONS = pytest.mark.parametrize("formulation", ["blocked", "fused"])
POISONS = pytest.mark.parametrize("poison", [np.nan, np.inf, -np.inf])

HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 32, "io_dtype": "f32"}
SPEC = AttentionSpec(**HEADS, batch=2, q_len=70, kv_len=150, causal=True)
DECODE = SPEC.replace(q_len=1, kv_len=2100)
ALONE = DECODE.replace(num_kv_heads=4, window=(1500, None))
RAGGED = SPEC.replace(ragged=True, return_lse=True, causal=False)
PACKED = PackedAttentionSpec(**HEADS, batch=3, q_tokens=90, kv_tokens=90, causal=True)
PAGED = PagedAttentionSpec(**HEADS, batch=2, q_len=3, block_size=16, num_blocks=40, max_blocks=9)
BLOCK_SIZES = {
    size: PAGED.replace(block_size=size, max_blocks=144 // size, num_blocks=400)
    for size in (16, 4, 1)
}
IN_BF16 = RAGGED.replace(io_dtype="bf16")
WITH_SINKS = RAGGED.replace(sinks=True)
BIASED = SPEC.replace(bias="qk", causal=False, batch=1)
BIASED_WITH_LSE = BIASED.replace(return_lse=True)
IN_A_WINDOW = PAGED.replace(
    batch=1, q_len=70, causal=True, window=(9, None), block_size=4, num_blocks=31, max_blocks=30
)
IN_NO_COMPANY = [PAGED.replace(batch=1), PAGED.replace(batch=1, max_blocks=200)]
DENSE_SPECS = [SPEC, DECODE, ALONE, RAGGED, IN_BF16, WITH_SINKS, BIASED, BIASED_WITH_LSE]
OTHER_SPECS = [PACKED, PAGED, *BLOCK_SIZES.values(), *IN_NO_COMPANY, IN_A_WINDOW]
KERNELS = {
    (one.graph.spec, formulation): one
    for formulation in ("blocked", "fused")
    for specs in (DENSE_SPECS, OTHER_SPECS)
    for one in together(specs, formulation)
}
LENS = {"q_lens": np.array([70, 9], np.int32), "context_lens": np.array([33, 101], np.int32)}
CUTS = np.array([0, 37, 37, 60], np.int32)


def run(spec, tensors, formulation):
    return KERNELS[spec, formulation].load()(**tensors)


def paged_tensors(spec=PAGED):
    tensors = random_tensors(spec)
    table = np.full((2, 9), -1, np.int32)
    table[0, :3], table[1, :7] = [5, 2, 9], [1, 3, 4, 8, 7, 11, 6]
    lens = {"block_table": table, "context_lens": LENS["context_lens"]}
    return {**tensors, **lens}


def poisoned(tensors, places, poison):
    """A copy of the tensors, with the poison at the places by name."""
    changed = {name: array.copy() for name, array in tensors.items()}
    for name, place in places:
        changed[name][place] = poison
    return changed


def both(place, names=("key", "value")):
    return [(name, place) for name in names]


@FORMULATIONS
@POISONS
@pytest.mark.parametrize("spec", [RAGGED, WITH_SINKS], ids=["plain", "sinks"])
def test_rows_that_see_nothing_are_zeros_whatever_others_of_their_block_see(
    formulation, poison, spec
):
    tensors = {**random_tensors(spec), **LENS}
    output, _ = run(spec, poisoned(tensors, [("value", np.s_[1, :, 5])], poison), formulation)
    assert not np.isfinite(output[1, :, :9].astype(np.float32)).all()
    np.testing.assert_array_equal(output[1, :, 9:], 0)


@FORMULATIONS
@POISONS
@pytest.mark.parametrize("spec", [RAGGED, IN_BF16], ids=["f32", "bf16"])
def test_what_lies_beyond_a_length_is_hidden(formulation, poison, spec):
    tensors = {**random_tensors(spec), **LENS}
    places = [*both(np.s_[0, :, 33:]), *both(np.s_[1, :, 101:]), ("query", np.s_[1, :, 9:])]
    for before, after in zip(
        run(spec, tensors, formulation),
        run(spec, poisoned(tensors, places, poison), formulation),
        strict=True,
    ):
        np.testing.assert_array_equal(before, after)


@FORMULATIONS
@POISONS
@pytest.mark.parametrize("block_size", BLOCK_SIZES)
def test_other_blocks_and_unused_slots_are_hidden(formulation, poison, block_size):
    spec = BLOCK_SIZES[block_size]
    tensors = random_tensors(spec)
    used = np.random.default_rng(3).permutation(400)
    table = np.full((2, spec.max_blocks), -1, np.int32)
    free = np.ones((400, block_size), bool)
    for b, length in enumerate(LENS["context_lens"]):
        blocks = used[b * 150 :][: -(-length // block_size)]
        table[b, : len(blocks)] = blocks
        for token in range(length):
            free[blocks[token // block_size], token % block_size] = False
    tensors |= {"block_table": table, "context_lens": LENS["context_lens"]}
    clean, dirty = tensors, poisoned(tensors, [], poison)
    for name in ("key_cache", "value_cache"):
        dirty[name].transpose(0, 2, 1, 3)[free] = poison
    np.testing.assert_array_equal(run(spec, clean, formulation), run(spec, dirty, formulation))


@FORMULATIONS
@POISONS
def test_other_sequences_and_padding_are_hidden(formulation, poison):
    tensors = {**random_tensors(PACKED), "cu_seqlens_q": CUTS, "cu_seqlens_k": CUTS}
    places = [*both(np.s_[37:], ("query", "key", "value"))]
    clean = run(PACKED, tensors, formulation)
    found = run(PACKED, poisoned(tensors, places, poison), formulation)
    np.testing.assert_array_equal(found[:37], clean[:37])
    np.testing.assert_array_equal(found[60:], 0)


@FORMULATIONS
@POISONS
@pytest.mark.parametrize("spec", [SPEC, ALONE], ids=["prefill", "decode"])
def test_keys_hidden_by_position_are_hidden(formulation, poison, spec):
    """A step beyond what a block of queries sees is not read; a hidden key never counts."""
    tensors = random_tensors(spec)
    hidden = np.s_[:, :, 140:] if spec is SPEC else np.s_[:, :, :599]
    rows = np.s_[:, :, : 70 - 10] if spec is SPEC else np.s_[:]
    found = run(spec, poisoned(tensors, [("key", hidden)], poison), formulation)
    np.testing.assert_array_equal(found[rows], run(spec, tensors, formulation)[rows])
    found = run(spec, poisoned(tensors, [("value", hidden)], poison), formulation)[rows]
    clean = run(spec, tensors, formulation)[rows]
    # 0 * NaN may spoil queries of the same block, but not to zeros.
    assert np.all(np.isnan(found) | (found == clean))


@FORMULATIONS
@pytest.mark.parametrize("name", ["query", "key", "value"])
@pytest.mark.parametrize("spec", [SPEC, DECODE], ids=["prefill", "decode"])
def test_a_nan_that_is_seen_makes_its_rows_nan(formulation, name, spec):
    tensors = random_tensors(spec)
    place = (1, 0, 0) if name == "query" else (1, 0, 3)
    found = run(spec, poisoned(tensors, [(name, place)], np.nan), formulation)
    rows = found[1, :1, :1] if name == "query" else found[1, :2]
    assert np.all(np.isnan(rows))
    np.testing.assert_array_equal(found[0], run(spec, tensors, formulation)[0])


@FORMULATIONS
def test_a_row_of_lowest_biases_gives_the_mean(formulation):
    tensors = random_tensors(BIASED)
    tensors["query"][...] = 0
    tensors["bias"][...] = np.finfo(np.float32).min
    mean = tensors["value"].mean(axis=2, keepdims=True).repeat(2, axis=1)
    found = run(BIASED, tensors, formulation)
    np.testing.assert_allclose(found, np.broadcast_to(mean, found.shape), atol=1e-6)


@FORMULATIONS
def test_only_minus_infinity_hides_by_bias(formulation):
    tensors = random_tensors(BIASED_WITH_LSE)
    tensors["bias"][...] = 0
    tensors["bias"][0, 0, 3] = -np.inf
    tensors["bias"][0, 0, 4, 7] = np.inf
    output, lse = run(BIASED_WITH_LSE, tensors, formulation)
    np.testing.assert_array_equal(output[:, :, 3], 0)
    np.testing.assert_array_equal(lse[:, :, 3], -np.inf)
    assert np.all(np.isnan(output[:, :, 4]))


@FORMULATIONS
@POISONS
def test_keys_hidden_by_bias_are_hidden(formulation, poison):
    """The sum of a bias and a logit would hide neither NaN nor infinities."""
    tensors = random_tensors(BIASED_WITH_LSE)
    tensors["bias"][..., 5] = tensors["bias"][0, 0, :30, 80] = -np.inf
    places = [("key", np.s_[:, :, 5]), ("key", np.s_[:, :, 80])]
    clean = run(BIASED_WITH_LSE, tensors, formulation)
    changed = poisoned(tensors, places, poison)
    found = run(BIASED_WITH_LSE, changed, formulation)
    with np.errstate(invalid="ignore"):
        expected = reference(BIASED_WITH_LSE, changed)
    for before, after, right in zip(clean, found, expected, strict=True):
        np.testing.assert_array_equal(after[:, :, :30], before[:, :, :30])
        np.testing.assert_allclose(after, right, rtol=1e-4, atol=1e-5)
        assert np.isnan(after[:, :, 30:]).any()


@FORMULATIONS
@pytest.mark.parametrize("sinks", [False, True])
def test_rows_that_see_nothing(formulation, sinks):
    spec = WITH_SINKS if sinks else RAGGED
    lens = {"q_lens": np.array([70, 9], np.int32), "context_lens": np.array([0, 101], np.int32)}
    tensors = {**random_tensors(spec), **lens}
    output, lse = run(spec, tensors, formulation)
    expected = tensors["sinks"][:, None] if sinks else -np.inf
    np.testing.assert_array_equal(output[0], 0)
    np.testing.assert_array_equal(output[1, :, 9:], 0)
    np.testing.assert_allclose(lse[0], np.broadcast_to(expected, lse[0].shape), atol=1e-6)
    np.testing.assert_allclose(lse[1, :, 9:], np.broadcast_to(expected, (4, 61)), atol=1e-6)


@FORMULATIONS
def test_bits_do_not_depend_on_company(formulation):
    """Alone or in a batch, in any place of it, with any table."""
    tensors = paged_tensors()
    together = run(PAGED, tensors, formulation)
    for b, spec in enumerate(IN_NO_COMPANY):
        alone = {name: tensors[name][b : b + 1] for name in ("query", "context_lens")}
        table = np.full((1, spec.max_blocks), -1, np.int32)
        table[0, :9] = tensors["block_table"][b]
        caches = {name: tensors[name] for name in ("key_cache", "value_cache")}
        found = run(spec, {**alone, **caches, "block_table": table}, formulation)
        np.testing.assert_array_equal(found[0], together[b])


@FORMULATIONS
def test_pages_before_a_window_are_no_ones(formulation):
    tensors = random_tensors(IN_A_WINDOW)
    length, table = 108, np.arange(1, 31, dtype=np.int32)[None]
    tensors |= {"block_table": table, "context_lens": np.array([length], np.int32)}
    (expected,) = reference(IN_A_WINDOW, tensors)
    table[:, : (length - 70 - 9) // 4] = -1
    # Entries that name no block are read as block 0, which may hold anything.
    tensors = poisoned(tensors, both(np.s_[0], ("key_cache", "value_cache")), np.nan)
    output = run(IN_A_WINDOW, tensors, formulation)
    np.testing.assert_allclose(output, expected, rtol=1e-4, atol=1e-5)
