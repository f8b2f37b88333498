"""The JSON form of launch plans: read back as written, refused by the field that is wrong."""

import json
from functools import reduce
from operator import getitem

import pytest

import irattn
from irattn.binary.launches import launch_plan, read_launch_plan
from irattn.binary.vmfb import SizeFormula, size_from_json
from irattn.core.errors import ArtifactError, IrattnError

pytestmark = pytest.mark.slow

VALUES = (None, True, -1, 2.5, "", "x\x1b", [], {}, [[]], {"formula": []}, 1 << 70)


def plan_of(name):
    return launch_plan(irattn.compile(name, target="gfx1100"))


def refusal(data):
    """What the error says of a plan; None where it is read."""
    try:
        read_launch_plan(json.dumps(data).encode())
    except IrattnError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    "name", ["gqa_decode_tiny", "dynamic_paged_decode_tiny", "cache_write_tiny"]
)
def test_a_plan_is_read_back(name):
    plan = plan_of(name)
    assert read_launch_plan(plan.to_json().encode()) == plan


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format_version=2), "expected format version 1, got 2"),
        (lambda data: data.pop("steps"), "steps: missing"),
        (
            lambda data: data["steps"][0].update(what="jump"),
            "steps[0].what: expected dispatch or fill or copy, got 'jump'",
        ),
        (lambda data: data["steps"][0].pop("kernel"), "steps[0].kernel: missing"),
        (
            lambda data: data["steps"][0]["bindings"][0].update(offset=1.5),
            "steps[0].bindings[0].offset: expected a whole number or an object, got 1.5",
        ),
        (
            lambda data: data["buffers"][0].update(bytes={"formula": ["mul", 1], "c": ""}),
            "buffers[0].bytes.formula: expected a number or a formula, got ['mul', 1]",
        ),
        (
            lambda data: data["buffers"][0].update(bytes={"formula": ["mul", 1, 2], "c": "3"}),
            "buffers[0].bytes.c: expected (1 * 2), got '3'",
        ),
        (
            lambda data: data["buffers"][0].update(bytes={"operation": "mul", "operands": [1]}),
            "buffers[0].bytes: expected a number or a formula, got {'operands': [1], 'operat",
        ),
        (lambda data: data["inputs"][0].update(colour="red"), "inputs[0].colour: not a field"),
        (
            lambda data: data["kernels"][0].update(wave_size=0),
            "kernels[0].wave_size: expected a whole number of at least 1, got 0",
        ),
        (
            lambda data: data["kernels"].append(data["kernels"][0]),
            "kernels: one name is there twice",
        ),
    ],
)
def test_a_wrong_field_is_named(change, message):
    data = json.loads(plan_of("gqa_decode_tiny").to_json())
    change(data)
    assert refusal(data).startswith(f"not a description of launches: {message}")


def test_any_value_in_any_place_is_read_or_refused():
    """Of places that differ by numbers in lists alone, in the first and in the last.

    Values go by turns: a place has every second, and the next the others.
    """
    text = plan_of("dynamic_paged_decode_tiny").to_json()
    every = list(places_of(json.loads(text)))
    first, last = ({unnumbered(place): place for place in way} for way in (every[::-1], every))
    refused, places = 0, sorted({*first.values(), *last.values()}, key=every.index)
    for number, place in enumerate(places):
        for value in VALUES[number % 2 :: 2]:
            data = json.loads(text)
            *path, last = place
            reduce(getitem, path, data)[last] = value
            said = refusal(data)
            refused += said is not None
            assert said is None or said.isprintable()
    assert refused > len(VALUES) / 4 * len(places)


def places_of(value, place=()):
    """The keys that lead to every part of a plain value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in items:
        yield (*place, key)
        if isinstance(part, dict | list):
            yield from places_of(part, (*place, key))


def unnumbered(place):
    return tuple(key for key in place if isinstance(key, str))


def test_a_key_that_is_there_twice_is_refused():
    text = plan_of("gqa_decode_tiny").to_json().encode()
    with pytest.raises(ArtifactError, match="a key is there twice"):
        read_launch_plan(text.replace(b'"gfx":', b'"gfx": "gfx942", "gfx":'))


def test_formulas_are_read_back():
    size = SizeFormula("select", (SizeFormula("lt", (SizeFormula("dim", ("input1", 2)), 5)), 7, 9))
    assert size_from_json(size.to_json()) == size
    for wrong in (["power", 1, 2], ["dim", 0, "input0"], ["select", 1, 2], "1", True, None):
        with pytest.raises(ValueError, match="expected a number or a formula"):
            size_from_json(wrong)
