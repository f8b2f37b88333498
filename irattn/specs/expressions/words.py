"""The steps that functions of NumPy and torch are, by their own names."""

from irattn.core.errors import shown
from irattn.specs.expressions.ops import UntraceableError

WORDS = {
    **{name: name for name in ("add", "minimum", "maximum", "exp", "log", "sqrt", "tanh", "abs")},
    **{name: name for name in ("erf", "log1p", "expm1", "sin", "cos", "floor", "ceil", "trunc")},
    **{"round": "round", "rint": "round", "bitwise_invert": "not"},
    **{"subtract": "sub", "sub": "sub", "rsub": "rsub", "multiply": "mul", "mul": "mul"},
    **{
        "max": "maximum",
        "min": "minimum",
        "divide": "div",
        "true_divide": "div",
        "div": "div",
        "floor_divide": "floor_div",
        "trunc_divide": "trunc_div",
        "fmod": "fmod",
    },
    **{"remainder": "mod", "mod": "mod", "power": "pow", "pow": "pow", "negative": "neg"},
    **{"neg": "neg", "absolute": "abs", "fabs": "abs", "where": "where"},
    **{"less": "lt", "lt": "lt", "less_equal": "le", "le": "le", "greater": "gt", "gt": "gt"},
    **{"greater_equal": "ge", "ge": "ge", "equal": "eq", "eq": "eq", "not_equal": "ne"},
    **{"ne": "ne", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"},
    **{"bitwise_not": "not", "invert": "not", "logical_and": "logical_and"},
    **{"logical_or": "logical_or", "logical_xor": "logical_xor", "logical_not": "logical_not"},
    **{"left_shift": "left_shift", "bitwise_left_shift": "left_shift"},
    **{"right_shift": "right_shift", "bitwise_right_shift": "right_shift"},
}

# Their operands stand in another order where they are methods, or a tensor has no such method.
NO_METHODS = ("where", "rsub")


def rounded_division(rounding_mode: str | None = None) -> str:
    """The word for torch's division that is rounded so."""
    words = {None: "div", "floor": "floor_divide", "trunc": "trunc_divide"}
    if rounding_mode not in words:
        raise UntraceableError(f"rounding_mode={shown(rounding_mode)}; it is floor or trunc")
    return words[rounding_mode]
