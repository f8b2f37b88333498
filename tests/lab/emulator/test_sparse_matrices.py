"""Sparse matrix instructions of CDNA: what they multiply is said here number by number."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import v
from tinygrad.runtime.autogen.amd.cdna import ins as g9

from irattn.core.errors import EmulatorError
from irattn.lab.emulator.ops.smfmac import SMFMAC
from support.emulator.machine import ACCUMULATORS, WAVES, Machine

LANES = 64
LANE = np.arange(LANES)
# By the chip: what numbers of a byte are there.
TYPES = {
    "gfx942": {"fp8": ml_dtypes.float8_e4m3fnuz, "bf8": ml_dtypes.float8_e5m2fnuz},
    "gfx950": {"fp8": ml_dtypes.float8_e4m3fn, "bf8": ml_dtypes.float8_e5m2},
}
OTHERS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "i8": np.int8}
A, B, INDEX, D = 0, 4, 8, 16
# Two different ones of four, in their order.
PAIRS = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])


def by_lane(numbers: np.ndarray, size: int) -> np.ndarray:
    """Rows of matrices, [waves, row, k], as lanes hold them: [waves, lanes, k of a lane]."""
    groups = LANES // size
    parts = numbers.reshape(WAVES, size, groups, -1)
    return parts.swapaxes(1, 2).reshape(WAVES, LANES, -1)


def put(machine: Machine, register: int, numbers: np.ndarray) -> None:
    """What lanes hold, [waves, lanes, numbers], in registers from one on."""
    words = np.ascontiguousarray(numbers).view(np.uint32)
    for i in range(words.shape[-1]):
        machine.set(register + i, words[..., i].copy())


@pytest.mark.parametrize("gfx", ["gfx942", "gfx950"])
@pytest.mark.parametrize("name", SMFMAC)
def test_sparse_matrices(gfx: str, name: str) -> None:
    rng, (_, _, result, shape, *names) = np.random.default_rng(0), name.split("_")
    size, _, depth = map(int, shape.split("x"))
    kinds = [(OTHERS | TYPES[gfx])[one] for one in (names[0], names[-1])]
    a = rng.integers(-7, 8, (WAVES, size, depth // 2))
    b = rng.integers(-7, 8, (WAVES, size, depth))
    kind = np.int32 if result == "i32" else np.float32
    registers = size * size // LANES
    c = rng.integers(-7, 8, (registers, WAVES, LANES)).astype(kind)
    machine = Machine(gfx, checks=True)
    put(machine, A, by_lane(a.astype(kinds[0]), size))
    put(machine, B, by_lane(b.astype(kinds[1]), size))
    for i in range(registers):
        machine.set(D + i, c[i].view(np.uint32))
    pairs = PAIRS[rng.integers(0, len(PAIRS), (WAVES, size, depth // 4))]
    of_lane = by_lane(pairs.reshape(WAVES, size, -1), size)
    bits = 2 * of_lane.shape[-1]
    index = (of_lane << 2 * np.arange(of_lane.shape[-1])).sum(-1)
    # In the last part; bits of others choose otherwise.
    others = rng.integers(0, 1 << (32 - bits), index.shape)
    part = 32 // bits - 1
    machine.set(INDEX, (index << part * bits | others).astype(np.uint32))
    whole = np.zeros((WAVES, size, depth))
    for wave, row, four, i in np.ndindex(WAVES, size, depth // 4, 2):
        at = 4 * four + pairs[wave, row, four, i]
        whole[wave, row, at] = a[wave, row, 2 * four + i]
    made = getattr(g9, name)(v[D : D + registers - 1], v[A : A + 1], v[B : B + 3], v[INDEX])
    machine.run(changed(made, abid=part))
    expected = whole @ b.swapaxes(1, 2)
    for i in range(registers):
        row = LANES // size * 4 * (i // 4) + 4 * (LANE // size) + i % 4
        found = machine.waves.v[D + i].view(kind)
        assert np.array_equal(found, expected[:, row, LANE % size] + c[i])


def changed(instruction: Any, **fields: int) -> Any:
    """An instruction by its bits, with others in some fields."""
    raw, layout = int.from_bytes(instruction.to_bytes(), "little"), dict(type(instruction)._fields)
    for name, value in fields.items():
        raw = raw & ~(layout[name].mask << layout[name].lo) | value << layout[name].lo
    size = len(instruction.to_bytes())

    class Raw:
        def to_bytes(self) -> bytes:
            return raw.to_bytes(size, "little")

    return Raw()


def sparse(index: int, **fields: int) -> np.ndarray:
    """The results where A is 1, and the columns of B are 1, 2, 4 and an infinite number, over."""
    machine = Machine("gfx942", checks=True)
    bank = ACCUMULATORS if fields.get("acc_cd") else 0
    columns = np.tile(np.array([1, 2, 4, np.inf], np.float16), (WAVES, LANES, 2))
    put(machine, A, np.ones((WAVES, LANES, 4), np.float16))
    put(machine, bank + B, columns)
    machine.set(INDEX, np.full((WAVES, LANES), index, np.uint32))
    for i in range(4):
        machine.set(bank + D + i, np.zeros((WAVES, LANES), np.uint32))
    made = g9.v_smfmac_f32_16x16x32_f16(v[D : D + 3], v[A : A + 1], v[B : B + 3], v[INDEX])
    machine.run(changed(made, **fields))
    results: np.ndarray = np.unique(machine.waves.f[bank + D : bank + D + 4])
    return results


def test_numbers_left_out_are_not_multiplied_and_indices_are_chosen() -> None:
    assert sparse(0x44) == [8 * 3]
    assert sparse(0x99) == [8 * 6]
    assert sparse(0xEE) == [np.inf]
    assert sparse(0x99EE8844, abid=1) == [8 * 5]
    # Then the first ones count.
    assert sparse(0x99EE8844, abid=1, cbsz=1) == [8 * 3]
    # The index is no accumulation register, where B and D are.
    assert sparse(0x44, acc_cd=1, acc=2) == [8 * 3]


def test_sparse_matrices_have_no_other_modifiers_and_no_constant_index() -> None:
    with pytest.raises(EmulatorError, match="modifiers"):
        sparse(0x44, blgp=1)
    with pytest.raises(EmulatorError, match="no vector register"):
        sparse(0x44, src2=128)
