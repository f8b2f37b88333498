"""Element types: all that is known of each stands here."""

from dataclasses import dataclass
from functools import lru_cache

import ml_dtypes
import numpy as np

from irattn.core.errors import SpecError, shown


@dataclass(frozen=True)
class DType:
    """One element type: irattn's name, NumPy's type, MLIR's word and the runtime's HalElementType.

    `tolerance` bounds the error of attention in this type relative to the Frobenius norm of the
    float64 reference. It is stated once, here. With u the unit roundoff of the storage type,
    rounding the softmax weights and the output to it costs about u each: f16 (u = 4.9e-4) and
    bf16 (u = 3.9e-3) are allowed four times u, a little less for bf16. f32 (u = 6e-8) is bounded
    by the sums over thousands of terms and by the exponent of large logits, not by storage.

    `tiniest` is the smallest magnitude whose loss counts as an error: hardware may flush f32
    subnormals to zero, softmax weights among them, which are multiplied with values below 64 where
    no larger weight hides the loss.
    """

    name: str
    numpy: np.dtype
    mlir: str
    hal: str
    tolerance: float = 0.0
    tiniest: float = 0.0

    @property
    def is_numpys(self) -> bool:
        """Whether NumPy itself has it; bf16 comes from ml_dtypes."""
        return self.numpy.isbuiltin == 1

    @property
    def carrier(self) -> np.dtype:
        """The type as which arrays travel through the runtime, which takes NumPy's own only."""
        return self.numpy if self.is_numpys else np.dtype(f"u{self.numpy.itemsize}")

    @property
    def void(self) -> np.dtype:
        """The type that .npy files have for bits whose type NumPy has no name for."""
        return np.dtype(f"V{self.numpy.itemsize}")

    @property
    def spelling(self) -> str:
        """The element type as one writes it in Python; `np.bool` is not in every NumPy."""
        home = "np" if self.is_numpys else "ml_dtypes"
        return f"{home}.{'bool_' if self.name == 'bool' else self.numpy.name}"

    @property
    def largest(self) -> float:
        """The largest finite number; for int8 127 and for int4 7, whose negatives they have too."""
        if self.name == "int4":
            return 7.0
        if self.numpy.kind == "i":
            return float(np.iinfo(self.numpy).max)
        return float(ml_dtypes.finfo(self.numpy).max)  # type: ignore[no-untyped-call]

    @property
    def smallest_normal(self) -> float:
        """The smallest positive number with all bits of precision; floats only."""
        return float(ml_dtypes.finfo(self.numpy).smallest_normal)  # type: ignore[no-untyped-call]


_TABLE = {
    entry.name: entry
    for entry in (
        DType("f32", np.dtype(np.float32), "f32", "FLOAT_32", 1e-5, 2.0**-120),
        DType("f16", np.dtype(np.float16), "f16", "FLOAT_16", 2e-3, 2.0**-24),
        DType("bf16", np.dtype(ml_dtypes.bfloat16), "bf16", "BFLOAT_16", 1.5e-2, 2.0**-120),
        DType("i32", np.dtype(np.int32), "i32", "SINT_32"),
        DType("i64", np.dtype(np.int64), "i64", "SINT_64"),
        DType("u8", np.dtype(np.uint8), "i8", "UINT_8"),
        DType("bool", np.dtype(np.bool_), "i1", "BOOL_8"),
        # Of caches. Graphs have them as bytes. What is stored there is next to a tie now and then,
        # and rounded to the other neighbour: floats are allowed one times u, where all are.
        DType("int8", np.dtype(np.int8), "i8", "SINT_8", 2e-2),
        # Two in a byte, as cache_elements says.
        DType("int4", np.dtype(np.uint8), "i8", "UINT_8", 1.5e-1),
        DType("fp8_e4m3", np.dtype(ml_dtypes.float8_e4m3fn), "i8", "UINT_8", 6e-2),
        DType("fp8_e5m2", np.dtype(ml_dtypes.float8_e5m2), "i8", "UINT_8", 1.2e-1),
        DType("fp8_e4m3fnuz", np.dtype(ml_dtypes.float8_e4m3fnuz), "i8", "UINT_8", 6e-2),
        DType("fp8_e5m2fnuz", np.dtype(ml_dtypes.float8_e5m2fnuz), "i8", "UINT_8", 1.2e-1),
    )
}

FLOAT_NAMES = ("f32", "f16", "bf16")
FP8_NAMES = ("fp8_e4m3", "fp8_e5m2", "fp8_e4m3fnuz", "fp8_e5m2fnuz")

# What else names an element type: NumPy's and torch's words for it, and NumPy's types themselves.
_SPELLINGS: dict[object, str] = {
    spelling: name
    for name, entry in reversed(_TABLE.items())
    for kind in (entry.numpy,)
    for spelling in (name, kind.name, f"torch.{kind.name}", kind, kind.type)
}


def dtype(name: str) -> DType:
    """Look up an element type by its irattn name (`f16`); SpecError where there is none."""
    if name not in _TABLE:
        raise SpecError(f"dtype: expected one of {', '.join(_TABLE)}, got {shown(name)}")
    return _TABLE[name]


def any_name(given: object) -> str | None:
    """The irattn name of an element type; None for what is none.

    Takes that name (`bf16`), that of NumPy (`bfloat16`), and the types of NumPy, ml_dtypes and
    torch (`np.float16`, `np.dtype("float32")`, `torch.bfloat16`).
    """
    if isinstance(given, str | type | np.dtype):
        return _SPELLINGS.get(given)
    try:
        return _by_text(given)
    except TypeError:
        # What cannot be looked up is none.
        return None


@lru_cache(maxsize=256)
def _by_text(given: object) -> str | None:
    """The irattn name of a type of torch's: importing torch for them would take seconds."""
    return _SPELLINGS.get(shown(given))


def float_name(given: object) -> str | None:
    """The irattn name of a storage type, given as `any_name` takes it; None for what is none."""
    name = any_name(given)
    return name if name in FLOAT_NAMES else None


def dtype_name(numpy_dtype: np.dtype) -> str:
    """The irattn name of a NumPy dtype, or NumPy's own name where irattn has none."""
    for entry in _TABLE.values():
        if entry.numpy == numpy_dtype:
            return entry.name
    return str(numpy_dtype)
