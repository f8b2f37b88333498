"""Operands: turns the fields of an instruction into functions that read and write registers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from irattn.codeobject import Instruction
from irattn.emulator.faults import UnknownInstructionError
from irattn.emulator.isa.families import Family
from irattn.emulator.isa.fields import VGPR, Fields
from irattn.emulator.isa.kinds import F16, F32, I16, I32, I64, U16, U32, Kind
from irattn.emulator.isa.parts import as_words, picked, placed
from irattn.emulator.machine.code import Action
from irattn.emulator.machine.waves import EXEC_WORDS, TRAP, VCC, Waves

Getter = Callable[[Waves], Any]
Setter = Callable[[Waves, Any], None]

_SCC = 253
# By which name `Waves` shows registers as numbers of a kind.
VIEWS = {U32: "v", I32: "i", F32: "f", U16: "u16", I16: "i16", F16: "h"}
# What SDWA does with the rest of the destination.
_ZERO, _STAYS = 0, 2


class Operands(Fields):
    """One instruction's operands, and which registers it reads and writes."""

    def __init__(
        self, instruction: Instruction, family: Family, accumulators: int | None = None
    ) -> None:
        super().__init__(instruction, family, accumulators)
        # Whether what an earlier instruction found out about the address still holds.
        self.reuses_address = False
        # The same for matrix operands that were widened: registers.
        self.reuses_matrices: frozenset[tuple[str, int]] = frozenset()
        # Those that this instruction leaves for later ones.
        self.leaves_matrices: set[tuple[str, int]] = set()
        self.reads: set[int] = set()
        self.writes: set[int] = set()
        # Whether it says itself which lanes it writes: not all that execute.
        self.notes_writes = False
        # Vector registers of which it writes single lanes, whatever lanes execute.
        self.changes: set[int] = set()
        self.s_reads: set[int] = set()
        self.s_writes: set[int] = set()

    # Sources.

    def source(self, position: int, kind: Kind) -> Getter:
        """The source in a position as arrays of a kind, with its modifiers."""
        if position == 0 and self.is_dpp:
            return self._modified(self._moved(kind), 0, kind)
        if position < 2 and self.is_sdwa:
            return self._modified(self._selected(position, kind), position, kind)
        code, half = self._code(position, kind)
        return self._modified(self.value(code, kind, half), position, kind)

    def _code(self, position: int, kind: Kind) -> tuple[int, int]:
        """The operand code, and for a 16-bit kind which half of a register it is."""
        for name, base in (
            (f"src{position}", 0),
            (f"ssrc{position}", 0),
            (f"vsrc{position}", VGPR),
        ):
            if self.has(name):
                code = self.field(name) + base
                break
        else:
            raise UnknownInstructionError(f"no source {position}")
        if self.has("opsel"):
            return code, self._opsel(position)
        if kind.bits == 16 and code >= VGPR:
            register, half = self.half_of(code - VGPR)
            return register + VGPR, half
        return code, 0

    def _moved(self, kind: Kind) -> Getter:
        """What came from other lanes of the row."""
        is_high = kind.bits == 16 and self.half_of(self.field("vsrc0"))[1]
        if kind.bits == 64 or is_high or (self.has("opsel") and self._opsel(0)):
            raise UnknownInstructionError("DPP with such a source")
        self.reads.add(self.field("vsrc0"))
        dtype = kind.numpy
        if kind.bits == 16:
            return lambda st: st.moved.view(dtype)[:, ::2]
        return lambda st: st.moved.view(dtype)

    def _selected(self, position: int, kind: Kind) -> Getter:
        """A byte, a half or all of a register (SDWA)."""
        if kind.bits == 64:
            raise UnknownInstructionError("a part of a 64-bit source")
        code = self.field(f"vsrc{position}")
        raw = self.value(code if self.field(f"s{position}") else code + VGPR, U32)
        part, signed = self.field(f"src{position}_sel"), bool(self.field(f"src{position}_sext"))
        dtype, is_half = kind.numpy, kind.bits == 16

        def get(st: Waves) -> Any:
            found = picked(raw(st), part, signed=signed)
            return (found.astype(np.uint16) if is_half else found).view(dtype)

        return get

    def _opsel(self, position: int) -> int:
        return self.field("opsel") >> position & 1

    def _modified(self, get: Getter, position: int, kind: Kind) -> Getter:
        negative = self.field("neg") >> position & 1
        absolute = self.field("abs") >> position & 1
        if (self.is_dpp or self.is_sdwa) and position < 2:
            negative |= self.field(f"src{position}_neg")
            absolute |= self.field(f"src{position}_abs")
        if not (negative or absolute):
            return get
        if not kind.is_float:
            raise UnknownInstructionError("a sign modifier on a source that is no float")
        if negative and absolute:
            return lambda st: -np.abs(get(st))
        return (lambda st: -get(st)) if negative else (lambda st: np.abs(get(st)))

    def value(self, code: int, kind: Kind, half: int = 0) -> Getter:
        """The value of an operand code."""
        if code >= VGPR:
            return self.vector(code - VGPR, kind, half)
        if code < 128 or code == _SCC:
            return self._scalar_column(code, kind, half)
        constant = np.array([[self.constant(code, kind)]])
        if half:
            raise UnknownInstructionError("the high half of a constant")
        return lambda st: constant

    def vector(self, register: int, kind: Kind, half: int = 0) -> Getter:
        """A vector register, or two for a 64-bit kind."""
        width = 2 if kind.bits == 64 else 1
        self.reads.update(range(register, register + width))
        if width == 2:
            dtype = kind.numpy
            return lambda st: join(st.v[register], st.v[register + 1]).view(dtype)
        if kind is F32:
            return lambda st: st.f[register]
        if kind is U32:
            return lambda st: st.v[register]
        if kind is I32:
            return lambda st: st.i[register]
        view = VIEWS[kind]
        return lambda st: getattr(st, view)[register, ..., half]

    def _scalar_column(self, code: int, kind: Kind, half: int) -> Getter:
        get = self.scalar(code, kind, half)
        return lambda st: get(st)[:, None]

    def scalar(self, code: int, kind: Kind = U32, half: int = 0) -> Getter:
        """A scalar operand as an array [waves]."""
        dtype = kind.numpy
        wide = kind.bits == 64
        if code == self.family.null:
            zero = np.zeros(1, dtype)
            return lambda st: zero
        if code < 128:
            self.s_reads.update((code, code + 1) if wide else (code,))
            if wide:
                return lambda st: join(st.s[code], st.s[code + 1]).view(dtype)
            if kind.bits == 16:
                return lambda st: st.s[code].view(dtype)[half::2]
            return lambda st: st.s[code].view(dtype)
        if code == _SCC:
            if kind.bits != 32:
                raise UnknownInstructionError("SCC as other than 32 bits")
            return lambda st: st.scc.astype(np.uint32).view(dtype)
        constant = np.array([self.constant(code, kind)])
        return lambda st: constant

    # Destinations.

    def target(self, kind: Kind) -> Setter:
        """Writes arrays of a kind to the lanes that execute."""
        register, half = self.field("vdst"), 0
        if self.is_sdwa:
            return self._part_target(register, kind)
        if kind.bits == 16:
            if self.has("opsel"):
                half = self._opsel(3)
            elif self.encoding.startswith(("VOP1", "VOP2")):
                register, half = self.half_of(register)
            # By its own name: the legacy forms of these have the usual name of the others.
            own = self.instruction.name.removesuffix("_e64")
            if self.family.clears_high_half and own not in self.family.keeps_high_half:
                if half:
                    raise UnknownInstructionError("the high half of the destination")
                put = self.vector_target(register, U32)
                return lambda st, value: put(st, as_words(value))
            # The other half stays.
            self.writes.add(register)
            view = VIEWS[kind]

            def put_half(st: Waves, value: Any) -> None:
                np.copyto(getattr(st, view)[register, ..., half], value, where=st.active)

            return put_half
        return self.vector_target(register, kind)

    def _part_target(self, register: int, kind: Kind) -> Setter:
        """Writes a byte, a half or all of a register; the rest becomes 0 or stays (SDWA)."""
        part, rest = self.field("dst_sel"), self.field("dst_unused")
        if kind.bits == 64 or rest not in (_ZERO, _STAYS):
            raise UnknownInstructionError("such a part of the destination")
        put = self.vector_target(register, U32)

        def put_part(st: Waves, value: Any) -> None:
            before = st.v[register] if rest == _STAYS else np.uint32(0)
            put(st, placed(as_words(value), part, before))

        return put_part

    def vector_target(self, register: int, kind: Kind) -> Setter:
        """Writes a vector register, or two for a 64-bit kind."""
        if kind.bits == 64:
            self.writes.update((register, register + 1))

            def put_pair(st: Waves, value: Any) -> None:
                words = np.asarray(value).view(np.uint64)
                np.copyto(st.v[register], (words & 0xFFFFFFFF).astype(np.uint32), where=st.active)
                np.copyto(st.v[register + 1], (words >> 32).astype(np.uint32), where=st.active)

            return put_pair
        self.writes.add(register)
        view = VIEWS[kind]

        def put(st: Waves, value: Any) -> None:
            np.copyto(getattr(st, view)[register], value, where=st.active, casting="same_kind")

        return put

    def scalar_target(self, code: int, kind: Kind = U32) -> Setter:
        """Writes a scalar register, or two for a 64-bit kind, whatever lanes execute."""
        wide = kind.bits == 64
        codes = (code, code + 1) if wide else (code,)
        if code == self.family.null:
            return lambda st, value: None
        if any(not 0 <= c < 128 or c in TRAP for c in codes):
            raise UnknownInstructionError(f"scalar destination {code}")
        self.s_writes.update(codes)
        is_exec = not EXEC_WORDS.isdisjoint(codes)

        def put(st: Waves, value: Any) -> None:
            if wide:
                words = np.asarray(value).view(np.uint64)
                st.s[code] = words & 0xFFFFFFFF
                st.s[code + 1] = words >> 32
            else:
                st.s[code] = np.asarray(value).view(np.uint32)
            if is_exec:
                st.set_exec()

        return put

    def mask_source(self, code: int) -> Getter:
        """A mask of lanes in scalar registers as bool [waves, lanes]."""
        if code == self.family.null:
            return lambda st: np.zeros((1, st.lanes), bool)
        if code < 128:
            self.s_reads.update(self._mask_registers(code))
            return lambda st: st.lane_mask(code)
        bits = int(self.constant(code, I64))
        return lambda st: np.array([[bool(bits >> lane & 1) for lane in range(st.lanes)]])

    def mask_target(self, code: int) -> Setter:
        """Writes bool [waves, lanes] to scalar registers."""
        if code == self.family.null:
            return lambda st, mask: None
        if code in TRAP:
            raise UnknownInstructionError(f"scalar destination {code}")
        self.s_writes.update(self._mask_registers(code))
        return lambda st, mask: st.put_lanes(code, mask)

    def _mask_registers(self, code: int) -> range:
        return range(code, code + self.family.wave_size // 32)

    def carry_in(self) -> Getter:
        """The mask that an instruction takes besides its sources: VCC, or the third source."""
        return self.mask_source(self.field("src2") if self.has("src2") else VCC)


# Makes what an instruction does; UnknownInstructionError for a form of it that is not executed.
Factory = Callable[[Operands], Action]


def join(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Two words as uint64."""
    return low.astype(np.uint64) | (high.astype(np.uint64) << np.uint64(32))
