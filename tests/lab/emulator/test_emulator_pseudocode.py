"""Every scalar and vector opcode that the emulator executes, against AMD's own pseudocode.

What the texts do not tell, or tell in words only, is named in `ELSEWHERE` and tested there.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np
import pytest

from support.places import TESTS

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s

from irattn.binary.codeobject import Instruction, opcodes
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import executes
from support.emulator.agreement import compare
from support.emulator.by_name import by_name
from support.emulator.machine import TABLES, Machine
from support.emulator.modifiers import Modified, modifiers
from support.emulator.pseudocode import Lane
from support.emulator.pseudocode_numbers import FALSE, TRUE, Number
from support.emulator.trial import (
    EXEC,
    FIELDS,
    FLOAT_SOURCE,
    GUIDES,
    NOTHING,
    VCC,
    Trial,
    Word,
    plain,
    texts,
)

pytestmark = pytest.mark.slow

ELSEWHERE = {
    "lab/emulator/test_emulator_state.py": "v_trig_preop_f64",
    "lab/emulator/test_emulator_bytes.py": "v_cvt_f32_fp8 v_cvt_f32_bf8 v_cvt_pk_f32_fp8"
    " v_cvt_pk_f32_bf8 v_cvt_pk_fp8_f32 v_cvt_pk_bf8_f32",
    "lab/emulator/test_emulator_division.py": "v_div_scale_f32 v_div_fmas_f32 v_div_fixup_f32"
    " v_div_scale_f64 v_div_fmas_f64 v_div_fixup_f64",
    "lab/emulator/test_emulator_opcodes.py": "s_denorm_mode s_round_mode",
    "lab/emulator/test_emulator_memory.py": "s_barrier",
    "support/emulator/machine.py": "s_endpgm",
    "lab/emulator/test_emulator_rdna4.py": "s_barrier_signal s_barrier_wait",
    "lab/emulator/test_emulator_relative.py": "v_movrels_b32 v_movreld_b32 v_movrelsd_b32"
    " v_movrelsd_2_b32 v_swaprel_b32 s_set_gpr_idx_on s_set_gpr_idx_off",
    "lab/emulator/test_emulator_cdna.py": "v_bitop3_b16 v_bitop3_b32 v_accvgpr_read v_accvgpr_write"
    " v_accvgpr_mov_b32",
}


@cache
def executed(gfx: str) -> list[Instruction]:
    """Scalar and vector opcodes of a chip that the emulator executes, matrices left out."""
    return [
        op
        for op in opcodes(gfx)
        if op.encoding.__name__.startswith(("SOP", "VOP"))
        and op.kind != "matrix"
        and executes(op, gfx)
    ]


def check(trial: Trial) -> None:
    """Compare all registers with what the text says; nothing else may change."""
    waves = trial.machine.waves
    expected_s = trial.before[1].copy()
    changed: set[int] = set()
    for wave in range(waves.count):
        if trial.encoding.startswith("SOP"):
            check_scalars(trial, wave, trial.told(wave, None), expected_s)
        elif "VGPR" in trial.text:
            changed |= check_whole(trial, wave, expected_s)
        else:
            changed |= check_lanes(trial, wave, expected_s)
    assert np.array_equal(waves.s[: EXEC + 2], expected_s[: EXEC + 2]), "scalar registers"
    active = np.broadcast_to(active_before(trial), waves.v.shape[1:])
    differs = waves.v != trial.before[0]
    differs[sorted(changed)] &= ~active
    assert not differs.any(), f"vector registers {np.flatnonzero(differs.any((1, 2)))} changed"


def active_before(trial: Trial) -> np.ndarray:
    words = trial.before[1][EXEC : EXEC + trial.machine.lanes // 32]
    bits = np.unpackbits(np.ascontiguousarray(words.T).view(np.uint8), axis=1, bitorder="little")
    return bits.astype(bool)


def check_scalars(trial: Trial, wave: int, told: Lane, expected: np.ndarray) -> None:
    """A scalar instruction's result, SCC, exec and VCC."""
    assert trial.machine.waves.scc[wave] == bool(told.variables["SCC"].bits & 1), "SCC"
    for name, register in (("D0", FIELDS["sdst"]), ("EXEC", EXEC), ("VCC", VCC)):
        for low, width, kind in told.parts(name):
            scalars = trial.machine.waves.s[:, wave]
            compare(trial, word_pair(scalars, register), told.variables[name], (low, width, kind))
            for word in range(register + low // 32, register + -(-(low + width) // 32)):
                expected[word, wave] = scalars[word]


def check_lanes(trial: Trial, wave: int, expected: np.ndarray) -> set[int]:
    """What some lanes write; which vector registers that are."""
    waves, changed = trial.machine.waves, set()
    masks: dict[int, dict[int, int]] = {}
    for lane in trial.lanes[wave]:
        told = trial.told(wave, lane)
        for name in told.written:
            for low, width, kind in told.parts(name):
                target = mask_register(trial, name, width)
                if target is not None:
                    bit = told.variables[name].bits >> low & 1
                    masks.setdefault(target, {})[lane] = bit
                elif name in ("D0", "D", "S0"):
                    register = FIELDS["src0" if name == "S0" else "vdst"]
                    if trial.writes_scalar:
                        expected[register, wave] = waves.s[register, wave]
                        words = word_pair(waves.s[:, wave], register)
                    else:
                        changed.update(range(register, register + -(-(low + width) // 32)))
                        words = word_pair(waves.v[:, wave, lane], register)
                    compare(trial, words, told.variables[name], (low, width, kind))
    for target, bits in masks.items():
        check_mask(trial, wave, target, bits, expected)
    return changed


def mask_register(trial: Trial, name: str, width: int) -> int | None:
    """Where a bit for each lane goes."""
    if width != 1:
        return None
    if name == "EXEC":
        return EXEC
    if name in ("VCC", "D1"):
        return FIELDS["sdst"] if "sdst" in trial.values else VCC
    if name == "D0":
        return VCC if trial.encoding == "VOPC" else FIELDS["vdst"]
    return None


def check_mask(
    trial: Trial, wave: int, target: int, bits: dict[int, int], expected: np.ndarray
) -> None:
    words = range(target, target + trial.machine.lanes // 32)
    scalars = trial.machine.waves.s[:, wave]
    value = sum(int(scalars[word]) << 32 * i for i, word in enumerate(words))
    for lane, bit in bits.items():
        assert value >> lane & 1 == bit, f"bit {lane} of s{target}"
    for lane in np.flatnonzero(~active_before(trial)[wave]):
        assert not value >> int(lane) & 1, f"bit {lane} of s{target}, a lane that is off"
    for word in words:
        expected[word, wave] = scalars[word]


def check_whole(trial: Trial, wave: int, expected: np.ndarray) -> set[int]:
    """An instruction across lanes: all vector registers of the wave, or a scalar one."""
    told = trial.told(wave, None)
    waves = trial.machine.waves
    if "D0" in told.written:
        register = FIELDS["vdst"]
        assert waves.s[register, wave] == told.variables["D0"].bits & 0xFFFFFFFF, "scalar result"
        expected[register, wave] = waves.s[register, wave]
        return set()
    words = np.array([[n.bits for n in lane] for lane in told.variables["VGPR"]], np.uint64)
    assert np.array_equal(waves.v[:, wave], words.T), "vector registers"
    # They have been compared, lanes that are off too.
    active = active_before(trial)[wave]
    kept = trial.before[0][:, wave]
    trial.before[0][:, wave] = np.where(active, kept, waves.v[:, wave])
    return {FIELDS["vdst"], FIELDS["src0"]}


def word_pair(registers: np.ndarray, first: int) -> int:
    return int(registers[first]) | int(registers[first + 1]) << 32


def is_branch(name: str) -> bool:
    return name.startswith(("s_branch", "s_cbranch"))


def cases(wanted: Callable[[str], bool]) -> list[Any]:
    """Opcodes of all chips whose name is wanted."""
    return [
        pytest.param(op, gfx, id=f"{gfx}-{op.name}")
        for gfx in GUIDES
        for op in sorted(executed(gfx), key=lambda op: op.name)
        if wanted(plain(op.name))
    ]


def forms(found: Iterable[Any]) -> Callable[[Any], Any]:
    """A test for each opcode: its encodings on all chips."""
    return by_name(found, lambda case: plain(case.values[0].name))


def has_modifiers(case: Any) -> bool:
    """Whether an opcode has operands that the long encodings may change."""
    op, gfx = case.values
    is_float = FLOAT_SOURCE.search(texts(gfx)[plain(op.name)]) or "cndmask" in op.name
    is_float = is_float and not op.name.startswith(("v_dot2c", "v_dot2_f16_f16"))
    # The long encodings of CDNA2 are those of CDNA3.
    return op.encoding.__name__.startswith("VOP3") and bool(is_float) and gfx != "gfx90a"


def has_test_elsewhere(name: str) -> bool:
    return any(name in names.split() for names in ELSEWHERE.values())


def is_told(name: str) -> bool:
    return not (NOTHING.match(name) or is_branch(name) or has_test_elsewhere(name))


@forms(cases(is_told))
def test_it_does_what_the_guide_says(op: Instruction, gfx: str) -> None:
    trial = Trial(op, gfx)
    while trial is not None:
        trial.run()
        check(trial)
        trial = trial.next()


@forms(case for case in cases(is_told) if has_modifiers(case))
def test_modifiers_do_what_they_should(op: Instruction, gfx: str) -> None:
    for fields in modifiers(op, gfx):
        trial = Modified(op, gfx, fields)
        trial.run()
        check(trial)


REFUSED = [
    # A factor where denormal numbers count: always for f16 and f64, here for f32 too.
    ("v_add_f32_e64", {"omod": 1}),
    ("v_s_rcp_f32", {"omod": 1}),
    ("v_add_f16_e64", {"omod": 2}),
    ("v_fma_f64_e64", {"omod": 3}),
    # Signs and clamps of what is no float, and of the destination as a source.
    ("v_add3_u32_e64", {"neg": 1}),
    ("v_and_b32_e64", {"abs": 2}),
    ("v_ldexp_f32_e64", {"neg": 2}),
    ("v_fmac_f32_e64", {"neg": 4}),
    ("v_and_b32_e64", {"clmp": 1}),
    ("v_dot2c_f32_f16_e64", {"neg": 1}),
    ("v_cmp_lt_f32_e64", {"clmp": 1}),
]


@pytest.mark.parametrize(("name", "fields"), REFUSED)
def test_modifiers_without_a_meaning_are_refused(name: str, fields: dict[str, int]) -> None:
    forms = [(op, gfx) for gfx in GUIDES for op in executed(gfx) if plain(op.name) == plain(name)]
    forms = [(op, gfx) for op, gfx in forms if op.encoding.__name__.startswith("VOP3")]
    assert forms
    for op, gfx in forms:
        trial = Modified(op, gfx, fields)
        trial.machine.waves.denormals = 3
        with pytest.raises(EmulatorError, match="does not execute"):
            trial.run()


@forms(cases(lambda name: bool(NOTHING.match(name))))
def test_waits_and_hints_change_nothing(op: Instruction, gfx: str) -> None:
    trial = Trial(op, gfx)
    trial.run()
    waves, (v, s, scc) = trial.machine.waves, trial.before
    assert all(map(np.array_equal, (waves.v, waves.s, waves.scc), (v, s, scc)))


@forms(cases(is_branch))
def test_branches_go_where_the_guide_says(op: Instruction, gfx: str) -> None:
    """Over one instruction or not, for several SCC, VCC and exec."""
    register = FIELDS["sdst"]
    for scc, vcc, active in ((0, 0, 0), (1, 5, 7), (0, 1 << 31, 1), (1, 0, 0)):
        machine = Machine(gfx)
        waves = machine.waves
        waves.scc[...] = scc
        for start, value in ((VCC, vcc), (EXEC, active)):
            machine.set_scalar(start + 1, 0)
            machine.set_scalar(start, value)
        machine.set_scalar(register, 7)
        given = {
            "SCC": Number("U", 1, scc),
            "VCCZ": FALSE if vcc else TRUE,
            "EXECZ": FALSE if active else TRUE,
            "PC": Number("I", 64, 0),
            "SIMM16": Number("B", 16, 1),
        }
        told = Lane(given, {}).run(texts(gfx)[plain(op.name)])
        machine.run(Word(op.raw | 1, op.size), TABLES[gfx].s_mov_b32(s[register], 1))
        # The branch has four bytes, and so has what it may leave out.
        assert (machine.waves.s[register] == {4: 1, 8: 7}[told.variables["PC"].value]).all()


def test_every_opcode_has_a_test() -> None:
    """What is neither told, nor does nothing, nor branches, is named in another file."""
    for file, names in ELSEWHERE.items():
        words = {plain(word) for word in re.findall(r"\w+", (TESTS / file).read_text())}
        missing = set(names.split()) - words
        assert not missing, f"not in {file}: {missing}"
    for gfx in GUIDES:
        for op in executed(gfx):
            name = plain(op.name)
            if is_told(name):
                assert name in texts(gfx), f"{gfx}: {op.name}: nobody says what it does"
