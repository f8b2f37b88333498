"""Divisions by constants as products: equal to quotients, and of NVIDIA's targets alone."""

import numpy as np
import pytest

from irattn import AttentionBackwardSpec, AttentionSpec, BlockMaskSpec, compile, render
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import NumberPlace

SIZES = {"num_q_heads": 2, "num_kv_heads": 1, "q_len": 64, "kv_len": 64, "head_dim": 32}
PLACES = {name: NumberPlace(f"%{name}", "score") for name in ("score", "batch", "head", "query")}
PLACES |= {name: NumberPlace(f"%{name}", "score") for name in ("first_key", "offset")}


def multiply_high(number, other):
    unsigned = (one.astype(np.uint32).astype(np.uint64) for one in (number, other))
    return (np.multiply(*unsigned) >> np.uint64(32)).astype(np.uint32).view(np.int32)


MEANINGS = {
    **{"multiply_high": multiply_high, "shift": np.right_shift, "xor": np.bitwise_xor},
    **{"mul": np.multiply, "sub": np.subtract, "add": np.add, "and": np.bitwise_and},
    "to_float": lambda number: number.astype(np.float64),
}


def made_by_steps(change, queries, scores):
    """What the steps of a change of scores that have no quotient give for queries."""
    spec = AttentionSpec(**SIZES, score_mod=change)
    function = score_functions(spec, PLACES, ("score",), multiplies_shares=True)["score_mod"]
    known = {"%query": queries, "%score": scores}
    for step in function.steps:
        if step.op == "constant":
            kind = np.int32 if step.kind == "int" else np.float64
            known[step.name] = np.full(queries.shape, step.value, kind)
        else:
            known[step.name] = MEANINGS[step.op](*(known[one] for one in step.operands))
    return known[function.result]


def numbers_near(divisor):
    """Numbers of int32 beside multiples of a divisor: small ones, some, and the largest."""
    rng = np.random.default_rng(divisor)
    most = (2**31 - 1) // divisor
    multiples = np.concatenate(
        [np.arange(min(9, most)), most - np.arange(min(9, most)), rng.integers(0, most + 1, 40)]
    )
    near = (multiples[:, None] * divisor + np.arange(-2, 3)).ravel()
    near = np.concatenate([near, -near, [0, -1, 2**31 - 1, -(2**31)]])
    return np.clip(near, -(2**31), 2**31 - 1).astype(np.int32)


# A number that bits are turned with, and back.
TURNED = 5

# All that are small, those around powers of two, and the largest.
DIVISORS = [
    *range(1, 2001),
    *(2**bits + one for bits in range(11, 31) for one in (-1, 0, 1)),
    2**31 - 1,
]


def test_products_are_quotients():
    """Of numbers that may be below 0, as any may be behind an exclusive or."""
    for divisor in DIVISORS:
        queries = numbers_near(divisor)
        quotients, rests = (
            made_by_steps(change, queries, np.zeros(queries.shape))
            for change in (
                lambda score, b, h, q, k, by=divisor: score + (q ^ TURNED ^ TURNED) // by,
                lambda score, b, h, q, k, by=divisor: score + (q ^ TURNED ^ TURNED) % by,
            )
        )
        assert np.array_equal(quotients, queries // divisor), divisor
        assert np.array_equal(rests, queries % divisor), divisor


def test_products_of_numbers_not_below_0():
    for divisor in DIVISORS:
        queries = np.maximum(numbers_near(divisor), 0)
        change = lambda score, b, h, q, k, by=divisor: score + q // by  # noqa: E731
        quotients = made_by_steps(change, queries, np.zeros(queries.shape))
        assert np.array_equal(quotients, queries // divisor), divisor


def small_rest(score, batch, head, query, key):
    return score + ((query + key) & 15) % 3


def small_share(batch, head, query, key):
    return ((query ^ key) & 31) // 5 != 1


def below_0(score, batch, head, query, key):
    return score + ((query & 7) - (key & 7)) // 3


KINDS = np.arange(7, dtype=np.int32)


def small_index(batch, head, query, key):
    return KINDS[((query + key) & 31) // 5] != 1


SPECS = [
    AttentionSpec(**SIZES, score_mod=small_rest),
    AttentionSpec(**SIZES, mask_mod=small_share),
    AttentionSpec(**{**SIZES, "q_len": 1}, score_mod=below_0),
    AttentionSpec(**SIZES, io_dtype="f32", score_mod=small_rest),
    AttentionBackwardSpec(**SIZES, score_mod=small_rest),
    AttentionBackwardSpec(**SIZES, score_mod=below_0, mask_mod=small_share),
    AttentionBackwardSpec(**SIZES, io_dtype="f32", score_mod=small_rest),
    BlockMaskSpec(num_q_heads=2, q_len=256, kv_len=256, mask_mod=small_index),
]
DIVISIONS = ("arith.remui", "arith.divui", "arith.floordivsi")


@pytest.mark.parametrize("spec", SPECS, ids=range(len(SPECS)))
def test_nvidia_has_products(spec):
    """Of quotients of small numbers, in pairs, the compiler makes what it has no code for."""
    for target in ("sm_80", "sm_89"):
        compile(spec, target=target)


@pytest.mark.parametrize("spec", SPECS, ids=range(len(SPECS)))
@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "x86-64-v3"])
def test_other_targets_have_quotients(spec, target):
    text = render(spec, target=target)
    assert any(division in text for division in DIVISIONS)
    assert "arith.mului_extended" not in text
