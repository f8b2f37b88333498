"""Executes the pseudocode of AMD's ISA guides for one lane: what an opcode means, told by AMD.

The texts come with the `tinygrad` package.
"""

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from lark import Lark, Token, Tree

from support.emulator.pseudocode_numbers import (
    COMPARE,
    FALSE,
    FLOAT,
    INTEGER,
    TRUE,
    Number,
    computed,
    function,
    number,
    type_of,
)

_CONSTANTS = {
    "INF": number("F", 64, math.inf),
    "NAN": number("F", 64, math.nan),
    "PI": number("F", 64, math.pi),
    "MAX_FLOAT_F32": number("F", 32, np.finfo(np.float32).max),
    "ROUND_TOWARD_ZERO": TRUE,
    "ROUND_NEAREST_EVEN": FALSE,
}

# Lowest bit, width and kind of what is written to a variable.
Part = tuple[int, int, str]


class _BreakError(Exception):
    pass


class _ReturnError(Exception):
    pass


@cache
def _parse(text: str) -> Tree:
    return _parser().parse(text)


@cache
def _parser() -> Lark:
    return Lark(Path(__file__).with_suffix(".lark").read_text(), parser="lalr")


class Lane:
    """One execution: variables by name, what was written to each, and the texts of other opcodes.

    `written` has (lowest bit, width, kind) of each assignment to a variable.
    """

    def __init__(self, variables: dict[str, Any], texts: dict[str, str]) -> None:
        self.variables = {"ROUND_MODE": FALSE, "WAVE_MODE": FALSE, "TRAPSTS": FALSE, **variables}
        self.texts = texts
        self.written: dict[str, list[Part]] = {}

    def parts(self, name: str) -> list[Part]:
        """What was written to a variable; the parts of `tmp` where D0 was put together from it."""
        found, tmp = self.written.get(name, []), self.written.get("tmp")
        if name != "D0" or not tmp or len(found) != 1 or found[0][2] not in "BU":
            return found
        return tmp if sum(width for _, width, _ in tmp) == found[0][1] else [*tmp, (16, 16, "U")]

    def run(self, text: str) -> "Lane":
        """Execute statements."""
        for statement in _parse(text).children:
            self._execute(statement)
        return self

    # Statements.

    def _execute(self, tree: Tree) -> None:
        getattr(self, f"_do_{tree.data}")(*tree.children)

    def _do_block(self, *statements: Tree) -> None:
        for statement in statements:
            self._execute(statement)

    def _do_declaration(self, name: Token, what: Token, count: Token | None = None) -> None:
        width, kind = str(what).split("'")
        if str(name) not in self.variables:
            zero = Number(kind, int(width), 0)
            self.variables[str(name)] = [zero] * int(count) if count else zero

    def _do_break(self) -> None:
        raise _BreakError

    def _do_return(self, expression: Tree) -> None:
        raise _ReturnError(self.evaluate(expression))

    def _do_if(self, *children: Any) -> None:
        *pairs, last = children
        for condition, block in zip(pairs[::2], pairs[1::2], strict=True):
            if self.evaluate(condition).bits:
                self._execute(block)
                return
        if last is not None:
            self._execute(last)

    def _do_for(self, name: Token, first: Tree, last: Tree, block: Tree) -> None:
        for i in range(self.evaluate(first).value, self.evaluate(last).value + 1):
            self.variables[str(name)] = number("I", 32, i)
            try:
                self._execute(block)
            except _BreakError:
                return

    def _do_assignment(self, target: Tree, operator: Token, source: Tree) -> Any:
        if isinstance(source, Tree) and source.data == "lambda":
            self.variables[str(target.children[0])] = source
            return None
        if source.data == "assignment":
            value = self._do_assignment(*source.children)
        else:
            value = self.evaluate(source)
        if operator != "=":
            value = self._binary(self.evaluate(target), str(operator)[0], value)
        self._assign(target, value)
        return value

    def _assign(self, target: Tree, value: Number) -> None:
        if target.data == "concatenation":
            for part in reversed(target.children):
                _, width = type_of(str(part.children[1]))
                self._assign(part, Number("U", width, value.bits & ((1 << width) - 1)))
                value = Number(value.kind, value.width, value.bits >> width)
            return
        name, low, width, kind = self._place(target)
        if isinstance(name, tuple):
            *path, index = name
            array = self.variables[path[0]] if len(path) == 1 else self.variables[path[0]][path[1]]
            array[index] = self._as(value, *(kind or (value.kind, value.width)))
            return
        old = self.variables.get(name)
        if width is None:
            self.variables[name] = value
            self._note(name, 0, value.width, value.kind)
            return
        value = self._as(value, *(kind or ("U", width)))
        mask = ((1 << width) - 1) << low
        bits = (old.bits if old is not None else 0) & ~mask | (value.bits << low) & mask
        whole = max(low + width, old.width if old is not None else 32)
        type_now = (kind[0] if kind and not low and width == whole else "U", whole)
        self.variables[name] = Number(*type_now, bits)
        self._note(name, low, width, kind[0] if kind else "U")

    def _note(self, name: str, low: int, width: int, kind: str) -> None:
        self.written.setdefault(name, []).append((low, width, kind))

    def _place(self, tree: Tree) -> tuple[Any, int, int | None, tuple[str, int] | None]:
        """Which variable, from which bit, how many, as what type."""
        if tree.data == "name":
            return str(tree.children[0]), 0, None, None
        name, low, width, _ = self._place(tree.children[0])
        if tree.data == "typed":
            found = type_of(str(tree.children[1]))
            return name, low, found[1] if width is None else min(width, found[1]), found
        index = self.evaluate(tree.children[1]).value
        if isinstance(name, tuple) or isinstance(self.variables.get(name), list):
            return (*(name if isinstance(name, tuple) else (name,)), index), 0, None, None
        if tree.data == "bit":
            return name, low + index, 1, ("U", 1)
        lowest = self.evaluate(tree.children[2]).value
        return name, low + lowest, index - lowest + 1, None

    # Expressions.

    def evaluate(self, tree: Tree) -> Any:
        """The value of an expression."""
        return getattr(self, f"_of_{tree.data}")(*tree.children)

    def _of_name(self, name: Token) -> Any:
        if str(name) in self.variables:
            return self.variables[str(name)]
        return _CONSTANTS[str(name)]

    def _of_integer(self, token: Token) -> Number:
        text = str(token)
        digits = text.rstrip("UL")
        suffix = text[len(digits) :]
        is_hex = digits.startswith("0x")
        width = 64 if "LL" in suffix or int(digits, 0) >> 32 else 32
        return number("U" if "U" in suffix or is_hex else "I", width, int(digits, 0))

    def _of_float(self, token: Token) -> Number:
        return number("F", 32 if token.endswith("F") else 64, str(token).rstrip("F"))

    def _of_sized(self, token: Token) -> Number:
        width, _, digits = str(token).partition("'")
        if "." in digits:
            return number("F", int(width), digits)
        return number("U", int(width), int(digits.rstrip("UBI"), 0))

    def _of_call(self, *children: Any) -> Any:
        return self._call(*children)

    def _of_cast(self, what: Token, expression: Tree) -> Number:
        width, _, kind = str(what).partition("'")
        value = self.evaluate(expression)
        if kind == "F" and expression.data == "integer":
            return Number("F", int(width), value.bits)
        return self._as(value, kind, int(width))

    def _of_choice(self, condition: Tree, yes: Tree, no: Tree) -> Number:
        return self.evaluate(yes if self.evaluate(condition).bits else no)

    def _of_concatenation(self, *parts: Tree) -> Number:
        bits = width = 0
        for part in map(self.evaluate, parts):
            bits, width = bits << part.width | part.bits, width + part.width
        return Number("U", width, bits)

    def _of_not(self, expression: Tree) -> Number:
        return FALSE if self.evaluate(expression).bits else TRUE

    def _of_unary(self, operator: Token, expression: Tree) -> Number:
        value = self.evaluate(expression)
        if operator == "~":
            return Number(value.kind, value.width, ~value.bits & ((1 << value.width) - 1))
        if operator == "+":
            return value
        if value.kind == "F":
            return Number("F", value.width, value.bits ^ 1 << (value.width - 1))
        return number("I", value.width, -value.value)

    def _of_binary_or(self, a: Tree, b: Tree) -> Number:
        return TRUE if self.evaluate(a).bits or self.evaluate(b).bits else FALSE

    def _of_binary_and(self, a: Tree, b: Tree) -> Number:
        return TRUE if self.evaluate(a).bits and self.evaluate(b).bits else FALSE

    def _of_binary(self, a: Tree, operator: Token, b: Tree) -> Number:
        left, right = self.evaluate(a), self.evaluate(b)
        if operator == "==" and b.data == "unary" and not right.value:
            # A zero with its sign, `== -0.0`, is meant.
            return TRUE if left.bits == right.bits else FALSE
        return self._binary(left, str(operator), right)

    def _of_typed(self, inner: Tree, name: Token) -> Number:
        value = self.evaluate(inner)
        if str(name).isupper():
            return FALSE
        kind, width = type_of(str(name))
        if value.kind == kind == "I":
            return number(kind, width, value.value)
        if inner.data == "name" and str(inner.children[0]) in _CONSTANTS:
            return number(kind, width, value.value)
        return Number(kind, width, value.bits & ((1 << width) - 1))

    def _of_bit(self, inner: Tree, index: Tree) -> Number:
        value, place = self.evaluate(inner), self.evaluate(index).value
        if isinstance(value, list):
            return value[place]
        return Number("U", 1, value.bits >> place & 1)

    def _of_slice(self, inner: Tree, high: Tree, low: Tree) -> Number:
        value = self.evaluate(inner)
        first, last = self.evaluate(low).value, self.evaluate(high).value
        if first > last:
            bits = f"{value.bits >> last & ((1 << first - last + 1) - 1):0{first - last + 1}b}"
            return Number("U", first - last + 1, int(bits[::-1], 2))
        return Number("U", last - first + 1, value.bits >> first & ((1 << last - first + 1) - 1))

    def _of_part(self, inner: Tree, low: Tree, width: Tree) -> Number:
        value, count = self.evaluate(inner), self.evaluate(width).value
        return Number("U", count, value.bits >> self.evaluate(low).value & ((1 << count) - 1))

    def _as(self, value: Number, kind: str, width: int) -> Number:
        """A conversion of the number, or of the bits where one of both sides is only bits."""
        if value.kind == kind and value.width == width:
            return value
        if kind == "B" or ((value.kind in "UB" and kind in ("F", "BF")) and value.width == width):
            return Number(kind, width, value.bits & ((1 << width) - 1))
        if kind in "UI" and value.kind in ("F", "BF"):
            return Number(kind, width, value.bits & ((1 << width) - 1))
        return number(kind, width, value.value)

    def _binary(self, a: Number, operator: str, b: Number) -> Number:
        if operator in COMPARE:
            return TRUE if COMPARE[operator](a.value, b.value) else FALSE
        if operator == "**":
            return number("F", 64, computed(np.power, a.value, b.value))
        if operator in ("<<", ">>"):
            moved = a.value << b.value if operator == "<<" else a.value >> b.value
            return number(a.kind, a.width, moved)
        if "F" in (a.kind, b.kind):
            width = max(n.width for n in (a, b) if n.kind == "F")
            return number("F", width, computed(FLOAT[operator], a.value, b.value))
        kind = "I" if a.kind == b.kind == "I" else "U"
        return number(kind, max(a.width, b.width), INTEGER[operator](a.value, b.value))

    def _call(self, name: Token, *given: Any) -> Any:
        arguments = [self.evaluate(tree) for tree in given if tree is not None]
        called = self.variables.get(str(name))
        if isinstance(called, Tree):
            return self._apply(called, arguments)
        if str(name) in self.texts:
            sources = {f"S{i}": argument for i, argument in enumerate(arguments)}
            inner = Lane({**sources, "D0": Number("U", 64, 0)}, self.texts)
            inner.run(self.texts[str(name)])
            width = max(arguments[0].width, 16)
            bits = inner.variables["D0"].bits & ((1 << width) - 1)
            return Number(arguments[0].kind, width, bits)
        return function(str(name), arguments, bool(self.variables["ROUND_MODE"].bits))

    def _apply(self, function: Tree, arguments: list[Number]) -> Any:
        names = [str(child) for child in function.children if isinstance(child, Token)]
        body = [child for child in function.children if isinstance(child, Tree)]
        inner = Lane({**self.variables, **dict(zip(names, arguments, strict=True))}, self.texts)
        try:
            for part in body:
                if hasattr(inner, f"_do_{part.data}"):
                    inner._execute(part)
                else:
                    return inner.evaluate(part)
        except _ReturnError as found:
            return found.args[0]
        raise ValueError("a function without a value")
