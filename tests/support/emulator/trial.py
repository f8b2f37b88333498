"""One scalar or vector opcode on random registers, and what AMD's guide says that it does."""

import re
import zlib
from functools import cache, cached_property
from typing import Any

import numpy as np
from tinygrad.runtime.autogen.amd.cdna.str_pcode import PCODE as CDNA
from tinygrad.runtime.autogen.amd.rdna3.str_pcode import PCODE as RDNA3
from tinygrad.runtime.autogen.amd.rdna4.str_pcode import PCODE as RDNA4

from irattn.binary.codeobject import Instruction
from support.emulator import draws
from support.emulator.machine import Machine
from support.emulator.pseudocode import Lane
from support.emulator.pseudocode_numbers import FALSE, TRUE, Number, type_of

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
# Lanes of a wave to look at, for integers and for floats.
LANES_OF_A_WAVE = (5, 8)
FLOAT_SOURCE = re.compile(r"\bS\d?(\[[^\]]*\])*\.b?f\d\d")
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
    r"|s_set_inst_prefetch_distance|s_dcache\w*|buffer_\w*|s_ttracedata|s_prefetch\w*|s_buffer_prefetch_data|v_nop|v_permlane64_b32)$"
)


@cache
def texts(gfx: str) -> dict[str, str]:
    """The guide's pseudocode by mnemonic."""
    own = {plain(op.name.lower()): text for op, text in GUIDES[gfx].items()}
    # CDNA's texts refer to these without telling what they are.
    missing = {name: text for name, text in _texts_of_rdna4() if "imum_f32" in name}
    known = {**missing, **UNTOLD, **own}
    told = {name: f"{text}{_sign_of_zero(name)}" for name, text in known.items()}
    # The sum of two bytes has nine bits.
    return told | {
        "v_lerp_u8": re.sub(r"\(S0(\.u32\[[\d: ]+\])", r"(32'U(S0\1)", told["v_lerp_u8"])
    }


def _sign_of_zero(name: str) -> str:
    """What the texts of RNDNE leave out, adding 0.5: a number that becomes zero keeps its sign."""
    if "_rndne_" not in name:
        return ""
    kind = name[-3:]
    zero = f"sign(S0.{kind}) ? -0.0F : 0.0F"
    return f"\nif D0.{kind} == 0.0 then\nD0.{kind} = {zero}\nendif"


def _texts_of_rdna4() -> list[tuple[str, str]]:
    return [(plain(op.name.lower()), text) for op, text in RDNA4.items()]


def plain(name: str) -> str:
    return re.sub(r"_e(32|64)$", "", name)


def _clear_denormal(bits: np.ndarray, width: int, kind: str) -> None:
    fraction = {("F", 16): 10, ("BF", 16): 7, ("F", 32): 23}[kind, width]
    exponent = bits >> fraction & (1 << width - 1 - fraction) - 1
    bits[exponent == 0] = 0


class Trial:
    """One opcode on random registers."""

    def __init__(self, op: Instruction, gfx: str, number: int = 0) -> None:
        self.op, self.gfx, self.name, self.number = op, gfx, plain(op.name), number
        # Of what does nothing the guides tell in words.
        self.text = "" if NOTHING.match(self.name) else texts(gfx)[self.name]
        self.rng = np.random.default_rng(zlib.crc32(f"{op.name} {number}".encode()))
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
        if NOTHING.match(self.name):
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

    @cached_property
    def scalar_sources(self) -> tuple[str, ...]:
        return ("src0",) if self.name.startswith("v_s_") else SCALAR_SOURCES.get(self.name, ())

    @cached_property
    def adds_to_result(self) -> bool:
        """Whether the third source is what the destination holds."""
        return bool(re.search(r"_f?mac_|dot2c|dot2acc", self.name))

    @cached_property
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
        waves.written.vector.update(range(len(waves.v)))
        waves.written.scalar.update(range(VCC + 2))
        waves.scc[...] = self.rng.random(waves.count) < 0.5
        waves.s[EXEC : EXEC + 2] = self.rng.integers(
            1 << 32, size=(2, waves.count), dtype=np.uint32
        )
        if "swap_b32" in self.name and "permlane" in self.name:
            waves.s[EXEC : EXEC + 2] = 0xFFFFFFFF
        if waves.lanes == 32:
            waves.s[EXEC + 1] = 0
        waves.set_exec()
        self.lanes = self._lanes(np.broadcast_to(waves.active, waves.v.shape[1:]))
        for number in range(3):
            self._fill_source(machine, number)
        return machine

    def _lanes(self, active: np.ndarray) -> list[list[int | None]]:
        """The lanes of each wave to look at; None is the wave as a whole."""
        if self.encoding.startswith("SOP") or "VGPR" in self.text or self.name.startswith("v_s_"):
            return [[None]] * len(active)
        count = LANES_OF_A_WAVE[bool(FLOAT_SOURCE.search(self.text))]
        return [self.rng.permutation(np.flatnonzero(wave))[:count].tolist() for wave in active]

    def _fill_source(self, machine: Machine, number: int) -> None:
        kind, width = self.type_of_source(number)
        waves = machine.waves
        names = [n for n in (f"src{number}", f"vsrc{number}", f"ssrc{number}") if n in self.values]
        if number == 2 and self.adds_to_result:
            names = ["sdst" if self.encoding.startswith("SOP") else "vdst"]
        if not names or (names[0] == "src2" and self.takes_carry):
            return
        name = names[0]
        is_scalar = name.startswith(("ssrc", "sdst")) or name in self.scalar_sources
        registers = waves.s if is_scalar else waves.v
        first = FIELDS[name]
        shape = registers[0].shape
        if kind in ("F", "BF"):
            bits = draws.floats(self.rng, kind, width, shape, self.name)
            self._put_special(bits, kind, width, number)
        else:
            bits = draws.integers(self.rng, width, shape, self.name, number)
        registers[first], registers[first + 1] = bits & 0xFFFFFFFF, bits >> np.uint64(32)
        if self.gfx == "gfx90a" and "dot2" in self.name and kind in ("F", "BF"):
            # What this chip does with denormal numbers, its text does not say.
            _clear_denormal(registers[first].view(f"u{width // 8}"), width, kind)

    def type_of_source(self, number: int) -> tuple[str, int]:
        """Kind and width of a source as the text has it."""
        what = "D0" if number == 2 and self.adds_to_result else f"S{number}"
        match = re.search(rf"\b{what}(?:\[[^\]]*\])?\.(\w+)", self.text)
        if match is None and "_mix" in self.name:
            return "F", 16
        return type_of(match[1]) if match else ("U", 32)

    def _put_special(self, bits: np.ndarray, kind: str, width: int, number: int) -> None:
        """Special numbers in the lanes to look at; those of other lanes in the higher halves."""
        places = [
            (w,) if i is None else (w, i) for w, lanes in enumerate(self.lanes) for i in lanes
        ]
        for at, place in enumerate(places, self.number * len(places)):
            for part in range(draws.parts(width)):
                names = draws.TUPLES[(at + part) % len(draws.TUPLES)]
                drawn = draws.special(names[number], kind, width) if number < len(names) else None
                if drawn is not None and draws.may_be(drawn, kind, width, self.name):
                    low = width * part
                    rest = int(bits[place]) & ~((1 << width) - 1 << low)
                    bits[place] = rest | drawn << low

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

        variables: dict[str, Any] = {
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
            "NEG": Number("U", 3, self.values.get("neg", 0)),
            "PC": Number("I", 64, 0),
        }
        for name, register in FIELDS.items():
            if name not in self.values:
                continue
            is_scalar = name.startswith("s") and not name.startswith("src")
            is_scalar |= name in self.scalar_sources or (name == "vdst" and self.writes_scalar)
            value = scalar(register) if is_scalar else vector(register)
            variables["D0" if name.endswith("dst") else f"S{name[-1]}"] = value
        if "vdst" in self.values and not self.writes_scalar:
            variables["D0"] = vector(FIELDS["vdst"])
        if "simm16" in self.values:
            variables["SIMM16"] = Number("B", 16, self.values["simm16"])
            compares = self.name.startswith("s_cmpk")
            variables["S0"] = variables["D0"] if compares else variables["SIMM16"]
            variables["S1"] = variables["SIMM16"]
        if "literal" in self.values:
            variables["SIMM32"] = Number("B", 32, self.values["literal"])
        variables["S"] = [variables.get(f"S{i}") for i in range(3)]
        if "VGPR" in self.text:
            variables["VGPR"] = [
                [Number("B", 32, int(word)) for word in v[:, wave, i]] for i in range(lanes)
            ]
            variables["SRC0"] = Number("U", 32, FIELDS["src0"])
            variables["SRC1"] = Number("U", 32, FIELDS["src1"])
            variables["VDST"] = Number("U", 32, FIELDS["vdst"])
        return variables

    @cached_property
    def writes_scalar(self) -> bool:
        """Whether the destination is a scalar register."""
        return (
            self.encoding.endswith("_SDST")
            or self.name.startswith(("v_s_", "v_readlane"))
            or (self.encoding == "VOP3" and self.name.startswith("v_cmp"))
        )

    # From which bit on a result lies.
    shift = 0

    def modified(self, told: Number) -> Number | None:
        """The result after what the text does not tell; None where nobody does."""
        return told

    def next(self) -> "Trial | None":
        """Another trial until all tuples of special numbers were there: a scalar has one a wave."""
        of_waves = self.lanes[0] == [None] and FLOAT_SOURCE.search(self.text)
        tried = (self.number + 1) * len(self.lanes)
        is_done = not of_waves or tried >= len(draws.TUPLES)
        return None if is_done else Trial(self.op, self.gfx, self.number + 1)

    def told(self, wave: int, lane: int | None) -> Lane:
        """The state after the text."""
        return Lane(self.variables(wave, lane), texts(self.gfx)).run(self.text)


class Word:
    """Instruction words as the machine takes them."""

    def __init__(self, raw: int, size: int) -> None:
        self._raw, self._size = raw, size

    def to_bytes(self) -> bytes:
        return self._raw.to_bytes(self._size, "little")
