"""Caches are updated in place, and attention reads its arguments where they are."""

import re

import pytest

from irattn import catalog, targets
from irattn.rendering import render
from support.compiled_once import compiled_once

NAMES = [
    "cache_write",
    "cache_append",
    "layer_decode",
    "layer_prefill",
    "whole_layer_decode",
    "whole_layer_prefill",
    "paged_update_decode",
    "paged_update_prefill",
    "paged_update_mixed",
]

ATTENTION = [
    "gqa_causal",
    "gqa_decode",
    "gqa_paged_decode",
    "packed_causal",
    "dynamic_causal",
    "dynamic_paged_decode",
]

COPY = re.compile(r"stream\.(cmd|async)\.(copy|clone)")

ANEW = (
    "%value_rows = tensor.collapse_shape %value_cache",
    "%anew = arith.negf %value_cache : !value_cache\n  %value_rows = tensor.collapse_shape %anew",
)

_EXPORT = re.compile(r"stream\.tensor\.export .*? (%\w+)(?:#(\d+))? :")
_AWAIT = re.compile(r"(%\w+)(?::\d+)? = stream\.timepoint\.await %\w+ => (.*?) :")


def schedule(text, target):
    """What the host does around the kernels: allocations, copies, launches."""
    compiled = compiled_once(text, (*targets.get(target).flags, "--compile-to=stream")).decode()
    return compiled[compiled.index("util.func public @") :]


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


@pytest.mark.parametrize("target", ["gfx1100", "gfx942", "cpu"])
@pytest.mark.parametrize("size", ["tiny", "base"])
@pytest.mark.parametrize("name", NAMES)
def test_caches_are_updated_in_place(name, size, target):
    spec = catalog.get(f"{name}_{size}")
    assert is_in_place(spec, schedule(render(spec, targets.get(target)), target))


@pytest.mark.parametrize("target", ["gfx1100", "gfx942", "cpu"])
@pytest.mark.parametrize("name", ATTENTION)
def test_attention_reads_its_arguments_where_they_are(name, target):
    spec = catalog.get(f"{name}_base")
    around = schedule(render(spec, targets.get(target), formulation="fused"), target)
    assert not COPY.search(around)
    assert "memcpy" not in around


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
    text = schedule(render(spec, targets.get("gfx1100")), "gfx1100")
    assert text.count("stream.cmd.dispatch") == kernels


@pytest.mark.parametrize(
    ("target", "name", "old", "new"),
    [
        # The caller keeps the memory.
        ("cpu", "paged_update_decode", " {iree.abi.consume}", ""),
        # A kernel makes a whole cache anew.
        *(
            (target, name, *ANEW)
            for target in ("gfx1100", "cpu")
            for name in ("cache_write", "cache_append")
        ),
    ],
)
def test_a_copy_is_noticed(target, name, old, new):
    spec = catalog.get(f"{name}_tiny")
    text = render(spec, targets.get(target))
    assert old in text
    assert not is_in_place(spec, schedule(text.replace(old, new), target))
