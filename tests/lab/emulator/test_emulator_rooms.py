"""How the emulator is put together: one factory an opcode, effects that tell what they touch."""

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from support.places import ROOT

pytest.importorskip("tinygrad")

from irattn.binary.codeobject import Instruction, opcodes
from irattn.lab.emulator import executes
from irattn.lab.emulator.faults import FaultError, UnknownInstructionError
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.names import GFX9_NAMES
from irattn.lab.emulator.isa.vector_formulas import VECTOR_FORMULAS
from irattn.lab.emulator.machine.denormals import usual_denormals
from irattn.lab.emulator.machine.waves import EXEC, Waves, merge
from irattn.lab.emulator.measure.coverage import REPRESENTATIVES
from irattn.lab.emulator.ops.effects import Effect
from irattn.lab.emulator.ops.irregular import IRREGULAR
from irattn.lab.emulator.ops.lanes import CROSS_LANE
from irattn.lab.emulator.ops.lds import LDS
from irattn.lab.emulator.ops.memory import MEMORY
from irattn.lab.emulator.ops.mfma import MFMA
from irattn.lab.emulator.ops.modes import MODES
from irattn.lab.emulator.ops.operands import Operands
from irattn.lab.emulator.ops.packed import PACKED
from irattn.lab.emulator.ops.registry import FACTORIES, effect_of
from irattn.lab.emulator.ops.scalar import SCALAR
from irattn.lab.emulator.ops.transposed import TRANSPOSED
from irattn.lab.emulator.ops.vector import VECTOR
from irattn.lab.emulator.ops.wmma import WMMA
from support.emulator.machine import MASK, WAVES, Machine
from support.emulator.trial import SCALAR_SOURCES, plain

pytestmark = pytest.mark.slow

EMULATOR = ROOT / "irattn" / "lab" / "emulator"
# Where instructions find and leave their operands here; matrices take up to 16 registers.
VECTORS = {"src0": 0, "src1": 16, "src2": 32}
ACCUMULATORS = 16
REGISTERS = {"vsrc1": 16, "vdst": 48, "ssrc0": 8, "ssrc1": 16, "sdst": 24}
# They look themselves at the one lane that they read; spills may save what holds nothing.
READ_MORE = ("v_readlane_b32", "v_writelane_b32")


# One factory an opcode.


@pytest.mark.parametrize(
    "tables",
    [
        (SCALAR, MODES, VECTOR, WMMA, MFMA, MEMORY, LDS),
        (VECTOR_FORMULAS, IRREGULAR, CROSS_LANE, PACKED),
    ],
)
def test_no_mnemonic_stands_in_two_tables(tables: tuple[dict[str, Any], ...]) -> None:
    names = Counter(name for table in tables for name in table)
    assert [name for name, count in names.items() if count > 1] == []
    assert set(names) <= set(FACTORIES)


def moves(names: Iterable[str]) -> set[str]:
    """Loads and stores, those of parts of scalars left out, which only RDNA4 has."""
    parts = {f"s_load_{part}" for part in ("u8", "i8", "u16", "i16")}
    return {name for name in names if "_load_" in name or "_store_" in name} - parts


def test_gfx9_has_names_of_its_own_for_all_loads_and_stores() -> None:
    assert moves(GFX9_NAMES.values()) == moves([*MEMORY, *LDS, *TRANSPOSED])


def mnemonics_taken_apart(tree: ast.AST) -> list[int]:
    """Lines that look into an attribute `name`: its letters, how it begins, what is in it."""
    methods = ("startswith", "endswith", "removeprefix", "removesuffix", "split", "partition")

    def is_name(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "name"

    return [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Subscript) and is_name(node.value))
        or (isinstance(node, ast.Attribute) and node.attr in methods and is_name(node.value))
        or (
            (isinstance(node, ast.Compare) and any(map(is_name, node.comparators[:1])))
            and isinstance(node.ops[0], ast.In)
        )
    ]


def test_no_mnemonic_is_taken_apart_but_where_fields_are_read() -> None:
    looked = {
        str(path.relative_to(EMULATOR)): lines
        for path in EMULATOR.rglob("*.py")
        if (lines := mnemonics_taken_apart(ast.parse(path.read_text(encoding="utf-8"))))
    }
    assert set(looked) == {"isa/fields.py"}, looked


# Effects.


def placed(op: Instruction, gfx: str) -> Effect:
    """The effect of an opcode with its operands in different registers."""
    try:
        return with_sources(op, gfx, SCALAR_SOURCES.get(plain(op.name), ()))
    except UnknownInstructionError:
        # The third source is a mask.
        return with_sources(op, gfx, ("src2",))


def with_sources(op: Instruction, gfx: str, scalar: tuple[str, ...]) -> Effect:
    raw = op.raw
    for name, field in op.encoding._fields:
        register = REGISTERS.get(name)
        if name in VECTORS:
            register = VECTORS[name] + (0 if name in scalar else 256)
        if register is not None:
            raw = raw & ~(int(field.mask) << field.lo) | (register & int(field.mask)) << field.lo
    return effect_of(Operands(replace(op, raw=raw), family(gfx), ACCUMULATORS))


def arithmetic(gfx: str) -> list[tuple[str, Effect]]:
    """Names and effects of what computes without memory."""
    return [
        (op.name, placed(op, gfx))
        for op in opcodes(gfx)
        if op.encoding.__name__.startswith(("SOP", "VOP"))
        and op.kind in ("scalar", "vector", "matrix")
        and executes(op, gfx)
    ]


def drawn(gfx: str, seed: int) -> Machine:
    """A machine with random registers, all lanes of which execute."""
    machine, rng = Machine(gfx), np.random.default_rng(seed)
    waves = machine.waves
    waves.v[...] = rng.integers(1 << 32, size=waves.v.shape, dtype=np.uint32)
    waves.s[...] = rng.integers(1 << 32, size=waves.s.shape, dtype=np.uint32)
    waves.s[EXEC : EXEC + 2] = MASK
    waves.written.vector.update(range(len(waves.v)))
    waves.written.scalar.update(range(len(waves.s)))
    waves.set_exec()
    return machine


def carried_out(effect: Effect, waves: Waves) -> bool:
    """Whether it is carried out: not with each random number it can be."""
    with usual_denormals(), np.errstate(all="ignore"):
        try:
            effect.act(waves)
        except (FaultError, UnknownInstructionError):
            return False
    return True


@pytest.mark.parametrize("gfx", REPRESENTATIVES)
def test_nothing_changes_but_what_an_effect_says_it_writes(gfx: str) -> None:
    tried = 0
    for name, effect in arithmetic(gfx):
        waves, before = drawn(gfx, tried).waves, drawn(gfx, tried).waves
        if not carried_out(effect, waves):
            continue
        tried += 1
        vectors = np.flatnonzero((waves.v != before.v).any(axis=(1, 2)))
        scalars = np.flatnonzero((waves.s != before.s).any(axis=1))
        assert set(vectors.tolist()) <= effect.writes | effect.lanes_written, name
        assert set(scalars.tolist()) <= effect.s_writes, name
    assert tried > 600


@pytest.mark.parametrize("gfx", REPRESENTATIVES)
def test_a_result_depends_on_nothing_but_what_an_effect_says_it_reads(gfx: str) -> None:
    """With other numbers in all other registers it is the same."""
    tried = 0
    for name, effect in arithmetic(gfx):
        one, two = drawn(gfx, tried).waves, drawn(gfx, tried + 1).waves
        vectors = sorted(effect.reads | effect.writes | effect.lanes_written)
        scalars = sorted(effect.s_reads | effect.s_writes)
        two.v[vectors], two.s[scalars] = one.v[vectors], one.s[scalars]
        if plain(name) in READ_MORE or not carried_out(effect, one):
            continue
        tried += 1
        assert carried_out(effect, two), name
        assert np.array_equal(one.v[vectors], two.v[vectors]), name
        assert np.array_equal(one.s[scalars], two.s[scalars]), name
        assert np.array_equal(one.scc, two.scc), name
    assert tried > 600


# Waves that part and meet.


def test_each_field_of_waves_says_what_becomes_of_it_where_they_part() -> None:
    waves = drawn("gfx1100", 0).waves
    said = {one.name: one.metadata["axis"] for one in fields(Waves) if "axis" in one.metadata}
    left = {one.name for one in fields(Waves) if one.init} - set(said)
    assert left == {"written"}
    arrays = {name for name in said if isinstance(getattr(waves, name), np.ndarray)}
    assert {name for name, axis in said.items() if axis is not None} == arrays
    for name in arrays:
        assert getattr(waves, name).shape[said[name]] == WAVES


def test_waves_that_part_and_meet_are_as_they_were() -> None:
    waves, before = drawn("gfx1100", 1).waves, drawn("gfx1100", 1).waves
    waves.pc, before.pc, before.around = 7, 7, waves.around
    waves.epoch[...] = before.epoch[...] = np.arange(WAVES)
    waves.signalled[...] = before.signalled[...] = np.arange(WAVES) == 1
    waves.written.vector.discard(3)
    waves.written.note(frozenset((3,)), np.arange(waves.lanes) < np.arange(WAVES)[:, None])
    waves.written.scalar.discard(5)
    waves.written.bits[5] = np.array([7, 0, 7], np.uint32)
    waves.moved, waves.places[1] = waves.v[0].copy(), Any
    waves.matrices["src0 f16", 8] = waves.v[0]
    chosen = np.arange(WAVES) == 1
    parts = [waves.take(chosen), waves.take(~chosen)]
    assert [part.count for part in parts] == [1, WAVES - 1]
    whole = merge(parts)
    for one in fields(Waves):
        if "axis" in one.metadata:
            same = np.array_equal(getattr(whole, one.name), getattr(before, one.name))
            assert same, one.name
    assert (whole.moved.size, whole.places, whole.matrices) == (0, {}, {})
    assert whole.written.vector == waves.written.vector
    assert whole.written.scalar == waves.written.scalar
    assert np.array_equal(whole.written.of_lanes()[3], waves.written.of_lanes()[3])
    assert whole.written.known_bits(5).tolist() == [7, 0, 7]
