"""Values of any shape are read as the type that declares them, or refused in our words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import pytest

from irattn.core.declared import FromOne, RealFromZero, Size, read_as
from irattn.core.errors import ArtifactError, UsageError


@dataclass(frozen=True)
class Inner:
    size: Size
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outer:
    name: str
    parts: list[Inner]
    counts: Annotated[Mapping[str, FromOne], msgspec.Meta(min_length=1)]
    share: RealFromZero | None = None
    pair: tuple[int, int] | None = None
    is_on: bool = False
    anything: Any = None


GOOD = {"name": "a", "parts": [{"size": 3, "tags": ["x"]}], "counts": {"k": 1}, "share": 2}


def nested(depth):
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_a_value_is_read():
    read = read_as(Outer, GOOD)
    assert read == Outer("a", [Inner(3, ("x",))], {"k": 1}, 2.0)
    assert type(read.parts[0].tags) is tuple


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "name: expected text, got 3"),
        ({"name": None}, "name: expected text, got None"),
        ({"parts": {}}, "parts: expected a list, got {}"),
        ({"parts": [3]}, "parts[0]: expected an object, got 3"),
        ({"parts": [{"size": True}]}, "parts[0].size: expected a whole number, got True"),
        ({"parts": [{"size": 1.0}]}, "parts[0].size: expected a whole number, got 1.0"),
        ({"parts": [{"size": "1"}]}, "parts[0].size: expected a whole number, got '1'"),
        ({"parts": [{"size": 0}]}, "parts[0].size: expected a whole number of at least 1, got 0"),
        (
            {"parts": [{"size": 10**400}]},
            "parts[0].size: expected a whole number of at most 9223372036854775807, got about "
            "2**1329",
        ),
        ({"parts": [{}]}, "parts[0].size: missing"),
        ({"parts": [{"size": 1, "tags": ["a", 2]}]}, "parts[0].tags[1]: expected text, got 2"),
        ({"parts": [{"size": 1, "more": 2}]}, "parts[0].more: not a field; there are size, tags"),
        ({"a\n": 2}, "'a\\n': not a field; there are name, parts, counts, share, pair, is_on, any"),
        ({"x` - at `$.y": 2}, "x` - at `$.y: not a field"),
        ({"counts": {}}, "counts: expected an object with at least 1, got {}"),
        (
            {"counts": {"a": 1, "k": 0, "b": -1}},
            "counts.k: expected a whole number of at least 1, got 0",
        ),
        ({"share": -0.5}, "share: expected a number of at least 0, got -0.5"),
        ({"share": "x"}, "share: expected a number or null, got 'x'"),
        ({"share": 10**400}, "share: expected a number that is one of float64, got about 2**1329"),
        ({"share": float("nan")}, "share: expected a number of at least 0, got nan"),
        ({"pair": [1]}, "pair: expected a list with 2, got [1]"),
        ({"is_on": 1}, "is_on: expected true or false, got 1"),
        ({"anything": nested(100_000)}, "nested too deep"),
        ({"a\ud800": 1}, r"expected text, got '\ud800' in it"),
    ],
)
def test_another_value_is_refused(change, message):
    with pytest.raises(ArtifactError) as caught:
        read_as(Outer, {**GOOD, **change})
    assert str(caught.value).startswith(message)


def test_where_a_value_stands_comes_first_and_the_error_is_chosen():
    for given, message in (
        ({"size": 0}, r"^here\[2\]\.size: expected"),
        ({"siz": 1}, r"^here\[2\]\.size: missing$"),
        ([], r"^here\[2\]: expected an object, got \[\]$"),
    ):
        with pytest.raises(UsageError, match=message):
            read_as(Inner, given, "here[2]", error=UsageError)


def test_the_key_of_a_mapping_is_named_however_deep():
    @dataclass
    class Deep:
        all: dict[str, list[dict[str, Inner]]]

    given = {"all": {"a": [], "b": [{"c": {"size": 1}}, {"d": {"size": 1}, "e": {"size": 0}}]}}
    with pytest.raises(ArtifactError, match=r"^all\.b\[1\]\.e\.size: expected .*, got 0$"):
        read_as(Deep, given)


def test_a_key_that_is_no_text_is_refused():
    with pytest.raises(ArtifactError, match="expected text, got "):
        read_as(Outer, {**GOOD, "counts": {3: 1}})
