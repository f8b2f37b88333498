"""The kernel from outside: what it reads and writes, and the sizes that it asks for by name."""

from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.attention.arguments import Flat, KernelSize, KernelTensor, flat_of
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.results import Merged, RowResult
from irattn.rendering.dynamic import dynamic_sizes
from irattn.specs.features import AttentionFeatures
from irattn.specs.paged_attention import PagedAttentionSpec

# New keys and values that the function writes into a cache before the kernel reads that.
_WRITTEN = frozenset((Role.KEY, Role.VALUE, Role.SLOTS))

# The most queries and keys of a sequence, which a call may tell for each sequence.
_TOLD = {"q_len": Role.QUERY_LENGTHS, "context_len": Role.KEY_LENGTHS}


@dataclass(frozen=True)
class KernelInterface:
    """What goes in, sizes that the call chooses among it, and what comes out."""

    name: str
    operands: list[KernelTensor]
    sizes: list[KernelSize]
    results: list[RowResult] | list[Merged]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The function's tensors as the kernel reads them, and which have the keys and values.

    `elements` are the element types of their storage, by role.
    """

    flats: list[Flat]
    key: TensorType
    value: TensorType
    elements: dict[str, str]
    # Whether a table tells where keys lie.
    has_table: bool


def reading_of(spec: AttentionFeatures, head: Columns, value_columns: Columns) -> Reading:
    """What a kernel with such columns of heads reads."""
    by_role = {tensor.role: tensor for tensor in reversed(spec.inputs)}
    has_table = Role.BLOCK_IDS in by_role
    query = by_role[Role.QUERY]
    key = by_role[Role.KEY_CACHE if has_table else Role.KEY]
    value = by_role[Role.VALUE_CACHE if has_table else Role.VALUE]
    columns = {query: head, key: head, value: value_columns}
    # A cache that the function has written is read as it left it.
    left = {read: written for written, read in spec.updates.items()}
    flats = [
        flat_of(
            tensor,
            columns[tensor].read_row if tensor in columns else None,
            source=left.get(tensor.name, ""),
        )
        for tensor in spec.inputs
        if not (has_table and tensor.role in _WRITTEN)
    ]
    elements = {str(role): dtype(tensor.dtype).mlir for role, tensor in by_role.items()}
    elements |= {Role.KEY: dtype(key.dtype).mlir, Role.VALUE: dtype(value.dtype).mlir}
    return Reading(flats=flats, key=key, value=value, elements=elements, has_table=has_table)


def told_lengths(spec: AttentionFeatures) -> list[str]:
    """The lengths that a call tells for each sequence."""
    roles = {tensor.role for tensor in spec.inputs}
    return [name for name, role in _TOLD.items() if role in roles]


def named_sizes(spec: AttentionFeatures, grid: Grid, tile_rows: int) -> dict[str, AnySize]:
    """Sizes that the kernel asks for by name."""
    if grid.is_packed:
        tokens = largest(spec.num_queries)
        # Enough for a sequence to start in a tile of its own, and padding (shared/gpu.mlir.j2).
        tiles = tokens // tile_rows + spec.batch + 1
        return {"sequences": 1, "heads": grid.heads, "q_tokens": tokens, "tiles": tiles}
    lengths = {"q_len": spec.num_queries, "context_len": spec.num_keys}
    has_table = isinstance(spec, PagedAttentionSpec)
    return {
        "sequences": spec.size("batch"),
        "heads": grid.heads,
        "rows_of_head": grid.rows_of_head,
        "parts": grid.parts,
        "keys_of_head": spec.num_keys,
        **{name: lengths[name] for name in lengths if name not in told_lengths(spec)},
        **({"pages": spec.size("max_blocks")} if has_table else {}),
    }


def known(sizes: dict[str, AnySize]) -> dict[str, int]:
    """The sizes among `sizes` that no call chooses."""
    return {name: size for name, size in sizes.items() if not isinstance(size, DynamicSize)}


def chosen(sizes: dict[str, AnySize]) -> dict[str, DynamicSize]:
    """The sizes among `sizes` that every call chooses."""
    return {name: size for name, size in sizes.items() if isinstance(size, DynamicSize)}


def interface_of(
    spec: AttentionFeatures, flats: list[Flat], results: list[RowResult]
) -> KernelInterface:
    """The attention of a spec from outside."""
    learnt = [KernelSize(size.name) for size, _, _ in dynamic_sizes(spec.inputs)]
    written = [result.flat for result in results]
    made = [flat.chosen for flat in (*flats, *written) if flat.chosen]
    operands = [flat.value for flat in flats]
    return KernelInterface(f"{spec.op}_kernel", operands, [*learnt, *made], results)
