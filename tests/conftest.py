"""One store of artifacts for all tests, kept between runs, and `--update-golden`."""

import atexit
import gc
import os
from collections.abc import Generator, Iterator
from typing import TypeVar

# Each core has a test. NumPy's threads, and PyTorch's, wait for one another by spinning: where two
# tests had two each on two cores, the same references took five times as much of the processor.
# Libraries read these as they are loaded.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import pytest

from irattn.compiling.compiler import use_compiler
from support.compiled_once import compiled_once
from support.places import ROOT
from support.shares import dealt

Report = TypeVar("Report", pytest.CollectReport, pytest.TestReport)

STORE = ROOT / "build" / "test-store"

# Everything that a test compiles without saying where goes here, not into the user's cache.
os.environ["IRATTN_CACHE"] = str(STORE)

# Thousands of tests, and what the emulator decoded, stay until the end: Python need not look for
# garbage among them again and again, which took a tenth of its time.
gc.set_threshold(10_000_000, 20, 20)

# What a test compiles into a folder of its own takes what another test compiled, if it is the same.
use_compiler(compiled_once)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Write the rendered MLIR as the new goldens."
    )
    parser.addoption("--no-skips", action="store_true", help="Fail what would be skipped.")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    if workers > 1:
        items[:] = dealt(items, workers, is_slow, lambda item: item.path)


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return unless_skipped((yield), collector.config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return unless_skipped((yield), item.config)


def unless_skipped(report: Report, config: pytest.Config) -> Report:
    """The report, failed where it skips and nothing may be skipped."""
    if report.skipped and config.getoption("--no-skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be: {report.longrepr}"
    return report


def pytest_configure(config: pytest.Config) -> None:
    # Nor is garbage to be looked for when a worker ends, which takes many seconds: it has told
    # everything by then. Not by xdist's variable, which processes that a test starts inherit.
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)


def pytest_sessionfinish() -> None:
    # pytest ends with searches for garbage, too; Python does so itself once more.
    gc.freeze()
    atexit.register(gc.unfreeze)


@pytest.fixture
def only_new_garbage() -> Iterator[None]:
    """A test that has garbage collected looks through what it makes itself.

    To look through all that a process has by then takes seconds.
    """
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
