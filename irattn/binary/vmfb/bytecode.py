"""Decodes and follows the bytecode of IREE's virtual machine (version 17).

Only what host programs of attention graphs use is followed; anything else stops with its name.
Integers may be formulas, so that a program whose sizes a call chooses is followed as well.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from irattn.binary.vmfb.flat import refuse_damage
from irattn.binary.vmfb.formulas import Size, SizeFormula, combine
from irattn.binary.vmfb.module import CompiledModule, Function
from irattn.core.errors import ArtifactError

# Operands of an instruction: r register, g ordinal or type, i and I constants of 32 and 64 bits,
# t branch target, v list of registers, b registers that a branch renames, s text.
_FORMATS: dict[int, tuple[str, str]] = {
    0x00: ("global.load.i32", "gr"),
    0x01: ("global.store.i32", "gr"),
    0x04: ("global.load.i64", "gr"),
    0x05: ("global.store.i64", "gr"),
    0x08: ("global.load.ref", "ggr"),
    0x09: ("global.store.ref", "ggr"),
    0x0C: ("const.i32.zero", "r"),
    0x0D: ("const.i32", "ir"),
    0x0E: ("const.i64.zero", "r"),
    0x0F: ("const.i64", "Ir"),
    0x10: ("const.ref.zero", "r"),
    0x11: ("const.ref.rodata", "gr"),
    0x1C: ("select.i32", "rrrr"),
    0x1D: ("select.i64", "rrrr"),
    0x1E: ("select.ref", "rgrrr"),
    0x29: ("fma.i32", "rrrr"),
    0x31: ("fma.i64", "rrrr"),
    0x42: ("trunc.i64.i32", "rr"),
    0x47: ("ext.i32.i64.s", "rr"),
    0x48: ("ext.i32.i64.u", "rr"),
    0x49: ("eq.i32", "rrr"),
    0x4A: ("ne.i32", "rrr"),
    0x4B: ("lt.i32.s", "rrr"),
    0x4C: ("lt.i32.u", "rrr"),
    0x4D: ("nz.i32", "rr"),
    0x4E: ("eq.i64", "rrr"),
    0x4F: ("ne.i64", "rrr"),
    0x50: ("lt.i64.s", "rrr"),
    0x51: ("lt.i64.u", "rrr"),
    0x52: ("nz.i64", "rr"),
    0x55: ("nz.ref", "rr"),
    0x56: ("br", "tb"),
    0x57: ("cond_br", "rtbtb"),
    0x58: ("call", "gvv"),
    0x59: ("call.variadic", "gvvv"),
    0x5A: ("return", "v"),
    0x5B: ("fail", "rs"),
    0x79: ("block", ""),
    0x82: ("cast.any.ref", "rgr"),
    0x85: ("discard.refs", "v"),
    0x86: ("assign.ref", "rr"),
    0x87: ("call.yieldable", "gvtv"),
    0x88: ("call.variadic.yieldable", "gvvtv"),
}
for _start, _names in (
    (0x22, ("add", "sub", "mul", "div.s", "div.u", "rem.s", "rem.u")),
    (0x33, ("and", "or", "xor")),
    (0x3A, ("shl", "shr.s", "shr.u")),
    (0x7A, ("min.s", "min.u", "max.s", "max.u")),
):
    # The 64-bit forms follow: after `fma` among the sums, after `not` among the bits.
    _between = {0x22: 8, 0x33: 4}.get(_start, len(_names))
    for _i, _name in enumerate(_names):
        _kind, _dot, _sign = _name.partition(".")
        _FORMATS[_start + _i] = (f"{_kind}.i32{_dot}{_sign}", "rrr")
        _FORMATS[_start + _between + _i] = (f"{_kind}.i64{_dot}{_sign}", "rrr")

_ARITHMETIC = frozenset(
    [
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "and",
        "or",
        "xor",
        "shl",
        "shr",
        "min",
        "max",
        "eq",
        "ne",
        "lt",
    ]
)
_IMPORT = 0x80000000
_REF = 0x8000
_REGISTER = 0x3FFF
_MOST_STEPS = 200_000
_MOST_CALLS = 64
# What registers and sizes are counted in.
_MOST_BITS = 64

Call = Callable[[str, list[Any], list[int]], list[Any]]


@dataclass(frozen=True)
class VmInstruction:
    """One decoded instruction; `next` is where the one after it begins."""

    name: str
    operands: list[Any]
    next: int


@refuse_damage
def decode(code: bytes, at: int) -> VmInstruction:
    """The instruction at an offset of a function's code."""
    if not 0 <= at < len(code):
        raise ArtifactError(f"the host program goes on at {at}, outside of its function's code")
    known = _FORMATS.get(code[at])
    if known is None:
        raise ArtifactError(
            f"the host program has an instruction that irattn does not know: opcode "
            f"{code[at]:#04x} at {at}"
        )
    name, layout = known
    reader = _Reader(code, at + 1)
    return VmInstruction(name, [reader.read(kind) for kind in layout], reader.at)


@dataclass
class _Reader:
    code: bytes
    at: int

    def read(self, kind: str) -> Any:
        if kind == "v":
            return self._list()
        if kind == "b":
            flat = self._list(2)
            return list(zip(flat[::2], flat[1::2], strict=True))
        if kind == "s":
            length = self._number("H")
            self.at += length
            return self.code[self.at - length : self.at].decode()
        return self._number({"r": "H", "g": "I", "i": "i", "I": "q", "t": "i"}[kind])

    def _list(self, width: int = 1) -> list[int]:
        self.at += self.at % 2
        return [self._number("H") for _ in range(self._number("H") * width)]

    def _number(self, layout: str) -> int:
        (value,) = struct.unpack_from(f"<{layout}", self.code, self.at)
        self.at += struct.calcsize(layout)
        return int(value)


@dataclass
class Machine:
    """Follows functions of a module; imports are answered by `call_import`.

    `call_import` takes the import's full name, its arguments, and for variadic imports the length
    of each segment (0xFFFF for an argument that is no list).
    """

    module: CompiledModule
    call_import: Call
    globals: dict[tuple[str, int], Any] = field(default_factory=dict)
    steps: int = 0
    calls: int = 0

    @refuse_damage
    def call(self, function: Function, arguments: list[Any]) -> list[Any]:
        """The results of a function; ArtifactError where it fails or cannot be followed."""
        code = self.module.bytecode[function.start : function.start + function.length]
        frame = _Frame(self, code)
        frame.bind(argument_kinds(function.calling_convention), arguments)
        if self.calls == _MOST_CALLS:
            raise ArtifactError("the host program calls itself without end")
        self.calls += 1
        results = frame.run()
        self.calls -= 1
        return results


@dataclass
class _Frame:
    machine: Machine
    code: bytes
    values: dict[int, Any] = field(default_factory=dict)

    def bind(self, kinds: str, arguments: list[Any]) -> None:
        """Arguments take the first registers of their bank; 64-bit ones two, from an even one."""
        numbers = refs = 0
        for kind, argument in zip(kinds, arguments, strict=True):
            if kind == "r":
                self.values[_REF | refs] = argument
                refs += 1
                continue
            numbers += numbers % 2 if kind == "I" else 0
            self.values[numbers] = argument
            numbers += 2 if kind == "I" else 1

    def run(self) -> list[Any]:
        at = 0
        while True:
            self.machine.steps += 1
            if self.machine.steps > _MOST_STEPS:
                raise ArtifactError("the host program does not end")
            instruction = decode(self.code, at)
            if instruction.name == "return":
                return [self.get(register) for register in instruction.operands[0]]
            at = self.step(instruction)

    def get(self, register: int) -> Any:
        return self.values.get(self._key(register))

    def number(self, register: int) -> Size:
        """A register that must hold a size, or a formula of one."""
        value = self.get(register)
        if not isinstance(value, int | SizeFormula):
            raise ArtifactError("the host program computes with what is no number")
        return value

    def set(self, register: int, value: Any) -> None:
        self.values[self._key(register)] = value

    @staticmethod
    def _key(register: int) -> int:
        return register & (_REF | _REGISTER)

    def step(self, instruction: VmInstruction) -> int:
        """Carry out one instruction; where to go on."""
        name, operands = instruction.name, instruction.operands
        kind = name.partition(".")[0]
        if name == "br":
            return self._jump(*operands)
        if name == "cond_br":
            return self._branch(*operands)
        if kind == "call":
            return self._call(instruction)
        if name == "fail":
            raise ArtifactError(f"the host program fails: {operands[1]!r:.200}")
        if kind in ("global", "const"):
            self._load_or_store(name, operands)
        elif kind in _ARITHMETIC:
            self.set(operands[2], self._combined(kind, *map(self.number, operands[:2])))
        elif kind == "fma":
            product = self._combined("mul", *map(self.number, operands[:2]))
            self.set(operands[3], self._combined("add", product, self.number(operands[2])))
        elif kind == "select":
            *_, if_true, if_false, result = operands
            self.set(result, self._select(self.get(operands[0]), if_true, if_false))
        elif kind == "nz":
            self.set(operands[1], self._is_not_zero(self.get(operands[0])))
        elif kind in ("trunc", "ext", "assign"):
            self.set(operands[1], self.get(operands[0]))
        elif kind == "cast":
            self.set(operands[2], self.get(operands[0]))
        return instruction.next

    @staticmethod
    def _combined(operation: str, a: Size, b: Size) -> Size:
        if operation in ("shl", "shr") and isinstance(b, int) and not 0 <= b < _MOST_BITS:
            raise ArtifactError(f"the host program shifts a number by {b} bits")
        result = combine(operation, a, b)
        if isinstance(result, int) and result.bit_length() > _MOST_BITS:
            raise ArtifactError(
                f"the host program computes a number of more than {_MOST_BITS} bits"
            )
        return result

    def _load_or_store(self, name: str, operands: list[Any]) -> None:
        what, _, rest = name.partition(".")
        bank = rest.rpartition(".")[2]
        if what == "global" and rest.startswith("load"):
            self.set(operands[-1], self.machine.globals.get((bank, operands[0]), 0))
        elif what == "global":
            self.machine.globals[(bank, operands[0])] = self.get(operands[-1])
        elif rest == "ref.rodata":
            self.set(operands[1], self.machine.module.rodata[operands[0]])
        else:
            value = operands[0] if len(operands) > 1 else 0
            self.set(operands[-1], None if rest == "ref.zero" else value)

    def _select(self, condition: Any, if_true: int, if_false: int) -> Any:
        if isinstance(condition, SizeFormula):
            return combine("select", condition, self.get(if_true), self.get(if_false))
        return self.get(if_true if condition else if_false)

    @staticmethod
    def _is_not_zero(value: Any) -> Any:
        if isinstance(value, SizeFormula):
            return combine("ne", value, 0)
        return int(value is not None and value != 0)

    def _jump(self, target: int, renamed: list[tuple[int, int]]) -> int:
        values = [(self._key(to), self.values.get(self._key(old))) for old, to in renamed]
        self.values.update(values)
        return target

    def _branch(self, condition: int, *ways: Any) -> int:
        value = self.get(condition)
        if isinstance(value, SizeFormula):
            # What depends on the sizes of a call are only checks: the way on does not fail.
            value = not self._fails(ways[0])
            if self._fails(ways[2]) != value:
                raise ArtifactError(
                    "the host program takes different ways for different sizes, which irattn "
                    "cannot describe"
                )
        return self._jump(*(ways[:2] if value else ways[2:]))

    def _fails(self, target: int) -> bool:
        instruction = decode(self.code, target)
        while instruction.name in ("block", "discard.refs"):
            instruction = decode(self.code, instruction.next)
        return instruction.name == "fail"

    def _call(self, instruction: VmInstruction) -> int:
        operands = list(instruction.operands)
        ordinal, results = operands[0], operands[-1]
        segments = operands[1] if "variadic" in instruction.name else []
        arguments = operands[2] if "variadic" in instruction.name else operands[1]
        given = [self.get(register) for register in arguments]
        module = self.machine.module
        if ordinal & _IMPORT:
            name = module.imports[ordinal & ~_IMPORT][0]
            returned = self.machine.call_import(name, given, segments)
        else:
            returned = self.machine.call(module.functions[ordinal], given)
        for register, value in zip(results, returned, strict=True):
            self.set(register, value)
        return operands[-2] if "yieldable" in instruction.name else instruction.next


def argument_kinds(calling_convention: str) -> str:
    """The kind of each argument: `0rrr_r` takes three references."""
    kinds = calling_convention[1:].partition("_")[0]
    return "" if kinds == "v" else kinds
