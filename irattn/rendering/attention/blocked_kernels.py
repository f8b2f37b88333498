"""The dispatches of the blocked graphs: what they read, write and are told of sizes."""

from dataclasses import dataclass

from irattn.core.tensors import Role, TensorType
from irattn.rendering.attention.block_lists import block_kinds
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.attention.packed_parts import FewQueriesSpec
from irattn.rendering.attention.score_steps import captured_arrays
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures
from irattn.specs.paged_attention import PagedAttentionSpec

# New keys and values that the function writes into a cache before the kernel reads that.
_WRITTEN = frozenset((Role.KEY, Role.VALUE, Role.SLOTS))

# What tells where the sequences of few queries and their keys lie.
_PLACES = frozenset((Role.QUERY_BOUNDS, Role.KEY_LENGTHS, Role.OFFSETS))


@dataclass(frozen=True, kw_only=True)
class Parts:
    """Parts of `keys` keys each; their `count` is None where it follows from the call.

    `rows` are those that sequences of few queries may have in all, where those are attended
    to apart: None, too, where it follows from the call.
    """

    keys: int
    count: int | None
    rows: int | None = None


def kernels_of(
    spec: AttentionFeatures, tile: BlockedTile, parts: Parts | None
) -> tuple[CpuKernel, CpuKernel | None]:
    """The dispatch that attends, and the one that merges parts of the keys."""
    read = _read(spec)
    sizes = sorted(str(value_of(size)) for size, _, _ in dynamic_sizes(spec.inputs))
    if parts is None:
        return _kernel(spec, read, [whole(output) for output in spec.new_outputs], sizes), None
    sums = _part_results(spec, tile, parts)
    sizes += [size for size in sums[-1].chosen if size not in sizes]
    attending = _kernel(spec, [one for one in read if one.role != Role.SINKS], sums, sizes)
    return attending, _merging(spec, sums, sizes)


def _read(spec: AttentionFeatures) -> list[TensorType]:
    """The inputs of the kernel: neither new tokens for a cache, nor rows that are completed."""
    if isinstance(spec, FewQueriesSpec):
        return [one for one in spec.inputs if one.name not in spec.updates.values()]
    is_paged = isinstance(spec, PagedAttentionSpec)
    return [one for one in spec.inputs if not (is_paged and one.role in _WRITTEN)]


def _kernel(
    spec: AttentionFeatures, read: list[TensorType], results: list[Value], sizes: list[str]
) -> CpuKernel:
    """A dispatch that reads these: a cache that the function has written as it left it."""
    left = {before: after for after, before in spec.updates.items()}
    rows = {array.name: array.value for array in captured_arrays(spec)}
    if kinds := block_kinds(spec):
        # Of lists of blocks, a kernel reads what each block is.
        rows |= {Role.BLOCK_COLUMNS.name.lower(): kinds}
        read = [one for one in read if one.role != Role.BLOCK_COUNTS]
    arguments = [rows.get(tensor.name, whole(tensor)) for tensor in read]
    return CpuKernel(
        arguments=arguments,
        sources=[
            left.get(tensor.name, value.name) for tensor, value in zip(read, arguments, strict=True)
        ],
        results=results,
        gives=[result.name for result in results],
        sizes=sizes,
        constants={},
    )


def _merging(spec: AttentionFeatures, sums: list[Value], sizes: list[str]) -> CpuKernel:
    """The merge, which adds sinks; that of sequences of few queries completes what it is given."""
    is_few = isinstance(spec, FewQueriesSpec)
    roles = {Role.SINKS, *(_PLACES if is_few else ())}
    completed = [one for one in spec.inputs if is_few and one.name in spec.updates.values()]
    others = [one for one in spec.inputs if one.role in roles]
    arguments = [*sums, *map(whole, (*others, *completed))]
    outputs = spec.outputs if is_few else spec.new_outputs
    return CpuKernel(
        arguments=arguments,
        sources=[value.name for value in arguments],
        results=[] if is_few else [whole(output) for output in outputs],
        written=[whole(one) for one in completed],
        gives=[output.name for output in outputs],
        sizes=sizes,
        constants={},
    )


def _part_results(spec: AttentionFeatures, tile: BlockedTile, parts: Parts) -> list[Value]:
    """The results of the parts of the keys: weighted values, maxima and sums."""
    heads, count = spec.num_q_heads // tile.heads, parts.count or "parts"
    shape: tuple[int | str, ...] = (value_of(spec.size("batch")), heads, count, tile.rows)
    if isinstance(spec, FewQueriesSpec):
        shape = (heads, count, parts.rows or "part_rows")
    return [
        Value("part_acc", (*shape, tile.value_columns), "f32"),
        Value("part_max", shape, "f32"),
        Value("part_sum", shape, "f32"),
    ]
