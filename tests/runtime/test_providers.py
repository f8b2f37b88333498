"""Providers of devices: which is taken, why not the others, and those of other packages."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
from irattn import AttentionSpec, Provider, register_provider, targets
from irattn.cli import main
from irattn.core.errors import ArgumentError, DeviceError, UsageError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import Decision, providers, registry
from irattn.runtime.devices import DriverStatus, driver_status
from irattn.runtime.iree_providers import THREADED_FLOPS

SPEC = AttentionSpec(num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32")
BIG = AttentionSpec(num_q_heads=8, num_kv_heads=8, q_len=64, kv_len=256, head_dim=64)
OWN = ["hip", "cuda", "local-task", "local-sync", "emulator", "emulator-schedules"]

without_hip = pytest.mark.skipif(
    driver_status("hip").problem is None, reason="an AMD GPU is here, and is taken"
)


class ReferenceSession:
    """An artifact's spec, answered by the reference."""

    driver = "reference"

    def __init__(self, artifact):
        self.artifact, self.spec = artifact, artifact.spec

    def run(self, arrays):
        names = [tensor.name for tensor in self.spec.inputs]
        outputs = reference(self.spec, dict(zip(names, arrays, strict=True)))
        return tuple(output.astype(np.float32) for output in outputs)


class ReferenceProvider(Provider):
    """What another package might bring."""

    name = "reference"
    problem = None

    def status(self):
        return DriverStatus(self.name, ("NumPy",), self.problem)

    def misfit(self, target):
        return "needs device hip" if target.is_gpu else None

    def open(self, artifact):
        return ReferenceSession(artifact)


@pytest.fixture
def register():
    registered = []

    def do(provider, **where):
        register_provider(provider, **where)
        registered.append(provider.name)

    yield do
    for name in registered:
        registry().remove(name)


def outcomes(decisions):
    return {decision.provider: decision.reason for decision in decisions}


def test_the_order_of_choice():
    assert [provider.name for provider in registry()] == OWN


def test_a_selection_says_what_runs_and_why_not_the_others():
    small, big = irattn.load(SPEC), irattn.load(BIG)
    assert [decision.provider for decision in small.selection.devices] == OWN
    reasons = outcomes(small.selection.devices)
    assert (small.driver, reasons["local-sync"]) == ("local-sync", None)
    assert BIG.flops > THREADED_FLOPS > SPEC.flops
    assert reasons["local-task"] == (
        "several threads cost more than they bring below 8e+06 operations, 1 MiB of results and "
        "8 MiB of new tokens"
    )
    assert reasons["hip"] == reasons["cuda"] == "cpu needs device cpu"
    assert reasons["emulator"] == "local-sync comes first"
    assert str(small.selection.devices[3]) == "local-sync: accepted"
    assert str(small.selection.devices[4]) == "emulator: rejected because local-sync comes first"
    assert small.selection.devices[3].accepted
    assert not small.selection.devices[4].accepted
    reasons = outcomes(big.selection.devices)
    assert (big.driver, reasons["local-task"]) == ("local-task", None)
    assert reasons["local-sync"] == "local-task comes first"
    reasons = outcomes(irattn.load(SPEC, device="local-task").selection.devices)
    assert reasons["local-sync"] == "device local-task is asked for"
    assert reasons["local-task"] is None


@without_hip
def test_a_selection_says_why_not_the_gpu():
    kernel = irattn.load(SPEC, target="gfx1100")
    ((target, reason),) = kernel.selection.rejected
    assert target == "gfx1100"
    assert reason.startswith("device hip: ")
    assert kernel.selection.accepted == kernel.artifact.target == "cpu"
    reasons = outcomes(registry().decide(targets.get("gfx1100"), SPEC, "auto"))
    assert reasons["hip"] == driver_status("hip").problem
    assert reasons["cuda"] == "gfx1100 needs device hip"
    assert reasons["emulator"].endswith("it is taken by name only")
    reasons = outcomes(registry().decide(targets.get("gfx1100"), SPEC, "emulator"))
    assert reasons["emulator"] is None


def test_another_packages_provider_runs_what_it_is_asked_for(register):
    register(ReferenceProvider())
    tensors = random_tensors(SPEC)
    kernel = irattn.load(SPEC, device="reference")
    assert (kernel.driver, kernel.selection.devices[-1]) == (
        "reference",
        Decision("reference", None),
    )
    np.testing.assert_allclose(kernel(**tensors), irattn.load(SPEC)(**tensors), atol=1e-6)
    assert irattn.load(SPEC).driver == "local-sync"
    with pytest.raises(DeviceError, match="compiled for gfx1100 and needs device hip"):
        irattn.load(SPEC, target="gfx1100", device="reference")
    with pytest.raises(DeviceError, match="device reference: takes NumPy arrays only"):
        kernel.bind(**tensors)


def test_another_packages_provider_may_come_first(register):
    provider = ReferenceProvider()
    register(provider, before="hip")
    kernel = irattn.load(SPEC)
    assert kernel.driver == "reference"
    assert outcomes(kernel.selection.devices)["local-sync"] == "reference comes first"
    # What it says of itself is what is said of it everywhere.
    provider.problem = "on holiday"
    kernel = irattn.load(SPEC)
    assert kernel.driver == "local-sync"
    assert kernel.selection.devices[0] == Decision("reference", "on holiday")
    found = json.loads(CliRunner().invoke(main, ["doctor", "--json"]).stdout)
    assert found["drivers"][0] == {
        "driver": "reference", "devices": ["NumPy"], "problem": "on holiday",
    }  # fmt: skip
    decided = {entry["target"]: entry["providers"] for entry in found["devices_for_targets"]}
    assert decided["cpu"][0] == {
        "provider": "reference", "reason": "on holiday", "accepted": False,
    }  # fmt: skip
    assert "none: on holiday" in CliRunner().invoke(main, ["doctor"]).stdout


def test_a_provider_is_refused_that_cannot_be_told_from_others(register):
    for name in ("auto", "cpu", "hip"):
        provider = ReferenceProvider()
        provider.name = name
        with pytest.raises(
            ArgumentError, match=f"^provider: expected a name of its own, got {name}"
        ):
            register_provider(provider)
    with pytest.raises(ArgumentError, match=r"^before: expected one of hip, .*, got tpu"):
        register_provider(ReferenceProvider(), before="tpu")
    with pytest.raises(UsageError, match=r"device: expected one of auto, cpu, hip, .*'refe"):
        irattn.load(SPEC, device="reference")


@pytest.mark.parametrize("wrong", [None, "reference", ReferenceProvider, SPEC])
def test_what_is_no_provider_is_refused(wrong):
    with pytest.raises(ArgumentError, match=r"^provider: expected an object of irattn\.Provider, "):
        register_provider(wrong)


@pytest.mark.parametrize("name", ["", None, 5])
def test_a_provider_without_a_name_is_refused(name):
    provider = ReferenceProvider()
    provider.name = name
    with pytest.raises(ArgumentError, match=r"^provider: expected one with a name, got"):
        register_provider(provider)
    assert [known.name for known in registry()] == OWN


class EntryPoint:
    """What an installed package says."""

    def __init__(self, name, loaded):
        self.name, self.value = name, f"package.{name}:make"
        self._loaded = loaded

    def load(self):
        if isinstance(self._loaded, Exception):
            raise self._loaded
        return self._loaded


def test_installed_packages_bring_theirs(monkeypatch):
    points = [
        EntryPoint("reference", ReferenceProvider),
        EntryPoint("bad", ImportError("no torch")),
    ]
    monkeypatch.setattr(providers, "entry_points", lambda group: points)
    found = providers.Registry()
    found.register_packages()
    assert [provider.name for provider in found] == ["reference", "bad"]
    problem = "its package does not load: ImportError: no torch"
    assert found.get("bad").status() == DriverStatus("bad", (), problem)
    cpu = targets.get("cpu")
    assert [str(decision) for decision in found.decide(cpu, SPEC, "auto")] == [
        "reference: accepted",
        "bad: rejected because reference comes first",
    ]
    assert outcomes(found.decide(cpu, SPEC, "bad"))["bad"] == problem
    with pytest.raises(DeviceError, match=f"^device bad: {problem}"):
        found.get("bad").open(None)
    with pytest.raises(ArgumentError, match=r"^provider: expected one of reference, bad, got x"):
        found.get("x")


def test_installed_packages_that_bring_no_provider_harm_nobody(monkeypatch):
    points = [
        EntryPoint("reference", ReferenceProvider),
        EntryPoint("another", ReferenceProvider),
        EntryPoint("reference", dict),
    ]
    monkeypatch.setattr(providers, "entry_points", lambda group: points)
    found = providers.Registry()
    found.register_packages()
    assert {provider.name: provider.status().problem for provider in found} == {
        "reference": None,
        "another": "its package does not load: ArgumentError: provider: expected a name of its "
        "own, got reference",
        "package.reference:make": "its package does not load: ArgumentError: provider: expected "
        "an object of irattn.Provider, got {}",
    }
