"""What the fused graphs share: a workgroup's rows, its keys, and what it reads and writes.

Templates read these numbers and names and compute none themselves.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from irattn.rendering.attention_plan import AttentionPlan
from irattn.rendering.fused.arguments import Flat, Size
from irattn.rendering.fused.kernel import Kernel
from irattn.rendering.fused.lanes import (
    Lanes,
    Lds,
    Loop,
    Vectors,
    lanes_for,
    loops_of,
    vectors_of,
    wave_limits,
)
from irattn.rendering.fused.merge import Merge
from irattn.rendering.fused.results import Result
from irattn.rendering.fused.rules import Given, Operand, Rules
from irattn.rendering.fused.space import allowed_lanes, allowed_tiles, numbers_of
from irattn.rendering.fused.tiles import Tile, tile_for
from irattn.rendering.fused.values import Columns, Values
from irattn.rendering.logits import LogitRules
from irattn.rendering.values import Value
from irattn.tensors import AnySize, DynamicSize, Role, TensorType, largest

# Where a few rows leave most of a GPU idle, keys are cut into parts of so many, which are attended
# to apart and merged. It is the same number for every length, so that the bits of a sequence do not
# depend on how long others may be.
PART_KEYS = 256

# Fewer queries than this share a tile with those of the other heads of their group.
_FEW_QUERIES = 64


@dataclass(frozen=True)
class Fused(AttentionPlan):
    """What one workgroup attends to: rows of queries, and keys in tiles.

    The rows of a tile are queries of one head or, where there are few queries, those of all heads
    of a group.
    """

    @property
    def kernel(self) -> Kernel:
        """The kernel from outside."""
        return Kernel(f"{self.spec.op}_kernel", self.operands, self.sizes, self.results)

    # How work is cut.

    @cached_property
    def tile(self) -> Tile:
        """The tile of a step."""
        tile = tile_for(self.target, self.spec, largest(self.rows_of_head))
        lanes = self.lanes
        if lanes:
            return replace(tile, rows=lanes.rows, keys=lanes.keys)
        return replace(tile, **self.chosen_fields)

    @property
    def tile_numbers(self) -> dict[str, int]:
        parts = {"part_keys": self.part_keys} if self.is_split else {}
        return numbers_of(self.lanes or self.tile) | parts

    @property
    def allowed_tiles(self) -> list[dict[str, int]]:
        own = replace(self, chosen=None)
        if own.lanes:
            return allowed_lanes(own.lanes, self.target)
        tiles = allowed_tiles(own.tile, self.target, largest(self.rows_of_head))
        return own.with_parts(tiles)

    @cached_property
    def values(self) -> Values:
        """The tensors of a workgroup."""
        return Values(self.tile, self.element, self.spec.head_dim, self.spec.v_dim)

    @cached_property
    def lanes(self) -> Lanes | None:
        """How lanes do a step, where that is written out."""
        lanes = None if self.has_head_rows else lanes_for(self.target, self.spec)
        return replace(lanes, **self.chosen_fields) if lanes else None

    @cached_property
    def lds(self) -> Lds | None:
        """Where lanes place keys and values."""
        return Lds(self.lanes) if self.lanes else None

    @property
    def lane_vectors(self) -> Vectors:
        """What a lane has."""
        return vectors_of(self.lds) if self.lds else {}

    @property
    def lane_loops(self) -> list[Loop]:
        """The loops over keys."""
        return loops_of(self.rules, self.cuts_keys)

    @property
    def wave_limits(self) -> dict[str, str]:
        """Which steps a wave skips."""
        return wave_limits(self.rules)

    @property
    def has_head_rows(self) -> bool:
        """Whether a tile's rows are the queries of all heads of a group."""
        queries = self.queries_of_head
        is_few = not isinstance(queries, DynamicSize) and queries < _FEW_QUERIES
        return is_few and not self.has_token_rows

    @property
    def has_token_rows(self) -> bool:
        """Whether all heads of a token lie between a query, or an output, and the next."""
        return self.spec.has_tokens_first and self.queries_of_head != 1

    @property
    def heads(self) -> int:
        """Heads that the grid counts: KV heads where a tile has the rows of a whole group."""
        return self.spec.num_kv_heads if self.has_head_rows else self.spec.num_q_heads

    @property
    def rows_of_head(self) -> AnySize:
        """Rows of each of them."""
        queries = self.queries_of_head
        return queries * self.spec.group_size if self.has_head_rows else queries

    @property
    def cuts_rows(self) -> bool:
        """Whether the last tile of rows may not be full."""
        count = self.rows_of_head
        return isinstance(count, DynamicSize) or count % self.tile.rows != 0

    @property
    def cuts_keys(self) -> bool:
        """Whether the last tile of keys may not be full.

        On a CPU the select that hides keys is always there: without it, the compiler makes scaling
        and the maximum's subtraction one rounding where weights are made, and two where they are
        summed.
        """
        is_full = (
            LogitRules(self.spec).is_static and largest(self.spec.num_keys) % self.tile.keys == 0
        )
        return self.tile.is_cpu or not is_full

    @property
    def is_split(self) -> bool:
        """Whether keys are cut into parts."""
        return self.has_head_rows and largest(self.spec.num_keys) > self.part_keys

    @property
    def part_keys(self) -> int:
        return (self.chosen or {}).get("part_keys", PART_KEYS)

    @property
    def parts(self) -> int:
        """Parts of the keys."""
        return -(-largest(self.spec.num_keys) // self.part_keys) if self.is_split else 1

    # Sizes, as values of the kernel.

    @property
    def named_sizes(self) -> dict[str, AnySize]:
        """Sizes that the kernel asks for by name."""
        return {
            "sequences": self.spec.size("batch"),
            "heads": self.heads,
            "rows_of_head": self.rows_of_head,
            "parts": self.parts,
            "keys_of_head": self.spec.num_keys,
            **super().named_sizes,
        }

    # The rules.

    @cached_property
    def rules(self) -> Rules:
        """What happens to logits."""
        return Rules(self.spec, self.cuts_keys, self.has_head_rows)

    @property
    def begins(self) -> list[str]:
        """What else bounds the loop from below."""
        named = {"%seen_begin": self.rules.most_behind is not None, "%part_begin": self.is_split}
        return [name for name, wanted in named.items() if wanted]

    @property
    def ends(self) -> list[str]:
        """What else bounds it from above."""
        named = {"%seen_end": self.rules.last_ahead is not None, "%part_end": self.is_split}
        return [name for name, wanted in named.items() if wanted]

    # What the kernel reads.

    def is_of_one_page(self, keys: int) -> bool:
        """Whether so many neighbouring keys share an entry of the table."""
        return False

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

    @property
    def flats(self) -> list[Flat]:
        """The function's tensors as the kernel reads them."""
        return [Flat(tensor, self._columns_read(tensor)) for tensor in self.arguments]

    def _columns_read(self, tensor: TensorType) -> int | None:
        columns = {
            Role.QUERY: self.values.head,
            self.key_argument.role: self.values.head,
            self.value_argument.role: self.values.value_columns,
        }
        return columns[tensor.role].read_row if tensor.role in columns else None

    @property
    def operands(self) -> list[Value]:
        """The same as values."""
        return [flat.value for flat in self.flats]

    @property
    def given_to_rules(self) -> list[Given]:
        """What the rules are given of their operands."""
        return [operand.given(self._read(operand)) for operand in self.rules.operands]

    def _read(self, operand: Operand) -> Value:
        placed = operand.placed(self.values.sizes)
        is_new = operand.element == "i1" or (operand.has_keys and not self.tile.is_cpu)
        return placed if is_new else operand.read(self.values.sizes)

    @property
    def laid_out(self) -> list[Operand]:
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
    def results(self) -> list[Result]:
        """The results of the kernel."""
        if self.is_split:
            made = [Value(f"state#{i}", t.shape, "f32") for i, t in enumerate(self._state)]
            return [self._result(*pair) for pair in zip(self.part_tensors, made, strict=True)]
        made = [self.values.output, replace(self.values.row, name="lse_tile")]
        return [self._result(*pair) for pair in zip(self.outputs, made, strict=False)]

    @property
    def _state(self) -> list[Value]:
        return [self.values.acc, self.values.row, self.values.row]

    def _result(self, tensor: TensorType, made: Value) -> Result:
        columns = self.values.value_columns if len(made.shape) > 1 else None
        flat = self._flat_result(tensor, columns.real if columns else None)
        is_one_row = self.rows_of_head == 1 and self.has_head_rows
        place = self.place_of(columns)
        return Result(flat, made, place, columns, self.cuts_rows, is_one_row)

    def _flat_result(self, tensor: TensorType, columns: int | None) -> Flat:
        """Where rows are apart, all heads of a token are one row of the output."""
        if columns is None or not self.has_token_rows:
            return Flat(tensor, columns)
        return Flat(tensor, columns * self.spec.num_q_heads, leading=-2)

    def place_of(self, columns: Columns | None) -> tuple[str, ...]:
        """Where a workgroup's rows of a result begin: of these columns, or of one number each."""
        if not self.has_token_rows:
            return ("%result_row", "%none") if columns else ("%result_row",)
        return ("%result_row", "%result_column") if columns else ("%lse_place",)
