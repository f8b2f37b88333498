"""Learned position embeddings, in one dimension and in two."""

import numpy as np
import pytest

import irattn
from irattn import BlockPositionEmbeddingSpec, PositionEmbeddingSpec
from irattn.core.errors import ArgumentError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime.arguments import check_arguments
from irattn.specs import spec_from_json
from support.joined import together

pytestmark = pytest.mark.slow

SPEC = PositionEmbeddingSpec(
    batch=2, q_len=7, hidden_size=33, max_positions=12, offset=2, io_dtype="f32"
)
BLOCK = BlockPositionEmbeddingSpec(
    batch=2, q_len=7, hidden_size=33, max_positions=12, max_block_positions=5, io_dtype="f32"
)


def test_an_offset_by_hand():
    spec = SPEC.replace(batch=1, q_len=3, hidden_size=2, max_positions=4)
    table = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
    hidden = np.array([[[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]]])
    tensors = {"hidden": hidden, "position_table": table, "positions": np.array([[1, 0, -2]])}
    (output,) = reference(spec, tensors)
    np.testing.assert_array_equal(output, [[[17, 28], [35, 46], [51, 62]]])


def test_two_dimensions_by_hand():
    spec = BLOCK.replace(batch=1, q_len=2, hidden_size=1, max_positions=2, max_block_positions=3)
    tensors = {
        "hidden": np.array([[[1.0], [2.0]]]),
        "position_table": np.array([[10.0], [20.0]]),
        "block_position_table": np.array([[100.0], [200.0], [300.0]]),
        "positions": np.array([[1, 0]]),
        "block_positions": np.array([[0, 2]]),
    }
    (output,) = reference(spec, tensors)
    np.testing.assert_array_equal(output.ravel(), [121, 312])


COMPILED = together(
    spec.replace(io_dtype=io_dtype, **changes)
    for spec in (SPEC, BLOCK)
    for io_dtype in ("f32", "f16", "bf16")
    for changes in ({}, {"batch": 1, "q_len": 1}, {"hidden_size": 128})
)


@pytest.mark.parametrize("one", COMPILED, ids=str)
def test_compiled_code_meets_the_reference(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_tables_of_zeros_change_nothing():
    for spec in (SPEC.replace(offset=0), BLOCK):
        tensors = random_tensors(spec)
        zeros = {name: 0 * array for name, array in tensors.items() if "table" in name}
        found = irattn.load(irattn.compile(spec, target="cpu"))(**{**tensors, **zeros})
        np.testing.assert_array_equal(found, tensors["hidden"])


def test_block_position_0_of_zeros_is_a_plain_position_embedding():
    tensors = random_tensors(BLOCK)
    tensors["block_position_table"][0] = 0
    tensors["block_positions"][...] = 0
    plain = {name: tensors[name] for name in ("hidden", "position_table", "positions")}
    found = irattn.load(irattn.compile(BLOCK, target="cpu"))(**tensors)
    expected = irattn.load(irattn.compile(SPEC.replace(offset=0), target="cpu"))(**plain)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("spec", "name", "least", "most"),
    [
        (SPEC, "positions", -2, 9),
        (SPEC.replace(offset=0), "positions", 0, 11),
        (BLOCK, "positions", 0, 11),
        (BLOCK, "block_positions", 0, 4),
    ],
)
def test_positions_outside_their_table_are_refused(spec, name, least, most):
    for wrong in (least - 1, most + 1):
        tensors = random_tensors(spec)
        tensors[name][1, 3] = wrong
        with pytest.raises(ArgumentError) as caught:
            check_arguments(spec, tensors)
        assert str(caught.value) == f"{name}[1, 3]: expected {least} to {most}, got {wrong}"


@pytest.mark.parametrize("offset", [-1, 12, 1.0, True])
def test_impossible_offsets_are_refused(offset):
    with pytest.raises(SpecError) as caught:
        SPEC.replace(offset=offset)
    assert str(caught.value) == (
        f"offset: expected a whole number from 0 to max_positions - 1 = 11, got {offset!r}"
    )


def test_sizes_are_validated():
    with pytest.raises(SpecError, match="hidden_size: expected a whole number of at least 1, got"):
        SPEC.replace(hidden_size=0)
    with pytest.raises(SpecError, match="max_block_positions: expected a whole number of at least"):
        BLOCK.replace(max_block_positions=0)
    with pytest.raises(SpecError, match="io_dtype: expected one of f32, f16, bf16, got 'i8'"):
        BLOCK.replace(io_dtype="i8")


@pytest.mark.parametrize("spec", [SPEC, BLOCK], ids=lambda spec: spec.op)
def test_json_round_trip(spec):
    assert spec_from_json(spec.to_json()) == spec
