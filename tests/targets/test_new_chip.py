"""A new GPU is one record in `irattn/targets/chips.py`: all that depends on a chip reads it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import irattn
from irattn import targets
from irattn.compiling import catalog
from irattn.lab.codefiles import execute_file, read_code_file, read_description
from irattn.lab.codefiles.execution import estimated
from irattn.rendering import GraphRequest, render
from irattn.targets.chips import CHIPS, Chip, Peak
from irattn.targets.families import CDNA3, CDNA4, FEW_REGISTERS, RDNA3, RDNA3_5

NEW = "gfx1159"
KIN = "gfx1150"


def add(monkeypatch: pytest.MonkeyPatch, chip: Chip) -> None:
    monkeypatch.setitem(CHIPS, chip.name, chip)


@pytest.fixture
def new(monkeypatch: pytest.MonkeyPatch) -> str:
    """A chip that nobody sells, with half the compute units of its kin."""
    peak = Peak("Radeon 845M", 8, 2.9, 120, 2)
    add(monkeypatch, Chip(NEW, RDNA3_5, "medusa-point 845m", peak, FEW_REGISTERS))
    return NEW


def test_it_is_a_target_by_each_of_its_names(new):
    names = (new, "GFX1159", "medusa-point", "Medusa Point", "AMD Radeon 845M Graphics")
    assert {targets.get(name).name for name in names} == {new}
    assert targets.is_target(new)
    assert new in [target.name for target in targets.all_targets()]
    assert targets.get(new).runs_on(f"{new}:xnack-")
    assert f"--iree-rocm-target={new}" in targets.get(new).flags


@pytest.mark.parametrize("name", ["gqa_causal_base", "gqa_decode_base", "gqa_paged_decode_tiny"])
def test_graphs_for_it_are_those_of_its_kin(new, name):
    spec = catalog.get(name)
    text, of_kin = (render(GraphRequest(spec, targets.get(one))) for one in (new, KIN))
    assert text == of_kin
    assert text != render(GraphRequest(spec, targets.get("gfx942")))


def scaled(tmp_path: Path, gfx: str):
    """A kernel for a chip of RDNA 3 or 3.5, executed by the emulator."""
    pytest.importorskip("tinygrad")
    from support.scale_kernel import scale_code

    (tmp_path / "scale.hsaco").write_bytes(scale_code("gfx1100").replace(b"gfx1100", gfx.encode()))
    described = {
        "grid": [64],
        "workgroup": [32],
        "arguments": [
            {"buffer": "out", "dtype": "f32", "shape": [2048]},
            {"buffer": "in", "dtype": "f32", "shape": [2048], "init": "range"},
            {"value": 0.5, "dtype": "f32"},
        ],
    }
    (tmp_path / "launch.json").write_text(json.dumps(described))
    code_objects = read_code_file(tmp_path / "scale.hsaco")
    return execute_file(code_objects, read_description(tmp_path / "launch.json"))


@pytest.mark.slow
def test_its_code_is_decoded_checked_and_executed(new, tmp_path):
    run = scaled(tmp_path, new)
    from irattn.binary.codeobject import instructions
    from irattn.lab.emulator.measure.waits import missing_waits

    (kernel,) = run.code_object.kernels
    assert "v_mul_f32_e32" in [one.name for one in instructions(kernel.code, new)]
    assert missing_waits(kernel, new) == []
    assert np.array_equal(run.buffers[0].data, np.arange(2048) / np.float32(2))


def test_its_time_is_estimated_from_its_own_figures(new, tmp_path):
    estimates = {gfx: estimated(scaled(tmp_path, gfx)).estimate for gfx in (new, KIN)}
    assert estimates[new].busy["issue"] == 2 * estimates[KIN].busy["issue"]
    assert estimates[new].busy["memory"] == estimates[KIN].busy["memory"]


def test_registers_banks_and_hazards_are_those_of_its_family(monkeypatch):
    from irattn.lab.emulator.isa.families import family
    from irattn.lab.emulator.measure.traffic import Traffic
    from irattn.lab.emulator.waits.rules import rules_of

    def rules() -> set[str]:
        return {rule.what for rule in rules_of(family(NEW))}

    add(monkeypatch, Chip(NEW, RDNA3))
    slow = rules()
    add(monkeypatch, Chip(NEW, RDNA3_5, own_simd=FEW_REGISTERS))
    assert slow - rules() == {"the result of a transcendental instruction"}
    assert targets.get(NEW).simd.vgprs < RDNA3_5.simd.vgprs

    def cycles() -> int:
        traffic = Traffic(64, NEW)
        traffic.note_lds(np.arange(64)[None, :] * 4, 4, True, np.zeros(1, int), is_load=True)
        return traffic.lds_cycles

    add(monkeypatch, Chip(NEW, CDNA3))
    few_banks = cycles()
    add(monkeypatch, Chip(NEW, CDNA4))
    assert (few_banks, cycles()) == (2, 1)


# Samples, and one choice of `irattn tune`, with the reason beside it.
NAMING = {
    "binary/codeobject/processors.py",
    "cli/baseline.py",
    "cli/doctor.py",
    "lab/emulator/measure/coverage.py",
    "rendering/attention/grid.py",
}


@pytest.mark.slow
def test_nothing_else_names_chips():
    package = Path(irattn.__file__).parent
    naming = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if any(re.fullmatch(r"gfx[0-9a-f]+", text) for text in constants(path))
    }
    assert naming == NAMING | {"targets/chips.py", "targets/families.py"}


def constants(path: Path) -> Iterator[str]:
    """The strings of a file's code."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
