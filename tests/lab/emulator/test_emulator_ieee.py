"""The bit of the mode for IEEE 754: signalling NaN in the lesser and the greater, and factors.

RDNA4 has no such bit: its instructions give a signalling NaN only where both sources are NaN.
"""

from typing import Any

import numpy as np
import pytest

from irattn.rendering import GraphRequest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s, v

from irattn import targets
from irattn.binary.codeobject import read_code_object
from irattn.binary.launches import launch_files
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.lab.emulator.machine.descriptor import read_descriptor
from tests.support.emulator.machine import TABLES, Machine

CHIPS = ("gfx1100", "gfx1201", "gfx90a", "gfx942")
SIGNALLING, QUIET, ONE, TWO = 0x7F800123, 0x7FC00123, 0x3F800000, 0x40000000
each_gfx = pytest.mark.parametrize("gfx", CHIPS)


def instruction(gfx: str, name: str, kind: str, *operands: Any, **fields: Any) -> Any:
    """The lesser or greater of floats; RDNA4 has `num` in their names."""
    middle = "_num" if gfx.startswith("gfx12") else ""
    for suffix in ("_e64", ""):
        found = getattr(TABLES[gfx], f"{name}{middle}_{kind}{suffix}", None)
        if found is not None:
            return found(*operands, **fields)
    raise KeyError(name)


def given(gfx: str, ieee: bool, *values: int) -> Machine:
    machine = Machine(gfx, ieee=ieee)
    for register, value in enumerate(values, 1):
        machine.set(register, np.full((3, machine.lanes), value, np.uint32))
    return machine


def lesser(gfx: str, ieee: bool, a: int, b: int) -> int:
    machine = given(gfx, ieee, a, b)
    machine.run(instruction(gfx, "v_min", "f32", v[3], v[1], v[2]))
    return int(machine.waves.v[3, 0, 0])


@each_gfx
def test_a_signalling_nan_is_given_as_a_quiet_one(gfx: str) -> None:
    is_given = not gfx.startswith("gfx12")
    for a, b in ((SIGNALLING, ONE), (ONE, SIGNALLING), (SIGNALLING, QUIET | 7)):
        other = b if a == SIGNALLING else a
        assert lesser(gfx, is_given, a, b) == (QUIET if is_given or other != ONE else ONE)
    assert lesser(gfx, is_given, QUIET, ONE) == ONE


@each_gfx
def test_without_the_bit_it_is_a_nan_like_others(gfx: str) -> None:
    assert lesser(gfx, False, SIGNALLING, ONE) == lesser(gfx, False, ONE, SIGNALLING) == ONE
    assert lesser(gfx, False, SIGNALLING, SIGNALLING) == QUIET


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx90a", "gfx942"])
@pytest.mark.parametrize("name", ["v_min3", "v_max3", "v_med3"])
def test_so_it_is_among_three(name: str, gfx: str) -> None:
    """The lesser of two first: a NaN that it gives is a quiet one for the third."""
    for ieee, expected in ((True, [ONE, QUIET]), (False, [ONE, ONE])):
        machine = given(gfx, ieee, SIGNALLING, ONE, ONE)
        found = []
        for third in (ONE, SIGNALLING):
            machine.set(3, np.full((3, machine.lanes), third, np.uint32))
            machine.run(instruction(gfx, name, "f32", v[4], v[1], v[2], v[3]))
            found.append(int(machine.waves.v[4, 0, 0]))
        assert found == expected


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx90a", "gfx942"])
def test_so_it_is_in_each_half_of_a_pair(gfx: str) -> None:
    for ieee, expected in ((True, 0x7E013C00), (False, 0x40003C00)):
        machine = given(gfx, ieee, 0x7C013C00, 0x40004000)
        machine.run(TABLES[gfx].v_pk_min_f16(v[3], v[1], v[2]))
        assert machine.waves.v[3, 0, 0] == expected


def test_so_it_is_in_doubles_scalars_and_paired_instructions() -> None:
    ins = TABLES["gfx1100"]
    machine = given("gfx1100", True, 5, 0x7FF00000, 0, 0x40000000)
    machine.run(ins.v_max_f64(v[5:6], v[1:2], v[3:4]))
    assert machine.waves.v[5:7, 0, 0].tolist() == [5, 0x7FF80000]
    machine = given("gfx1100", True, SIGNALLING, ONE, TWO)
    both = ins.VOPDOp.V_DUAL_MIN_F32, ins.VOPDOp.V_DUAL_MAX_F32
    machine.run(ins.VOPD(*both, v[4], v[5], v[1], v[2], v[2], v[1]))
    assert machine.waves.v[4:6, 0, 0].tolist() == [QUIET, QUIET]
    machine.set_scalar(0, SIGNALLING)
    machine.set_scalar(1, ONE)
    machine.run(ins.s_max_f32(s[2], s[0], s[1]))
    assert machine.waves.s[2, 0] == QUIET


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx90a", "gfx942"])
@pytest.mark.parametrize("mode", [0, 3])
def test_outputs_have_no_factor(mode: int, gfx: str) -> None:
    """Where the bit is not set, they have one, if denormal numbers are flushed."""
    ins = TABLES[gfx]
    for ieee, expected in ((True, ONE + (1 << 23)), (False, ONE + (2 << 23))):
        machine = given(gfx, ieee, ONE, ONE)
        machine.waves.denormals = mode if ieee else 0
        machine.run(ins.v_add_f32_e64(v[3], v[1], v[2], omod=1))
        assert machine.waves.v[3, 0, 0] == expected


@pytest.mark.parametrize(
    ("target", "ieee"), [("gfx1100", True), ("gfx942", True), ("gfx1201", False)]
)
def test_compiled_kernels_have_the_bit_where_there_is_one(target: str, ieee: bool) -> None:
    artifact = build(GraphRequest(catalog.get("softmax_tiny"), targets.get(target)))
    (elf,) = (d for d in launch_files(artifact).values() if d.startswith(b"\x7fELF"))
    kernel = read_code_object(elf).kernels[0]
    assert read_descriptor(kernel, target).ieee == (target != "gfx1201")
