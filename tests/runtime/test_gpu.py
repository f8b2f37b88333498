"""On a real GPU. Skips without one; under IRATTN_REQUIRE_GPU=1 its absence is a failure."""

import os

import pytest

from irattn import targets
from irattn.compiling import catalog
from irattn.lab.verification import verify_spec
from irattn.rendering import GraphRequest
from irattn.runtime import GPU_DRIVERS, driver_status

# What to compile for where a driver finds a device; IRATTN_GPU_TARGET names another gfx.
DEFAULT_TARGETS = {"hip": "gfx1100", "cuda": "sm_89"}


@pytest.fixture(scope="module")
def gpu_target():
    problems = []
    for driver in GPU_DRIVERS:
        status = driver_status(driver)
        if status.problem is None:
            return targets.get(os.environ.get("IRATTN_GPU_TARGET", DEFAULT_TARGETS[driver]))
        problems.append(f"{driver}: {status.problem}")
    reason = "no GPU here: " + "; ".join(problems)
    if os.environ.get("IRATTN_REQUIRE_GPU") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.mark.gpu
@pytest.mark.parametrize("name", catalog.names(["tiny", "base"]))
def test_the_catalogue_on_a_gpu(gpu_target, name):
    verdict = verify_spec(
        GraphRequest(catalog.get(name), gpu_target), name=name, device=gpu_target.driver
    )
    assert verdict.passed, verdict
