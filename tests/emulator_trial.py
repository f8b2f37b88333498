"""One scalar or vector opcode on random registers, and what AMD's guide says that it does."""

import re
import zlib
from functools import cache
from typing import Any

import numpy as np
from emulator_machine import Machine
from pseudocode import Lane
from pseudocode_numbers import FALSE, TRUE, Number, type_of
from tinygrad.runtime.autogen.amd.cdna.str_pcode import PCODE as CDNA
from tinygrad.runtime.autogen.amd.rdna3.str_pcode import PCODE as RDNA3
from tinygrad.runtime.autogen.amd.rdna4.str_pcode import PCODE as RDNA4

from irattn.codeobject import Instruction

GUIDES = {"gfx1100": RDNA3, "gfx1201": RDNA4, "gfx90a": CDNA, "gfx942": CDNA}
VCC, EXEC = 106, 126
# Where instructions find and leave their operands here; scalar and vector registers.
FIELDS = {
    "src0": 8, "src1": 12, "vsrc1": 12, "src2": 16, "vdst": 4,
    "ssrc0": 20, "ssrc1": 24, "sdst": 28,
}  # fmt: skip
VECTOR_SOURCES = ("src0", "src1", "src2")
# Sources of vector instructions that are scalar registers.
SCALAR_SOURCES = {
    "v_readlane_b32": ("src1",),
    "v_writelane_b32": ("src0", "src1"),
    "v_permlane16_b32": ("src1", "src2"),
    "v_permlanex16_b32": ("src1", "src2"),
}
CARRY = 32
# Opcodes of CDNA2 that the guide of CDNA3 has no longer, as that of CDNA1 tells them.
UNTOLD = {
    "v_mac_f32": "D0.f32 = S0.f32 * S1.f32 + D0.f32",
    "v_mad_f32": "D0.f32 = S0.f32 * S1.f32 + S2.f32",
    "v_madmk_f32": "D0.f32 = S0.f32 * SIMM32.f32 + S1.f32",
    "v_madak_f32": "D0.f32 = S0.f32 * S1.f32 + SIMM32.f32",
}
# Opcodes that only wait, or are about caches, power, debugging: they change nothing.
NOTHING = re.compile(
    r"(s_wait\w*|s_nop|s_sleep|s_delay_alu|s_clause|s_code_end|s_setprio|s_icache_inv|s_sendmsg"
    r"|s_set_inst_prefetch_distance|s_ttracedata|s_prefetch\w*|s_buffer_prefetch_data|v_nop)$"
)


@cache
def texts(gfx: str) -> dict[str, str]:
    """The guide's pseudocode by mnemonic."""
    own = {plain(op.name.lower()): text for op, text in GUIDES[gfx].items()}
    # CDNA's texts refer to these without telling what they are.
    missing = {name: text for name, text in _texts_of_rdna4() if "imum_f32" in name}
    return {**missing, **UNTOLD, **own}


def _texts_of_rdna4() -> list[tuple[str, str]]:
    return [(plain(op.name.lower()), text) for op, text in RDNA4.items()]


def plain(name: str) -> str:
    return re.sub(r"_e(32|64)$", "", name)


class Trial:
    """One opcode on random registers."""

    def __init__(self, op: Instruction, gfx: str) -> None:
        self.op, self.gfx, self.name = op, gfx, plain(op.name)
        # Of what does nothing the guides tell in words.
        self.text = "" if NOTHING.match(self.name) else texts(gfx)[self.name]
        self.rng = np.random.default_rng(zlib.crc32(op.name.encode()))
        self.encoding: str = op.encoding.__name__
        self.fields = dict(op.encoding._fields)
        self.values: dict[str, int] = {}
        self.raw = self._encoded()
        self.machine = self._machine()
        waves = self.machine.waves
        self.before = (waves.v.copy(), waves.s.copy(), waves.scc.copy())

    def _encoded(self) -> int:
        raw = self.op.raw
        for name, field in self.fields.items():
            value = self._field(name)
            if value is not None:
                raw = raw & ~(int(field.mask) << field.lo) | (value & int(field.mask)) << field.lo
                self.values[name] = value & int(field.mask)
        return raw

    def _field(self, name: str) -> int | None:
        if NOTHING.match(self.name) or (
            name == "sdst" and "mad" in self.name and "i64" in self.name
        ):
            return None
        if name == "opsel" and "permlane" in self.name:
            # Lanes that are off are read too, as the text has it.
            return 1
        if name == "simm16":
            return int(self.rng.integers(1 << 16))
        if name == "literal":
            return int(np.float32(self.rng.standard_normal()).view(np.uint32))
        if name in ("opsel_hi", "opsel_hi2"):
            return 3
        if name not in FIELDS:
            return None
        if name == "src2" and self.takes_carry:
            return CARRY
        if name in self.scalar_sources or name not in VECTOR_SOURCES:
            return FIELDS[name]
        return 256 + FIELDS[name]

    @property
    def scalar_sources(self) -> tuple[str, ...]:
        return ("src0",) if self.name.startswith("v_s_") else SCALAR_SOURCES.get(self.name, ())

    @property
    def takes_carry(self) -> bool:
        """Whether the third source is the mask that the text calls VCC."""
        return self.encoding.startswith("VOP3") and bool(
            re.search(r"VCC\.u64\[laneId\]( \?|\.)", self.text)
        )

    def _machine(self) -> Machine:
        machine = Machine(self.gfx)
        waves = machine.waves
        waves.v[...] = self.rng.integers(1 << 32, size=waves.v.shape, dtype=np.uint32)
        waves.s[: VCC + 2] = self.rng.integers(
            1 << 32, size=(VCC + 2, waves.count), dtype=np.uint32
        )
        waves.done.update(range(len(waves.v)))
        waves.s_done.update(range(VCC + 2))
        waves.scc[...] = self.rng.random(waves.count) < 0.5
        waves.s[EXEC : EXEC + 2] = self.rng.integers(
            1 << 32, size=(2, waves.count), dtype=np.uint32
        )
        if "swap_b32" in self.name and "permlane" in self.name:
            waves.s[EXEC : EXEC + 2] = 0xFFFFFFFF
        if waves.lanes == 32:
            waves.s[EXEC + 1] = 0
        waves.set_exec()
        for number in range(3):
            self._fill_source(machine, number)
        return machine

    def _fill_source(self, machine: Machine, number: int) -> None:
        found = re.search(rf"S{number}(?:\[[^\]]*\])?\.(\w+)", self.text)
        kind, width = type_of(found[1]) if found else ("U", 32)
        waves = machine.waves
        names = [n for n in (f"src{number}", f"vsrc{number}", f"ssrc{number}") if n in self.values]
        if not names or (names[0] == "src2" and self.takes_carry):
            return
        name = names[0]
        is_scalar = name.startswith("ssrc") or name in self.scalar_sources
        registers = waves.s if is_scalar else waves.v
        first = FIELDS[name]
        bits = drawn(self.rng, kind, width, registers[0].shape, self.name, number)
        registers[first], registers[first + 1] = bits & 0xFFFFFFFF, bits >> np.uint64(32)

    def run(self) -> None:
        """Execute it."""
        self.machine.run(Word(self.raw, self.op.size))

    # What the guide says.

    def variables(self, wave: int, lane: int | None) -> dict[str, Any]:
        """What the text may refer to, for a lane, or for a wave as a whole."""
        v, s, scc = self.before
        lanes = self.machine.lanes

        def scalar(register: int) -> Number:
            return Number("B", 64, int(s[register, wave]) | int(s[register + 1, wave]) << 32)

        def vector(register: int) -> Number:
            words = v[register : register + 2, wave, lane or 0]
            return Number("B", 64, int(words[0]) | int(words[1]) << 32)

        found: dict[str, Any] = {
            "SCC": Number("U", 1, int(scc[wave])),
            "VCC": scalar(CARRY if self.takes_carry else VCC),
            "EXEC": scalar(EXEC),
            "EXEC_LO": Number("B", 32, scalar(EXEC).bits & 0xFFFFFFFF),
            "WAVE32": TRUE if lanes == 32 else FALSE,
            "wave32": TRUE if lanes == 32 else FALSE,
            "WAVE64": TRUE if lanes == 64 else FALSE,
            "laneId": Number("U", 32, lane or 0),
            "OPSEL": Number("U", 4, self.values.get("opsel", 0)),
            "OPSEL_HI": Number("U", 3, 7),
            "PC": Number("I", 64, 0),
        }
        for name, register in FIELDS.items():
            if name not in self.values:
                continue
            is_scalar = name.startswith("s") and not name.startswith("src")
            is_scalar |= name in self.scalar_sources or (name == "vdst" and self.writes_scalar)
            value = scalar(register) if is_scalar else vector(register)
            found["D0" if name.endswith("dst") else f"S{name[-1]}"] = value
        if "vdst" in self.values and not self.writes_scalar:
            found["D0"] = vector(FIELDS["vdst"])
        if "simm16" in self.values:
            found["SIMM16"] = Number("B", 16, self.values["simm16"])
            compares = self.name.startswith("s_cmpk")
            found["S0"] = found["D0"] if compares else found["SIMM16"]
            found["S1"] = found["SIMM16"]
        if "literal" in self.values:
            found["SIMM32"] = Number("B", 32, self.values["literal"])
        found["S"] = [found.get(f"S{i}") for i in range(3)]
        if "VGPR" in self.text:
            found["VGPR"] = [
                [Number("B", 32, int(word)) for word in v[:, wave, i]] for i in range(lanes)
            ]
            found["SRC0"] = Number("U", 32, FIELDS["src0"])
            found["SRC1"] = Number("U", 32, FIELDS["src1"])
            found["VDST"] = Number("U", 32, FIELDS["vdst"])
        return found

    @property
    def writes_scalar(self) -> bool:
        """Whether the destination is a scalar register."""
        return (
            self.encoding.endswith("_SDST")
            or self.name.startswith(("v_s_", "v_readlane"))
            or (self.encoding == "VOP3" and self.name.startswith("v_cmp"))
        )

    def told(self, wave: int, lane: int | None) -> Lane:
        """The state after the text."""
        return Lane(self.variables(wave, lane), texts(self.gfx)).run(self.text)


class Word:
    """Instruction words as the machine takes them."""

    def __init__(self, raw: int, size: int) -> None:
        self._raw, self._size = raw, size

    def to_bytes(self) -> bytes:
        return self._raw.to_bytes(self._size, "little")


def drawn(
    rng: np.random.Generator, kind: str, width: int, shape: tuple[int, ...], name: str, number: int
) -> np.ndarray:
    """Bits of a source as uint64: random ones and special ones."""
    if kind in ("F", "BF"):
        return _floats(rng, kind, width, shape, name)
    bits = rng.integers(1 << 64, size=shape, dtype=np.uint64)
    small = rng.integers(-40, 41, size=shape).astype(np.uint64)
    if "ldexp" in name and number == 1:
        most = 14 if "f16" in name else 30
        return rng.integers(-most, most + 1, size=shape).astype(np.uint64)
    edges = rng.choice(np.array([0, 1, (1 << width) - 1, 1 << width - 1], np.uint64), shape)
    return np.choose(rng.integers(4, size=shape), [bits, bits, small, edges])


def _floats(
    rng: np.random.Generator, kind: str, width: int, shape: tuple[int, ...], name: str
) -> np.ndarray:
    if kind == "BF" or width == 16:
        halves = [_half(rng, kind, shape, name) for _ in range(2)]
        return halves[0] | halves[1] << np.uint64(16)
    values = _values(rng, shape, name, -30, 30)
    if width == 32:
        # Packed f32 numbers have a second one in the next register.
        words = [
            _values(rng, shape, name, -30, 30).astype(np.float32).view(np.uint32) for _ in "ab"
        ]
        return words[0].astype(np.uint64) | words[1].astype(np.uint64) << np.uint64(32)
    return values.view(np.uint64)


def _half(rng: np.random.Generator, kind: str, shape: tuple[int, ...], name: str) -> np.ndarray:
    values = _values(rng, shape, name, -8, 8)
    if kind == "BF":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint64)
    return values.astype(np.float16).view(np.uint16).astype(np.uint64)


def _values(
    rng: np.random.Generator, shape: tuple[int, ...], name: str, low: int, high: int
) -> np.ndarray:
    values = rng.standard_normal(shape) * 2.0 ** rng.integers(low, high, size=shape)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -2.5, 3, 255.5, 2.0**-149])
    if "frexp" in name:
        special = np.array([np.inf, -np.inf, np.nan, 1.0, -0.75])
    if name in UNTOLD:
        # Denormal numbers would count as zero.
        special = special[:-1]
    if re.search("rndne|nearest|sin|cos", name):
        # Where the texts' own roundings make no difference.
        most = 16 if re.search("rndne|nearest", name) else 2
        return rng.integers(-most, most + 1, size=shape) / 4.0
    chosen = np.where(rng.random(shape) < 0.3, rng.choice(special, shape), values)
    return np.asarray(chosen, np.float64)
