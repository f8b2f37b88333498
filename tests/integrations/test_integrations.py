"""What holds of every integration, with or without the package that it is for."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import irattn.integrations
from irattn import AttentionSpec
from irattn.core.errors import ArgumentError, IrattnError
from irattn.integrations.kernels import with_dynamic_sizes
from irattn.integrations.masks import axes_of
from support.places import ROOT

PAGE = Path(irattn.integrations.__file__).with_name("README.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## (\w+)\n", PAGE, flags=re.MULTILINE)[1:]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

SPEC = AttentionSpec(num_q_heads=4, num_kv_heads=2, q_len=1, kv_len=1, head_dim=16)


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
    (block,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert f"irattn.integrations.{name} " in block


@pytest.mark.parametrize("name", SECTIONS[::2])
def test_a_package_that_is_not_there_is_said_with_its_extra(monkeypatch, name):
    monkeypatch.delitem(sys.modules, f"irattn.integrations.{name}", raising=False)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"irattn.integrations.{name}")
    assert isinstance(caught.value, IrattnError)
    assert str(caught.value) == (
        f"irattn.integrations.{name}: {name} is not installed; pip install 'irattn[{name}]'"
    )


@pytest.mark.parametrize(
    ("sizes", "maxima", "dynamic"),
    [
        ((1, 1, 1), (1, 1, 1024), ("kv_len",)),
        ((1, 1, 1025), (1, 1, 2048), ("kv_len",)),
        ((3, 7, 1024), (8, 1024, 1024), ("batch", "q_len", "kv_len")),
        ((9, 5000, 5000), (16, 8192, 8192), ("batch", "q_len", "kv_len")),
    ],
)
def test_one_kernel_serves_sizes_up_to_a_power_of_two(sizes, maxima, dynamic):
    batch, q_len, kv_len = sizes
    spec = with_dynamic_sizes(SPEC.replace(batch=batch, q_len=q_len, kv_len=kv_len))
    assert (spec.batch, spec.q_len, spec.kv_len) == maxima
    assert spec.dynamic == dynamic


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((), "k"),
        ((7,), "k"),
        ((1,), "k"),
        ((5, 7), "qk"),
        ((2, 1, 1, 7), "bk"),
        ((1, 4, 5, 7), "hqk"),
        ((2, 4, 5, 7), "bhqk"),
    ],
)
def test_axes_of_a_mask(shape, axes):
    assert axes_of("mask", shape, (2, 4, 5, 7)) == axes


@pytest.mark.parametrize("shape", [(6,), (4, 7), (3, 1, 1, 7), (1, 2, 4, 5, 7)])
def test_a_mask_that_does_not_broadcast_is_refused(shape):
    with pytest.raises(ArgumentError, match=r"mask: expected a shape that broadcasts to \[2, 4"):
        axes_of("mask", shape, (2, 4, 5, 7))
