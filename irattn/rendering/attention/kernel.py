"""The kernel from outside: what it reads and writes, and the sizes that it asks for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.attention.arguments import (
    Flat,
    KernelSize,
    KernelTensor,
    flat_of,
    has_table,
    is_quantised,
    keys_and_values,
)
from irattn.rendering.attention.columns import Columns
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.packed_parts import FewQueriesSpec, ManyQueriesSpec, most_few
from irattn.rendering.attention.results import Merged, RowResult
from irattn.rendering.dynamic import dynamic_sizes
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences

if TYPE_CHECKING:
    from irattn.rendering.attention.merge_few import CompletedRow

# New keys and values that the function writes into a cache before the kernel reads that.
_WRITTEN = frozenset((Role.KEY, Role.VALUE, Role.SLOTS))

# The most queries and keys of a sequence, which a call may tell for each sequence.
_TOLD = {"q_len": Role.QUERY_LENGTHS, "context_len": Role.KEY_LENGTHS}


@dataclass(frozen=True)
class KernelInterface:
    """The arguments of a kernel, sizes that the call chooses among them, and the results.

    `completes` says that results go into memory that the function hands over, a value for each, and
    that keeps what is not written.
    """

    name: str
    operands: list[KernelTensor]
    sizes: list[KernelSize]
    results: Sequence[RowResult | Merged | CompletedRow]
    completes: bool = False

    def operand(self, name: str) -> KernelTensor:
        """The operand of a name."""
        return next(tensor for tensor in self.operands if tensor.name == name)


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


def reading_of(
    spec: AttentionFeatures, head: Columns, value_columns: Columns, reads_bytes: bool = False
) -> Reading:
    """The reading of a kernel with such columns of heads, which may read bits as bytes."""
    by_role = {tensor.role: tensor for tensor in reversed(spec.inputs)}
    is_paged = has_table(spec)
    query = by_role[Role.QUERY]
    key, value = keys_and_values(spec)
    # Of a latent cache, values are the first columns of the keys.
    columns = {value: value_columns, query: head, key: head}
    # A cache that the function has written is read as it left it.
    left = {read: written for written, read in spec.updates.items()}
    flats = [
        flat_of(
            tensor,
            _row_in_memory(tensor, columns),
            source=left.get(tensor.name, ""),
            has_bytes=tensor.dtype == "bool" and (reads_bytes or tensor.role == Role.CAPTURED),
        )
        for tensor in spec.inputs
        if not (is_paged and tensor.role in _WRITTEN) and tensor.role != Role.ACTIVATION
    ]
    elements = {str(role): dtype(tensor.dtype).mlir for role, tensor in by_role.items()}
    # Numbers of a quantised cache become elements of the queries' type when they are read.
    operands = (query, query) if is_quantised(spec) else (key, value)
    kinds = [dtype(one.dtype).mlir for one in operands]
    elements |= dict(zip((Role.KEY, Role.VALUE), kinds, strict=True))
    return Reading(flats=flats, key=key, value=value, elements=elements, has_table=is_paged)


def _row_in_memory(tensor: TensorType, columns: Mapping[TensorType, Columns]) -> int | None:
    """The elements of a row that is read; of two numbers in a byte half as many."""
    row = columns[tensor].read_row if tensor in columns else None
    return row // 2 if row and tensor.dtype == "int4" else row


def told_lengths(spec: AttentionFeatures) -> list[str]:
    """The lengths that a call tells for each sequence."""
    roles = {tensor.role for tensor in spec.inputs}
    return [name for name, role in _TOLD.items() if role in roles]


def named_sizes(spec: AttentionFeatures, grid: Grid, tile_rows: int) -> dict[str, AnySize]:
    """Sizes that the kernel asks for by name."""
    names = {"pages": "max_blocks", "cache_blocks": "num_blocks"} if has_table(spec) else {}
    pages = {name: spec.size(field) for name, field in names.items()}
    if isinstance(spec, PackedSequences):
        rows = {"few_rows": spec.rows} if isinstance(spec, FewQueriesSpec) else {}
        return {
            "sequences": 1,
            **packed_sequences(spec),
            "heads": grid.heads,
            "parts": grid.parts,
            "q_tokens": spec.num_queries,
            "kv_tokens": spec.num_keys,
            **_packed_tiles(spec, grid, tile_rows),
            **rows,
            **pages,
        }
    lengths = {"q_len": spec.num_queries, "context_len": spec.num_keys}
    return {
        "sequences": spec.size("batch"),
        "heads": grid.heads,
        "rows_of_head": grid.rows_of_head,
        "parts": grid.parts,
        "keys_of_head": spec.num_keys,
        **{name: lengths[name] for name in lengths if name not in told_lengths(spec)},
        **pages,
    }


def packed_sequences(spec: PackedSequences) -> dict[str, AnySize]:
    """How many sequences are packed; where a call chooses, kernels learn it from their bounds."""
    return {} if "batch" in spec.dynamic else {"packed": spec.batch}


def _packed_tiles(spec: PackedSequences, grid: Grid, tile_rows: int) -> dict[str, AnySize]:
    """How many tiles packed sequences have, where no call says how many tokens there are.

    That is enough for each sequence to begin in a tile of its own (shared/gpu.mlir.j2), and for
    the padding after all of them.
    """
    tokens, batch = spec.num_queries, spec.size("batch")
    if isinstance(tokens, DynamicSize) or isinstance(batch, DynamicSize):
        return {}
    if isinstance(spec, FewQueriesSpec):
        return {"tiles": -(-grid.most_rows // tile_rows) * batch * grid.parts}
    begun = batch
    if isinstance(spec, ManyQueriesSpec):
        begun = min(batch, tokens // (most_few(spec) + 1))
    return {"tiles": tokens // tile_rows + begun + 1}


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
    if isinstance(spec, FewQueriesSpec) and isinstance(spec.rows, DynamicSize):
        learnt.append(KernelSize(spec.rows.name))
    written = [result.flat for result in results]
    made = [flat.chosen for flat in (*flats, *written) if flat.chosen]
    operands = [flat.value for flat in flats]
    return KernelInterface(f"{spec.op}_kernel", operands, [*learnt, *made], results)
