"""What nobody wrote may be computed with, and must not decide anything."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import EXEC_LO, NULL, VCC, VCC_LO, s, v
from tinygrad.runtime.autogen.amd.cdna import ins as cdna
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.isa.byte_formulas import BYTE_FORMULAS
from irattn.lab.emulator.isa.scalar_formulas import SCALAR_FORMULAS
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS
from tests.support.emulator.machine import LANES, TABLES, WAVES, Machine

OWN = 4 * np.arange(WAVES * LANES, dtype=np.uint32).reshape(WAVES, LANES)


def machine() -> Machine:
    """v0 has an LDS address for each lane, v1 a number; nobody wrote the others."""
    new = Machine(checks=True, scratch=512)
    new.set(0, OWN)
    new.set(1, np.ones((WAVES, LANES), np.uint32))
    return new


# v2, computed from v40.
UNDEFINED = ins.v_add_nc_u32_e32(v[2], v[1], v[40])
DECIDES = {
    "what is stored": [ins.ds_store_b32(addr=v[0], data0=v[2])],
    "where": [ins.ds_store_b32(addr=v[2], data0=v[1])],
    "what other lanes get": [ins.ds_bpermute_b32(v[3], v[0], v[2])],
    "where, by a scalar": [
        *(ins.v_readfirstlane_b32_e32(s[i], v[2]) for i in (4, 5)),
        ins.global_load_b32(vdst=v[3], addr=v[0], saddr=s[4:5]),
    ],
    "who executes": [ins.v_cmpx_eq_u32_e32(v[1], v[2])],
    "a matrix": [ins.v_wmma_f32_16x16x16_f16(v[8:15], v[2:9], v[2:9], 0)],
    "a branch": [ins.v_cmp_eq_u32_e32(v[1], v[2]), ins.s_cbranch_vccnz(0)],
    "a branch, by a scalar": [
        ins.v_readlane_b32(s[4], v[2], 3),
        ins.s_add_u32(s[4], s[4], 1),
        ins.s_cmp_eq_u32(s[4], 2),
        ins.s_cbranch_scc1(0),
    ],
    "a result, by a mask": [
        ins.v_cmp_eq_u32_e32(v[1], v[2]),
        ins.v_cndmask_b32_e32(v[3], v[0], v[1]),
        ins.ds_store_b32(addr=v[0], data0=v[3]),
    ],
    "who executes, by a mask": [
        ins.v_cmp_eq_u32_e32(v[1], v[2]),
        ins.s_and_saveexec_b32(s[4], VCC_LO),
    ],
    "a result, by scratch": [
        ins.scratch_store_b32(addr=v[0], data=v[2], saddr=NULL, sve=1),
        ins.s_waitcnt_vscnt(NULL, 0),
        ins.scratch_load_b32(vdst=v[3], addr=v[0], saddr=NULL, sve=1),
        ins.s_waitcnt(0),
        ins.ds_store_b32(addr=v[0], data0=v[3]),
    ],
    "a result, by a lane": [
        ins.v_readlane_b32(s[4], v[2], 3),
        ins.v_writelane_b32(v[0], s[4], 5),
        ins.ds_store_b32(addr=v[1], data0=v[0]),
    ],
    "a result, by another": [
        ins.v_mul_f32_e32(v[3], v[2], v[2]),
        ins.ds_store_b32(addr=v[0], data0=v[3]),
    ],
    "a result, over a number": [
        ins.v_mov_b32_e32(v[1], v[2]),
        ins.ds_store_b32(addr=v[0], data0=v[1]),
    ],
}


@pytest.mark.parametrize("code", DECIDES.values(), ids=list(DECIDES))
def test_it_must_not_decide(code: list[Any]) -> None:
    with pytest.raises(EmulatorError, match="never written"):
        machine().run(UNDEFINED, *code)


def test_it_may_be_computed_with_where_nobody_looks() -> None:
    machine().run(UNDEFINED, ins.v_cmp_eq_u32_e32(v[1], v[2]), ins.v_mov_b32_e32(v[3], v[2]))


# What does not depend on v40, or not on those lanes or bits of it that nobody wrote.
LAST = ins.ds_store_b32(addr=v[0], data0=v[3])
IS_RIGHT = {
    "the other of two": [
        ins.v_cmp_eq_u32_e32(v[1], v[1]),
        ins.v_cndmask_b32_e32(v[3], v[40], v[1]),
    ],
    "the other of two in a pair": [
        ins.v_cmp_eq_u32_e32(v[1], v[1]),
        ins.VOPD(
            *(ins.VOPDOp.V_DUAL_CNDMASK_B32, ins.VOPDOp.V_DUAL_MOV_B32),
            *(v[3], v[4], v[40], v[1], v[0], v[0]),
        ),
    ],
    "halves in a pair": [
        ins.v_pack_b32_f16(v[4], v[1], v[40]),
        ins.VOPD(
            *(ins.VOPDOp.V_DUAL_MOV_B32, ins.VOPDOp.V_DUAL_LSHLREV_B32),
            *(v[6], v[3], v[4], 16, v[0], v[4]),
        ),
    ],
    "a mask that hides it": [ins.v_and_b32_e32(v[3], 0, v[40])],
    "what is shifted out": [
        ins.v_lshlrev_b32_e32(v[3], 16, v[40]),
        ins.v_lshrrev_b32_e32(v[3], 16, v[3]),
        ins.v_lshlrev_b32_e32(v[3], 16, v[3]),
        ins.v_and_b32_e32(v[3], 65535, v[3]),
    ],
    "the low half of a pair": [
        ins.v_pack_b32_f16(v[3], v[1], v[40]),
        ins.v_and_b32_e32(v[3], 65535, v[3]),
    ],
    "a mask of lanes that hides it": [
        ins.v_cmp_eq_u32_e32(v[1], v[40]),
        ins.s_and_b32(VCC_LO, VCC_LO, 0),
        ins.v_cndmask_b32_e32(v[3], v[0], v[1]),
    ],
    "a scalar that is not chosen": [
        ins.v_readfirstlane_b32_e32(s[4], v[40]),
        ins.s_cmp_eq_u32(0, 0),
        ins.s_cselect_b32(s[5], 1, s[4]),
        ins.v_mov_b32_e32(v[3], s[5]),
    ],
    "scratch": [
        ins.scratch_store_b32(addr=v[0], data=v[40], saddr=NULL, sve=1),
        ins.s_waitcnt_vscnt(NULL, 0),
        ins.scratch_store_b32(addr=v[0], data=v[1], saddr=NULL, sve=1),
        ins.s_waitcnt_vscnt(NULL, 0),
        ins.scratch_load_b32(vdst=v[3], addr=v[0], saddr=NULL, sve=1),
        ins.s_waitcnt(0),
    ],
}


@pytest.mark.parametrize("code", IS_RIGHT.values(), ids=list(IS_RIGHT))
def test_a_result_that_does_not_depend_on_it_is_right(code: list[Any]) -> None:
    machine().run(*code, LAST)


def test_half_of_a_register_may_be_stored() -> None:
    """Of a pair of halves, nobody wrote the high one."""
    pack = ins.v_pack_b32_f16(v[3], v[1], v[40])
    machine().run(pack, ins.ds_store_b16(addr=v[0], data0=v[3]))
    for store in (ins.ds_store_b16_d16_hi, ins.ds_store_b32):
        with pytest.raises(EmulatorError, match="read of v3, which was never written"):
            machine().run(pack, store(addr=v[0], data0=v[3]))


def test_halves_of_packed_numbers_are_by_themselves() -> None:
    pack = ins.v_pack_b32_f16(v[3], v[1], v[40])
    add = ins.v_pk_add_f16(v[4], v[3], v[3], opsel_hi=3)
    machine().run(pack, add, ins.ds_store_b16(addr=v[0], data0=v[4]))
    with pytest.raises(EmulatorError, match="read of v4, which was never written"):
        machine().run(pack, add, ins.ds_store_b16_d16_hi(addr=v[0], data0=v[4]))


def test_a_mask_lacks_single_lanes() -> None:
    """The first four lanes wrote v40; who has the other bits of the mask reads them too."""
    code = [
        *(ins.s_mov_b32(EXEC_LO, 15), ins.v_mov_b32_e32(v[40], v[1])),
        *(ins.s_mov_b32(EXEC_LO, -1), ins.v_cmp_eq_u32_e32(v[1], v[40])),
        ins.v_cndmask_b32_e32(v[3], v[0], v[1]),
    ]
    machine().run(*code, ins.s_mov_b32(EXEC_LO, 15), LAST)
    with pytest.raises(EmulatorError, match=r"read of v3, which was never written .*lane 4\)"):
        machine().run(*code, LAST)


def test_a_branch_may_know_its_mask_by_one_bit() -> None:
    code = [ins.v_cmp_eq_u32_e32(v[1], v[40]), ins.s_or_b32(VCC_LO, VCC_LO, 1)]
    machine().run(*code, ins.s_cbranch_vccnz(0))
    with pytest.raises(EmulatorError, match="read of scalar register 106, which was never"):
        machine().run(code[0], ins.s_cbranch_vccnz(0))


@pytest.mark.parametrize("signed", [False, True])
def test_a_field_of_two_registers_is_known_where_its_bits_are(signed: bool) -> None:
    """Nobody wrote bits 32 to 63; the field of a signed number fills all bits above it."""
    extract = ins.s_bfe_i64 if signed else ins.s_bfe_u64
    code = [ins.v_readfirstlane_b32_e32(s[5], v[40]), ins.s_mov_b32(s[4], 0x8000)]
    for field, known in ((16 << 16, (6, 7)), (40 << 16, (6,))):
        extracted = extract(s[6:7], s[4:5], field)
        for register in (6, 7):
            run = [*code, extracted, ins.v_mov_b32_e32(v[3], s[register]), LAST]
            if register in known:
                machine().run(*run)
                continue
            with pytest.raises(EmulatorError, match="read of v3, which was never written"):
                machine().run(*run)


def test_what_is_written_again_is_written() -> None:
    new = machine()
    new.run(UNDEFINED, ins.v_mov_b32_e32(v[2], v[1]), ins.ds_store_b32(addr=v[0], data0=v[2]))
    assert (new.waves.around.lds.units[4][:LANES] == 1).all()


def test_each_lane_is_by_itself() -> None:
    """The first four lanes wrote v40."""
    wrote = [ins.s_mov_b32(EXEC_LO, 15), ins.v_mov_b32_e32(v[40], v[1])]
    code = [*wrote, ins.s_mov_b32(EXEC_LO, -1), UNDEFINED]
    store = ins.ds_store_b32(addr=v[0], data0=v[2])
    machine().run(*code, ins.s_mov_b32(EXEC_LO, 7), store)
    with pytest.raises(EmulatorError, match=r"read of v2, which was never written .*lane 4\)"):
        machine().run(*code, store)


def words(gfx: str) -> Machine:
    """Words in v0 to v4 and in v6; nobody wrote v5 and v7."""
    new = Machine(gfx, checks=True)
    for register in (*range(5), 6):
        new.set(register, np.full((WAVES, new.lanes), 4, np.uint32))
    return new


HALVES = [
    ("gfx1100", ins.v_mad_u64_u32(v[2:3], NULL, v[0], v[1], v[4:5])),
    ("gfx1201", TABLES["gfx1201"].v_mad_co_u64_u32(v[2:3], NULL, v[0], v[1], v[4:5])),
    ("gfx942", cdna.v_mad_u64_u32(v[2:3], VCC, v[0], v[1], v[4:5])),
    ("gfx942", cdna.v_lshl_add_u64(v[2:3], v[4:5], 1, v[6:7])),
    ("gfx942", cdna.v_lshlrev_b64(v[2:3], 1, v[4:5])),
    ("gfx942", cdna.v_pk_mul_f32(v[2:3], v[4:5], v[6:7])),
]


@pytest.mark.parametrize(("gfx", "code"), HALVES, ids=lambda one: str(one).partition("(")[0])
def test_a_high_word_does_not_reach_the_low_one(gfx: str, code: Any) -> None:
    for register, stops in ((2, False), (3, True)):
        use = TABLES[gfx].v_cmpx_eq_u32_e32(v[0], v[register])
        if stops:
            with pytest.raises(EmulatorError, match="read of v3, which was never written"):
                words(gfx).run(code, use)
        else:
            words(gfx).run(code, use)


def test_a_high_word_may_be_a_scalar() -> None:
    """Of an addend in s4 and s5, nobody wrote s5."""
    code = ins.v_mad_u64_u32(v[2:3], NULL, v[0], v[1], s[4:5])
    for register, stops in ((2, False), (3, True)):
        new = words("gfx1100")
        new.set_scalar(4, 7)
        use = ins.v_cmpx_eq_u32_e32(v[0], v[register])
        if stops:
            with pytest.raises(EmulatorError, match="read of v3, which was never written"):
                new.run(code, use)
        else:
            new.run(code, use)
    with pytest.raises(EmulatorError, match="read of v2, which was never written"):
        words("gfx1100").run(code, ins.v_cmpx_eq_u32_e32(v[0], v[2]))


def test_both_instructions_of_a_pair_are_by_themselves() -> None:
    both = ins.VOPDOp.V_DUAL_MOV_B32, ins.VOPDOp.V_DUAL_MOV_B32
    code = ins.VOPD(*both, v[2], v[3], v[40], v[1], v[0], v[0])
    machine().run(code, ins.ds_store_b32(addr=v[0], data0=v[3]))
    with pytest.raises(EmulatorError, match="read of v2, which was never written"):
        machine().run(code, ins.ds_store_b32(addr=v[0], data0=v[2]))


# Halves in global memory.


def test_halves_may_lie_at_odd_addresses() -> None:
    for byte in range(4):
        new = Machine(checks=True)
        data = np.arange(1, 17, dtype=np.uint8)
        address = new.memory.allocate("buffer", 16, data)
        new.set_scalar(4, address & 0xFFFFFFFF)
        new.set_scalar(5, address >> 32)
        new.set(0, np.full((WAVES, LANES), byte, np.uint32))
        new.run(
            ins.global_load_u16(vdst=v[1], addr=v[0], saddr=s[4:5]),
            ins.global_load_i16(vdst=v[2], addr=v[0], saddr=s[4:5], offset=8),
            ins.s_waitcnt(0),
            ins.global_store_b16(addr=v[0], data=v[1], saddr=s[4:5], offset=4),
        )
        half = int(data[byte]) | int(data[byte + 1]) << 8
        assert new.waves.v[1, 0, 0] == half
        assert new.waves.v[2, 0, 0] == int(data[byte + 8]) | int(data[byte + 9]) << 8
        after = new.memory.get(address, 16)
        assert after[byte + 4 : byte + 6].tolist() == data[byte : byte + 2].tolist()
        assert np.count_nonzero(after != data) == 2


def test_an_odd_half_must_be_written_as_a_whole() -> None:
    new = Machine(checks=True)
    address = new.memory.allocate("buffer", 16)
    new.memory.put(address, b"\1\2")
    new.set_scalar(4, address & 0xFFFFFFFF)
    new.set_scalar(5, address >> 32)
    new.set(0, np.full((WAVES, LANES), 1, np.uint32))
    with pytest.raises(EmulatorError, match="read of bytes never written in global memory"):
        new.run(ins.global_load_u16(vdst=v[1], addr=v[0], saddr=s[4:5]))


FORMULAS = {**VECTOR_FORMULAS, **BYTE_FORMULAS, **SCALAR_FORMULAS}


@pytest.mark.parametrize("name", [name for name, formula in FORMULAS.items() if formula.unknown])
def test_what_is_written_is_known(name: str) -> None:
    """Whatever the sources are: V_PERM_B32 may choose bytes of ones."""
    formula = FORMULAS[name]
    rng = np.random.default_rng(0)
    sources = [rng.integers(0, 2**32, (9, 32), np.uint32) for _ in formula.sources]
    sources[-1][:8] %= 32
    sources[-1][:, :4] = 0x0C0D0E0F
    lacks = [np.zeros_like(source) for source in sources]
    assert not np.any(formula.unknown(*sources, *lacks))


@pytest.mark.parametrize("name", [name for name, formula in FORMULAS.items() if formula.unknown])
def test_what_is_not_known_is_all_that_changes(name: str) -> None:
    """With other bits where nobody wrote any."""
    formula = FORMULAS[name]
    rng = np.random.default_rng(0)
    sources, others, lacks = [], [], []
    for kind in formula.sources:
        bits = np.dtype(f"u{np.dtype(kind.numpy).itemsize}")
        source, change, lack = rng.integers(0, 2 ** (8 * bits.itemsize), (3, 200, 32), bits)
        lack[: rng.integers(200)] = 0
        # Small ones, too, which need not be cut to fit half a register.
        source[:, :8] &= 0xFF
        lack[:, :8] &= 0xFF
        sources.append(source)
        others.append(source ^ (change & lack))
        lacks.append(lack)
    views = [
        [given.view(kind.numpy) for given, kind in zip(numbers, formula.sources, strict=True)]
        for numbers in (sources, others)
    ]
    with np.errstate(all="ignore"):
        one, other = (np.asarray(formula.compute(*given)) for given in views)
    changed = one.view(f"u{one.dtype.itemsize}") ^ other.view(f"u{other.dtype.itemsize}")
    assert changed.any()
    assert not np.any(changed & ~formula.unknown(*sources, *lacks).astype(changed.dtype))
