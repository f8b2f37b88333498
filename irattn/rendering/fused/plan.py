"""The plan of the fused graphs: a kernel that does the work as it is cut, what it reads and writes.

Templates read these numbers and names and compute none themselves.
"""

from dataclasses import dataclass
from functools import cached_property

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, Role, TensorType, largest
from irattn.rendering.dynamic import has_dynamic
from irattn.rendering.fused.arguments import Flat, Size
from irattn.rendering.fused.columns import Columns
from irattn.rendering.fused.cut import WorkgroupCut
from irattn.rendering.fused.kernel import KernelInterface
from irattn.rendering.fused.merge import Merge
from irattn.rendering.fused.results import RowResult
from irattn.rendering.fused.rules import RuleRow
from irattn.rendering.values import Value
from irattn.specs.paged_attention import PagedAttentionSpec

# Workgroups along the second and the third axis of a grid, at most.
_MOST_OF_AXIS = 65535


@dataclass(frozen=True)
class FusedAttention(WorkgroupCut):
    """One kernel, whose workgroups attend to rows of queries each: what goes in and comes out."""

    @property
    def kernel(self) -> KernelInterface:
        """The kernel from outside."""
        return KernelInterface(f"{self.spec.op}_kernel", self.operands, self.sizes, self.results)

    @cached_property
    def head(self) -> Columns:
        """The head columns."""
        return self._columns(self.spec.head_dim, self.tile.key_columns, "ck")

    @cached_property
    def value_columns(self) -> Columns:
        """The value columns."""
        return self._columns(self.spec.v_dim, self.tile.value_columns, "en")

    def _columns(self, real: int, sizes: tuple[int, ...], letters: str) -> Columns:
        return Columns(real, sizes, tuple(letters[-len(sizes) :]), self.tile.reads_elements(real))

    # Sizes, as values of the kernel.

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        """Sizes that the kernel asks for by name."""
        if self.is_packed:
            return self._sizes_of_packed
        return {
            "sequences": self.spec.size("batch"),
            "heads": self.heads,
            "rows_of_head": self.rows_of_head,
            "parts": self.parts,
            "keys_of_head": self.spec.num_keys,
            **super().named_sizes,
            **({"pages": self.spec.size("max_blocks")} if self.has_table else {}),
        }

    @property
    def _sizes_of_packed(self) -> dict[str, AnySize]:
        tokens = largest(self.spec.num_queries)
        # Enough for a sequence to start in a tile of its own, and padding (shared/places.mlir.j2).
        tiles = tokens // self.tile.rows + self.spec.batch + 1
        return {"sequences": 1, "heads": self.heads, "q_tokens": tokens, "tiles": tiles}

    @property
    def halvings(self) -> int:
        """Steps of the search for a tile's sequence among packed ones, padding counted."""
        return self.spec.batch.bit_length()

    @property
    def widest_half(self) -> int:
        """Sequences that the first of these steps leaves behind."""
        return 1 << (self.halvings - 1)

    @property
    def asks_for_ids(self) -> bool:
        """Whether a workgroup asks for its place in the grid, and stores its own part.

        Where the call chooses how many there are, IREE 3.13.0 makes a loop of them, across which
        lanes have no registers to keep what is the same for all workgroups.
        """
        sequences = self.spec.size("batch")
        is_chosen = has_dynamic((sequences, self.rows_of_head))
        return self.lanes is not None and is_chosen and largest(sequences) <= _MOST_OF_AXIS

    # What the kernel reads.

    @property
    def skips_pages(self) -> bool:
        """Whether entries of a table before the window of the first query are ignored."""
        return self.has_table and self.rules.most_behind is not None

    def is_of_one_page(self, keys: int) -> bool:
        """Whether so many neighbouring keys share an entry of the table."""
        return isinstance(self.spec, PagedAttentionSpec) and self.spec.block_size % keys == 0

    @property
    def query_stride(self) -> int:
        """Rows of the query from one token to the next."""
        return self.spec.num_q_heads if self.has_token_rows else 1

    @property
    def key_stride(self) -> int:
        """Rows of the keys likewise, within a block of a cache."""
        return self.spec.num_kv_heads if self.spec.has_tokens_first else 1

    @property
    def heads_of_kv_head(self) -> int:
        """Heads of the grid for each KV head."""
        return self.heads // self.spec.num_kv_heads

    @cached_property
    def flats(self) -> list[Flat]:
        """The function's tensors as the kernel reads them."""
        return [Flat(tensor, self._columns_read(tensor)) for tensor in self.arguments]

    def _columns_read(self, tensor: TensorType) -> int | None:
        columns = {
            Role.QUERY: self.head,
            self.key_argument.role: self.head,
            self.value_argument.role: self.value_columns,
        }
        return columns[tensor.role].read_row if tensor.role in columns else None

    @property
    def operands(self) -> list[Value]:
        """The same as values."""
        return [flat.value for flat in self.flats]

    def shape_of(self, operand: RuleRow) -> tuple[int, ...]:
        """What a tile has of an operand of the rules, by rows and by keys."""
        sizes = {"m": self.tile.rows, "t": self.tile.keys}
        return tuple(sizes[dim] for dim in operand.dims)

    def is_placed(self, operand: RuleRow) -> bool:
        """Whether the rules get an operand otherwise than it is read."""
        return operand.element == "i1" or (operand.has_keys and not self.tile.is_cpu)

    @property
    def laid_out(self) -> list[RuleRow]:
        """Operands that have a layout of their own."""
        return [] if self.tile.is_cpu else [o for o in self.rules.operands if o.has_keys]

    def flat(self, name: str) -> Value:
        """What became of an argument."""
        return next(flat.value for flat in self.flats if flat.tensor.name == name)

    @property
    def sizes(self) -> list[Size]:
        """The sizes that a call chooses, as the kernel takes them."""
        learnt = [Size(f"{name}_dim") for name in self.chosen_sizes]
        flats = [*self.flats, *(result.flat for result in self.results)]
        made = [flat.length for flat in flats if isinstance(flat.length, Size)]
        return [*learnt, *made]

    # What it writes.

    @property
    def part_tensors(self) -> list[TensorType]:
        """What the parts of the keys give: weighted values, maxima and sums."""
        shape = (self.spec.size("batch"), self.heads, self.parts, self.rows_of_head)
        return [
            TensorType("part_acc", (*shape, self.spec.v_dim), "f32"),
            TensorType("part_max", shape, "f32"),
            TensorType("part_sum", shape, "f32"),
        ]

    @property
    def merge(self) -> Merge:
        """The kernel that merges them."""
        rows = largest(self.rows_of_head)
        parts, outputs = tuple(self.part_tensors), tuple(self.outputs)
        return Merge(self.spec, self.target, self.heads, rows, self.parts, parts, outputs)

    @property
    def results(self) -> list[RowResult]:
        """The results of the kernel: rows of columns first, then numbers of rows."""
        tensors = self.part_tensors if self.is_split else self.outputs
        columns = (self.value_columns, None, None)
        made = zip(tensors, self._names_of_tiles, columns, strict=False)
        return [self._result(*of_result) for of_result in made]

    @property
    def _names_of_tiles(self) -> list[str]:
        if not self.is_split:
            return ["output_tile", "lse_tile"]
        if self.lanes:
            return [f"{tensor.name}_tile" for tensor in self.part_tensors]
        return [f"state#{i}" for i in range(3)]

    def _result(self, tensor: TensorType, name: str, columns: Columns | None) -> RowResult:
        shape = (self.tile.rows, *(columns.sizes if columns else ()))
        made = Value(name, shape, dtype(tensor.dtype).mlir)
        flat = self._flat_result(tensor, columns.real if columns else None)
        is_one_row = self.rows_of_head == 1 and self.has_head_rows and not self.lanes
        return RowResult(flat, made, columns, self.cuts_rows, is_one_row)

    def _flat_result(self, tensor: TensorType, columns: int | None) -> Flat:
        """Where rows are apart, all heads of a token are one row of the output."""
        if columns is None or not self.has_token_rows:
            return Flat(tensor, columns)
        return Flat(tensor, columns * self.spec.num_q_heads, leading=-2)
