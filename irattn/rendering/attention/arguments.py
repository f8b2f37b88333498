"""How a kernel sees the function's tensors: as matrices of rows, whatever their dimensions mean."""

import math
from dataclasses import dataclass, replace

from irattn.core.dtypes import FLOAT_NAMES, dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.values import buffer_type, tensor_type
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True)
class KernelTensor:
    """A tensor that a kernel reads or writes, by its name there."""

    name: str
    shape: tuple[AnySize, ...]
    element: str

    @property
    def type(self) -> str:
        """MLIR type of the tensor."""
        return tensor_type(self.shape, self.element)

    @property
    def flat_type(self) -> str:
        """MLIR type of its elements in a row."""
        sizes = [size for size in self.shape if isinstance(size, int)]
        is_known = len(sizes) == len(self.shape)
        return f"tensor<{math.prod(sizes) if is_known else '?'}x{self.element}>"

    @property
    def buffer_type(self) -> str:
        """MLIR type of the memory that has the tensor."""
        return buffer_type(self.shape, self.element)

    @property
    def resource_type(self) -> str:
        """MLIR type of that memory as AMD's instructions for buffers have it."""
        return buffer_type(self.shape, self.element, "#amdgpu.address_space<fat_raw_buffer>")

    @property
    def offsets(self) -> str:
        """The offsets of the whole tensor."""
        return ", ".join("0" for _ in self.shape)

    @property
    def strides(self) -> str:
        """The strides of the whole tensor."""
        return ", ".join("1" for _ in self.shape)


@dataclass(frozen=True)
class SizeProduct:
    """A number times sizes that a call chooses, if there are any."""

    number: int
    factors: tuple[DynamicSize, ...]


@dataclass(frozen=True)
class KernelSize:
    """A size that a call chooses, as a kernel takes it.

    `product` is what the function makes it of; None for a size of an argument itself.
    """

    name: str
    product: SizeProduct | None = None


@dataclass(frozen=True, kw_only=True)
class Flat:
    """A tensor as a matrix with `columns` columns, or, where that is None, as one row of elements.

    Arguments are made flat before the kernel, results get their shape back after it: neither costs
    anything.
    """

    tensor: TensorType
    # What the function has for the tensor: of a cache that it has written, what is left.
    source: str
    name: str
    columns: int | None
    # Whether the tensor is taken as it is, whether it is flat already, and whether a row of it is
    # several rows of the matrix.
    is_same: bool
    is_flat: bool
    is_split: bool
    # The flat value, the rows or elements of it where a call chooses them, and all elements in one
    # row.
    value: KernelTensor
    chosen: KernelSize | None
    row: KernelTensor
    # Whether bits are bytes to the kernel, as they are in memory.
    has_bytes: bool
    # Dimensions of the tensor that become each one of the flat value.
    groups: list[list[int]]


def flat_of(
    tensor: TensorType,
    columns: int | None = None,
    leading: int = -1,
    source: str = "",
    has_bytes: bool = False,
) -> Flat:
    """A tensor made flat: `leading` dimensions become its rows, by default all but the last."""
    is_flat = len(tensor.shape) == 1 if columns is None else tensor.shape[1:] == (columns,)
    # Bits in a row are other bytes than those in memory to the compiler.
    is_same = is_flat and not has_bytes
    name = tensor.name if is_same else f"{tensor.name}_rows"
    is_split = columns is not None and columns < math.prod(tensor.largest_shape[leading:])
    dims, element = list(range(len(tensor.shape))), dtype(tensor.dtype).mlir
    length = product_of(tensor.shape)
    length = SizeProduct(length.number // (columns or 1), length.factors)
    rows: AnySize = length.number
    elements: AnySize = tensor.elements
    if length.factors:
        rows = elements = DynamicSize(tensor.elements // (columns or 1), name)
    return Flat(
        tensor=tensor,
        source=source or tensor.name,
        name=name,
        columns=columns,
        is_same=is_same,
        is_flat=is_flat,
        is_split=is_split,
        value=KernelTensor(
            name,
            (rows,) if columns is None else (rows, columns),
            "i8" if has_bytes else element,
        ),
        chosen=KernelSize(name, length) if length.factors else None,
        row=KernelTensor(f"{tensor.name}_elements", (elements,), element),
        has_bytes=has_bytes,
        groups=[dims] if columns is None or is_split else [dims[:leading], dims[leading:]],
    )


def flat_by_head(tensor: TensorType, columns: int | None = None) -> Flat:
    """A tensor of sequences, heads and rows made flat, but for the rows of each head."""
    whole = flat_of(tensor, columns)
    (sequences, heads, rows), of_row = tensor.shape[:3], (columns,) if columns else ()
    count = product_of((sequences, heads))
    all_heads: AnySize = count.number
    if count.factors:
        all_heads = DynamicSize(largest(sequences) * largest(heads), f"{tensor.name}_heads")
    return replace(
        whole,
        name=f"{tensor.name}_rows",
        is_same=False,
        value=KernelTensor(f"{tensor.name}_rows", (all_heads, rows, *of_row), whole.value.element),
        chosen=KernelSize(f"{tensor.name}_heads", count) if count.factors else None,
        groups=[[0, 1], *([n] for n in range(2, len(tensor.shape)))],
    )


def product_of(sizes: tuple[AnySize, ...]) -> SizeProduct:
    """The product of some sizes."""
    number = math.prod(size for size in sizes if not isinstance(size, DynamicSize))
    return SizeProduct(number, tuple(size for size in sizes if isinstance(size, DynamicSize)))


def has_table(spec: AttentionFeatures) -> bool:
    """Whether a table tells in which block of a cache keys lie."""
    return any(tensor.role == Role.BLOCK_IDS for tensor in spec.inputs)


def keys_and_values(spec: AttentionFeatures) -> tuple[TensorType, TensorType]:
    """The arguments that have keys and values, caches if there are any; a latent one has both."""
    by_role = {tensor.role: tensor for tensor in spec.inputs}
    if not has_table(spec):
        return by_role[Role.KEY], by_role[Role.VALUE]
    key = by_role[Role.KEY_CACHE]
    return key, by_role.get(Role.VALUE_CACHE, key)


def is_quantised(spec: AttentionFeatures) -> bool:
    """Whether keys and values are read of a quantised cache."""
    return keys_and_values(spec)[0].dtype not in FLOAT_NAMES


def storage_of(spec: AttentionFeatures, *roles: Role) -> str:
    """The element type in which a call stores the first tensor that has one of the roles."""
    return next(tensor.dtype for tensor in spec.inputs if tensor.role in roles)
