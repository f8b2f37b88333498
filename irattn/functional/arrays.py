"""A caller's arrays as kernels take them, and results as arrays of the caller's kind."""

import sys
from typing import Any, TypeAlias

import numpy as np

from irattn.core.array_hints import array_hint
from irattn.core.dtypes import FLOAT_NAMES, any_name, dtype
from irattn.core.errors import ArgumentError
from irattn.functional.places import place_of
from irattn.functional.shapes import check_axes_of
from irattn.runtime import DeviceArray, dlpack
from irattn.runtime.device_array import on_host
from irattn.runtime.direct.addresses import ALIGNMENT

# What kernels take; arrays of other libraries on a GPU are taken where they lie.
Taken: TypeAlias = np.ndarray | DeviceArray | Any


def check_is_array(name: str, given: Any) -> None:
    """ArgumentError for what is no array that irattn can read where it lies."""
    if isinstance(given, np.ma.MaskedArray):
        raise ArgumentError(
            f"{name}: expected an array, got a masked one; give {name}.filled(...) and attn_mask"
        )
    if isinstance(given, np.ndarray | DeviceArray):
        return
    if not hasattr(given, "__dlpack__"):
        raise ArgumentError(
            f"{name}: expected an array (NumPy's, a DeviceArray, or one with __dlpack__), got "
            f"{type(given).__name__}{array_hint(name, given)}"
        )
    check_is_dense(name, given)
    if getattr(given, "requires_grad", False):
        raise ArgumentError(
            f"{name}: expected no gradient to be asked for, as there is none; give "
            f"{name}.detach(), or call irattn.integrations.torch, whose attention has gradients"
        )
    _check_has_numbers(name, given)


def _check_has_numbers(name: str, given: Any) -> None:
    """ArgumentError for PyTorch's tensors without contents, and those of a transform."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(given, torch.Tensor):
        return
    if given.is_meta or isinstance(given, torch._subclasses.FakeTensor):
        what = "one on PyTorch's device meta" if given.is_meta else "a FakeTensor of PyTorch's"
        raise ArgumentError(
            f"{name}: expected an array with contents, got {what}; the operators of "
            "irattn.integrations.torch take it"
        )
    if torch._C._functorch.is_functorch_wrapped_tensor(given):
        raise ArgumentError(
            f"{name}: expected an array outside of torch.func's transforms (vmap, grad, jvp), got "
            "one within; call irattn.integrations.torch, whose attention knows them"
        )


def check_is_dense(name: str, given: Any) -> None:
    """ArgumentError for PyTorch's tensors that lie otherwise than row by row, or are several."""
    check_is_not_nested(name, given)
    if str(getattr(given, "layout", "torch.strided")) != "torch.strided":
        raise ArgumentError(f"{name}: expected a dense array, got one of {given.layout}")


def check_is_not_nested(name: str, given: Any) -> None:
    """ArgumentError for PyTorch's tensors of several tensors, of which some have no shape."""
    if getattr(given, "is_nested", False):
        raise ArgumentError(
            f"{name}: expected a dense array, got a nested one; give {name}.to_padded_tensor(0.0), "
            "and attention the lengths of sequences, too"
        )


def taken(name: str, given: Any) -> Taken:
    """An array, which is one, as a kernel takes it; shared where it can be."""
    if isinstance(given, np.ndarray | DeviceArray):
        return given
    element = any_name(given.dtype)
    if 0 in given.shape and element is not None:
        return np.zeros(tuple(given.shape), dtype(element).numpy)
    try:
        if place_of(given):
            return _loadable(_dense(given if element != "i64" else _as_i32(given)))
        driver = dlpack.driver_of(given)
        if driver == "cpu" and element not in FLOAT_NAMES:
            # A kernel converts NumPy's integers, and checks them without a copy.
            return np.from_dlpack(given)
        return DeviceArray.from_dlpack(_dense(given), driver)
    except ArgumentError as error:
        raise ArgumentError(f"{name}: {str(error).removeprefix('tensor: ')}") from error


def reshaped(array: Taken, shape: tuple[int, ...]) -> Taken:
    """An array in another shape of as many elements."""
    if array.shape == shape:
        return array
    return array._reshaped(shape) if isinstance(array, DeviceArray) else array.reshape(shape)


def contents_of(array: Taken) -> np.ndarray:
    """A copy of an array's contents."""
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


def integers_of(name: str, given: Any, axes: str) -> np.ndarray:
    """The contents of an array of integers, int64; ArgumentError for another, or other axes."""
    check_is_array(name, given)
    check_axes_of(name, given, axes)
    numbers = contents_of(given)
    if numbers.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected integers, got {numbers.dtype}")
    return numbers.astype(np.int64)


def _dense(given: Any) -> Any:
    """An array row by row, where its library has a word for that.

    PyTorch's views of what is to be negated have the bits of other numbers, which it shares as
    they are.
    """
    dense = given.contiguous() if hasattr(given, "contiguous") else given
    return dense.resolve_neg() if hasattr(dense, "resolve_neg") else dense


def _loadable(dense: Any) -> Any:
    """An array at an address that kernels can load from: part of another may begin between."""
    begins_between = hasattr(dense, "data_ptr") and dense.data_ptr() % ALIGNMENT
    return dense.clone() if begins_between else dense


def _as_i32(given: Any) -> Any:
    """Integers on a GPU in the type of kernels; what they hold is not looked at."""
    library = library_of(given)
    return given.to(library.int32) if hasattr(given, "to") else given.astype(library.int32)


def in_full(array: Taken, shape: tuple[int, ...]) -> Taken:
    """An array broadcast to a shape, where it lies or, as DeviceArrays have no word for it, on the
    host."""
    if tuple(array.shape) == shape:
        return array
    if place_of(array):
        return _dense(library_of(array).broadcast_to(array, shape))
    # What lies on a device may change there.
    own = array if isinstance(array, np.ndarray) else np.array(on_host(array))
    return np.broadcast_to(own, shape)


def like(given: Any, result: Taken) -> Any:
    """A result as an array of the same kind as one that was given, where that is."""
    if isinstance(given, np.ndarray):
        return np.asarray(result)
    if isinstance(given, DeviceArray):
        return _on(given.device, result)
    if not isinstance(result, np.ndarray | DeviceArray):
        return _in_library(given, result)
    library = library_of(given)
    shape = result.shape
    if place_of(given):
        # Nothing was computed: one array is empty. Libraries do not know NumPy's bf16.
        is_lse = any_name(given.dtype) != any_name(result.dtype)
        wanted = library.float32 if is_lse else given.dtype
        return library.asarray(np.asarray(result, np.float32), dtype=wanted, device=given.device)
    if 0 in shape:
        # Devices keep no empty arrays: a larger one is cut.
        result = np.zeros([max(size, 1) for size in shape], result.dtype)
    shared = library.from_dlpack(_on(dlpack.driver_of(given), result))
    return shared[tuple(map(slice, shape))] if 0 in shape else shared


def _in_library(given: Any, result: Any) -> Any:
    """A result on a GPU as an array of the library that the caller's are of."""
    library = library_of(given)
    return result if library_of(result) is library else library.from_dlpack(result)


def _on(device: str, result: Taken) -> DeviceArray:
    return result if isinstance(result, DeviceArray) else DeviceArray.from_numpy(result, device)


def library_of(given: Any) -> Any:
    """The module of an array's library that has `from_dlpack`."""
    if hasattr(given, "__array_namespace__"):
        return given.__array_namespace__()
    # A class of somebody's is its library's by what it is made from.
    names = [kind.__module__.partition(".")[0] for kind in type(given).__mro__]
    for library in map(sys.modules.get, names):
        if hasattr(library, "from_dlpack"):
            return library
    raise ArgumentError(
        f"query: expected an array of a library with from_dlpack, got one of {names[0]}; give "
        "irattn.DeviceArray.from_dlpack(query)"
    )
