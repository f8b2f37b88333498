"""Caches are updated in place, and attention reads its arguments where they are."""

import re
from functools import cache

import pytest

from irattn import targets
from irattn.compiling import catalog
from irattn.rendering import GraphRequest, render
from support.compiled_once import compiled_once
from support.joined import joined

pytestmark = pytest.mark.slow

UPDATING = tuple(
    f"{name}_{size}"
    for name in (
        "cache_write",
        "cache_append",
        "layer_decode",
        "layer_prefill",
        "whole_layer_decode",
        "whole_layer_prefill",
        "paged_update_decode",
        "paged_update_prefill",
        "paged_update_mixed",
    )
    for size in ("tiny", "base")
)

ATTENTION = (
    "gqa_causal_base",
    "gqa_decode_base",
    "gqa_paged_decode_base",
    "packed_causal_base",
    "dynamic_causal_base",
    "dynamic_paged_decode_base",
)

PACKED = ("dynamic_packed_paged_base", "packed_paged_update_base")

COPY = re.compile(r"stream\.(cmd|async)\.(copy|clone)")

_KEYS = "\n  return %updated_key_cache, "
ANEW = (
    f"{_KEYS}%updated_value_cache",
    f"\n  %anew = arith.negf %updated_value_cache : !updated_value_cache{_KEYS}%anew",
)

_STEP = re.compile(r"stream\.(?:cmd|async)\.(?!execute|concurrent|serial)\w+")
_EXPORT = re.compile(r"stream\.tensor\.export .*? (%\w+)(?:#(\d+))? :")
_AWAIT = re.compile(r"(%\w+)(?::\d+)? = stream\.timepoint\.await %\w+ => (.*?) :")


def functions(texts, target):
    """What the host does of each text, and what it does of the same in a queue."""
    flags = (*targets.get(target).flags, "--compile-to=stream")
    module = compiled_once(joined(texts, with_queues=True), flags).decode()
    _, *functions = module.split("util.func public @")
    queued = [text for text in functions if text.partition("(")[0].endswith("$async")]
    plain = [text for text in functions if "$async" not in text.partition("(")[0]]
    return plain, queued


def schedules(texts, target):
    """What the host does around the kernels of each: allocations, copies, launches.

    The function for queues does the same.
    """
    plain, queued = functions(texts, target)
    assert len(plain) == len(queued) == len(texts)
    assert [_STEP.findall(text) for text in queued] == [_STEP.findall(text) for text in plain]
    return plain


def schedule(text, target):
    (function,) = schedules([text], target)
    return function


@cache
def schedules_of(names, target, formulation=None):
    """The schedules of entries of the catalogue, compiled together."""
    entries, made_for = map(catalog.get, names), targets.get(target)
    texts = [render(GraphRequest(spec, made_for, formulation=formulation)) for spec in entries]
    return dict(zip(names, schedules(texts, target), strict=True))


def arguments(text):
    """The memory of each argument."""
    return re.findall(r"(%\w+) = stream\.tensor\.import", text)


def results(text):
    """The memory of each result."""
    awaited = {name: memory.split(", ") for name, memory in _AWAIT.findall(text)}
    found = _EXPORT.findall(text)
    return [awaited[name][int(index or 0)] if name in awaited else name for name, index in found]


def is_in_place(spec, text):
    given = dict(zip((tensor.name for tensor in spec.inputs), arguments(text), strict=True))
    made = dict(zip((tensor.name for tensor in spec.outputs), results(text), strict=True))
    shares = all(made[output] == given[name] for output, name in spec.updates.items())
    return shares and not COPY.search(text)


@pytest.mark.parametrize("target", ["gfx1100", "cpu"])
@pytest.mark.parametrize("name", UPDATING)
def test_caches_are_updated_in_place(name, target):
    assert is_in_place(catalog.get(name), schedules_of(UPDATING, target)[name])


def test_memory_of_workgroups_is_neither_filled_nor_copied():
    # What is filled with a number is a constant to the compiler, which the module keeps.
    names = ("attention_backward_tiny", "packed_backward_tiny")
    for function in schedules_of(names, "cpu").values():
        assert "stream.cmd.dispatch" in function
        assert not re.search(r"stream\.cmd\.(fill|copy)|util\.global\.load", function)


@pytest.mark.parametrize("target", ["gfx1100", "cpu"])
@pytest.mark.parametrize("name", ATTENTION)
def test_attention_reads_its_arguments_where_they_are(name, target):
    around = schedules_of(ATTENTION, target, "fused")[name]
    assert not COPY.search(around)
    assert "memcpy" not in around


def test_in_a_queue_of_cuda_nothing_is_allocated():
    # IREE's driver would wait, on the host, for all that was launched before.
    names = ("gqa_decode_base", "dynamic_paged_decode_tiny", "paged_update_decode_tiny", "mlp_tiny")
    target = targets.get("sm_89")
    texts = [render(GraphRequest(catalog.get(name), target)) for name in names]
    plain, queued = functions(texts, target.name)
    for one, same in zip(plain, queued, strict=True):
        assert "stream.resource.alloca" in one
        assert "stream.resource.alloca" not in same
        assert "stream.timepoint.await" not in same
        assert same.count("stream.cmd.dispatch") == one.count("stream.cmd.dispatch")


@pytest.mark.parametrize(
    ("name", "kernels"),
    [
        ("cache_write_base", 2),
        ("cache_append_base", 2),
        ("paged_update_decode_tiny", 3),
        # A long context is attended to in parts, whose merge is one kernel more.
        ("paged_update_decode_base", 4),
        ("gqa_decode_base", 2),
        ("gqa_paged_decode_base", 2),
        ("paged_window_sinks_base", 2),
        ("paged_soft_cap_lse_base", 2),
        ("dynamic_paged_decode_base", 2),
    ],
)
def test_few_kernels_are_launched(name, kernels):
    spec = catalog.get(name)
    text = schedule(render(GraphRequest(spec, targets.get("gfx1100"))), "gfx1100")
    assert text.count("stream.cmd.dispatch") == kernels


@pytest.mark.parametrize(
    ("name", "kernels"),
    [("cache_write_base", 1), ("cache_append_base", 1), ("paged_update_decode_tiny", 2)],
)
def test_cpus_write_keys_and_values_in_one_kernel(name, kernels):
    around = schedules_of(UPDATING, "cpu")[name]
    assert around.count("stream.cmd.dispatch") == kernels


@pytest.mark.parametrize(("name", "kernels"), zip(PACKED, (3, 4), strict=True))
def test_cpus_complete_the_rows_of_many_queries_in_place(name, kernels):
    around = schedules_of(PACKED, "cpu")[name]
    assert around.count("stream.cmd.dispatch") == kernels
    assert is_in_place(catalog.get(name), around)


# A kernel makes a whole cache anew.
@pytest.mark.parametrize("target", ["gfx1100", "cpu"])
@pytest.mark.parametrize("name", ["cache_write_tiny", "cache_append_tiny"])
def test_a_copy_is_noticed(target, name):
    spec, (old, new) = catalog.get(name), ANEW
    text = render(GraphRequest(spec, targets.get(target)))
    assert old in text
    found = schedules([text, text.replace(old, new)], target)
    assert [is_in_place(spec, around) for around in found] == [True, False]
