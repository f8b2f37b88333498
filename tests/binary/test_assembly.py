"""Instructions as irattn writes them, against what LLVM's disassembler says.

`support/assembly.txt` has an instruction of each encoding and chip, with random fields, and the
text of LLVM 19's `llvm-mc --disassemble`; test_codeobject compares whole kernels with the
compiler's own assembly.
"""

from dataclasses import replace

import pytest

from irattn.binary.codeobject import assembly, instructions
from support.places import TESTS

pytest.importorskip("tinygrad")

TOLD = (TESTS / "support" / "assembly.txt").read_text().splitlines()


def one(gfx, code):
    return next(instructions(bytes.fromhex(code), gfx))


@pytest.mark.parametrize("gfx", ["gfx1100", "gfx1201", "gfx90a", "gfx942"])
def test_every_encoding_is_written_as_by_llvm(gfx):
    told = [line.split(" ", 2)[1:] for line in TOLD if line.startswith(gfx)]
    assert [(code, assembly(one(gfx, code))) for code, _ in told] == [(c, text) for c, text in told]
    assert len(told) >= 25


@pytest.mark.parametrize(
    ("gfx", "code", "text"),
    [
        # Both halves of a pair have a destination.
        ("gfx1100", "800024ca8c160000", "v_dual_mov_b32 v0, 0 :: v_dual_and_b32 v1, 12, v11"),
        # The same number is M0 on CDNA, and the register that is always 0 on RDNA.
        ("gfx942", "7c0080be", "s_mov_b32 s0, m0"),
        ("gfx1100", "7c0080be", "s_mov_b32 s0, null"),
        ("gfx1100", "7d0080be", "s_mov_b32 s0, m0"),
        # An absent base.
        ("gfx942", "008050dc00007f01", "global_load_dword v1, v[0:1], off"),
        ("gfx90a", "008050dc00007f01", "global_load_dword v1, v[0:1], off"),
        ("gfx1100", "000052dc00007c01", "global_load_b32 v1, v[0:1], off"),
        ("gfx942", "008050dc00000201", "global_load_dword v1, v0, s[2:3]"),
        # What waits are for.
        ("gfx942", "700f8cbf", "s_waitcnt vmcnt(0)"),
        ("gfx1100", "110087bf", "s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT)"),
        ("gfx1100", "ff0f88bf", "s_waitcnt_depctr depctr_va_vdst(0)"),
        ("gfx942", "0110b8b8", "s_getreg_b32 s56, hwreg(HW_REG_MODE, 0, 3)"),
    ],
)
def test_what_is_easily_got_wrong(gfx, code, text):
    assert assembly(one(gfx, code)) == text


def test_masks_of_lanes_are_as_wide_as_the_wave():
    compared = one("gfx1100", "04004cd418210200")
    assert assembly(compared).split(",")[0].endswith(" s4")
    assert assembly(compared, 64).split(",")[0].endswith(" s[4:5]")


def test_a_branch_names_where_it_goes():
    branch = replace(one("gfx1100", "0200a0bf"), at=0x20)
    assert assembly(branch) == "s_branch 0x002c"
