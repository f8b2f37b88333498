"""Numbers of any kind and size, wherever a user gives one: taken, or refused in a sentence."""

import decimal
import fractions
import json

import numpy as np
import pytest

import irattn
from irattn.core.errors import ConfigError, IrattnError, SpecError, UsageError, shown
from irattn.core.numbers import real, whole
from irattn.generation import Sampling
from irattn.lab.codefiles import read_description
from irattn.models import specs_from_config
from irattn.specs import CATALOGUE, SPEC_TYPES, apply_settings, spec_from_dict
from support.model_configs import LLAMA_3_1_8B

# More digits than a float has room for, and more than Python prints.
LARGE, HUGE = 10**400, 10**5000
ODD = (
    *(LARGE, HUGE, -HUGE, 2**63, -1, 0, 1e308, float("nan"), float("inf"), True, None, "x", b"x"),
    *([], {}, [HUGE], [[1], [2, 3]], {HUGE: 1}, {"rope_type": HUGE}, np.float16("inf"), 1j),
    *({"rope_type": "yarn", "factor": LARGE, "original_max_position": HUGE}, np.uint64(2**64 - 1)),
    *(np.bool_(True), np.array([1, 2]), np.datetime64("2020"), np.longdouble("1e4000"), object()),
    *(decimal.Decimal("1e400"), decimal.Decimal("sNaN"), fractions.Fraction(HUGE, 3), range(3)),
)
WORDS = ("9" * 400, "9" * 5000, "-" + "9" * 5000, "NaN", "1e999", "[1", "[" * 30_000, "{}", "null")
ONE_OF_EACH = {spec.op: spec for spec in CATALOGUE.values()}


def refused_or_taken(call):
    """Whether it was refused; any error but ours ends the test."""
    try:
        call()
    except IrattnError as error:
        return 0 < len(str(error)) < 700
    return True


@pytest.mark.parametrize("op", SPEC_TYPES)
def test_any_value_of_any_field_of_a_spec(op):
    spec = ONE_OF_EACH[op]
    for field in spec.field_names():
        for value in ODD:
            assert refused_or_taken(lambda f=field, v=value: spec.replace(**{f: v}).to_json())
        for word in WORDS:
            setting = (f"{field}={word}",)
            assert refused_or_taken(lambda s=setting: apply_settings(spec, s).to_json())


def test_any_op_and_any_dtype():
    spec = ONE_OF_EACH["attention"].to_dict()
    for value in ODD:
        with pytest.raises(SpecError, match="op: expected one of"):
            spec_from_dict({**spec, "op": value})
        with pytest.raises(SpecError, match="io_dtype: expected one of"):
            spec_from_dict({**spec, "io_dtype": value})


def test_any_value_of_any_key_of_a_configuration():
    for key in LLAMA_3_1_8B:
        # A file has no arrays.
        for value in (one for one in ODD if not isinstance(one, np.ndarray)):
            changed = {**LLAMA_3_1_8B, key: value}
            assert refused_or_taken(lambda config=changed: specs_from_config(config))


@pytest.mark.parametrize("key", ["rope_theta", "rms_norm_eps", "hidden_size"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_long_numbers_in_a_file(key, digits, tmp_path):
    text = json.dumps({**LLAMA_3_1_8B, key: "HERE"}).replace('"HERE"', "9" * digits)
    (tmp_path / "config.json").write_text(text)
    named = key if digits == 400 else "a number has 5000 digits, expected at most 4000"
    with pytest.raises(ConfigError if digits == 5000 else UsageError, match=named):
        specs_from_config(tmp_path / "config.json")


@pytest.mark.parametrize("value", [LARGE, HUGE, -HUGE, float("nan"), True, "1", None], ids=shown)
def test_sampling(value):
    for name in ("temperature", "top_p"):
        with pytest.raises(IrattnError, match=f"^{name}: expected a number, "):
            Sampling(**{name: value})


@pytest.mark.parametrize("value", [HUGE, -1, 0.5, True, "1", None], ids=shown)
def test_seeds(value):
    with pytest.raises(IrattnError, match=r"^seed: expected (a whole number from 0|at most 2)"):
        Sampling(seed=value)
    with pytest.raises(IrattnError, match=r"^seed: expected (a whole number from 0|at most 2)"):
        irattn.verify("rms_norm_tiny", seed=value)


@pytest.mark.parametrize(
    ("value", "dtype", "range_of"),
    [
        (HUGE, "f32", "a number from -3.40282e+38 to 3.40282e+38"),
        (70000, "f16", "a number from -65504 to 65504"),
        (300, "u8", "a whole number from 0 to 255"),
        (-1, "u64", "a whole number from 0 to 18446744073709551615"),
        (2.5, "i32", "a whole number from -2147483648 to 2147483647"),
        (True, "i32", "a whole number"),
    ],
    ids=shown,
)
def test_the_value_of_an_argument_is_one_of_its_type(value, dtype, range_of, tmp_path):
    arguments = [{"value": 0, "dtype": dtype}]
    text = json.dumps({"grid": [1], "workgroup": [1], "arguments": arguments})
    number = "9" * 400 if value == HUGE else json.dumps(value)
    (tmp_path / "launch.json").write_text(text.replace('"value": 0', f'"value": {number}'))
    with pytest.raises(UsageError) as caught:
        read_description(tmp_path / "launch.json")
    assert f"arguments[0].value: expected {range_of}" in str(caught.value)


def test_ids_of_tokens():
    cache = irattn.PagedCache(
        num_layers=1, num_blocks=4, num_kv_heads=1, head_dim=16, block_size=4, max_blocks=4
    )
    for tokens in ([1, [2, 3]], [HUGE], [2**63], [1.5], "text", 3, None, [None]):
        with pytest.raises(IrattnError, match=r"^tokens: expected "):
            cache.begin(tokens)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "3"),
        (2**63 - 1, "9223372036854775807"),
        (HUGE, "about 2**16610"),
        ([-HUGE, 1], "[about -2**16610, 1]"),
        ({"a": HUGE}, "{'a': about 2**16610}"),
        ("x" * 999, "'" + "x" * 47 + "..." + "x" * 48 + "'"),
        ("a\nb\x1b", "'a\\nb\\x1b'"),
        (np.float32(0.5), repr(np.float32(0.5))),
    ],
    ids=shown,
)
def test_what_a_message_quotes(value, words):
    assert shown(value) == words


def test_numbers_of_numpy_are_numbers():
    assert whole("n", np.int32(3)) == 3
    assert real("x", np.float32(0.5), 0, 1) == 0.5
    for wrong in (np.bool_(True), np.float32(1), np.array([1])):
        with pytest.raises(SpecError, match="n: expected a whole number of at least 1"):
            whole("n", wrong)
