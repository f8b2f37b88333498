"""Launch plans of PTX: the same as of AMD code, but for what the code itself says."""

import dataclasses
import re

import pytest

import irattn
from irattn.binary.launches import (
    Dispatch,
    code,
    launch_files,
    launch_plan,
    launch_plan_and_files,
    read_launch_plan,
)
from irattn.binary.vmfb import evaluate
from irattn.core.errors import ArtifactError

NAMES = ["gqa_causal_tiny", "lse_tiny", "cache_write_tiny", "dynamic_paged_decode_tiny"]


def compiled(name, target="sm_89"):
    return irattn.compile(name, target=target)


@pytest.mark.parametrize("target", ["sm_80", "sm_89"])
@pytest.mark.parametrize("name", NAMES)
def test_a_plan_has_what_the_ptx_declares(name, target):
    plan, files = launch_plan_and_files(compiled(name, target))
    assert plan.gfx == target
    assert read_launch_plan(plan.to_json().encode()) == plan
    for kernel in plan.kernels:
        text = files[kernel.code_object].decode()
        assert f".target {target}" in text
        block = ", ".join(map(str, kernel.workgroup_size))
        assert re.search(rf"\.entry {re.escape(kernel.name)}\([^)]*\)\s*\.maxntid {block}\b", text)
        kinds = [argument.kind for argument in kernel.arguments]
        assert kinds == sorted(kinds), "bindings come before constants"
    assert {step.kernel for step in plan.steps if isinstance(step, Dispatch)} <= {
        kernel.name for kernel in plan.kernels
    }


@pytest.mark.parametrize("name", NAMES)
def test_buffers_are_those_of_the_amd_plan(name):
    ours, amds = launch_plan(compiled(name)), launch_plan(compiled(name, "gfx1100"))
    assert (ours.inputs, ours.sizes) == (amds.inputs, amds.sizes)
    assert [(o.name, o.shape, o.updates) for o in ours.outputs] == [
        (o.name, o.shape, o.updates) for o in amds.outputs
    ]


def test_shared_memory_is_given_at_the_launch():
    (kernel,) = launch_plan(compiled("gqa_causal_tiny")).kernels
    assert kernel.dynamic_lds > 0
    (file,) = launch_files(compiled("gqa_causal_tiny"))
    assert file == "gqa_causal_tiny-0.ptx"


def test_grids_are_of_the_sizes_of_a_call():
    plan = launch_plan(compiled("dynamic_paged_decode_tiny"))
    axes = {axis: size.most for size in plan.sizes for axis in size.axes}
    first = next(step for step in plan.steps if isinstance(step, Dispatch))
    whole = [evaluate(size, axes) for size in first.grid]
    halves = {axis: 1 if axis in plan.sizes[0].axes else most for axis, most in axes.items()}
    assert evaluate(first.grid[0], halves) < whole[0] or whole[1] > 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"constant_count": 1}, r"expected 4 pointers and 1 constants of 32 bits, its PTX takes"),
        ({"kernel": "another"}, "kernel another: its PTX does not have it"),
    ],
)
def test_ptx_that_the_module_tells_differently_is_refused(changes, message, monkeypatch):
    form = code.FORMATS["cuda"]

    def other(data):
        exports, texts = form.read(data)
        return [dataclasses.replace(export, **changes) for export in exports], texts

    monkeypatch.setitem(code.FORMATS, "cuda", dataclasses.replace(form, read=other))
    with pytest.raises(ArtifactError, match=message):
        launch_plan(compiled("gqa_causal_tiny"))
