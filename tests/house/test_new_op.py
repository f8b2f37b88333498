"""A new op is its own files and nothing else: spec, reference and template."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irattn.specs import SPEC_TYPES
from support.places import ROOT

pytestmark = pytest.mark.slow


FILES = {
    "irattn/specs/halve.py": '''
"""A throwaway op."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.specs.base import Spec
from irattn.core.tensors import TensorType


@dataclass(frozen=True, kw_only=True)
class HalveSpec(Spec):
    """output = x / 2, both `[rows, 8]`."""

    op: ClassVar[str] = "halve"

    io_dtype: str = "f16"
    rows: int

    @property
    def inputs(self):
        return (TensorType("x", (self.rows, 8), self.io_dtype),)

    @property
    def outputs(self):
        return (TensorType("output", (self.rows, 8), self.io_dtype),)

    @property
    def flops(self):
        return self.rows * 8


CATALOGUE = {"halve_tiny": HalveSpec(rows=4, io_dtype="f32")}
''',
    "irattn/reference/halve.py": '''
"""The throwaway op, in float64."""


def halve(spec, tensors):
    return (tensors["x"].astype("float64") / 2,)
''',
    "templates/linalg/halve.mlir.j2": """
//% from "shared/function.mlir.j2" import aliases, signature, return_outputs
{{ aliases(spec) }}
#same = affine_map<(m, n) -> (m, n)>

func.func {{ signature(spec) }} {
  %empty = tensor.empty() : !output
  %output = linalg.generic {
      indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]
    } ins(%x : !x) outs(%empty : !output) {
  ^bb0(%element: f32, %unused: f32):
    %half = arith.constant 0.5 : f32
    %halved = arith.mulf %element, %half : f32
    linalg.yield %halved : f32
  } -> !output
{{ return_outputs(spec) }}
}
""",
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for part in ("irattn", "templates"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    for path, text in FILES.items():
        (folder / path).write_text(text.lstrip())
    return folder


def python(checkout: Path, *arguments: str) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(checkout),
        "IRATTN_CACHE": str(checkout / "cache"),
    }
    done = subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_op_is_public_and_in_the_catalogue(checkout: Path):
    shown = "irattn.__file__, irattn.HalveSpec(rows=1), dir(irattn)"
    said = python(checkout, "-c", f"import irattn; print({shown}, sep='\\n')").splitlines()
    assert str(checkout) in said[0]
    assert "HalveSpec(" in said[1]
    assert "'HalveSpec'" in said[2]
    assert "halve_tiny" in python(checkout, "-m", "irattn", "list")


def test_the_op_compiles_runs_and_is_verified(checkout: Path):
    said = python(checkout, "-m", "irattn", "verify", "halve_tiny", "--json")
    (verdict,) = json.loads(said)
    assert verdict["passed"]
    assert verdict["spec"] == {"op": "halve", "io_dtype": "f32", "rows": 4}


def test_a_spec_needs_no_other_place_than_its_module():
    """Public names, types and catalogue come from the modules: nothing lists ops by hand."""
    names = ("__init__.py", "compiling/catalog.py")
    places = [ROOT / "irattn" / name for name in names]
    places += (ROOT / "irattn" / "lab" / "inputs").glob("*.py")
    places += [ROOT / "irattn" / room / "__init__.py" for room in ("specs", "reference")]
    text = "\n".join(path.read_text() for path in places)
    assert [spec.__name__ for spec in SPEC_TYPES.values() if spec.__name__ in text] == []
