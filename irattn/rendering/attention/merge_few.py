"""The merge of parts of packed sequences of a few queries.

A workgroup has a head of a sequence or, where there may be more rows than those of decodes, a row.

A sequence has as many parts as its own length asks for; its rows go into the memory of what the
sequences of many queries gave.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType
from irattn.rendering.attention.arguments import Flat, KernelSize, KernelTensor, flat_of
from irattn.rendering.attention.grid import Grid, part_tensors
from irattn.rendering.attention.kernel import KernelInterface, chosen, known, packed_sequences
from irattn.rendering.attention.packed_parts import FewQueriesSpec, most_few
from irattn.rendering.dynamic import dynamic_sizes
from irattn.rendering.values import Value
from irattn.specs.packed_paged_attention import FEW_QUERIES
from irattn.targets import Target

# Parts that are read at once, so that a lane does not wait for one after the other.
_AT_ONCE = 8

# Numbers that a lane reads at once, the fewest first.
_LANE_COLUMNS = (1, 2, 4)

# Besides what the parts gave, the kernel reads these.
_READ = (Role.QUERY_BOUNDS, Role.KEY_LENGTHS, Role.SINKS)


@dataclass(frozen=True, kw_only=True)
class CompletedRow:
    """A result in memory of which a workgroup writes a sequence's rows of a head, `stored`."""

    flat: Flat
    name: str
    value: KernelTensor
    # None where a row is one number.
    columns: int | None
    sizes: tuple[int | str, ...]
    stored: Value
    is_by_head: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class FewMergePlan:
    """The kernel's tensors and sizes; a lane has `lane_columns` of the workgroup's rows.

    `tensors` are what the parts gave, `at_once` of which are read at a time. `completed` is the
    memory that the function hands over for results.
    """

    spec: FewQueriesSpec
    target: Target
    grid: Grid
    kernel: KernelInterface
    flats: list[Flat]
    completed: list[KernelTensor]
    tensors: list[TensorType]
    at_once: list[int]
    lane_columns: int
    # Lanes that have columns of a row, and those of a workgroup: whole waves.
    lanes_of_row: int
    workgroup_size: int
    few_queries: int
    # Whether a workgroup has one row, and finds its sequence, by steps of a search and sequences
    # that the first of these leaves behind.
    finds_sequence: bool
    halvings: int
    widest_half: int
    # Whether a workgroup asks for its place in the grid, and stores its own rows.
    asks_for_ids: bool
    # Sizes that the kernel asks for by name: known ones, and those that a call chooses.
    known_sizes: dict[str, int]
    chosen_sizes: dict[str, DynamicSize]

    is_packed: ClassVar[bool] = True

    @property
    def numbers_of_mean(self) -> list[str]:
        """The numbers of a row that all columns of its mean ask for."""
        sums = ["%sink_factor", "%sum_with_sink"] if self.spec.sinks else ["%sum"]
        return ["%zero", *sums]

    def flat(self, name: str) -> KernelTensor:
        """An operand of a name."""
        return self.kernel.operand(name)


def plan_merge_few(spec: FewQueriesSpec, target: Target, grid: Grid) -> FewMergePlan:
    """The merge of a spec's parts."""
    tensors = part_tensors(spec, grid)
    results = [_result(spec, tensor) for tensor in spec.outputs]
    given = [tensor for tensor in spec.inputs if tensor.name in spec.updates.values()]
    flats = [_rows(spec, tensor) for tensor in given]
    finds_sequence, halvings = most_few(spec) > FEW_QUERIES, spec.batch.bit_length()
    sizes: dict[str, AnySize] = {
        "sequences": 1,
        **packed_sequences(spec),
        "heads": spec.num_q_heads,
        "q_tokens": spec.num_queries,
        "tiles": spec.num_queries if finds_sequence else spec.size("batch"),
        "pages": spec.size("max_blocks"),
    }
    wave = target.wave_size or 1
    columns = _lane_columns(spec.v_dim, wave) if finds_sequence else 1
    lanes = spec.v_dim // columns
    return FewMergePlan(
        spec=spec,
        target=target,
        grid=replace(grid, has_token_rows=True),
        kernel=_interface(spec, tensors, flats, results),
        flats=flats,
        completed=[flat.value for flat in flats],
        tensors=tensors,
        at_once=list(range(min(_AT_ONCE, grid.parts) if target.is_gpu else 1)),
        lane_columns=columns,
        lanes_of_row=lanes,
        workgroup_size=-(-lanes // wave) * wave,
        few_queries=most_few(spec),
        finds_sequence=finds_sequence,
        halvings=halvings,
        widest_half=1 << (halvings - 1),
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        asks_for_ids=target.is_gpu,
    )


def _lane_columns(columns: int, wave: int) -> int:
    """The columns of a lane of many rows: so many that a row takes the fewest waves, and no more.

    What a row shrinks by is the work of each wave. A decode's rows, which are few, wait for parts,
    and more so in fewer waves.
    """
    counts = [count for count in _LANE_COLUMNS if columns % count == 0]
    return min(counts, key=lambda count: -(-columns // count // wave))


def _result(spec: FewQueriesSpec, tensor: TensorType) -> CompletedRow:
    flat, columns = _rows(spec, tensor), None if tensor.role == Role.LSE else spec.v_dim
    sizes: tuple[int | str, ...] = ("rows_here", columns) if columns else ("rows_here",)
    return CompletedRow(
        flat=flat,
        name=flat.name,
        value=flat.value,
        columns=columns,
        sizes=sizes,
        stored=Value(f"{tensor.name}_tile", sizes, dtype(tensor.dtype).mlir),
    )


def _rows(spec: FewQueriesSpec, tensor: TensorType) -> Flat:
    """An output, or its memory: all heads of a token in a row, or numbers of rows."""
    is_lse = tensor.shape == (spec.num_q_heads, spec.num_queries)
    return flat_of(tensor, None if is_lse else spec.v_dim * spec.num_q_heads, leading=-2)


def _interface(
    spec: FewQueriesSpec, tensors: list[TensorType], flats: list[Flat], results: list[CompletedRow]
) -> KernelInterface:
    read = [flat_of(tensor) for tensor in spec.inputs if tensor.role in _READ]
    operands = [
        *(KernelTensor(one.name, one.shape, dtype(one.dtype).mlir) for one in tensors),
        *(flat.value for flat in read),
    ]
    # Sizes of what the kernel before reads too are there already.
    told = [flat.chosen.name for flat in read if flat.chosen]
    sizes = [size.name for size, _, _ in dynamic_sizes((*spec.inputs, *tensors))]
    learnt = [KernelSize(name) for name in (*sizes, *told)]
    made = [flat.chosen for flat in (*flats, *(r.flat for r in results)) if flat.chosen]
    return KernelInterface(f"{spec.op}_merge", operands, [*learnt, *made], results, completes=True)
