"""What intervals say that a mask shows of a rectangle of scores, beside the mask itself."""

import operator
import random

import numpy as np
import pytest

from irattn import AttentionSpec, masks
from irattn.reference.expressions import evaluate
from irattn.rendering.attention.mask_bounds import mask_bounds
from support.expression_draws import Drawn

SIZES = {"batch": 2, "head": 4, "query": 60, "key": 70}
FLAGS, NUMBERS = np.zeros((4, 72), bool), np.zeros(72, np.int32)
FLOATS = np.zeros((72, 72), np.float32)
WIDTHS, STARTS = np.zeros(4, np.int32), np.zeros(2, np.int32)
VALUES = {
    "captured_FLOATS": np.random.default_rng(2).standard_normal((72, 72)).astype(np.float32),
    "captured_FLAGS": np.random.default_rng(0).random((4, 72)) < 0.5,
    "captured_NUMBERS": np.random.default_rng(1).integers(-9, 99, 72, dtype=np.int32),
    "captured_WIDTHS": np.array([3, 9, 20, 70], np.int32),
    "captured_STARTS": np.array([0, 30], np.int32),
}
VALUES |= {name.lower(): array for name, array in VALUES.items()}

OPERATIONS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "floor_div": operator.floordiv,
    "shift": operator.rshift, "minimum": min, "maximum": max, "and": operator.and_,
    "or": operator.or_, "lt": operator.lt, "le": operator.le, "eq": operator.eq, "to_int": int,
    "not": operator.not_, "where": lambda is_first, one, other: one if is_first else other,
    "least": min, "greatest": max,
}  # fmt: skip


def bounds_of(mask_mod, is_of_one_head=True):
    sizes = {"num_q_heads": 4, "batch": 2, "q_len": 60, "kv_len": 70}
    spec = AttentionSpec(**sizes, num_kv_heads=2, head_dim=16, mask_mod=mask_mod)
    return mask_bounds(spec, "some", is_of_one_head=is_of_one_head), spec.mask_mod


def told(bounds, rectangle):
    """What the steps say: whether scores may be shown, and whether they must."""
    numbers = {}
    for name, (first, last) in rectangle.items():
        numbers[f"%some_{name}_first"], numbers[f"%some_{name}_last"] = first, last
    for step in bounds.steps:
        given = [numbers[one] for one in step.operands]
        if step.op == "constant":
            numbers[step.name] = step.value
        elif step.op == "read":
            numbers[step.name] = VALUES[step.array.name].ravel()[given[0]].item()
        elif step.op in ("least", "greatest"):
            run = VALUES[step.array.name].ravel()[given[0] : given[1] + 1]
            numbers[step.name] = OPERATIONS[step.op](run.tolist())
        else:
            numbers[step.name] = OPERATIONS[step.op](*given)
    may = numbers[bounds.may] if bounds.may else True
    return may, numbers[bounds.must] if bounds.must else False


def rectangles(pick, single, count):
    for _ in range(count):
        ends = {name: sorted(pick.choices(range(size), k=2)) for name, size in SIZES.items()}
        for name in ("query", "key"):
            first = ends[name][0]
            ends[name] = [first, min(SIZES[name] - 1, first + pick.choice([0, 3, 7, 40]))]
        yield {name: [one, one if name in single else other] for name, (one, other) in ends.items()}


def checked(mask_mod, pick, count, is_of_one_head=True):
    """How often what is told holds, and is all there is to tell, and how often it tells any."""
    bounds, mask = bounds_of(mask_mod, is_of_one_head)
    exact, known = 0, 0
    for rectangle in rectangles(pick, bounds.single, count) if bounds else ():
        spans = [np.arange(first, last + 1) for first, last in rectangle.values()]
        names = zip(rectangle, np.meshgrid(*spans, indexing="ij"), strict=True)
        shown = evaluate(mask, VALUES, dict(names))
        may, must = told(bounds, rectangle)
        assert may or not shown.any(), mask
        assert not must or shown.all(), mask
        exact += (may, must) == (shown.any(), shown.all())
        known += must or not may
    return exact, known


@pytest.mark.parametrize("is_of_one_head", [True, False])
def test_bounds_hold_of_random_masks(is_of_one_head):
    pick = random.Random(1)
    draws = (Drawn(seed, FLOATS, FLAGS, NUMBERS, depth=seed % 4) for seed in range(150))
    counts = [checked(one.mask_mod, pick, 9, is_of_one_head) for one in draws]
    assert sum(known for _, known in counts) > 100


def doubled(batch, head, query, key):
    return (2 * (query - key) <= 20) & (key - query < 5)


def by_head(batch, head, query, key):
    return abs(query - key) <= WIDTHS[head]


def pixels(batch, head, query, key):
    return (abs(query // 8 - key // 8) <= 1) & (abs(query % 8 - (key >> 0) % 8) <= 7)


def behind_start(batch, head, query, key):
    return (key >= STARTS[batch]) & ~(key > query)


@pytest.mark.parametrize(
    "mask", [doubled, by_head, pixels, behind_start, masks.causal | masks.prefix(9)]
)
def test_bounds_of_usual_masks_tell_nearly_all(mask):
    exact, known = checked(mask, random.Random(0), 400)
    assert exact > 280
    assert known > 100


DOCUMENTS = np.zeros(72, np.int32)
VALUES |= {"captured_DOCUMENTS": np.arange(72, dtype=np.int32) // 9}
LONG, SQUARE = np.zeros(9000, bool), np.zeros((72, 72), bool)
VALUES |= {"captured_LONG": np.ones(9000, bool)}


def documents(batch, head, query, key):
    return DOCUMENTS[query] == DOCUMENTS[key]


def shown_keys(batch, head, query, key):
    return FLAGS[head, key]


def of_same_document_behind(batch, head, query, key):
    return (DOCUMENTS[query] == DOCUMENTS[key]) & (key <= query)


@pytest.mark.parametrize("mask", [documents, shown_keys, of_same_document_behind])
def test_bounds_of_arrays_are_those_of_their_elements(mask):
    exact, known = checked(mask, random.Random(0), 400)
    assert exact > 280
    assert known > 100


def test_bounds_look_through_no_more_elements_than_some():
    def spread(batch, head, query, key):
        return LONG[key * 100]

    bounds, _ = bounds_of(spread)
    assert told(bounds, {"key": (3, 12)}) == (True, True)
    assert told(bounds, {"key": (3, 14)}) == (True, False)


def test_masks_of_whole_tables_and_of_floats_have_no_bounds():
    assert bounds_of(lambda batch, head, query, key: FLOATS[query, key] > 0)[0] is None
    assert bounds_of(lambda batch, head, query, key: SQUARE[query, key])[0] is None


def test_bounds_say_nothing_of_indices_that_count_from_both_ends():
    assert bounds_of(lambda batch, head, query, key: FLAGS[head, key - 9])[0] is None
