"""Functions of scores: what is traced of them, kept, read back, and refused."""

import gc
import json
import math
import re
import weakref
from collections import namedtuple
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from irattn import AttentionBackwardSpec, AttentionSpec, masks
from irattn.core.errors import SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference.expressions import evaluate
from irattn.specs import spec_from_json
from irattn.specs.expressions import derivative_of, traced
from support.expression_draws import Drawn

PLAIN = AttentionSpec(num_q_heads=4, num_kv_heads=2, q_len=6, kv_len=8, head_dim=16)
SLOPES = np.ones(4, np.float32)


def alibi(score, batch, head, query, key):
    return score + SLOPES[head] * (key - query)


def near(batch, head, query, key):
    return abs(query - key) % 4 <= 2


def test_it_is_printed_hashed_compared_and_read_back():
    spec = PLAIN.replace(score_mod=alibi, mask_mod=near)
    assert str(spec.score_mod) == "score + (SLOPES[head] * float((key - query)))"
    assert str(spec.mask_mod) == "(abs((query - key)) % 4) <= 2"
    again = spec_from_json(spec.to_json())
    assert again == spec
    assert hash(again) == hash(spec)
    assert again.digest == spec.digest
    assert spec.replace(causal=True).score_mod == spec.score_mod
    other = PLAIN.replace(score_mod=lambda s, b, h, q, k: s * 2, mask_mod=near)
    assert other != spec
    assert other.digest != spec.digest


def test_specs_without_functions_keep_their_text():
    assert not {"score_mod", "mask_mod"} & json.loads(PLAIN.to_json()).keys()


def test_what_it_captures_is_an_input():
    spec = PLAIN.replace(score_mod=alibi)
    captured = spec.inputs[-1]
    assert (captured.name, captured.shape, captured.dtype) == ("captured_SLOPES", (4,), "f32")


def test_arrays_of_one_variable_name_have_names_of_their_own():
    def tagged(tags):
        return lambda batch, head, query, key: tags[query] == tags[key]

    ones, others = tagged(np.zeros(8, np.int64)), tagged(np.zeros(9, np.int32))

    def both(batch, head, query, key):
        return ones(batch, head, query, key) & others(batch, head, query, key)

    names = [tensor.name for tensor in PLAIN.replace(mask_mod=both).inputs[3:]]
    assert names == ["captured_tags", "captured_tags_1"]


def test_arrays_of_one_name_in_two_functions_are_numbered():
    def biased(table):
        return lambda score, batch, head, query, key: score + table[key]

    def tagged(table):
        return lambda batch, head, query, key: table[query] == table[key]

    floats, numbers = np.zeros(8, np.float32), np.zeros(8, np.int32)
    spec = PLAIN.replace(score_mod=biased(floats), mask_mod=tagged(numbers))
    assert [one.name for one in spec.inputs[3:]] == ["captured_table", "captured_table_1"]
    assert str(spec.mask_mod) == "table_1[query] == table_1[key]"
    # The same array is one input, as it is in a spec that is read back.
    spec = PLAIN.replace(score_mod=biased(numbers), mask_mod=tagged(numbers))
    assert [one.name for one in spec.inputs[3:]] == ["captured_table"]
    assert spec_from_json(spec.to_json()) == spec


@pytest.mark.parametrize("seed", range(60))
def test_it_means_what_the_function_does_to_arrays(seed):
    """A traced function gives what NumPy's own arithmetic gives of it, called with arrays."""
    floats = np.zeros((8, 8), np.float32)
    functions = Drawn(seed, floats, np.zeros((4, 8), bool), np.zeros(8, np.int32))
    spec = PLAIN.replace(score_mod=functions.score_mod, mask_mod=functions.mask_mod)
    tensors = random_tensors(spec, seed)
    for name in ("floats", "flags", "numbers"):
        given = tensors.get(f"captured_{name}", getattr(functions, name))
        setattr(functions, name, Clipped(given))
    rng = np.random.default_rng(seed)
    names = {"batch": 0, "head": 3, "query": np.arange(6)[:, None], "key": np.arange(8)}
    names = {name: np.asarray(value, np.int32) for name, value in names.items()}
    score = rng.standard_normal((6, 8))
    wide = functions.score_mod(score, *names.values())
    found = evaluate(spec.score_mod, tensors, {"score": score, **names})
    np.testing.assert_allclose(found, wide, rtol=1e-12)
    seen = functions.mask_mod(*names.values())
    np.testing.assert_array_equal(evaluate(spec.mask_mod, tensors, names), seen)


class Clipped:
    """An array that takes the nearest element where an index is beyond it on either side."""

    def __init__(self, values):
        self.values = values

    def __getitem__(self, index):
        given = index if isinstance(index, tuple) else (index,)
        sizes = self.values.shape
        at = tuple(np.clip(one, -size, size - 1) for one, size in zip(given, sizes, strict=True))
        found = self.values[at]
        return found.astype(np.float64) if found.dtype.kind == "f" else found


def by_a_choice(score, batch, head, query, key):
    return score if score > 0 else -score


def by_math(score, batch, head, query, key):
    import math

    return math.exp(score)


def by_sorting(score, batch, head, query, key):
    return np.sort(score)


def by_a_product_of_chains(batch, head, query, key):
    return 0 <= key < query


def by_an_array_of_its_own(score, batch, head, query, key):
    return score + np.arange(4)[head]


def by_an_unknown_power(score, batch, head, query, key):
    return score * 3**key


def by_rounding_to_digits(score, batch, head, query, key):
    return np.round(score, 2)


def by_a_long_loop(score, batch, head, query, key):
    for _ in range(600):
        score = score * 1.01
    return score


def by_a_huge_number(score, batch, head, query, key):
    return np.where(key > query, -1e300, score)


def by_differences_of_bools(score, batch, head, query, key):
    return score + ((key > 2) - (key > 3))


def by_logic_of_numbers(score, batch, head, query, key):
    return np.where(np.logical_and(key, query), score, 0)


REFUSED = {
    by_a_long_loop: "more than 512 steps",
    by_a_huge_number: "number of f32, or infinity, got -1e.300",
    by_differences_of_bools: "sub of bools",
    by_logic_of_numbers: "logical_and of what is no bool",
    by_a_choice: "np.where",
    by_math: "np.exp",
    by_sorting: "np.sort",
    by_an_array_of_its_own: "variables",
    by_an_unknown_power: "of ints with a b that is not known yet, where a is no power of 2",
    by_rounding_to_digits: "round to digits",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda one: one.__name__)
def test_what_cannot_be_traced_is_refused_with_its_line(function):
    with pytest.raises(SpecError, match=REFUSED[function]) as refused:
        PLAIN.replace(score_mod=function)
    line = function.__code__.co_firstlineno
    lines = [f"{__file__}:{number}" for number in range(line + 1, line + 4)]
    assert str(refused.value).startswith("score_mod: ")
    assert any(f"({place})" in str(refused.value) for place in lines), refused.value


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"mask_mod": by_a_product_of_chains}, "a < b < c"),
        ({"mask_mod": lambda batch, head, query, key: key - query}, "gives numbers .int."),
        ({"score_mod": lambda score, key: score}, "positional"),
        ({"score_mod": 3}, "expected a function, got 3"),
        ({"score_mod": {"steps": [{"op": "fly"}]}}, "step 0 is none"),
        ({"score_mod": {"steps": [{"op": "neg", "operands": [0]}]}}, "does not come before"),
        ({"mask_mod": {"steps": [{"op": "score"}]}}, "expected a bool"),
        ({"score_mod": lambda s, b, h, q, k: s + np.ones(7, np.float32)[k]}, "variables"),
    ],
)
def test_what_is_no_function_of_scores_is_refused(fields, why):
    with pytest.raises(SpecError, match=why):
        PLAIN.replace(**fields)


def test_numbers_of_arrays_without_axes_and_of_partial_are_inputs():
    scale = np.array(0.5, np.float32)

    def biased(by_head, score, batch, head, query, key, *, by_key):
        return score * scale + by_head[head] + by_key[key]

    function = partial(biased, SLOPES, by_key=np.ones(8, np.float32))
    spec = PLAIN.replace(score_mod=function, mask_mod=lambda b, h, q, k: k < scale * q)
    captured = {tensor.name: tensor.shape for tensor in spec.inputs[3:]}
    assert captured == {"captured_array": (4,), "captured_by_key": (8,), "captured_scale": (1,)}


def test_masks_composed_as_torch_composes_them_are_what_they_say():
    class Bool:
        """A type that is written as torch's is."""

        def __repr__(self):
            return "torch.bool"

    def both(batch, head, query, key):
        result = batch.new_ones((), dtype=Bool()) & (query >= key)
        return result & (batch.new_zeros((), dtype=Bool()) | near(batch, head, query, key))

    spec = PLAIN.replace(mask_mod=both)
    assert (spec.causal, str(spec.mask_mod)) == (True, "(abs((query - key)) % 4) <= 2")


def test_a_function_that_a_mask_is_composed_of_is_named():
    def distance(batch, head, query, key):
        return query - key

    place = f"{__file__}:{distance.__code__.co_firstlineno}"
    for mask in (masks.causal & distance, distance | ~(masks.causal & masks.sliding(3))):
        with pytest.raises(SpecError, match=rf"gives numbers .*\({re.escape(place)}\)"):
            PLAIN.replace(mask_mod=mask)


def test_errors_of_the_users_code_are_named():
    def missing(score, batch, head, query, key):
        return {}["slope"]

    with pytest.raises(SpecError, match=r"cannot: KeyError: 'slope' \("):
        PLAIN.replace(score_mod=missing)


def test_arrays_of_other_elements_are_refused():
    waves = np.zeros(8, np.complex64)
    with pytest.raises(SpecError, match="waves: expected an array of floats"):
        PLAIN.replace(score_mod=lambda score, b, h, q, k: score + waves[k])


@pytest.mark.parametrize(
    ("name", "kind"), [("uint8", "i32"), ("int16", "i32"), ("uint64", "i32"), ("float64", "f32")]
)
def test_arrays_of_other_widths_are_read_as_int32_and_f32(name, kind):
    table = np.zeros(8, name)
    spec = PLAIN.replace(score_mod=lambda score, b, h, q, k: score + table[k])
    assert spec.inputs[-1].dtype == kind


class Documents:
    """A mask over what it keeps, as models have one."""

    def __init__(self, documents, most):
        self.documents, self.most = documents, most

    def __call__(self, batch, head, query, key):
        return self.near(batch, head, query, key) & self.of_closure()(batch, head, query, key)

    def near(self, batch, head, query, key):
        return (query ^ key) < self.most

    def same(self, batch, head, query, key):
        return self.documents[query] == self.documents[key]

    def of_closure(self):
        return lambda b, h, q, k: self.documents[q] == self.documents[k]


def test_objects_and_methods_read_arrays_of_theirs():
    kept = Documents(np.zeros(8, np.int32), 3)
    near, same = "(query ^ key) < 3", "documents[query] == documents[key]"
    assert str(PLAIN.replace(mask_mod=kept).mask_mod) == f"({near}) & ({same})"
    assert str(PLAIN.replace(mask_mod=kept.of_closure()).mask_mod) == same
    assert str(PLAIN.replace(mask_mod=kept.near).mask_mod) == near
    for both in (masks.prefix(2) | kept, masks.prefix(2) | kept.same, partial(kept.same)):
        assert same in str(PLAIN.replace(mask_mod=both).mask_mod)
    assert isinstance(kept.documents, np.ndarray)


def test_buffers_of_an_object_are_read():
    """PyTorch's modules keep theirs in a dict of their own."""

    class Module:
        def __init__(self):
            self._buffers = {"slopes": SLOPES}

        def __getattr__(self, name):
            return self.__dict__["_buffers"][name]

        def score(self, score, batch, head, query, key):
            return score.masked_fill(key > query, -1e9) * self.slopes[head]

    spec = PLAIN.replace(score_mod=Module().score)
    assert str(spec.score_mod) == "where(query < key, -1000000000.0, score) * slopes[head]"


def test_lists_and_dicts_of_arrays_are_read():
    tables = {"slopes": SLOPES, 3: np.ones(8, np.float32), "most": 2}
    pair, kept = (SLOPES, tables[3]), SimpleNamespace(tables=SLOPES)
    spec = PLAIN.replace(
        score_mod=lambda s, b, h, q, k: s + tables["slopes"][h] * pair[1][k] + kept.tables[h]
    )
    assert {tensor.shape for tensor in spec.inputs[3:]} == {(4,), (8,)}


def test_functions_in_tuples_read_their_arrays():
    """PyTorch's `and_masks` keeps the masks that it composes so."""
    documents = np.zeros(8, np.int32)

    def same(batch, head, query, key):
        return documents[query] == documents[key]

    def and_masks(*mask_mods):
        return lambda *places: mask_mods[0](*places) & mask_mods[1](*places)

    spec = PLAIN.replace(mask_mod=and_masks(lambda b, h, q, k: k <= q, same))
    assert (spec.causal, str(spec.mask_mod)) == (True, "documents[query] == documents[key]")


def test_lists_in_lists_and_named_tuples_are_read():
    by_name = namedtuple("Tables", "slopes most")(SLOPES, 2)
    nested = {"of": [(np.zeros(8, np.int32), by_name.most)]}
    held = [SLOPES]
    held.append(held)

    def mixed(score, batch, head, query, key):
        return score + by_name.slopes[head] * held[0][head] - nested["of"][0][0][key] + by_name.most

    text = "t3 = by_name[head]; ((score + (t3 * t3)) - float(of[key])) + 2.0"
    assert str(PLAIN.replace(score_mod=mixed).score_mod) == text


def test_powers_of_two_are_shifts():
    def within(batch, head, query, key):
        return abs(query - key) <= 2**head + 4 ** (head - 1)

    mask = PLAIN.replace(mask_mod=within).mask_mod
    assert str(mask) == "abs((query - key)) <= ((1 << head) + (1 << ((head - 1) * 2)))"


def test_axes_of_an_array_are_indexed_in_any_order():
    table = np.zeros((4, 6, 8), np.float32)
    for read in (
        lambda s, b, h, q, k: s + table[h, q, k],
        lambda s, b, h, q, k: s + table[..., k][h][q],
        lambda s, b, h, q, k: s + table[:, q][h, k] + (table[h].ndim - 2),
        lambda s, b, h, q, k: s + table[h, ..., k][q] + (len(table) - table.shape[0]),
    ):
        read_there = str(PLAIN.replace(score_mod=read).score_mod)
        assert "score + table[head, query, key]" in read_there


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda s, b, h, q, k: s * SLOPES.sum(), r"SLOPES\.sum: functions read .* by index alone"),
        (lambda s, b, h, q, k: s + (SLOPES * 2)[h], "SLOPES: computing with a whole array"),
        (lambda s, b, h, q, k: s + np.exp(SLOPES)[h], "SLOPES: computing with a whole array"),
        (lambda s, b, h, q, k: np.where(SLOPES == 1, s, 0), "SLOPES: computing with a whole array"),
        (lambda s, b, h, q, k: s + SLOPES[1:][h], "SLOPES: expected whole numbers as index"),
        (lambda s, b, h, q, k: s + SLOPES[h, q], "SLOPES: an index of more numbers than its 1"),
    ],
)
def test_what_is_done_to_whole_arrays_is_refused_by_their_name(function, why):
    with pytest.raises(SpecError, match=why):
        PLAIN.replace(score_mod=function)


def test_masks_compose_with_functions_alone():
    with pytest.raises(SpecError, match=r"mask: expected a mask, or a function .*, got 3"):
        masks.causal & 3


COMPOSED = {
    "clip": lambda s, q, k: np.clip(q - k, -2, 3) + np.clip(s, None, 0.5),
    "exp2": lambda s, q, k: np.exp2(s) - np.log2(abs(s) + 1) + np.log10(k + 1.0),
    "ones": lambda s, q, k: np.log1p(abs(s)) + np.expm1(s) + np.sign(s) + np.sign(k - q),
    "squares": lambda s, q, k: np.square(k - q) + np.reciprocal(1.0 + abs(s)),
    "filled": lambda s, q, k: s + (k - q) // 3 * np.ones_like(q) % 2 + np.zeros_like(s),
    "negative divisors": lambda s, q, k: s + (k - q) // -3 * 10 + (k - q) % -4,
    "divmod": lambda s, q, k: s + divmod(k - q, 3)[0] * 10 + divmod(k - q, 3)[1],
    "powers": lambda s, q, k: (1 + abs(s)) ** -2 + abs(s) ** 0.5 + abs(s) ** 1.5 + s**2.0,
    "power of": lambda s, q, k: 2**s + 0.5 ** (q - k),
    "powers of both": lambda s, q, k: abs(s) ** (0.1 * k) + (0.5 + abs(s)) ** s + (-1.0 - q) ** k,
    "powers of one": lambda s, q, k: 1 ** (s / (k - 3)) + 1.0 ** np.log(s - 1) + (q - k) ** 0.0,
    "other powers": lambda s, q, k: s**10 + (q + 0.5) ** -9.0 + (q + k) ** 0 + abs(s) ** 0.3,
    "rounded": lambda s, q, k: np.floor(s) + np.ceil(s) * 3 + np.trunc(s) * 9 + np.rint(s) * 27,
    "halves": lambda s, q, k: np.rint((q - k) * 0.5) + np.fix(s) + np.floor(q) + np.round(s),
    "circular": lambda s, q, k: np.sin(s * 9) + np.cos(k * 0.3) * np.tan(s / 3),
    "hyperbolic": lambda s, q, k: np.sinh(s) - np.cosh(s / 2) + np.logaddexp(s, 0.25 * k),
    "near 0": lambda s, q, k: (np.log1p(s * 1e-9) + np.expm1(s * 1e-9)) * 1e9,
    "by unknown ints": lambda s, q, k: s + (k - q) // (q - 2) * 100 + (k - 9) % (q - 3),
    "by floats": lambda s, q, k: s // 0.7 + (k - q) % 2.5 + (s % (1.0 + q)) * 10,
    "of C": lambda s, q, k: np.fmod(q - k, 3) + np.fmod(k - 4, q - 2) * 10 + np.fmod(s, 0.75),
    "finite": lambda s, q, k: np.where(np.isfinite(s / k) | np.isinf(q - 1.0), s, np.isnan(s)),
    "arrays made there": lambda s, q, k: s * np.array(0.5) + np.float16(2.5) - np.int8(3) * q,
    "selected": lambda s, q, k: np.select([k > q, k == q], [s, 2 * s], q) + np.select([s > 0], [1]),
    "signs": lambda s, q, k: np.copysign(s, k - q) + np.hypot(q, s) + np.nan_to_num(s / (q + 1)),
    "casts": lambda s, q, k: (s * 1.5).astype(np.int32) + (q * 0.7).astype(np.int64) * 10,
}


@pytest.mark.parametrize("name", COMPOSED)
def test_functions_of_several_steps_are_numpy_s(name):
    function = COMPOSED[name]
    score, (query, key) = np.linspace(-3, 3, 48).reshape(6, 8), np.ogrid[:6, :8]
    traced_one = traced("score_mod", lambda s, b, h, q, k: function(s, q, k)).expression
    found = evaluate(traced_one, {}, {"score": score, "query": query, "key": key})
    with np.errstate(all="ignore"):
        expected = function(score, query, key)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_methods_of_tensors_are_the_functions_of_their_names():
    spec = PLAIN.replace(
        score_mod=lambda s, b, h, q, k: s.clamp(min=-1) * (q - k).abs().float(),
        mask_mod=lambda b, h, q, k: (q // 4).clamp(1, 2) - k <= (q > 2).to(np.int32),
    )
    assert str(spec.score_mod) == "maximum(score, -1.0) * float(abs((query - key)))"
    assert str(spec.mask_mod) == "(minimum(maximum((query // 4), 1), 2) - key) <= int((2 < query))"
    as_score = PLAIN.replace(score_mod=lambda s, b, h, q, k: s + (q - k).type_as(s))
    assert str(as_score.score_mod) == "score + float((query - key))"
    for method, why in (("sort", "sort of a number"), ("half", "scores are f32, and places i32: ")):
        with pytest.raises(SpecError, match=why):
            PLAIN.replace(score_mod=lambda s, b, h, q, k: getattr(s, method)())  # noqa: B023


def test_what_a_number_has_no_more_than_a_score_is_refused_with_what_to_write():
    hints = {"dtype": "or type_as.score", "device": "is computed", "shape": "single numbers"}
    for name, hint in hints.items():
        with pytest.raises(SpecError, match=f"{name} of a number that is not known yet; .*{hint}"):
            PLAIN.replace(score_mod=lambda s, b, h, q, k: s + getattr(k, name))  # noqa: B023


def test_functions_of_python_make_ints():
    """`math.floor` and its like call a method of the number, as `round` does."""
    spec = PLAIN.replace(
        mask_mod=lambda b, h, q, k: math.floor(q / 3) + math.trunc(k / 3) <= round(q * 0.4)
    )
    assert str(spec.mask_mod) == (
        "t2 = float(query); (int(floor((t2 / 3.0))) + int(trunc((float(key) / 3.0))))"
        " <= int(round((t2 * 0.4)))"
    )
    assert (
        str(PLAIN.replace(mask_mod=lambda b, h, q, k: math.ceil(q) > k).mask_mod) == "key < query"
    )


def test_floats_that_int32_has_no_number_for_are_its_nearest():
    table = np.array([np.nan, np.inf, -np.inf, 3e9, -3e9, 2.5, -2.5, 2147483520.0], np.float32)
    expression = traced("score_mod", lambda s, b, h, q, k: table[k].astype(int)).expression
    found = evaluate(expression, {"captured_table": table}, {"key": np.arange(8)})
    most = 2.0**31 - 128
    np.testing.assert_array_equal(found, [0, most, -(2.0**31), most, -(2.0**31), 2, -2, most])


def test_torch_s_activations_are_what_torch_says():
    score = np.linspace(-30, 30, 48).reshape(6, 8)
    bell = np.vectorize(math.erf)(score / np.sqrt(2))
    expected = {
        "softplus": np.logaddexp(score, 0),
        "logsigmoid": -np.logaddexp(-score, 0),
        "elu": np.where(score > 0, score, np.expm1(score)),
        "gelu": score * (1 + bell) / 2,
    }
    for name, values in expected.items():
        expression = traced("score_mod", lambda s, b, h, q, k: getattr(s, name)()).expression  # noqa: B023
        found = evaluate(expression, {}, {"score": score})
        np.testing.assert_allclose(found, values, rtol=1e-8, atol=1e-12, err_msg=name)


def test_bools_are_added_and_multiplied_as_numpy_does():
    """The sum of bools is `or`, the product `and`: bools, which `~` turns."""
    seen = PLAIN.replace(mask_mod=lambda b, h, q, k: ~((q > k) + (k > 2)) | (q > 3) * (k > 5))
    assert str(seen.mask_mod) == "~((key < query) | (2 < key)) | ((3 < query) & (5 < key))"


def test_a_loop_of_lambdas_keeps_the_number_of_each():
    """Functions are called when they are traced: what a variable becomes later is not in them."""
    specs = []
    for slope in (1.0, 2.0):
        specs.append(PLAIN.replace(score_mod=lambda score, b, h, q, k: score * slope))  # noqa: B023
    slope = 3.0
    assert [str(one.score_mod) for one in specs] == ["score * 1.0", "score * 2.0"], slope


def test_reads_by_a_name_beyond_an_array_are_refused():
    short = np.zeros(7, np.float32)
    with pytest.raises(SpecError, match=r"short \[7\] by key along axis 0.*up to 7"):
        PLAIN.replace(score_mod=lambda score, batch, head, query, key: score + short[key])


SQUARE = PLAIN.replace(q_len=8)
LIMITED = {
    "causal": (SQUARE, masks.causal, {"causal": True}),
    "window": (SQUARE, masks.causal & masks.sliding(3), {"causal": True, "window": (3, None)}),
    "both ways": (SQUARE, lambda b, h, q, k: abs(q - k) < 3, {"window": (2, 2)}),
    "strictly behind": (SQUARE, lambda b, h, q, k: k < q, None),
    "or": (SQUARE, masks.causal | masks.prefix(2), None),
    "top left": (PLAIN, masks.causal, {"causal": True, "alignment": "top_left"}),
    "beside a causal mask": (PLAIN.replace(causal=True), masks.causal, None),
    "narrower": (SQUARE.replace(window=(5, 1)), masks.sliding(2), {"window": (2, 1)}),
}


@pytest.mark.parametrize("name", LIMITED)
def test_limits_of_distances_are_the_features_that_say_so(name):
    spec, mask, fields = LIMITED[name]
    found = spec.replace(mask_mod=mask)
    if fields is None:
        assert found.mask_mod is not None
        assert found.replace(mask_mod=None) == spec
    else:
        assert found == spec.replace(**fields)


def test_what_a_mask_says_besides_is_kept():
    documents = np.zeros(8, np.int32)
    found = SQUARE.replace(mask_mod=masks.document(documents) & masks.causal)
    assert found.causal
    assert str(found.mask_mod) == "documents[query] == documents[key]"


def test_masks_mean_what_they_say():
    """Each by hand, for six drafted tokens."""
    query, key = np.arange(6)[:, None], np.arange(6)
    expected = {
        masks.sliding(1): query - key <= 1,
        masks.dilated(2): (query - key) % 2 == 0,
        masks.prefix(np.array([2, 4])): np.broadcast_to(key < 4, (6, 6)),
        ~masks.prefix(2): np.broadcast_to(key >= 2, (6, 6)),
        masks.document(np.array([[0] * 6, [0, 0, 1, 1, 1, 2]])): np.array(
            [[1, 1, 0, 0, 0, 0]] * 2 + [[0, 0, 1, 1, 1, 0]] * 3 + [[0, 0, 0, 0, 0, 1]]
        ),
        # 0 has the children 1 and 2, 2 has 3, and 4 begins anew.
        masks.tree([-1, 0, 0, 2, -1, 4]): np.array(
            [
                [1, 0, 0, 0, 0, 0],
                [1, 1, 0, 0, 0, 0],
                [1, 0, 1, 0, 0, 0],
                [1, 0, 1, 1, 0, 0],
                [0, 0, 0, 0, 1, 0],
                [0, 0, 0, 0, 1, 1],
            ]
        ),
    }
    for mask, seen in expected.items():
        found = np.broadcast_to(mask(1, 0, query, key), (6, 6))
        np.testing.assert_array_equal(found, seen.astype(bool))


@pytest.mark.parametrize(
    "make",
    [
        lambda: masks.document([0, 0, 1]),
        lambda: masks.document(np.zeros(3)),
        lambda: masks.tree([[-1, 0], [-1]]),
        lambda: masks.causal and masks.sliding(3),
        lambda: not masks.causal,
    ],
)
def test_what_is_no_mask_is_refused(make):
    with pytest.raises(SpecError, match=r"^(documents|parents|mask): "):
        make()


def test_a_tree_stands_behind_its_context():
    mask = masks.tree([-1, 0, 0], context=2)
    spec = PLAIN.replace(q_len=3, kv_len=5, mask_mod=mask)
    tensors = {"captured_own_paths": spec_array(mask)}
    names = {"batch": 0, "head": 0, "query": np.arange(3)[:, None], "key": np.arange(5)}
    seen = [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 0, 1]]
    np.testing.assert_array_equal(evaluate(spec.mask_mod, tensors, names), seen)


def test_trees_of_a_batch_stand_behind_their_contexts():
    """Two trees of 34 tokens, beyond a word of bits, over contexts of 3 and of 1."""
    chain = list(range(-1, 33))
    parents = np.array([chain, [-1, *[0] * 33]])
    mask = masks.tree(parents, context=np.array([3, 1], np.int32), positions=True)
    for batch, context in enumerate((3, 1)):
        token, other = np.arange(34)[:, None], np.arange(34)
        drafted = other <= token if batch == 0 else (other == token) | (other == 0)
        seen = mask(batch, 0, token + context, np.arange(34 + context))
        np.testing.assert_array_equal(seen[:, context:], drafted)
        assert seen[:, :context].all()


def spec_array(mask):
    """The one array that a mask reads."""
    (array,) = traced("mask_mod", mask).arrays.values()
    return array


@pytest.mark.parametrize("parents", [[0], [-2], [[[-1]]], [[-1], [0]], [-1, 1], [-1.0]])
def test_what_is_no_tree_is_refused(parents):
    with pytest.raises(SpecError, match="parents: expected"):
        masks.tree(parents)


def derivative(function):
    return derivative_of(PLAIN.replace(score_mod=function).score_mod)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (alibi, "1.0"),
        (lambda s, b, h, q, k: s * 2 + k, "2.0"),
        (lambda s, b, h, q, k: (s > 0) * 3.0 + k, "0.0"),
        (lambda s, b, h, q, k: np.tanh(s), "t2 = tanh(score); 1.0 - (t2 * t2)"),
        (lambda s, b, h, q, k: np.where(k > q, s, -np.inf), "where(query < key, 1.0, 0.0)"),
    ],
)
def test_a_score_function_has_a_derivative(function, text):
    assert str(derivative(function)) == text


def test_derivatives_where_a_function_bends_are_pytorch_s():
    of = {
        "minimum": lambda s, b, h, q, k: np.minimum(s, 1.0),
        "maximum": lambda s, b, h, q, k: np.maximum(1.0, s * 3),
        "abs": lambda s, b, h, q, k: abs(s),
        "where": lambda s, b, h, q, k: np.where(s > 0, s, np.log(s)),
    }
    scores = {"score": np.array([-1.0, 0.0, 1 / 3, 1.0, 2.0])}
    found = {name: evaluate(derivative(one), {}, scores).tolist() for name, one in of.items()}
    assert found["minimum"] == [1, 1, 1, 0.5, 0]
    assert found["maximum"] == [0, 0, 1.5, 3, 3]
    assert found["abs"] == [-1, 0, 1, 1, 1]
    # What is not taken has no part in it.
    assert found["where"] == [-1, np.inf, 1, 1, 1]


def test_powers_have_a_derivative_at_zero():
    scores = {"score": np.array([0.0, 4.0])}
    powers = {1.5: [0, 3], 9.0: [0, 9 * 4.0**8], 0.3: [np.inf, 0.3 * 4**-0.7]}
    for exponent, slopes in powers.items():
        found = evaluate(derivative(lambda s, b, h, q, k: s**exponent), {}, scores)  # noqa: B023
        np.testing.assert_allclose(found, slopes)
    by_exponent = derivative(lambda s, b, h, q, k: (k * 1.0) ** s)
    found = evaluate(by_exponent, {}, {"score": 2.0, "key": np.array([0, 1, 3])})
    np.testing.assert_allclose(found, [0, 0, 9 * math.log(3)])


def test_a_sigmoid_is_flat_far_from_zero():
    scores = {"score": np.array([-1e4, -2.0, 0, 2, 1e4])}
    found = evaluate(derivative(lambda s, b, h, q, k: s.sigmoid()), {}, scores)
    held = 1 / (1 + np.exp(np.array([2.0, 0, -2])))
    np.testing.assert_allclose(found, [0, *held * (1 - held), 0], rtol=1e-6, atol=1e-30)


def test_a_derivative_of_too_many_steps_is_refused():
    def long(score, batch, head, query, key):
        for _ in range(240):
            score = np.tanh(score * score)
        return score

    spec = PLAIN.replace(score_mod=long)
    with pytest.raises(SpecError, match="score_mod: its derivative takes more than the 512 steps"):
        AttentionBackwardSpec(
            num_q_heads=4, num_kv_heads=2, q_len=6, kv_len=8, head_dim=16, score_mod=spec.score_mod
        )


def test_a_function_is_traced_again_where_what_it_reads_may_have_changed():
    limit, limits, table = 3, [3], np.zeros(8, np.int32)

    def fixed(batch, head, query, key):
        return (query - key <= limit) & (table[query] == table[key])

    def of_a_list(batch, head, query, key):
        return query - key <= limits[0]

    mask = masks.sliding(2) & fixed
    for function in (fixed, mask, masks.document(table)):
        first = traced("mask_mod", function)
        assert traced("mask_mod", function) is first
        assert all(array is table for array in first.arrays.values())
    before = [str(traced("mask_mod", one).expression) for one in (fixed, mask, of_a_list)]
    limit, limits[0] = 4, 4
    after = [str(traced("mask_mod", one).expression) for one in (fixed, mask, of_a_list)]
    assert after == [text.replace("<= 3", "<= 4") for text in before]
    assert all("<= 4" in text for text in after)
    table.resize(16, refcheck=False)
    assert traced("mask_mod", fixed).expression.array("table").shape == (16,)


@pytest.mark.usefixtures("only_new_garbage")
def test_a_traced_function_is_not_kept():
    table = np.zeros(8, np.int32)
    mask = masks.document(table)
    traced("mask_mod", mask)
    gone = weakref.ref(mask.function)
    del mask
    gc.collect()
    assert gone() is None
