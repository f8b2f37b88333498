"""The target of a verb that is given none."""

import pytest

from irattn import KernelCache, render
from irattn.core.errors import TargetError
from irattn.runtime import machine
from irattn.runtime.machine import target_or_here


@pytest.fixture
def gpus(monkeypatch):
    """What drivers say of their GPUs."""
    there = {}
    monkeypatch.setattr(machine, "device_arch", there.get)
    return there


@pytest.mark.parametrize(
    ("found", "device", "name"),
    [
        ({}, "auto", "cpu"),
        ({"hip": "gfx942:sramecc+:xnack-"}, "auto", "gfx942"),
        ({"hip": "gfx1100", "cuda": "sm_90"}, "auto", "gfx1100"),
        ({"hip": "gfx1100", "cuda": "sm_90"}, "cuda", "sm_89"),
        ({"hip": "gfx1100"}, "local-task", "cpu"),
        ({"hip": "gfx1100"}, "cpu", "cpu"),
        # No target of irattn runs there.
        ({"hip": "gfx1030", "cuda": "sm_75"}, "auto", "cpu"),
    ],
)
def test_without_a_name_it_is_this_machines(gpus, found, device, name):
    gpus.update(found)
    assert target_or_here(None, device).name == name


def test_a_name_goes_before_all(gpus):
    gpus["hip"] = "gfx1100"
    assert target_or_here("mi300x").name == "gfx942"
    with pytest.raises(TargetError, match="gfx0: not a target"):
        target_or_here("gfx0")


def test_verbs_take_it(gpus):
    text = render("gqa_causal_tiny")
    assert text == render("gqa_causal_tiny", target="cpu")
    gpus["hip"] = "gfx1201"
    assert render("gqa_causal_tiny") == render("gqa_causal_tiny", target="gfx1201") != text
    assert KernelCache()._target.name == "gfx1201"
