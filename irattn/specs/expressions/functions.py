"""The score and mask functions of a spec: what its fields take, and the arrays that they read."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from typing import Any, Protocol

from irattn.core.errors import SpecError, shown
from irattn.core.tensors import Role, TensorType, integers
from irattn.specs.base import of_json
from irattn.specs.expressions.expression import Captured, Expression
from irattn.specs.expressions.ops import NAMES, Kind
from irattn.specs.expressions.remembered import remembered
from irattn.specs.expressions.tracing import Traced, trace

# What each is a function of, and what it gives.
_MASK_NAMES = ("batch", "head", "query", "key")
FUNCTIONS: dict[str, tuple[tuple[str, ...], Kind]] = {
    "score_mod": (("score", *_MASK_NAMES), "float"),
    "mask_mod": (_MASK_NAMES, "bool"),
}

_I32 = (-(2**31), 2**31 - 1)


class HasFunctions(Protocol):
    """A spec with functions of scores, by field, and what these read and are asked about."""

    @property
    def functions(self) -> dict[str, Expression]: ...

    @property
    def captured(self) -> list[TensorType]: ...

    @property
    def function_sizes(self) -> dict[str, int]: ...


def traced(field: str, function: Any) -> Traced:
    """A Python function of the field as its expression, and the arrays that it reads."""
    return remembered(field, function, lambda: trace(field, function, *FUNCTIONS[field]))


def traced_together(**functions: Any) -> dict[str, Traced]:
    """Python functions by field as expressions, whose arrays have names of their own in all.

    An array whose name another one of a function before has is numbered.
    """
    known: dict[str, Any] = {}
    found = {}
    for field, function in functions.items():
        one = traced(field, function)
        names = _free_names(one.arrays, known)
        arrays = {names[name]: array for name, array in one.arrays.items()}
        known |= arrays
        is_same = all(old == new for old, new in names.items())
        expression = one.expression if is_same else one.expression.renamed(names)
        found[field] = Traced(expression, arrays)
    return found


def _free_names(arrays: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, str]:
    """A name for each array by its own: that one, unless another array is known by it."""
    names: dict[str, str] = {}
    for name, array in arrays.items():
        numbered = (f"{name}_{n}" for n in count(1))
        names[name] = next(
            one
            for one in (name, *islice(numbered, len(known) + len(arrays) + 1))
            if known.get(one, array) is array
            and one not in names.values()
            and (one == name or one not in arrays)
        )
    return names


def stored_functions(**given: Any) -> dict[str, Expression | None]:
    """Functions by field as a spec stores them: all that are Python's are traced together."""
    own = {field: one for field, one in given.items() if callable(one)}
    found = {field: one.expression for field, one in traced_together(**own).items()}
    return {field: found.get(field) or stored_function(field, one) for field, one in given.items()}


def stored_function(field: str, given: Any) -> Expression | None:
    """A function as a spec stores it: Python's is traced, JSON's is read."""
    if given is None:
        return None
    if callable(given):
        return traced(field, given).expression
    expression = of_json(Expression, field, given) if isinstance(given, dict) else given
    names, kind = FUNCTIONS[field]
    if not isinstance(expression, Expression):
        raise SpecError(f"{field}: expected a function, got {shown(given)}")
    if expression.kind != kind or not expression.names <= set(names):
        raise SpecError(
            f"{field}: expected a {kind} of {', '.join(names)}, got a {expression.kind} of "
            f"{', '.join(name for name in NAMES if name in expression.names)}"
        )
    return expression


def captured_by(*functions: Expression | None) -> list[Captured]:
    """The arrays that functions read, each once; SpecError for two of one name."""
    found: dict[str, Captured] = {}
    for function in functions:
        for array in function.captured if function else ():
            if found.setdefault(array.name, array) != array:
                raise SpecError(
                    f"score_mod, mask_mod: both read an array that is called {array.name}, of "
                    "different shapes or types; rename one"
                )
    return list(found.values())


def captured_inputs(arrays: Iterable[Captured]) -> list[TensorType]:
    """The inputs of a call that are the captured arrays."""
    return [_input(array) for array in arrays]


def _input(array: Captured) -> TensorType:
    if array.dtype == "i32":
        return integers(array.input_name, array.shape, Role.CAPTURED, _I32)
    return TensorType(array.input_name, array.shape, array.dtype, role=Role.CAPTURED)


def check_reads(field: str, function: Expression, sizes: dict[str, int]) -> None:
    """Refuse reads by a name whose numbers go beyond the array.

    Other indices depend on what is read and computed: negative ones count from the end, as NumPy's
    do, and beyond the array its nearest element is taken.
    """
    for array, axis, name in reads_beyond(function, sizes):
        size = array.shape[axis]
        raise SpecError(
            f"{field}: reads {array.name} {list(array.shape)} by {name} along axis {axis}, where "
            f"{name} goes up to {sizes[name] - 1} (in pages, max_blocks * block_size - 1); pad it, "
            f"or read it by np.minimum({name}, {size - 1})"
        )


def reads_beyond(
    function: Expression, sizes: Mapping[str, int]
) -> Iterator[tuple[Captured, int, str]]:
    """Arrays, their axes and the names by which a function of such sizes reads beyond them."""
    for step in function.steps:
        if step.op != "read":
            continue
        array = function.array(step.text or "")
        for axis, operand in enumerate(step.operands):
            name = function.steps[operand].op
            if name in sizes and sizes[name] > array.shape[axis]:
                yield array, axis, name
