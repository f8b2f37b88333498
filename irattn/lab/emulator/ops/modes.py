"""Scalar instructions that choose how floats round, and whether denormal ones count."""

from irattn.lab.emulator.faults import UnknownInstructionError
from irattn.lab.emulator.machine.denormals import FLUSH, KEEP, set_denormals
from irattn.lab.emulator.machine.waves import Waves
from irattn.lab.emulator.ops.effects import Effect, effect, nothing
from irattn.lab.emulator.ops.operands import Factory, Operands

# The hardware register of floats: how they round, whether denormal f32 and f16 or f64 count.
_MODE, _MODE_BITS = 1, 8
_ROUNDING, _DENORMALS16 = 0x0F, 0xC0


def _denormal_mode(ops: Operands) -> Effect:
    mode = ops.field("simm16")
    if mode >> 2 != 3:
        raise UnknownInstructionError("a mode other than with denormal f16 numbers")
    return effect(lambda st: _set_denormals(st, mode & 3))


def _set_register(ops: Operands) -> Effect:
    """S_SETREG of a constant: bits of the mode register, for rounding and denormals."""
    where = ops.field("simm16")
    register, first, count = where & 63, where >> 6 & 31, (where >> 11) + 1
    if register != _MODE or first + count > _MODE_BITS:
        raise UnknownInstructionError(f"bits {first} to {first + count - 1} of register {register}")
    mask = ((1 << count) - 1) << first
    value = ops.field("literal") << first & mask
    if value & _ROUNDING or value & _DENORMALS16 != mask & _DENORMALS16:
        raise UnknownInstructionError("a mode other than to nearest, with denormal f16 numbers")

    def act(st: Waves) -> None:
        _set_denormals(st, (st.denormals << 4 & ~mask | value) >> 4 & 3)

    return effect(act)


def _set_denormals(st: Waves, mode: int) -> None:
    if mode not in (FLUSH, KEEP):
        raise UnknownInstructionError(f"denormal mode {mode}")
    st.denormals = mode
    set_denormals(mode)


def _round_mode(ops: Operands) -> Effect:
    if ops.field("simm16"):
        raise UnknownInstructionError("a rounding mode other than to nearest")
    return nothing(ops)


MODES: dict[str, Factory] = {
    "s_denorm_mode": _denormal_mode,
    "s_setreg_imm32_b32": _set_register,
    "s_round_mode": _round_mode,
}
