"""`irattn opcodes`: the table of what the emulator executes."""

import json
import re
from collections import Counter

import pytest
from click.testing import CliRunner

from support.places import ROOT

pytest.importorskip("tinygrad")

from irattn.binary.codeobject import isa, mnemonics, opcodes
from irattn.cli import main
from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.measure.coverage import REPRESENTATIVES, coverage
from support.emulator.machine import TABLES, Machine

pytestmark = pytest.mark.slow

PAGE = (ROOT / "irattn" / "lab" / "emulator" / "README.md").read_text(encoding="utf-8")


def show(*args, code=0):
    result = CliRunner().invoke(main, ["opcodes", *args])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


class Word:
    """An instruction for a machine to run, as its bytes."""

    def __init__(self, opcode):
        self.opcode = opcode

    def to_bytes(self):
        return self.opcode.raw.to_bytes(self.opcode.size, "little")


def stops_as_unknown(opcode, gfx):
    machine = Machine(gfx)
    # An empty buffer in raw memory, for those that take a buffer.
    for register, word in enumerate((0, 0, 0, family(gfx).raw_buffer[1])):
        machine.set_scalar(register, word)
    try:
        machine.run(Word(opcode))
    except EmulatorError as error:
        return "the emulator does not execute this instruction" in str(error)
    return False


@pytest.mark.parametrize("gfx", REPRESENTATIVES)
def test_it_says_yes_exactly_for_what_runs(gfx):
    """Every opcode is run from its bytes."""
    said = {name: yes for group in coverage(gfx).values() for name, yes in group.items()}
    ran = {opcode.name: not stops_as_unknown(opcode, gfx) for opcode in opcodes(gfx)}
    assert {name for name in said if said[name] != ran[name]} == set()


@pytest.mark.parametrize(
    ("gfx", "encoding", "name", "is_executed"),
    [
        ("gfx1100", "VOP3P", "v_wmma_f32_16x16x16_f16", True),
        ("gfx1201", "VOP3P", "v_wmma_f32_16x16x16_f16", True),
        ("gfx1201", "VOP3P", "v_wmma_f32_16x16x16_fp8_fp8", True),
        ("gfx1201", "VOP3P", "v_swmmac_f32_16x16x32_fp8_fp8", False),
        ("gfx942", "VOP3P_MFMA", "v_mfma_f32_16x16x16_f16", True),
        ("gfx942", "VOP3P_MFMA", "v_mfma_f32_16x16x32_fp8_fp8", True),
        ("gfx942", "VOP3P_MFMA", "v_smfmac_f32_16x16x64_fp8_fp8", True),
        ("gfx950", "VOP3P_MFMA", "v_smfmac_f32_16x16x128_fp8_fp8", False),
        ("gfx942", "VOP1", "v_cvt_f32_fp8_e32", True),
        ("gfx90a", "VOP2", "v_mac_f32_e32", True),
        ("gfx1100", "DS", "ds_load_b128", True),
        ("gfx1100", "SOPP", "s_barrier", True),
        ("gfx1100", "SOPP", "s_sendmsg", True),
        ("gfx942", "SOPP", "s_sendmsg", False),
        ("gfx1100", "SOPP", "s_cbranch_vccz", True),
        ("gfx1100", "SOPP", "s_cbranch_cdbgsys", False),
        ("gfx1100", "VOP2_LIT", "v_fmaak_f32_e32", True),
        ("gfx90a", "VOP2_LIT", "v_madak_f32", True),
        ("gfx1201", "SOP1", "s_barrier_signal", True),
    ],
)
def test_single_opcodes(gfx, encoding, name, is_executed):
    assert coverage(gfx)[encoding][name] is is_executed


@pytest.mark.parametrize("gfx", REPRESENTATIVES)
def test_every_opcode_is_there_but_pairs(gfx):
    listed = [name for group in coverage(gfx).values() for name in group]
    assert len(listed) == len(set(listed))
    assert set(listed) == {name for name in mnemonics(gfx) if not name.startswith("v_dual")}


def test_each_architecture_has_its_own_matrix_instructions():
    assert not any("mfma" in name for group in coverage("gfx1100").values() for name in group)
    assert not any("wmma" in name for group in coverage("gfx942").values() for name in group)
    assert not any("fp8" in name for group in coverage("gfx1100").values() for name in group)


def test_each_instruction_set_is_represented_once():
    shown = [family(gfx).isa for gfx in REPRESENTATIVES]
    assert sorted(shown) == sorted({family(gfx).isa for gfx in TABLES})


def test_the_emulators_page_has_the_table_that_its_commands_print():
    commands = re.findall(r"^irattn opcodes(.*)$", PAGE, re.MULTILINE)
    shown = [show(*command.split()).stdout for command in commands]
    assert shown[0] in PAGE
    assert "yes  " in shown[1]


def test_all_group_a_target_are_shown():
    shown = show("rx7900xtx").stdout
    names = re.findall(r"[vs]_\w+|ds_\w+|\w+_\w+", re.sub(r"^\w+: .*$", "", shown, flags=re.M))
    assert Counter(names) == Counter(opcode.name for opcode in opcodes("gfx1100"))
    assert max(map(len, shown.splitlines())) <= 100
    (data,) = json.loads(show("gfx1100", "--json").stdout.replace("\n", "")).items()
    assert data == ("gfx1100", coverage("gfx1100"))
    assert all(list(group) == sorted(group) for group in (data[1], *data[1].values()))
    assert json.loads(show("--json").stdout).keys() == set(REPRESENTATIVES)
    wmma = data[1]["VOP3P"]
    assert f"\nVOP3P: {sum(wmma.values())} of {len(wmma)}\n" in shown


def test_what_cannot_be_shown_says_why(monkeypatch):
    assert "cpu is not code for an AMD GPU" in show("cpu", code=2).stderr
    assert "gfx1250 is not emulated (gfx90a, " in show("gfx1250", code=2).stderr
    assert "not a target of irattn" in show("gfx7", code=2).stderr
    monkeypatch.setattr(isa.importlib.util, "find_spec", lambda _: None)
    for args in ((), ("gfx1100",)):
        assert "tables that are not here: pip install 'irattn[isa]'" in show(*args, code=2).stderr
