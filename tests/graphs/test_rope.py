"""Rotary position embedding: its frequencies and its reference by hand, what the compiled graphs
compute, and relations that hold whatever the numbers are."""

import numpy as np
import pytest

from irattn import RopeSpec
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, RenderError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.reference import rope_frequencies as independent
from irattn.rendering import GraphRequest, render, rope_frequencies
from irattn.runtime import load_artifact
from irattn.runtime.arguments import check_arguments
from irattn.specs import apply_settings, spec_from_json
from irattn.specs.rope_scaling import LinearScaling, RopeScaling
from irattn.targets import get as get_target
from support.as_numpy import as_numpy
from support.joined import artifact_of, together

SPEC = RopeSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=7, head_dim=16, max_positions=131072,
    io_dtype="f32",
)  # fmt: skip
ONE_HEAD = SPEC.replace(batch=1, num_q_heads=1, num_kv_heads=1, q_len=1)
STYLES = pytest.mark.parametrize("style", ["rotate_half", "interleaved"])

LINEAR = {"rope_type": "linear", "factor": 4}
NTK = {"rope_type": "ntk", "factor": 3}
YARN = {"rope_type": "yarn", "factor": 4, "original_max_position": 4096}
LLAMA3 = {
    "rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
    "original_max_position": 1000,
}  # fmt: skip
LONGROPE = {
    "rope_type": "longrope", "factor": 4, "factors": [1, 2, 4, 8], "original_max_position": 16,
}  # fmt: skip
PROPORTIONAL = {"rope_type": "proportional", "factor": 2, "rotated_pairs": 2}
SCALINGS = [PROPORTIONAL, None, LINEAR, NTK, YARN, {**YARN, "truncate": False}, LLAMA3, LONGROPE]


FAR = {"batch": 1, "q_len": 512, "head_dim": 128, "max_positions": 2**31}
COMPUTED = {"rotary_dim": 8, "max_positions": 100, "scaling": YARN}
GIVEN = {"rotary_dim": 8, "max_positions": 100, "given_tables": True}
CALLED = [
    SPEC.replace(rope_style=style, **changes)
    for style in ("rotate_half", "interleaved")
    for changes in ({}, {"rotary_dim": 8}, {"num_kv_heads": 4}, FAR, COMPUTED, GIVEN)
]


def run(spec, tensors):
    return load_artifact(artifact_of(spec, CALLED, "cpu"), "cpu")(**tensors)


def frequencies_of(**fields):
    """What both sides say, after checking that they agree."""
    spec = SPEC.replace(**fields)
    found = independent.frequencies(spec)
    rendered = rope_frequencies.inverse_frequencies(spec)
    np.testing.assert_allclose(found, rendered, rtol=1e-13)
    factors = (
        independent.attention_factor(spec), rope_frequencies.attention_factor(spec.scaling)
    )  # fmt: skip
    assert factors[0] == pytest.approx(factors[1], rel=1e-14)
    return found, factors[0]


@pytest.mark.parametrize(
    ("scaling", "fields", "expected", "factor"),
    [
        (None, {"head_dim": 4}, [1, 0.01], 1),
        (LINEAR, {"head_dim": 4}, [0.25, 0.0025], 1),
        # 100 * 3 ** (4 / 2) = 900, whose root is 30.
        (NTK, {"head_dim": 4, "theta": 100}, [1, 1 / 30], 1),
        # Pairs 1.31 and 2.81 make 32 turns and 1 turn in 4096 tokens: pairs 1 and 3 after
        # truncation, and pair 2 is half way between.
        (YARN, {"head_dim": 8}, [1, 0.1, 0.01 * (1 + 1 / 4) / 2, 0.001 / 4], 1.138629436111989),
        ({**YARN, "attention_factor": 1.5}, {"head_dim": 4, "theta": 1e12}, [1, 1e-6 / 4], 1.5),
        # In 1000 tokens pair 2 makes 1.59155 turns, which is 0.19718 of the way from 1 to 4.
        (LLAMA3, {"head_dim": 8}, [1, 0.1, 0.002975352508, 0.001 / 8], 1),
        # Llama 4 Scout's factors are equal: pairs that turn less than once are slowed.
        ({**LLAMA3, "high_freq_factor": 1}, {"head_dim": 8}, [1, 0.1, 0.01, 0.001 / 8], 1),
        (LONGROPE, {"head_dim": 8}, [1, 0.05, 0.0025, 0.000125], 1.5**0.5),
        (PROPORTIONAL, {"head_dim": 8}, [0.5, 0.05, 0, 0], 1),
    ],
    ids=lambda value: value["rope_type"] if isinstance(value, dict) and "factor" in value else "",
)
def test_frequencies_by_hand(scaling, fields, expected, factor):
    found, found_factor = frequencies_of(scaling=scaling, **fields)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    assert found_factor == pytest.approx(factor, rel=1e-12)


@pytest.mark.parametrize("head_dim", [4, 8, 64, 128])
@pytest.mark.parametrize("theta", [10.0, 10000.0, 5e5, 1e7])
@pytest.mark.parametrize("scaling", SCALINGS[:-1], ids=str)
def test_both_sides_agree_on_frequencies(scaling, theta, head_dim):
    frequencies_of(scaling=scaling, theta=theta, head_dim=head_dim)


def test_turns_by_hand():
    assert rope_frequencies.turns_per_token(np.pi / 2) == 2**62
    # Whole turns do not matter, and three quarters forward are one quarter back.
    assert rope_frequencies.turns_per_token(5 * np.pi / 2) == pytest.approx(2**62, rel=1e-14)
    assert rope_frequencies.turns_per_token(1.5 * np.pi) == -(2**62)


@pytest.mark.parametrize(
    ("style", "expected"),
    [("rotate_half", [-3, 2, 1, 4, 5, 6]), ("interleaved", [-2, 1, 3, 4, 5, 6])],
)
def test_a_quarter_turn_by_hand(style, expected):
    """Tables turn the first pair by a right angle and the second by none; two columns stay."""
    spec = ONE_HEAD.replace(
        head_dim=6, rotary_dim=4, given_tables=True, max_positions=2, rope_style=style
    )
    values = np.arange(1.0, 7.0).reshape(1, 1, 1, 6)
    tensors = {
        "query": values, "key": 2 * values, "positions": np.array([[1]]),
        "cos": np.array([[9.0, 9.0], [0.0, 1.0]]), "sin": np.array([[9.0, 9.0], [1.0, 0.0]]),
    }  # fmt: skip
    query, key = reference(spec, tensors)
    np.testing.assert_array_equal(query.ravel(), expected)
    np.testing.assert_array_equal(key.ravel(), 2 * np.array(expected))


EVERY_DTYPE = together(
    SPEC.replace(
        rope_style=style, io_dtype=io_dtype, rotary_dim=8, given_tables=given, max_positions=most
    )
    for style in ("rotate_half", "interleaved")
    for io_dtype in ("f32", "f16", "bf16")
    for given, most in ((False, 131072), (True, 50))
)
SHAPES = together(
    SPEC.replace(rope_style=style, **changes)
    for style in ("rotate_half", "interleaved")
    for changes in (
        {"batch": 1, "num_q_heads": 1, "num_kv_heads": 1, "q_len": 1, "head_dim": 2},
        {"head_dim": 80, "rotary_dim": 32},
        {"head_dim": 26, "rotary_dim": 18},
        {"head_dim": 34, "rotary_dim": 2, "given_tables": True, "max_positions": 3},
        {"head_dim": 256, "max_positions": 2**31},
        {"rotary_dim": 8, "scaling": LONGROPE},
        {"scaling": YARN, "theta": 1e6},
    )
)


@pytest.mark.slow
@pytest.mark.parametrize("one", [*EVERY_DTYPE, *SHAPES], ids=str)
def test_it_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


@pytest.mark.slow
@STYLES
def test_far_positions_are_as_accurate_as_near_ones(style):
    """An angle in f32 would be off by 8e-3 radians at position 131071."""
    spec = SPEC.replace(rope_style=style, **FAR)
    tensors = random_tensors(spec)
    for last in (511, 131071, 2**31 - 1):
        tensors["positions"] = np.arange(last - 511, last + 1, dtype=np.int32)[None]
        for found, expected in zip(run(spec, tensors), reference(spec, tensors), strict=True):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


@STYLES
def test_rotation_keeps_norms_and_the_tail(style):
    spec = SPEC.replace(rope_style=style, rotary_dim=8)
    tensors = random_tensors(spec)
    tensors["query"][..., 8:] = np.inf
    tensors["query"][..., 9] = np.nan
    query, key = run(spec, tensors)
    np.testing.assert_array_equal(query[..., 8:], tensors["query"][..., 8:])
    np.testing.assert_array_equal(key[..., 8:], tensors["key"][..., 8:])
    for found, given in ((query, tensors["query"]), (key, tensors["key"])):
        norms = [np.linalg.norm(array[..., :8], axis=-1) for array in (found, given)]
        np.testing.assert_allclose(*norms, rtol=1e-6)


@STYLES
def test_position_0_changes_nothing(style):
    spec = SPEC.replace(rope_style=style)
    tensors = {**random_tensors(spec), "positions": np.zeros((2, 7), np.int64)}
    query, key = run(spec, tensors)
    np.testing.assert_array_equal(query, tensors["query"])
    np.testing.assert_array_equal(key, tensors["key"])


@STYLES
def test_scores_depend_on_the_distance_only(style):
    spec = SPEC.replace(rope_style=style, num_kv_heads=4)
    tensors = random_tensors(spec)
    scores = []
    for start in (0, 100000):
        tensors["positions"] = np.tile(np.arange(start, start + 7, dtype=np.int32), (2, 1))
        query, key = run(spec, tensors)
        scores.append(query @ key.swapaxes(-1, -2))
    np.testing.assert_allclose(*scores, rtol=0, atol=1e-5)


def test_interleaved_is_rotate_half_of_permuted_columns():
    tensors = random_tensors(SPEC)
    order = np.arange(16).reshape(8, 2).T.ravel()
    permuted = {**tensors, **{name: tensors[name][..., order] for name in ("query", "key")}}
    interleaved = run(SPEC.replace(rope_style="interleaved"), tensors)
    for found, expected in zip(interleaved, run(SPEC, permuted), strict=True):
        np.testing.assert_allclose(found[..., order], expected, rtol=0, atol=1e-6)


@pytest.mark.slow
@STYLES
def test_given_tables_equal_computed_ones(style):
    spec = SPEC.replace(rope_style=style, **COMPUTED)
    tensors = random_tensors(spec)
    frequencies, factor = frequencies_of(head_dim=8, scaling=YARN)
    angles = np.arange(100)[:, None] * frequencies
    tables = {
        "cos": (factor * np.cos(angles)).astype(np.float32),
        "sin": (factor * np.sin(angles)).astype(np.float32),
    }
    given = run(SPEC.replace(rope_style=style, **GIVEN), {**tensors, **tables})
    for found, expected in zip(given, run(spec, tensors), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-6)


def test_positions_outside_are_refused():
    tensors = random_tensors(SPEC)
    for wrong in (-1, 131072):
        tensors["positions"] = np.array([[0] * 7, [0] * 6 + [wrong]])
        with pytest.raises(ArgumentError) as caught:
            check_arguments(SPEC, tensors)
        assert str(caught.value) == f"positions[1, 6]: expected 0 to 131071, got {wrong}"


def test_tensors_follow_the_fields():
    spec = SPEC.replace(rotary_dim=8, given_tables=True, max_positions=50, io_dtype="bf16")
    assert [(t.name, t.shape, t.dtype) for t in (*spec.inputs, *spec.outputs)] == [
        ("query", (2, 4, 7, 16), "bf16"),
        ("key", (2, 2, 7, 16), "bf16"),
        ("positions", (2, 7), "i32"),
        ("cos", (50, 4), "f32"),
        ("sin", (50, 4), "f32"),
        ("rotated_query", (2, 4, 7, 16), "bf16"),
        ("rotated_key", (2, 2, 7, 16), "bf16"),
    ]


@pytest.mark.parametrize("scaling", SCALINGS, ids=str)
def test_json_round_trip(scaling):
    spec = SPEC.replace(scaling=scaling, head_dim=8)
    assert spec_from_json(spec.to_json()) == spec
    assert hash(spec_from_json(spec.to_json())) == hash(spec)
    assert spec.to_dict()["scaling"] is None or spec.to_dict()["scaling"]["factor"] > 1


def test_equal_meaning_is_equal_value():
    assert SPEC.replace(rotary_dim=16, theta=10000) == SPEC
    assert SPEC.replace(scaling=LINEAR) == SPEC.replace(scaling=LinearScaling(factor=4.0))
    assert SPEC.replace(scaling=LINEAR) == apply_settings(
        SPEC, ('scaling={"rope_type": "linear", "factor": 4.0}',)
    )
    for scaling in filter(None, SCALINGS):
        numbers = {name: as_numpy(value) for name, value in scaling.items()}
        same, spec = (SPEC.replace(head_dim=8, scaling=given) for given in (numbers, scaling))
        assert same == spec
        assert same.to_json() == spec.to_json()
    told = SPEC.replace(scaling={**YARN, "attention_factor": 1.0 + 0.1 * np.log(4.0).item()})
    assert told == SPEC.replace(scaling=YARN)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"head_dim": 15}, "head_dim: expected an even number, got 15"),
        ({"rotary_dim": 5}, "rotary_dim: expected an even number up to head_dim = 16, got 5"),
        ({"rotary_dim": 18}, "rotary_dim: expected an even number up to head_dim = 16, got 18"),
        ({"rope_style": "neox"}, "rope_style: expected rotate_half or interleaved, got 'neox'"),
        ({"theta": 1}, "theta: expected a number above 1 and up to 1e12, got 1"),
        ({"theta": "a"}, "theta: expected a number above 1 and up to 1e12, got 'a'"),
        ({"max_positions": 2**31 + 1}, "max_positions: expected at most 2**31, got 2147483649"),
        (
            {"given_tables": True, "theta": 5e5},
            "theta: has no effect on given tables; leave it out",
        ),
        (
            {"given_tables": True, "scaling": LINEAR},
            "scaling: has no effect on given tables; leave it out",
        ),
        ({"scaling": 2}, "scaling: expected an object with a rope_type, got 2"),
        (
            {"scaling": {"rope_type": "su"}},
            "scaling.rope_type: expected one of linear, ntk, yarn, llama3, longrope, "
            "proportional, got 'su'",
        ),
        ({"scaling": {"rope_type": "linear"}}, "scaling: missing factor"),
        ({"scaling": {**LINEAR, "beta": 1}}, "scaling.beta: not a field; the fields are factor"),
        (
            {"scaling": {**LINEAR, "factor": 0.5}},
            "scaling.factor: expected a number from 1 to 1e9, got 0.5",
        ),
        (
            {"scaling": {**YARN, "original_max_position": 1}},
            "scaling.original_max_position: expected a whole number of at least 2, got 1",
        ),
        (
            {"scaling": {**YARN, "beta_fast": 0.5}},
            "scaling.beta_fast: expected at least beta_slow = 1.0, got 0.5",
        ),
        (
            {"scaling": {**YARN, "truncate": 1}},
            "scaling.truncate: expected true or false, got 1",
        ),
        (
            {"scaling": {**LLAMA3, "high_freq_factor": 0.5}},
            "scaling.high_freq_factor: expected at least low_freq_factor = 1.0, got 0.5",
        ),
        (
            {"scaling": LONGROPE},
            "scaling.factors: expected rotary_dim / 2 = 8 numbers, got 4",
        ),
        (
            {"scaling": {**LONGROPE, "factors": [1, 0]}},
            "scaling.factors: expected numbers from 0.001 to 1e6, got 0",
        ),
        (
            {"scaling": NTK, "rotary_dim": 2},
            "rotary_dim: expected at least 4 with ntk scaling, got 2",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_impossible_values_are_refused(changes, message):
    with pytest.raises(SpecError) as caught:
        SPEC.replace(**changes)
    assert str(caught.value) == message


def test_a_scaling_of_no_kind_is_refused():
    with pytest.raises(SpecError, match="scaling: expected an object with a rope_type"):
        SPEC.replace(scaling=RopeScaling(factor=2.0))


def test_there_is_one_formulation_and_no_torch_dialect():
    with pytest.raises(RenderError, match="formulation: rope has only one; leave it out"):
        render(GraphRequest(SPEC, get_target("cpu"), formulation="fused"))
    with pytest.raises(RenderError, match="torch has no word for rope"):
        render(GraphRequest(SPEC, get_target("cpu"), dialect="torch"))


def test_the_catalogue_has_the_sizes_of_real_models():
    for entry in ("rope", "rope_interleaved", "rope_llama3"):
        tiny, base = catalog.get(f"{entry}_tiny"), catalog.get(f"{entry}_base")
        assert (tiny.io_dtype, base.io_dtype, base.head_dim) == ("f32", "f16", 128)
        assert (base.num_q_heads, base.num_kv_heads, base.max_positions) == (32, 8, 131072)
