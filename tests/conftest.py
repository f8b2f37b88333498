"""One store of artifacts for all tests, kept between runs, and `--update-golden`."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
STORE = ROOT / "build" / "test-store"

# Everything that a test compiles without saying where goes here, not into the user's cache.
os.environ["IRATTN_CACHE"] = str(STORE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="Write the rendered MLIR as the new goldens."
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))
