"""The operations of expressions: on which kinds of numbers, and how one writes them."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


class UntraceableError(Exception):
    """Code of a function that cannot be a step of an expression."""


# f32, int32 and bool.
Kind: TypeAlias = Literal["float", "int", "bool"]

# What an expression is a function of.
NAMES: dict[str, Kind] = {
    "score": "float",
    "batch": "int",
    "head": "int",
    "query": "int",
    "key": "int",
}

# Numbers that stand in the expression itself, by the kind that their step is called after.
CONSTANTS: tuple[Kind, ...] = ("float", "int", "bool")


@dataclass(frozen=True)
class Op:
    """An operation on `count` operands of one kind, one of `takes`.

    `gives` is the kind of the result, None where it is that of the operands. `written` is how it is
    written, with the operands in the places of `{}`.
    """

    written: str
    takes: tuple[Kind, ...]
    gives: Kind | None = None

    @property
    def count(self) -> int:
        """How many operands there are."""
        return self.written.count("{}")


_NUMBERS: tuple[Kind, ...] = ("int", "float")
_FLOAT: tuple[Kind, ...] = ("float",)
_LOGIC: tuple[Kind, ...] = ("bool", "int")

OPS = {
    "add": Op("({} + {})", _NUMBERS),
    "sub": Op("({} - {})", _NUMBERS),
    "mul": Op("({} * {})", _NUMBERS),
    # The upper 32 bits of the product of two numbers whose bits count without signs.
    "multiply_high": Op("multiply_high({}, {})", ("int",)),
    "div": Op("({} / {})", _FLOAT),
    "floor_div": Op("({} // {})", ("int",)),
    "mod": Op("({} % {})", ("int",)),
    # By 32 bits and more, or less than 0, all bits are shifted out, as in NumPy.
    "left_shift": Op("({} << {})", ("int",)),
    "right_shift": Op("({} >> {})", ("int",)),
    "minimum": Op("minimum({}, {})", _NUMBERS),
    "maximum": Op("maximum({}, {})", _NUMBERS),
    "lt": Op("({} < {})", _NUMBERS, "bool"),
    "le": Op("({} <= {})", _NUMBERS, "bool"),
    "eq": Op("({} == {})", _NUMBERS, "bool"),
    "ne": Op("({} != {})", _NUMBERS, "bool"),
    "and": Op("({} & {})", _LOGIC),
    "or": Op("({} | {})", _LOGIC),
    "xor": Op("({} ^ {})", _LOGIC),
    "not": Op("~{}", _LOGIC),
    "neg": Op("-{}", _NUMBERS),
    "abs": Op("abs({})", _NUMBERS),
    "exp": Op("exp({})", _FLOAT),
    "log": Op("log({})", _FLOAT),
    "sqrt": Op("sqrt({})", _FLOAT),
    "tanh": Op("tanh({})", _FLOAT),
    "erf": Op("erf({})", _FLOAT),
    "log1p": Op("log1p({})", _FLOAT),
    "expm1": Op("expm1({})", _FLOAT),
    # NaN beyond 2**20 radians.
    "sin": Op("sin({})", _FLOAT),
    "cos": Op("cos({})", _FLOAT),
    "power": Op("power({}, {})", _FLOAT),
    "floor": Op("floor({})", _FLOAT),
    "ceil": Op("ceil({})", _FLOAT),
    "trunc": Op("trunc({})", _FLOAT),
    # Halves become even.
    "round": Op("round({})", _FLOAT),
    "to_float": Op("float({})", ("int",), "float"),
    # Of a float it goes towards 0; what int32 has no number for is its nearest one, and NaN is 0.
    "to_int": Op("int({})", ("bool", "float"), "int"),
}
