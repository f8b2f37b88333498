"""Logits to tokens that are drawn: by the softmax, the same bits everywhere."""

import numpy as np
import pytest

import irattn
from irattn import DrawnChoiceSpec, GreedyChoiceSpec
from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.reference import reference
from irattn.reference.drawn_choice import philox, weights_of
from support.joined import together

ROWS = 2048
SPEC = DrawnChoiceSpec(batch=3, q_len=2, vocab_size=37, io_dtype="f32")
MANY = SPEC.replace(batch=ROWS, q_len=1, dynamic=("batch",))
PARTS = SPEC.replace(batch=2, q_len=1, vocab_size=1500)
COMPILED = together(
    [
        MANY,
        SPEC,
        # With nothing to fill up, and of several parts.
        SPEC.replace(batch=1, vocab_size=2**10),
        PARTS,
        *(PARTS.replace(io_dtype=io_dtype, dynamic=("batch",)) for io_dtype in ("f16", "bf16")),
    ]
)
IDS = [str(one) for one in COMPILED]
OF_MANY, OF_TOKENS, OF_WHOLE_PART, *OF_PARTS = COMPILED


def row(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, shape=(ROWS, 1), seed=0):
    """What a call takes besides logits, the same for all rows; each row is a step."""
    steps = np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    return {
        "temperature": np.full(shape, temperature, np.float32),
        "top_k": np.full(shape, top_k, np.int32),
        "top_p": np.full(shape, top_p, np.float32),
        "min_p": np.full(shape, min_p, np.float32),
        "seeds": np.stack(
            [np.full(shape, seed, np.int32), np.full(shape, 9, np.int32), steps], axis=-1
        ),
    }


def test_random_numbers_are_those_of_their_authors():
    """The known answers of Random123."""
    ones, digits = 2**32 - 1, (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
    for key, counter, expected in (
        ((0, 0), (0,) * 4, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((ones,) * 2, (ones,) * 4, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        ((0xA4093822, 0x299F31D0), digits, "d16cfe09 94fdcceb 5001e420 24126ea1"),
    ):
        assert " ".join(f"{word:08x}" for word in philox(key, counter)) == expected


def test_weights_are_powers_of_two():
    """Of all fractions of a distance; none is larger than that of a smaller distance."""
    units = np.arange(32 * 2**16, dtype=np.float64)
    # At this temperature a logit is a distance.
    weights = weights_of((-units / 2**16).astype(np.float32), np.float32(np.log2(np.e)))
    np.testing.assert_allclose(weights / 2**31, 2.0 ** (-units / 2**16), 2**-23, 2**-31)
    assert (np.diff(weights) <= 0).all()
    assert weights[0] == 2**31
    assert weights[31 * 2**16] == 1


@pytest.mark.slow
@pytest.mark.parametrize("one", COMPILED[1:], ids=IDS[1:])
def test_compiled_code_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict
    assert verdict.accuracy.max_abs == 0


def test_compiled_code_has_the_known_random_numbers():
    """Of equal logits it is their highest bits that choose: those of 0xE169C58D."""
    given = row(shape=(1, 2))
    given["seeds"][..., 1] = 0
    tokens = OF_WHOLE_PART.load()(logits=np.full((1, 2, 1024), 2.5, np.float32), **given)
    assert tokens[0, 0] == 0xE169C58D >> 22
    assert tokens[0, 0] != tokens[0, 1]


@pytest.mark.parametrize("temperature", [0.6, 1.0, 3.0])
def test_tokens_are_as_frequent_as_they_are_likely(temperature):
    """Pearson's chi-square with 36 degrees of freedom: above 68 once in a thousand."""
    logits = np.random.default_rng(1).standard_normal(37).astype(np.float32)
    likelihoods = np.exp(logits / np.float64(temperature))
    expected = ROWS * likelihoods / likelihoods.sum()
    given = row(temperature)
    for seeds in (given["seeds"], given["seeds"][..., ::-1].copy()):
        tokens = OF_MANY.load()(
            **{**given, "logits": np.tile(logits, (ROWS, 1, 1)), "seeds": seeds}
        )
        counts = np.bincount(tokens.ravel(), minlength=37)
        assert ((counts - expected) ** 2 / expected).sum() < 68


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"top_k": 1}, [3]),
        ({"top_k": 3}, [3, 9, 0]),
        ({"top_p": 0.5}, [3, 9]),
        ({"top_p": 0.0}, [3]),
        ({"min_p": 0.2}, [3, 9, 0]),
        ({"top_k": 4, "top_p": 0.5}, [3, 9]),
        ({"top_k": 3, "min_p": 0.5}, [3, 9]),
        ({"temperature": 1e-3}, [3]),
        ({"temperature": 2**-18}, [3]),
        ({"min_p": 1.0}, [3]),
        # What turns filters off.
        ({"top_k": -1, "top_p": 2.0, "min_p": -1.0}, range(37)),
        ({"top_k": 37, "top_p": np.nan, "min_p": np.nan}, range(37)),
    ],
)
def test_tokens_are_drawn_from_those_that_filters_leave(filters, kept):
    """The likeliest have 0.4, 0.3 and 0.1 of all likelihood, the others as much each."""
    likelihoods = np.full(37, 0.2 / 34)
    likelihoods[[3, 9, 0]] = 0.4, 0.3, 0.1
    logits = np.tile(np.log(likelihoods).astype(np.float32), (ROWS, 1, 1))
    tokens = OF_MANY.load()(logits=logits, **row(**filters, seed=5))
    assert set(tokens.ravel().tolist()) == set(kept)


def test_of_equal_logits_the_first_are_kept():
    logits = np.full((ROWS, 1, 37), -1.0, np.float32)
    logits[..., [4, 7, 30]] = 0.0
    logits[..., 5] = -0.0
    for filters in (
        {"top_k": 3},
        {"min_p": 0.9, "top_k": 3},
        {"top_p": 0.65, "min_p": 0.9, "top_k": 4},
    ):
        tokens = OF_MANY.load()(logits=logits, **row(**filters))
        assert set(tokens.ravel().tolist()) == {4, 5, 7}


def test_odd_numbers_are_what_the_reference_says():
    """Infinities and NaN among logits, in every row beside numbers, and as temperatures."""
    rng = np.random.default_rng(2)
    logits = rng.standard_normal((ROWS, 1, 37)).astype(np.float32)
    odd = np.array([np.inf, -np.inf, np.nan, -np.nan, 1e-40, -0.0, 3e38, -3e38], np.float32)
    logits[np.arange(ROWS), 0, rng.integers(0, 37, ROWS)] = odd[np.arange(ROWS) % len(odd)]
    logits[:8] = -np.inf
    given = row()
    choices = [1.0, 0.7, np.inf, 1e30, 0.0, -1.0, np.nan, 1e-4]
    given["temperature"][:] = rng.choice(choices, (ROWS, 1))
    given["top_p"][:] = rng.choice([0.9, 1.0, np.nan, -np.inf], (ROWS, 1))
    given["logits"] = logits
    (expected,) = reference(MANY, given)
    np.testing.assert_array_equal(OF_MANY.load()(**given), expected)
    has_nan = np.isnan(logits).any(axis=-1)
    np.testing.assert_array_equal(expected[has_nan], logits.argmax(axis=-1)[has_nan])


def test_temperature_0_is_greedy():
    logits = np.random.default_rng(3).integers(0, 9, (3, 2, 37)).astype(np.float32)
    tokens = OF_TOKENS.load()(logits=logits, **row(0.0, shape=(3, 2)))
    (expected,) = reference(
        GreedyChoiceSpec(batch=3, q_len=2, vocab_size=37, io_dtype="f32"), {"logits": logits}
    )
    np.testing.assert_array_equal(tokens, expected)


def test_a_row_depends_on_nothing_but_its_own_numbers():
    """Alone, in company, and in another place: the same token."""
    kernel = OF_MANY.load()
    given = row(0.8, 9, 0.9, 0.01, shape=(5, 1), seed=-7)
    given["logits"] = np.random.default_rng(4).standard_normal((5, 1, 37), np.float32)
    tokens = kernel(**given)
    assert len(set(tokens.ravel().tolist())) > 1
    alone = [kernel(**{name: array[n : n + 1] for name, array in given.items()}) for n in range(5)]
    np.testing.assert_array_equal(np.concatenate(alone), tokens)
    turned = kernel(**{name: np.ascontiguousarray(array[::-1]) for name, array in given.items()})
    np.testing.assert_array_equal(turned[::-1], tokens)


def test_waves_add_up_what_each_has():
    """A row of three waves, with equal logits in several of them."""
    spec = DrawnChoiceSpec(batch=2, q_len=1, vocab_size=270, dynamic=("batch",))
    logits = np.random.default_rng(5).integers(-40, 9, (2, 1, 270)).astype(np.float16)
    given = {"logits": logits / np.float16(4), **row(2.0, 90, 0.9, shape=(2, 1), seed=3)}
    kernel = irattn.load(spec, target="gfx1100", device="emulator")
    np.testing.assert_array_equal(kernel(**given), reference(spec, given)[0])


def test_another_shape_is_refused():
    given = {**row(shape=(3, 2)), "logits": np.zeros((3, 2, 37), np.float32)}
    with pytest.raises(
        ArgumentError, match=r"seeds: expected i32 or i64 \[3, 2, 3\], got i32 \[3, 2\]"
    ):
        OF_TOKENS.load()(**{**given, "seeds": given["top_k"]})


@pytest.mark.parametrize("one", OF_PARTS, ids=["f32", "f16", "bf16"])
def test_a_token_of_any_logit_is_found(one):
    """The only one that is not minus infinity, in the second part."""
    element = dtype(one.graph.spec.io_dtype).numpy
    kernel = one.load()
    for number in (65000.0, -65000.0, 0.0, -1e-7, np.inf):
        logits = np.full((2, 1, 1500), -np.inf).astype(element)
        logits[..., 1400] = number
        np.testing.assert_array_equal(kernel(logits=logits, **row(0.5, 1, 0.5, shape=(2, 1))), 1400)
