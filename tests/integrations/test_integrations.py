"""What holds of every integration, with or without the package that it is for."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import irattn.integrations
from irattn.core.errors import IrattnError
from support.places import ROOT

PAGE = Path(irattn.integrations.__file__).with_name("README.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## (\w+)\n", PAGE, flags=re.MULTILINE)[1:]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


@pytest.mark.slow
def test_irattn_imports_no_integration_and_kernels_nothing_that_proves_or_times_them():
    program = """
import sys, irattn
irattn.compile, irattn.load, irattn.verify
found = {"irattn.lab.certificates", "irattn.lab.tuning", "irattn.lab.benchmark"} & set(sys.modules)
import irattn.cli
[getattr(irattn, name) for name in dir(irattn)]
found |= {"torch", "transformers", "onnx", "irattn.integrations"} & set(sys.modules)
sys.exit(", ".join(found) or 0)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("name", "text"),
    list(zip(SECTIONS[::2], SECTIONS[1::2], strict=True)),
    ids=SECTIONS[::2],
)
def test_the_page(name, text):
    """Its sections are named as the files and the extras; test_pages runs what it shows."""
    assert name in EXTRAS
    first, *_ = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert f"irattn.integrations.{name} " in first


@pytest.mark.parametrize(
    ("name", "extra"),
    [(name, "vllm-cpu" if name == "vllm" else name) for name in SECTIONS[::2]],
)
def test_a_package_that_is_not_there_is_said_with_its_extra(monkeypatch, name, extra):
    assert extra in EXTRAS
    monkeypatch.delitem(sys.modules, f"irattn.integrations.{name}", raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"irattn.integrations.{name}")
    assert isinstance(caught.value, IrattnError)
    assert str(caught.value) == (
        f"irattn.integrations.{name}: {name} is not installed; pip install 'irattn[{extra}]'"
    )
