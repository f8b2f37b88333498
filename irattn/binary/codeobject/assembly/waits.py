"""The immediates of instructions that wait, as assembly writes them."""

from collections.abc import Iterable

# Name, lowest bit, width; a field at its largest waits for nothing.
_Field = tuple[str, int, int]

_DEPENDENCIES: tuple[_Field, ...] = (
    ("depctr_hold_cnt", 7, 1),
    ("depctr_sa_sdst", 0, 1),
    ("depctr_va_vdst", 12, 4),
    ("depctr_va_sdst", 9, 3),
    ("depctr_va_ssrc", 8, 1),
    ("depctr_va_vcc", 1, 1),
    ("depctr_vm_vsrc", 2, 3),
)
# Bits of no field, which have to be as the assembler makes them.
_NO_DEPENDENCY = 0x60

_DEPENDENCY = (
    "NO_DEP",
    *(f"VALU_DEP_{n}" for n in (1, 2, 3, 4)),
    *(f"TRANS32_DEP_{n}" for n in (1, 2, 3)),
    "FMA_ACCUM_CYCLE_1",
    *(f"SALU_CYCLE_{n}" for n in (1, 2, 3)),
)
_SKIP = ("SAME", "NEXT", *(f"SKIP_{n}" for n in (1, 2, 3, 4)))


def counters(number: int, is_rdna: bool) -> str:
    """The counters that `s_waitcnt` waits for."""
    if is_rdna:
        fields = (("vmcnt", number >> 10, 63), ("expcnt", number, 7), ("lgkmcnt", number >> 4, 63))
    else:
        vmcnt = number & 15 | number >> 10 & 48
        fields = (("vmcnt", vmcnt, 63), ("expcnt", number >> 4, 7), ("lgkmcnt", number >> 8, 15))
    return _those_that_wait((name, value & most, most) for name, value, most in fields)


def dependencies(number: int) -> str:
    """The dependencies that `s_waitcnt_depctr` and `s_wait_alu` wait for."""
    used = sum(((1 << width) - 1) << low for _, low, width in _DEPENDENCIES)
    if number & ~used not in (0, _NO_DEPENDENCY):
        return f"{number:#x}"
    fields = ((name, low, (1 << width) - 1) for name, low, width in _DEPENDENCIES)
    return _those_that_wait((name, number >> low & most, most) for name, low, most in fields)


def delay(number: int) -> str:
    """The delays that `s_delay_alu` states for the next instructions."""
    first, skip, second = number & 15, number >> 4 & 7, number >> 7 & 15
    words = [f"instid0({_word(_DEPENDENCY, first)})"] if first else []
    words += [f"instskip({_word(_SKIP, skip)})"] if skip else []
    words += [f"instid1({_word(_DEPENDENCY, second)})"] if second else []
    return " | ".join(words) or "0"


def _word(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) else str(number)


def _those_that_wait(fields: Iterable[tuple[str, int, int]]) -> str:
    """The fields below their largest; all of them where none is."""
    fields = list(fields)
    waiting = [f"{name}({value})" for name, value, most in fields if value < most]
    return " ".join(waiting or [f"{name}({value})" for name, value, _ in fields])
