"""The check of a call's arguments: names, types, and values that compiled code trusts blindly."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.core.errors import ArgumentError
from irattn.core.tensors import Role, TensorType
from irattn.runtime.array_types import MOST_REMEMBERED
from irattn.runtime.arrays import stand_in
from irattn.runtime.block_lists import BlockLists
from irattn.runtime.block_tables import TABLES, BlockTables, check_of, deciding_of, few_contents
from irattn.runtime.device_array import DeviceArray, on_host
from irattn.specs import Spec

# Besides those with limits, what compiled code trusts.
_BOUNDS = (Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.GROUP_BOUNDS)
_TRUSTED_ROLES = (*TABLES, *_BOUNDS, Role.SLOTS)


# Compared by identity: what else is known of a form is looked up by it.
@dataclass(eq=False)
class Form:
    """Shapes and types that a call may have, checked.

    `call` is the static spec of the sizes, `inputs` and `outputs` its tensors. `trusted` are the
    inputs whose values compiled code trusts, by position, with what they must pass; `casts` are
    NumPy arrays of another type than the compiled code's. `on_device` says whether the call gives
    any device array, besides those that are bound. `ready` makes such calls in as few steps as can
    be, once it is known how, by the names of the inputs that they donate.
    """

    call: Spec
    inputs: tuple[TensorType, ...]
    outputs: tuple[TensorType, ...]
    trusted: tuple[tuple[int, Callable[[Any, Sequence[Any]], Any]], ...]
    casts: tuple[tuple[int, np.dtype], ...]
    on_device: bool
    ready: dict[tuple[str, ...], Callable[[Sequence[DeviceArray]], Any]] = field(
        default_factory=dict
    )


class Signature:
    """The arguments of a spec's calls; shapes and types that were once right are right again.

    A call need not name those that are `bound`.
    """

    def __init__(self, spec: Spec, bound: Collection[str] = ()) -> None:
        self.spec = spec
        self.all_names = [tensor.name for tensor in spec.inputs]
        self.names = [name for name in self.all_names if name not in bound]
        self.count = len(self.names)
        self._bound = bound
        self._pick = _picker(self.names)
        self._forms: dict[Any, Form] = {}

    def in_order(self, arrays: Sequence[Any], tensors: Mapping[str, Any]) -> Sequence[Any]:
        """A call's arrays in call order, where the first are given in it and the others by name.

        ArgumentError for one that is missing, not known, given twice or bound.
        """
        named = self._named(arrays, tensors) if arrays else tensors
        if len(named) == self.count:
            try:
                return self._pick(named)
            except KeyError:
                pass
        raise self._misnamed(named)

    def form(self, arrays: Sequence[Any]) -> Form:
        """The form of a call: the shapes and types of all arrays; ArgumentError for wrong ones."""
        try:
            key = tuple(
                [
                    array._type
                    if type(array) is DeviceArray
                    else (type(array), array.shape, array.dtype)
                    for array in arrays
                ]
            )
            form = self._forms.get(key)
        except (AttributeError, TypeError):
            # No array at all, which is said here.
            return self._checked_form(arrays)
        if form is None:
            form = self._checked_form(arrays)
            if len(self._forms) >= MOST_REMEMBERED:
                self._forms.clear()
            self._forms[key] = form
        return form

    def values(self, form: Form, arrays: Sequence[Any]) -> list[Any]:
        """The arrays with their values checked, those of NumPy in the types of the compiled code.

        Values are checked as they come: a cast first could make a legal value of a wrong one.
        """
        checked = list(arrays)
        for i, check in form.trusted:
            checked[i] = check(arrays[i], arrays)
        for i, wanted in form.casts:
            # Values are within limits that the tensor's own dtype holds.
            checked[i] = checked[i].astype(wanted, copy=False)
        return checked

    def converted(self, tensor: TensorType, array: Any) -> np.ndarray:
        """A NumPy array by itself, checked, in the type of the compiled code."""
        tensor.check_type(array)
        wanted = dtype(tensor.dtype).numpy
        if tensor.role in TABLES:
            # What is used of a table is seen in a call: wrong ids stay wrong until then.
            held = np.iinfo(wanted)
            array = np.clip(array, held.min, held.max)
        else:
            check_values(tensor, array)
        converted: np.ndarray = array.astype(wanted, copy=False)
        return converted

    def _checked_form(self, arrays: Sequence[Any]) -> Form:
        stand_ins = {
            name: stand_in(array) if isinstance(array, DeviceArray) else array
            for name, array in zip(self.all_names, arrays, strict=True)
        }
        call = self.spec.of_call(stand_ins)
        inputs = call.inputs
        for tensor, array in zip(inputs, arrays, strict=True):
            check_type(tensor, array)
        return Form(
            call=call,
            inputs=inputs,
            outputs=call.outputs,
            trusted=_trusted(call, arrays),
            casts=tuple(
                (i, dtype(tensor.dtype).numpy)
                for i, tensor in enumerate(inputs)
                if stand_ins[tensor.name].dtype != dtype(tensor.dtype).numpy
            ),
            on_device=any(
                isinstance(array, DeviceArray) and name not in self._bound
                for name, array in zip(self.all_names, arrays, strict=True)
            ),
        )

    def _named(self, arrays: Sequence[Any], tensors: Mapping[str, Any]) -> dict[str, Any]:
        takes = f"{self.spec.op} takes {_list(self.names)}"
        if len(arrays) > len(self.names):
            raise ArgumentError(
                f"arguments: expected at most {len(self.names)}, got {len(arrays)}; {takes}"
            )
        in_order = dict(zip(self.names, arrays, strict=False))
        for name in tensors:
            if name in in_order:
                raise ArgumentError(f"{name}: given twice, in call order and by name; {takes}")
        return {**in_order, **tensors}

    def _misnamed(self, named: Mapping[str, Any]) -> ArgumentError:
        """The error that says which names are wrong or missing."""
        takes = f"takes {_list(self.names)}"
        for name in named:
            if name in self._bound:
                return ArgumentError(f"{name}: is bound; the call {takes}")
            if name not in self.names:
                return ArgumentError(f"{name}: not an argument of {self.spec.op}; it {takes}")
        missing = [name for name in self.names if name not in named]
        return ArgumentError(f"{_list(missing)}: missing; {self.spec.op} {takes}")


def _picker(names: list[str]) -> Callable[[Mapping[str, Any]], Sequence[Any]]:
    """A function that picks these names out of a mapping, in this order."""
    if len(names) == 1:
        (only,) = names
        return lambda named: (named[only],)
    return itemgetter(*names) if names else lambda named: ()


def check_type(tensor: TensorType, array: Any) -> None:
    """Refuse an array, NumPy's or of a device, of another shape or type."""
    if not isinstance(array, DeviceArray):
        tensor.check_type(array)
        return
    tensor.check_type(stand_in(array))
    # There it stays as it is, which a NumPy array need not.
    if array.dtype != dtype(tensor.dtype).numpy:
        raise ArgumentError(
            f"{tensor.name}: expected {tensor} on the device, got {array._type.dtype_name}; "
            f"convert with .astype({dtype(tensor.dtype).spelling}) before it goes there"
        )


def check_arguments(spec: Spec, tensors: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    """The arrays in call order and in the spec's dtypes; ArgumentError for anything wrong."""
    signature = Signature(spec)
    arrays = signature.in_order((), tensors)
    return signature.values(signature.form(arrays), arrays)


def check_values(tensor: TensorType, array: np.ndarray) -> None:
    """Refuse values that the compiled code must not be given, which trusts what it is given."""
    tensor.check_limits(array)
    if tensor.role in _BOUNDS:
        _check_bounds(tensor.name, array)
    if tensor.role == Role.SLOTS:
        _check_slots(tensor.name, array)


def _trusted(
    call: Spec, arrays: Sequence[Any]
) -> tuple[tuple[int, Callable[[Any, Sequence[Any]], Any]], ...]:
    """The checks of values that each call makes: what has passed takes no further part."""
    inputs = call.inputs

    def deciding(table: TensorType) -> list[Any]:
        roles = deciding_of(table)
        return [arrays[i] for i, tensor in enumerate(inputs) if tensor.role in roles]

    values = [
        (i, _Check(tensor).checked)
        for i, tensor in enumerate(inputs)
        if (tensor.limits or tensor.role in _TRUSTED_ROLES)
        and tensor.role not in TABLES
        and not _has_passed(arrays[i], tensor)
    ]
    tables = [
        (i, BlockTables(tensor, call, inputs, _is_kept([arrays[i], *deciding(tensor)])).checked)
        for i, tensor in enumerate(inputs)
        if tensor.role in TABLES and not _has_passed(arrays[i], tensor)
    ]
    lists = [
        (i, BlockLists(tensor, inputs).checked)
        for i, tensor in enumerate(inputs)
        if tensor.role == Role.BLOCK_COLUMNS
    ]
    # What is used of a table depends on lengths and offsets that are right, and of lists on counts.
    return (*values, *tables, *lists)


def _has_passed(array: Any, tensor: TensorType) -> bool:
    if type(array) is not DeviceArray:
        return False
    return tensor.takes_all or check_of(tensor) in (array._type.passed or ())


def _is_kept(arrays: Sequence[Any]) -> bool:
    """Whether nobody else can change the contents of any."""
    return all(type(array) is DeviceArray and array._type.passed is not None for array in arrays)


class _Check:
    """The check of one input's arrays against what its role asks of them.

    A device array is checked once, or at each call where another library may change it. One of
    NumPy with the contents of the last is right again: all layers of a step are given the same.
    """

    def __init__(self, tensor: TensorType) -> None:
        self._tensor = tensor
        self._right: object = None

    def checked(self, array: Any, arrays: Sequence[Any]) -> Any:
        """The array, which is right; ArgumentError where it is not."""
        if type(array) is DeviceArray:
            check_values(self._tensor, on_host(array))
            array._pass(check_of(self._tensor))
        elif (contents := few_contents(array)) != self._right:
            check_values(self._tensor, array)
            self._right = contents
        return array


def _check_bounds(name: str, bounds: np.ndarray) -> None:
    numbers = bounds.tolist()
    if numbers[0] != 0 or numbers != sorted(numbers):
        raise ArgumentError(
            f"{name}: expected numbers that begin with 0 and never fall, got {numbers}"
        )


def _check_slots(name: str, slots: np.ndarray) -> None:
    """Refuse a slot that two tokens are written to: which of them would stay is undefined."""
    order = np.argsort(slots, axis=None, kind="stable")
    ordered = slots.ravel()[order]
    twice = np.flatnonzero((ordered[1:] == ordered[:-1]) & (ordered[1:] != -1))
    if twice.size:
        first, second = (
            ", ".join(map(str, np.unravel_index(order[twice[0] + i], slots.shape))) for i in (0, 1)
        )
        raise ArgumentError(
            f"{name}[{second}]: expected a slot of its own, got {ordered[twice[0]]}, "
            f"which {name}[{first}] names too; -1 skips a token"
        )


def _list(names: list[str]) -> str:
    return ", ".join(names)
