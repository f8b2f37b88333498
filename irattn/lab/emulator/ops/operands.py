"""Operands: turns the fields of an instruction into functions that read and write registers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from irattn.binary.codeobject import Instruction
from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.isa.families import Family
from irattn.lab.emulator.isa.fields import SCC, VGPR, Fields
from irattn.lab.emulator.isa.kinds import F16, F32, I16, I32, I64, U16, U32, Kind
from irattn.lab.emulator.isa.parts import as_words, joined, picked, place, placed
from irattn.lab.emulator.machine.waves import EXEC_WORDS, TRAP, VCC, Waves
from irattn.lab.emulator.ops.effects import NOTHING_LEFT, Destination, Effect, Getter, Left, Source

# What SDWA does with the rest of the destination.
_ZERO, _STAYS = 0, 2
# By which name `Waves` shows registers as numbers of a kind.
VIEWS = {U32: "v", I32: "i", F32: "f", U16: "u16", I16: "i16", F16: "h"}


class Operands(Fields):
    """One instruction's operands; `left` is what earlier ones of its block left for it.

    `ieee` is the mode of waves in which NaN are those of IEEE 754, and outputs have no factor;
    `keeps_nan` that in which they go through clamps. `indexed` has a bit for each operand whose
    vector registers M0 chooses, as S_SET_GPR_IDX_ON says before.
    """

    def __init__(
        self,
        instruction: Instruction,
        family: Family,
        accumulators: int | None = None,
        left: Left = NOTHING_LEFT,
        *,
        ieee: bool = False,
        keeps_nan: bool = False,
        indexed: int = 0,
    ) -> None:
        super().__init__(instruction, family, accumulators)
        self.left = left
        self.ieee = ieee
        self.keeps_nan = keeps_nan
        self.indexed = indexed

    # Sources.

    def source(self, position: int, kind: Kind) -> Source:
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

    def _moved(self, kind: Kind) -> Source:
        """The values from other lanes of the row."""
        register = self.field("vsrc0")
        is_high = kind.bits == 16 and self.half_of(register)[1]
        if kind.bits == 64 or is_high or (self.has("opsel") and self._opsel(0)):
            raise UnknownInstructionError("DPP with such a source")
        dtype = kind.numpy
        get: Getter = lambda st: st.moved.view(dtype)  # noqa: E731
        if kind.bits == 16:
            get = lambda st: st.moved.view(dtype)[:, ::2]  # noqa: E731
        return Source(get=get, reads=frozenset((register,)))

    def _selected(self, position: int, kind: Kind) -> Source:
        """A byte, a half or all of a register (SDWA)."""
        if kind.bits == 64:
            raise UnknownInstructionError("a part of a 64-bit source")
        code = self.field(f"vsrc{position}")
        raw = self.value(code if self.field(f"s{position}") else code + VGPR, U32)
        part, signed = self.field(f"src{position}_sel"), bool(self.field(f"src{position}_sext"))
        dtype, is_half, words = kind.numpy, kind.bits == 16, raw.get

        def get(st: Waves) -> Any:
            part_of = picked(words(st), part, signed=signed)
            return (part_of.astype(np.uint16) if is_half else part_of).view(dtype)

        def unwritten(st: Waves) -> Any:
            return np.where(picked(raw.missing(st), part, signed=False), ~np.uint32(0), 0)

        return replace(raw, get=get, unwritten=unwritten)

    def _opsel(self, position: int) -> int:
        return self.field("opsel") >> position & 1

    def _modified(self, source: Source, position: int, kind: Kind) -> Source:
        negative = self.field("neg") >> position & 1
        absolute = self.field("abs") >> position & 1
        if (self.is_dpp or self.is_sdwa) and position < 2:
            negative |= self.field(f"src{position}_neg")
            absolute |= self.field(f"src{position}_abs")
        if not (negative or absolute):
            return source
        if not kind.is_float:
            raise UnknownInstructionError("a sign modifier on a source that is no float")
        get = source.get
        if negative and absolute:
            return replace(source, get=lambda st: -np.abs(get(st)))
        return replace(
            source, get=(lambda st: -get(st)) if negative else (lambda st: np.abs(get(st)))
        )

    def value(self, code: int, kind: Kind, half: int = 0) -> Source:
        """The value of an operand code."""
        if code >= VGPR:
            return self.vector(code - VGPR, kind, half)
        if code < 128 or code == SCC:
            return _for_all_lanes(self.scalar(code, kind, half))
        constant = np.array([[self.constant(code, kind)]])
        if half:
            raise UnknownInstructionError("the high half of a constant")
        return Source(get=lambda st: constant)

    def vector(self, register: int, kind: Kind, half: int = 0) -> Source:
        """A vector register, or two for a 64-bit kind."""
        if kind.bits == 64:
            dtype = kind.numpy
            return Source(
                get=lambda st: joined(st.v[register], st.v[register + 1]).view(dtype),
                reads=frozenset((register, register + 1)),
            )
        shift, bits = np.uint32(16 * half), np.uint32((1 << kind.bits) - 1)
        return Source(
            get=_register(register, kind, half),
            reads=frozenset((register,)),
            unwritten=lambda st: st.written.unwritten(register) >> shift & bits,
        )

    def scalar(self, code: int, kind: Kind = U32, half: int = 0) -> Source:
        """A scalar operand as an array [waves]."""
        dtype = kind.numpy
        if code == self.family.null:
            zero = np.zeros(1, dtype)
            return Source(get=lambda st: zero)
        if code < 128:
            return self._scalar_register(code, kind, half)
        if code == SCC:
            if kind.bits != 32:
                raise UnknownInstructionError("SCC as other than 32 bits")
            return Source(get=lambda st: st.scc.astype(np.uint32).view(dtype), reads_scc=True)
        constant = np.array([self.constant(code, kind)])
        return Source(get=lambda st: constant)

    def _scalar_register(self, code: int, kind: Kind, half: int) -> Source:
        dtype = kind.numpy
        if kind.bits == 64:
            return Source(
                get=lambda st: joined(st.s[code], st.s[code + 1]).view(dtype),
                s_reads=frozenset((code, code + 1)),
            )
        get: Getter = lambda st: st.s[code].view(dtype)  # noqa: E731
        if kind.bits == 16:
            get = lambda st: st.s[code].view(dtype)[half::2]  # noqa: E731
        shift, bits = np.uint32(16 * half), np.uint32((1 << kind.bits) - 1)
        return Source(
            get=get,
            s_reads=frozenset((code,)),
            unwritten=lambda st: st.written.missing_bits(code) >> shift & bits,
        )

    # Destinations.

    @property
    def factor(self) -> int:
        """The factor of the output as it is encoded; 0 for none."""
        return 0 if self.ieee else self.field("omod")

    def target(self, kind: Kind) -> Destination:
        """Where arrays of a kind are written, for the lanes that execute."""
        register = self.field("vdst")
        if self.is_sdwa:
            return self._part_target(register, kind)
        if kind.bits == 16:
            return self._half_target(register, kind)
        return self.vector_target(register, kind)

    def _half_target(self, register: int, kind: Kind) -> Destination:
        """Half of a register; the rest becomes 0 or stays, as the family has it."""
        half = 0
        if self.has("opsel"):
            half = self._opsel(3)
        elif self.is_short:
            register, half = self.half_of(register)
        # By its own name: the legacy forms of these have the usual name of the others.
        if self.family.clears_high_half and self.own_name not in self.family.keeps_high_half:
            if half:
                raise UnknownInstructionError("the high half of the destination")
            whole = self.vector_target(register, U32)
            put = whole.put
            return replace(whole, put=lambda st, value: put(st, as_words(value)), width=16)
        view = VIEWS[kind]

        def put_half(st: Waves, value: Any) -> None:
            np.copyto(getattr(st, view)[register, ..., half], value, where=st.active)

        written = frozenset((register,))
        return Destination(put=put_half, writes=written, shift=16 * half, width=16)

    def _part_target(self, register: int, kind: Kind) -> Destination:
        """A byte, a half or all of a register; the rest becomes 0 or stays (SDWA)."""
        part, rest = self.field("dst_sel"), self.field("dst_unused")
        if kind.bits == 64 or rest not in (_ZERO, _STAYS):
            raise UnknownInstructionError("such a part of the destination")
        whole = self.vector_target(register, U32)
        put = whole.put

        def put_part(st: Waves, value: Any) -> None:
            before = st.v[register] if rest == _STAYS else np.uint32(0)
            put(st, placed(as_words(value), part, before))

        shift, width = place(part)
        return replace(whole, put=put_part, shift=shift, width=width)

    def vector_target(self, register: int, kind: Kind) -> Destination:
        """A vector register, or two for a 64-bit kind."""
        if kind.bits == 64:

            def put_pair(st: Waves, value: Any) -> None:
                words = np.asarray(value).view(np.uint64)
                np.copyto(st.v[register], (words & 0xFFFFFFFF).astype(np.uint32), where=st.active)
                np.copyto(st.v[register + 1], (words >> 32).astype(np.uint32), where=st.active)

            return Destination(put=put_pair, writes=frozenset((register, register + 1)))
        view = VIEWS[kind]

        def put(st: Waves, value: Any) -> None:
            np.copyto(getattr(st, view)[register], value, where=st.active, casting="same_kind")

        return Destination(put=put, writes=frozenset((register,)))

    def scalar_target(self, code: int, kind: Kind = U32) -> Destination:
        """A scalar register, or two for a 64-bit kind, whatever lanes execute.

        What has 16 bits clears the high half.
        """
        wide = kind.bits == 64
        codes = frozenset((code, code + 1) if wide else (code,))
        if code == self.family.null:
            return Destination(put=_drop)
        if any(not 0 <= c < 128 or c in TRAP for c in codes):
            raise UnknownInstructionError(f"scalar destination {code}")
        is_exec = not EXEC_WORDS.isdisjoint(codes)

        def put(st: Waves, value: Any) -> None:
            if wide:
                words = np.asarray(value).view(np.uint64)
                st.s[code] = words & 0xFFFFFFFF
                st.s[code + 1] = words >> 32
            else:
                st.s[code] = as_words(value)
            if is_exec:
                st.set_exec()

        return Destination(put=put, s_writes=codes)

    # Masks of lanes.

    def mask_source(self, code: int) -> Source:
        """A mask of lanes in scalar registers as bool [waves, lanes]."""
        if code == self.family.null:
            return Source(get=lambda st: np.zeros((1, st.lanes), bool))
        if code < 128:
            words = self._mask_registers(code)
            return Source(get=lambda st: st.lane_mask(code), s_reads=words, mask=words)
        bits = int(self.constant(code, I64))
        return Source(
            get=lambda st: np.array([[bool(bits >> lane & 1) for lane in range(st.lanes)]])
        )

    def mask_target(self, code: int) -> Destination:
        """Where bool [waves, lanes] is written to scalar registers."""
        if code == self.family.null:
            return Destination(put=_drop)
        if code in TRAP:
            raise UnknownInstructionError(f"scalar destination {code}")
        return Destination(
            put=lambda st, mask: st.put_lanes(code, mask), s_writes=self._mask_registers(code)
        )

    def _mask_registers(self, code: int) -> frozenset[int]:
        return frozenset(range(code, code + self.family.wave_size // 32))

    def carry_in(self) -> Source:
        """The mask that an instruction takes besides its sources: VCC, or the third source."""
        return self.mask_source(self.field("src2") if self.has("src2") else VCC)


# Makes what an instruction does; UnknownInstructionError for a form of it that is not executed.
Factory = Callable[[Operands], Effect]


def _register(register: int, kind: Kind, half: int) -> Getter:
    """Reads a vector register, or half of it."""
    # Without a look at the kind: these are what most instructions read.
    if kind is F32:
        return lambda st: st.f[register]
    if kind is U32:
        return lambda st: st.v[register]
    if kind is I32:
        return lambda st: st.i[register]
    view = VIEWS[kind]
    return lambda st: getattr(st, view)[register, ..., half]


def _for_all_lanes(scalar: Source) -> Source:
    """A scalar as [waves, 1]."""
    get, unwritten = scalar.get, scalar.unwritten
    if unwritten is None:
        return replace(scalar, get=lambda st: get(st)[:, None])
    return replace(
        scalar, get=lambda st: get(st)[:, None], unwritten=lambda st: unwritten(st)[:, None]
    )


def _drop(st: Waves, value: Any) -> None:
    """Writes to the register that is always 0."""
