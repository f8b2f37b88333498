"""Functions of floats that scores may be of, one by one: what kernels make of them."""

import math

import numpy as np
import pytest

import irattn
from irattn import AttentionSpec
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.reference.expressions import evaluate
from irattn.specs.expressions import derivative_of
from support.against_reference import assert_meets_reference
from support.joined import artifact_of

NUMBERS = np.array(
    [
        *(0, 1e-8, -1e-8, 3e-4, -0.02, 0.5, -0.5, 0.9, 1.5, 2.5, -3.5, 3.1415927, -7, 31.4),
        *(1000.25, 12345.678, -99999.5, 2**20 - 0.0625),
    ],
    np.float32,
)
NUMBERS_OF_POWERS = np.array([0, -0.0, 0.3, 1, 2.5, 3, 10, -1, -0.5, -2, -3, -10], np.float32)
EXPONENTS = np.array([0, 0.5, 1.5, 2, 3, 7, -1, -1.5, np.inf, -np.inf, np.nan], np.float32)


def _small(number):
    return np.minimum(np.maximum(number, -20.0), 20.0)


def _erf(number):
    if isinstance(number, np.ndarray):
        return np.vectorize(math.erf)(number)
    return number.of.note("erf", number)


# Each of a number of f32, and of an int that counts them.
WORDS = {
    "sin": lambda x, n: np.sin(x),
    "cos": lambda x, n: np.cos(x),
    "erf": lambda x, n: _erf(x),
    "log1p": lambda x, n: np.log1p(abs(x)) - np.log1p(_small(x) * 0.04),
    "expm1": lambda x, n: np.expm1(_small(x)),
    "rounded": lambda x, n: np.floor(x) + np.ceil(x) * 2 + np.trunc(x) * 4 + np.rint(x) * 8,
    "whole": lambda x, n: (x * 1.5).astype(np.int32) % 7 + n,
    "divided": lambda x, n: (9 - 3 * n) // (n - 4) + 100 * ((5 - n) % (n - 7)) + (n // (n + 1)),
    "of C": lambda x, n: np.fmod(7 - n, 4 - n) + 10 * np.fmod(n - 9, 4) + np.fmod(_small(x), 0.75),
    "by floats": lambda x, n: _small(x) // 0.75 + (n - 9) % 2.5,
}


def _spec(function, queries):
    """A single key, whose logit is the log-sum-exp of a row."""
    sizes = {"num_q_heads": 1, "num_kv_heads": 1, "head_dim": 64, "kv_len": 1, "q_len": queries}
    return AttentionSpec(**sizes, return_lse=True, score_mod=function)


def _of_table(word):
    def function(score, batch, head, query, key):
        return 0 * score + word(NUMBERS[query], query)

    return _spec(function, len(NUMBERS))


def _made_power(query):
    count = len(EXPONENTS)
    return NUMBERS_OF_POWERS[query // count] ** EXPONENTS[query % count]


def _power(score, batch, head, query, key):
    return _made_power(query) + 0 * score


def _is_negative(score, batch, head, query, key):
    """A zero that is negative is the reciprocal of an infinity that is."""
    power = _made_power(query)
    return np.where((power < 0) | (1.0 / power < 0), 1.0, 2.0) + 0 * score


OF_POWERS = {"power": _power, "sign of a power": _is_negative}
SPECS = {
    **{name: _of_table(word) for name, word in WORDS.items()},
    **{
        name: _spec(word, NUMBERS_OF_POWERS.size * EXPONENTS.size)
        for name, word in OF_POWERS.items()
    },
}
CAPTURED = {"NUMBERS": NUMBERS, "NUMBERS_OF_POWERS": NUMBERS_OF_POWERS, "EXPONENTS": EXPONENTS}


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("target", ["cpu", "gfx1100"])
def test_words_of_floats_are_what_they_say(target, name):
    spec = SPECS[name]
    device = "local-sync" if target == "cpu" else "emulator"
    kernel = irattn.load(artifact_of(spec, list(SPECS.values()), target), device=device)
    tensors = random_tensors(spec)
    tensors |= {one.name: CAPTURED[one.name[9:]] for one in spec.inputs[3:]}
    found = kernel.outputs(**tensors)[1].reshape(-1)
    with np.errstate(all="ignore"):
        if name in OF_POWERS:
            wide = NUMBERS_OF_POWERS.astype(np.float64)[:, None] ** EXPONENTS
            if name != "power":
                wide = np.where((wide < 0) | (1 / wide < 0), 1.0, 2.0)
        else:
            wide = WORDS[name](NUMBERS.astype(np.float64), np.arange(len(NUMBERS)))
    wide = wide.reshape(-1)
    # What becomes infinite is no log-sum-exp.
    is_finite = np.isfinite(wide)
    np.testing.assert_allclose(reference(spec, tensors)[1].reshape(-1)[is_finite], wide[is_finite])
    np.testing.assert_allclose(found[is_finite], wide[is_finite], rtol=5e-6, atol=1e-9)


def _bent(score, batch, head, query, key):
    near = np.sin(score) + np.cos(key * 0.3) * _erf(score) + np.log1p(abs(score))
    return 0.2 * near + abs(score) ** 1.5 * 0.1 + np.expm1(np.minimum(score, 1.0)) + score.floor()


WIDTHS = np.zeros(2, np.int32)


def _of_one_bucket(batch, head, query, key):
    """Buckets as wide as an array says, and the logarithmic ones of T5."""
    own = query // WIDTHS[head] == key // WIDTHS[head]
    far = (np.log(abs(query - key) + 1.0) * 2.5).astype(np.int32)
    return own | (far % 3 == 1) & (key % WIDTHS[head] != 0)


SIZES = {"num_q_heads": 2, "num_kv_heads": 1, "q_len": 20, "kv_len": 33, "head_dim": 64}
GRADIENT = irattn.AttentionBackwardSpec(**SIZES, io_dtype="f32", score_mod=_bent)
BENT = AttentionSpec(**SIZES, io_dtype="f32", score_mod=_bent)
BUCKETS = AttentionSpec(**SIZES, mask_mod=_of_one_bucket)


@pytest.mark.parametrize("target", ["cpu", "gfx1100", "gfx942"])
def test_masks_by_numbers_that_are_not_known(target):
    device = "local-sync" if target == "cpu" else "emulator"
    kernel = irattn.load(irattn.compile(BUCKETS, target=target), device=device)
    tensors = random_tensors(BUCKETS) | {"captured_WIDTHS": np.array([7, 5], np.int32)}
    assert_meets_reference(BUCKETS, kernel, tensors, atol=0.004)


def test_their_gradients_on_a_cpu():
    kernel = irattn.load(irattn.compile(GRADIENT, target="cpu"))
    assert_meets_reference(GRADIENT, kernel, random_tensors(GRADIENT), atol=2e-5)


def test_their_derivatives_by_differences():
    score = np.linspace(-3.01, 2.97, 40)
    names = {"score": score, "key": np.arange(40)}
    ahead, behind = (
        evaluate(BENT.score_mod, {}, {**names, "score": score + step}) for step in (1e-6, -1e-6)
    )
    found = evaluate(derivative_of(BENT.score_mod), {}, names)
    np.testing.assert_allclose(found, (ahead - behind) / 2e-6, atol=1e-6)
