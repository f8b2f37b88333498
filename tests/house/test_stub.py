"""The stub of the package names what there is, so that editors complete it and mypy sees types."""

import ast
import importlib
import subprocess
import sys
from importlib.metadata import version

import pytest
import stub

import irattn
from support.places import ROOT

WRITTEN = (ROOT / "irattn" / "__init__.pyi").read_text(encoding="utf-8")
STUB = ast.parse(WRITTEN)
HOMES = {
    alias.name: node.module
    for node in STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def test_the_stub_is_what_the_tool_writes():
    assert stub.stub() == WRITTEN, "run `python3 tools/stub.py`"


def test_the_stub_has_every_public_name():
    (exported,) = [node.value for node in STUB.body if isinstance(node, ast.Assign)]
    assert sorted(HOMES) == sorted(ast.literal_eval(exported)) == dir(irattn)


def test_the_version_is_that_of_the_package():
    assert irattn.__version__ == version("irattn")


@pytest.mark.parametrize("name", HOMES)
def test_a_name_is_where_the_stub_says(name):
    assert getattr(irattn, name) is getattr(importlib.import_module(HOMES[name]), name)


@pytest.mark.slow
def test_a_users_checker_sees_types(tmp_path):
    # As if only this had been installed: to read all that is behind the names takes longer.
    rooms = ("binary", "compiling", "generation", "kvcache", "lab", "models", "rendering")
    unread = ["distributed", "elftools", "numpy", "tinygrad", *(f"irattn.{room}" for room in rooms)]
    skipped = ",".join(f"{package}.*" for package in unread)
    options = f"[mypy]\nignore_missing_imports = true\n[mypy-{skipped}]\nfollow_imports = skip\n"
    (tmp_path / "mypy.ini").write_text(options)
    program = tmp_path / "program.py"
    program.write_text(
        "import irattn\n"
        "reveal_type(irattn.load('gqa_causal_tiny'))\n"
        "irattn.attention(1, 2, 3, is_causl=True)\n"
    )
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", tmp_path, program],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert '"irattn.runtime.kernel.Kernel"' in told.stdout
    assert 'Unexpected keyword argument "is_causl"' in told.stdout
    assert told.stdout.count("error:") == 1
