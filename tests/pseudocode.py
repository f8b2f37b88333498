"""Executes the pseudocode of AMD's ISA guides for one lane: what an opcode means, told by AMD.

The texts come with the `tinygrad` package. Numbers are bits with a type, `U`, `I`, `B`, `F` or `BF`
(bfloat16) and a width. Floats are computed in float64 and rounded to their type after every step.
"""

import math
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from lark import Lark, Token, Tree

_GRAMMAR = r"""
start: statement*
?statement: assignment | declaration | if | for | return | break
declaration: "declare" NAME ":" TYPE ("[" INT "]")?
assignment: postfix OPERATOR (assignment | expression)
if: "if" expression "then" block ("elsif" expression "then" block)* ["else" block] "endif"
for: "for" NAME "in" expression ":" expression "do" block "endfor"
return: "return" expression
break: "break"
block: statement*

?expression: either | either "?" expression ":" expression -> choice
?either: both | either "||" both -> binary_or
?both: bitor | both "&&" bitor -> binary_and
?bitor: bitxor | bitor BAR bitxor -> binary
?bitxor: bitand | bitxor HAT bitand -> binary
?bitand: equality | bitand AND equality -> binary
?equality: relation | equality EQUAL relation -> binary
?relation: shift | relation LESS shift -> binary
?shift: sum | shift SHIFT sum -> binary
?sum: product | sum ADD product -> binary
?product: power | product TIMES power -> binary
?power: unary | unary POWER power -> binary
?unary: postfix | (ADD | TILDE) unary -> unary | "!" unary -> not
?postfix: atom | postfix "." NAME -> typed | postfix "[" expression "]" -> bit
    | postfix "[" expression ":" expression "]" -> slice
?atom: NAME -> name | INT -> integer | FLOAT -> float | SIZED -> sized | call
    | TYPE "(" expression ")" -> cast | "(" expression ")"
    | "{" expression ("," expression)* "}" -> concatenation
    | "lambda" "(" NAME ("," NAME)* ")" "(" (expression | statement+) ")" -> lambda
call: NAME "(" [expression ("," expression)*] ")"

OPERATOR: "=" | "+=" | "-=" | "|="
BAR: "|"
HAT: "^"
AND: "&"
EQUAL.2: "==" | "!=" | "<>"
LESS.1: "<=" | ">=" | "<" | ">"
SHIFT.2: "<<" | ">>"
ADD: "+" | "-"
TIMES: "*" | "/" | "%"
POWER.2: "**"
TILDE: "~"
SIZED.3: /\d+'(\d+\.\d+|0x[0-9a-fA-F]+|\d+)[UBI]?/
TYPE.3: /\d+'[UIBF]/
FLOAT.2: /\d+\.\d+F?/
INT: /(0x[0-9a-fA-F]+|\d+)(ULL|LL|U)?/
NAME: /[A-Za-z_]\w*/
%ignore /[\s;]+/
%ignore /\/\/[^\n]*/
"""


class Number(NamedTuple):
    """Bits of a type."""

    kind: str
    width: int
    bits: int

    @property
    def value(self) -> Any:
        """What the bits stand for."""
        if self.kind == "F":
            return float(np.array(self.bits, f"u{self.width // 8}").view(f"f{self.width // 8}"))
        if self.kind == "BF":
            return float(np.array(self.bits << 16, np.uint32).view(np.float32))
        if self.kind == "I" and self.bits >> (self.width - 1):
            return self.bits - (1 << self.width)
        return self.bits


def number(kind: str, width: int, value: Any, *, to_zero: bool = False) -> Number:
    """A number of a type that is nearest to a value, or not further from zero."""
    if kind not in ("F", "BF"):
        return Number(kind, width, int(value) & ((1 << width) - 1))
    value = float(value)
    if kind == "BF":
        bits = int(np.float32(value).view(np.uint32))
        rest = 0x7FFF + (bits >> 16 & 1) if math.isfinite(value) else 0
        return Number("BF", 16, 0x7FC0 if math.isnan(value) else (bits + rest) >> 16)
    with np.errstate(all="ignore"):
        found = np.array(value).astype(f"f{width // 8}")
        if to_zero and abs(float(found)) > abs(value):
            found = np.nextafter(found, found.dtype.type(0))
    return Number(kind, width, int(found.view(f"u{width // 8}")))


TRUE, FALSE = Number("U", 1, 1), Number("U", 1, 0)
_CONSTANTS = {
    "INF": number("F", 64, math.inf),
    "NAN": number("F", 64, math.nan),
    "PI": number("F", 64, math.pi),
    "ROUND_TOWARD_ZERO": TRUE,
    "ROUND_NEAREST_EVEN": FALSE,
}


class _BreakError(Exception):
    pass


class _ReturnError(Exception):
    pass


@cache
def _parse(text: str) -> Tree:
    return _parser().parse(text)


@cache
def _parser() -> Lark:
    return Lark(_GRAMMAR, parser="lalr")


def type_of(name: str) -> tuple[str, int]:
    """`f32` as kind and width."""
    letters = name.rstrip("0123456789")
    return letters.upper(), int(name[len(letters) :])


class Lane:
    """One execution: variables by name, what was written to each, and the texts of other opcodes.

    `written` has (lowest bit, width, kind) of each assignment to a variable.
    """

    def __init__(self, variables: dict[str, Any], texts: dict[str, str]) -> None:
        self.variables = {"ROUND_MODE": FALSE, "WAVE_MODE": FALSE, "TRAPSTS": FALSE, **variables}
        self.texts = texts
        self.written: dict[str, list[tuple[int, int, str]]] = {}

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
        return self._binary(self.evaluate(a), str(operator), self.evaluate(b))

    def _of_typed(self, inner: Tree, name: Token) -> Number:
        value = self.evaluate(inner)
        if str(name).isupper():
            return FALSE
        kind, width = type_of(str(name))
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
        if operator in _COMPARE:
            return TRUE if _COMPARE[operator](a.value, b.value) else FALSE
        if operator == "**":
            return number("F", 64, _float(np.power, a.value, b.value))
        if operator in ("<<", ">>"):
            moved = a.value << b.value if operator == "<<" else a.value >> b.value
            return number(a.kind, a.width, moved)
        if "F" in (a.kind, b.kind):
            width = max(n.width for n in (a, b) if n.kind == "F")
            return number("F", width, _float(_FLOAT[operator], a.value, b.value))
        kind = "I" if a.kind == b.kind == "I" else "U"
        return number(kind, max(a.width, b.width), _INTEGER[operator](a.value, b.value))

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
        return _function(str(name), arguments, bool(self.variables["ROUND_MODE"].bits))

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


_COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    # Less or greater, so not for NaN.
    "<>": lambda a, b: a < b or a > b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_FLOAT = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_INTEGER = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


def _float(function: Any, *given: float) -> float:
    with np.errstate(all="ignore"):
        return float(function(*(np.float64(x) for x in given)))


def _fma(a: float, b: float, c: float, width: int) -> Number:
    """Rounded once."""
    if not all(map(math.isfinite, (a, b, c))) or 0 in (a, b):
        return number("F", width, _float(np.add, _float(np.multiply, a, b), c))
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return number("F", width, _float(np.add, _float(np.multiply, a, b), c))
    return _rounded(exact, width)


def _rounded(exact: Fraction, width: int) -> Number:
    """The nearest of the two neighbours that a first rounding has."""
    try:
        first = number("F", width, float(exact))
    except OverflowError:
        return number("F", width, math.copysign(math.inf, exact))
    if not math.isfinite(first.value):
        return first
    near = [first]
    for step in (-1, 1):
        bits = first.bits + step
        if 0 <= bits < 1 << width and math.isfinite(Number("F", width, bits).value):
            near.append(Number("F", width, bits))
    return min(near, key=lambda n: (abs(Fraction(n.value) - exact), n.bits & 1))


_MANTISSA = {16: 10, 32: 23, 64: 52}
_ONE_ARGUMENT = {
    "floor": np.floor,
    "trunc": np.trunc,
    "sqrt": np.sqrt,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "fract": lambda x: x - np.floor(x),
}


def _function(name: str, given: list[Number], to_zero: bool) -> Any:
    """Functions that the guides use without a definition."""
    a = given[0]
    if name in _ONE_ARGUMENT:
        return number("F", a.width, _float(_ONE_ARGUMENT[name], a.value))
    if name == "fma":
        return _fma(*(n.value for n in given), a.width)
    if name == "pow":
        return number("F", a.width, _float(np.power, a.value, given[1].value))
    if name == "ldexp":
        return number("F", a.width, _float(np.multiply, a.value, 2.0 ** given[1].value))
    if name == "signext":
        return number("I", 64, Number("I", a.width, a.bits).value)
    if name == "signext_from_bit":
        width = given[1].value
        value = Number("I", width, a.bits & ((1 << width) - 1)).value if width else 0
        return number("I", a.width, value)
    if name == "sign":
        return Number("U", 1, a.bits >> (a.width - 1))
    if name == "abs":
        return Number(a.kind, a.width, a.bits & ((1 << (a.width - 1)) - 1))
    if name == "exponent":
        places = _MANTISSA[a.width]
        return number("I", 32, a.bits >> places & ((1 << (a.width - 1 - places)) - 1))
    if name == "mantissa":
        return number("F", a.width, math.frexp(a.value)[0])
    if name == "isEven":
        return TRUE if a.value % 2 == 0 else FALSE
    if name in ("isNAN", "isQuietNAN", "isSignalNAN"):
        # A conversion to f64 makes every NaN a quiet one.
        return TRUE if name != "isSignalNAN" and math.isnan(a.value) else FALSE
    if name == "cvtToQuietNAN":
        return number("F", a.width, math.nan)
    if name.startswith("s_ff1_i32_"):
        # The lowest bit that is set; exec is never empty here.
        return number("I", 32, (a.bits & -a.bits).bit_length() - 1)
    target = name.partition("_to_")[2]
    return _converted(a, *type_of(target), to_zero)


def _converted(a: Number, kind: str, width: int, to_zero: bool) -> Number:
    """Conversions between types of numbers: integers are cut off and kept in range."""
    if kind in ("F", "BF"):
        return number(kind, width, a.value, to_zero=to_zero)
    if math.isnan(a.value):
        return number(kind, width, 0)
    least, most = (
        (-(1 << width - 1), (1 << width - 1) - 1) if kind == "I" else (0, (1 << width) - 1)
    )
    value = a.value if math.isinf(a.value) else math.trunc(a.value)
    return number(kind, width, max(least, min(most, value)))
