"""How GPUs take the gradient of attention with matrix instructions, at the level of lanes.

Two kernels: one has a tile of keys and goes through the queries that see some of it, of all heads
of the group; the other a tile of queries, and goes through the keys that it sees. Each makes scores
anew, so that together they multiply seven times where five would do: all sums are taken in one
order, and none leaves its workgroup but where several share the heads of a group.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from irattn.core.dtypes import dtype
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, largest
from irattn.rendering.attention.lane_layouts import LAYOUTS, LaneLayout
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.attention_backward_kernels import Gradient, LanesKernel, TokenSide
from irattn.rendering.bias_gradient import BiasGradient
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.rendering.flat_tensors import RowCount
from irattn.rendering.head_shares import HeadShares, head_shares
from irattn.rendering.logits import LogitRules, logit_rules
from irattn.rendering.values import Value
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import MatrixInstruction, Target

# Tokens of a tile, and of a matrix instruction's depth.
SIDE = 16

# Elements of 16 bits that a lane moves at once: 16 bytes.
_ACCESS = 8

_WIDTHS = (64, 128)


@dataclass(frozen=True)
class _Cut:
    """Waves of a workgroup, tokens of a step, and a wave's tiles of rows."""

    waves: int
    tokens: int
    row_tiles: int


# By family and columns of a head. AMD's steps are what lanes fetch two pieces of rows each of; two
# tiles of rows are where lanes have registers for both: what is read of a step from LDS is then
# multiplied twice. NVIDIA's are the fastest on an H200, in microseconds, causal, 32/8 heads, 2048
# and 4096 tokens: with heads of 64 351 and 988, where (4, 64, 1) took 364 and 1018, (2, 64, 1) 379
# and 1061; with 128 586 and 1587, where (4, 32, 1) took 616 and 1684, (2, 32, 1) 700 and 1991. With
# 64, (4, 64, 2) took 1.2 to 1.4 times as long as (4, 64, 1) and (8, 64, 1) 0.98 to 1.15; with 128,
# (8, 32, 1) took 1.03 to 1.15 times as long as (4, 32, 1), (8, 64, 1) 1.06 to 1.19.
_CUTS = {
    "WMMAR3": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
    "WMMAR4": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
    "MFMA": {64: _Cut(4, 64, 2), 128: _Cut(4, 32, 2)},
    "NV": {64: _Cut(4, 32, 1), 128: _Cut(4, 16, 1)},
}

# Registers of sums and of a lane's own rows, at most, for each tile of rows; of more, the rows are
# read from LDS. On NVIDIA nothing that is fetched waits in registers.
_MOST_KEPT = {"NV": 192}
_MOST_KEPT_OF_OTHERS = 160

# Elements between a row in LDS and the next, and between columns, where others than an access make
# no lanes wait for each other: by the banks of LDS.
_GAPS = {"MFMA": {32: (2 * _ACCESS, 4), 64: (2 * _ACCESS, 8)}}

# Tensors that kernels read, besides delta, masks and captured arrays.
_READ = ("query", "key", "value", "lse", "output_gradient", "cu_seqlens_q", "cu_seqlens_k")

# What is the same for 16 tokens, or differs from row to row; and scores.
_LEVELS = ("call", "row", "score")

_MOST_I32 = 2**31 - 1

_TAKEN = frozenset(
    {
        *(Role.QUERY, Role.KEY, Role.VALUE, Role.ATTENDED, Role.LSE, Role.GRADIENT, Role.SINKS),
        *(Role.QUERY_BOUNDS, Role.KEY_BOUNDS, Role.SLOPES, Role.KEEP_MASK, Role.CAPTURED),
        Role.BIAS,
    }
)


@dataclass(frozen=True)
class CopiedRows:
    """How a step's rows come from memory right into LDS, while lanes do the step before.

    `row_lanes` lanes copy a row, and a lane's rows are its first and those that lie `starts` from
    it. A matrix of 8 rows and columns is then loaded by one instruction, turned or not.
    """

    row_lanes: int
    starts: list[int]


@dataclass(frozen=True)
class SpreadLanes:
    """Which of so many pairs of tokens, and which piece of their rows, a lane brings to LDS.

    LDS serves eight lanes that store 16 bytes at once: these have four pairs, and two pieces.
    """

    pairs: int

    @property
    def pair_groups(self) -> int:
        """Groups of four pairs."""
        return self.pairs // 4

    @property
    def piece_lanes(self) -> int:
        """Lanes that bring the same two pieces of all pairs."""
        return 2 * self.pairs


BackwardSpec: TypeAlias = AttentionBackwardSpec | PackedAttentionBackwardSpec


def takes_lanes(spec: BackwardSpec, target: Target) -> bool:
    """Whether kernels of lanes make the gradients: else products of whole tensors do."""
    instruction = target.matrix.get(spec.io_dtype)
    return (
        instruction is not None
        and instruction.family in LAYOUTS
        and instruction.k == SIDE
        and spec.io_dtype in ("f16", "bf16")
        and spec.head_dim == spec.v_dim
        and spec.head_dim in _WIDTHS
        and all(one.role in _TAKEN and one.elements <= _MOST_I32 for one in spec.inputs)
    )


@dataclass(frozen=True)
class LanesBackward:
    """Both kernels: %b counts sequences, %x heads, %block tiles of rows."""

    spec: BackwardSpec
    target: Target

    template = "linalg/attention_backward_lanes.mlir.j2"

    @property
    def packed(self) -> bool:
        """Whether sequences lie one after the other, tokens before heads."""
        return isinstance(self.spec, PackedAttentionBackwardSpec)

    @property
    def joined_axes(self) -> tuple[list[list[int]], list[list[int]]]:
        """The axes that become one: of tensors with columns, and of numbers of queries."""
        if self.packed:
            return [[0, 1], [2]], [[0, 1]]
        return [[0, 1, 2], [3]], [[0, 1, 2]]

    @property
    def split_axes(self) -> list[list[int]]:
        """The axes of a gradient that each of a kernel's result becomes."""
        return [[0], [1, 2]] if self.packed else [[0, 1, 2], [3]]

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def instruction(self) -> MatrixInstruction:
        """The matrix instruction."""
        return self.target.matrix[self.spec.io_dtype]

    @property
    def layout(self) -> LaneLayout:
        """Which lane holds what of a product."""
        return LAYOUTS[self.instruction.family]

    @property
    def is_nvidia(self) -> bool:
        """Whether powers of two are NVIDIA's."""
        return self.target.driver == "cuda"

    @property
    def _cut(self) -> _Cut:
        return _CUTS[self.instruction.family][self.width]

    @property
    def waves(self) -> int:
        """Waves of a workgroup, each with a tile of rows, or two."""
        return self._cut.waves

    @property
    def wave_size(self) -> int:
        """The lanes of a wave."""
        return self.layout.side * self.layout.groups

    @property
    def lanes(self) -> int:
        """The lanes of a workgroup."""
        return self.waves * self.wave_size

    @property
    def width(self) -> int:
        """Columns of a row."""
        return self.spec.head_dim

    @property
    def row_tiles(self) -> int:
        """Tiles of 16 rows of a wave."""
        return self._cut.row_tiles

    @property
    def wave_rows(self) -> int:
        """Rows of a wave."""
        return self.row_tiles * SIDE

    @property
    def rows(self) -> int:
        """Rows of a workgroup."""
        return self.waves * self.wave_rows

    # ---- What a lane has.

    @property
    def queries(self) -> range:
        """A lane's own rows, neighbours."""
        return range(self.row_tiles * self.layout.queries)

    @property
    def row_places(self) -> list[tuple[int, int]]:
        """The tile of each own row, and the number of the row there."""
        return [divmod(row, self.layout.queries) for row in self.queries]

    @property
    def sum_sizes(self) -> list[int]:
        """Both sides' tiles of a product, and a lane's rows in a tile."""
        tiles = [1, self.row_tiles] if self.layout.turned else [self.row_tiles, 1]
        return [*tiles, self.layout.queries]

    @property
    def own(self) -> int:
        """Tokens, or columns, of a tile's sums that a lane has."""
        return self.layout.side // self.layout.groups

    @property
    def group_step(self) -> int:
        """From a group's first row of sums to the next group's."""
        return self.own if self.layout.sum_step == 1 else 1

    @property
    def repeats(self) -> bool:
        """Whether each group needs the weights of the other."""
        return self.layout.operand_groups < self.layout.groups

    @property
    def tiles(self) -> range:
        """The tiles of scores of 16 tokens."""
        return range(SIDE // self.layout.side)

    @property
    def score_count(self) -> int:
        """A lane's scores of 16 tokens."""
        return len(self.tiles) * len(self.queries) * self.own

    @property
    def depth(self) -> int:
        """Neighbours of an operand that a lane has in one piece."""
        return SIDE // self.layout.operand_groups // self.layout.halves

    @property
    def depth_group(self) -> int:
        """From a group's first piece of an operand to the next group's."""
        return 0 if self.repeats else self.depth

    @property
    def chunk(self) -> int:
        """Neighbouring columns of a row that a lane reads at once."""
        return max(_ACCESS, SIDE // self.layout.operand_groups)

    @property
    def chunk_steps(self) -> int:
        """Matrix instructions along such a chunk of all groups."""
        return self.chunk * self.layout.operand_groups // SIDE

    @property
    def chunk_group(self) -> int:
        """From a group's first column of a chunk to the next group's."""
        return 0 if self.repeats else self.chunk

    @property
    def chunks(self) -> range:
        """The first columns of chunks."""
        return range(0, self.width, self.chunk * self.layout.operand_groups)

    @property
    def column_tiles(self) -> range:
        """The tiles of columns that are summed up."""
        return range(self.width // self.layout.side)

    @property
    def own_columns(self) -> int:
        """Columns of a row of sums that a lane has."""
        return self.width // self.layout.groups

    @property
    def key_numbers(self) -> list[list[list[int]]]:
        """A lane's tokens of 16 after its group's first, by tile and row."""
        side = self.layout.side
        return [[[t * side + i for i in range(self.own)] for _ in self.queries] for t in self.tiles]

    @property
    def pairs_of_groups(self) -> list[int]:
        """Pairs of weights in the order of tokens, the one group's and then the other's."""
        half, of_row = self.score_count // 2, self.own // 2
        return [
            group * half + row * of_row + n
            for row in self.queries
            for group in range(2)
            for n in range(of_row)
        ]

    # ---- LDS.

    @property
    def tokens(self) -> int:
        """Tokens of a step."""
        return self._cut.tokens

    @property
    def copied(self) -> CopiedRows | None:
        """The copies to LDS; None where lanes fetch rows to registers, and place them."""
        if not self.is_nvidia:
            return None
        row_lanes = self.width // _ACCESS
        return CopiedRows(row_lanes, list(range(0, self.tokens, self.lanes // row_lanes)))

    @property
    def buffers(self) -> int:
        """Steps whose rows are in LDS at once."""
        return 2 if self.copied else 1

    @property
    def row_pitch(self) -> int:
        """From a row of a step in LDS to the next."""
        return self.width + self._gaps[0]

    @property
    def own_pitch(self) -> int:
        """From an own row in LDS to the next: on NVIDIA lanes are 64 bytes apart in banks."""
        return self.width + 4 * _ACCESS // len(self.queries) if self.copied else self.row_pitch

    @property
    def column_pitch(self) -> int:
        """From a column in LDS to the next."""
        return self.tokens + self._gaps[1]

    @property
    def spread(self) -> SpreadLanes | None:
        """How lanes are spread over banks; None where they take pairs of tokens in order."""
        return SpreadLanes(self.pairs) if self.instruction.family == "MFMA" else None

    @property
    def column_tile(self) -> int:
        """From a tile of columns in LDS to the next: where lanes are spread, half of the banks."""
        return self.layout.side + (4 if self.spread else 0)

    @property
    def column_places(self) -> int:
        """The columns that LDS has room for."""
        return len(self.column_tiles) * self.column_tile

    @property
    def _gaps(self) -> tuple[int, int]:
        family = self.target.family
        banks = family.lds_banks.banks if family else 0
        return _GAPS.get(self.instruction.family, {}).get(banks, (_ACCESS, _ACCESS))

    @property
    def access(self) -> int:
        """Elements that a lane fetches at once."""
        return _ACCESS

    @property
    def pairs(self) -> int:
        """Pairs of neighbouring tokens of a step."""
        return self.tokens // 2

    # ---- The kernels.

    @property
    def rules(self) -> LogitRules:
        """Which keys a query sees."""
        return logit_rules(self.spec)

    @property
    def scale(self) -> float:
        """The factor from scores to logits in base 2, or to parts of the cap."""
        return self.rules.scale

    @property
    def unit(self) -> float:
        """The one of logits from which a row's log-sum-exp is taken.

        That is log2(e), but beside a bias: one as low as the lowest number would become -inf.
        """
        return 1.0 if self.spec.bias else math.log2(math.e)

    @property
    def kernels(self) -> list[LanesKernel]:
        """The kernel of keys and that of queries, which is the first where it makes delta."""
        spec, rules = self.spec, self.rules
        ahead = rules.last_ahead if rules.hides_ahead else None
        behind = rules.most_behind if rules.hides_behind else None
        keys = TokenSide(["key", "value"], "cu_seqlens_k", spec.num_kv_heads, spec.num_keys)
        queries = TokenSide(
            ["query", "output_gradient"], "cu_seqlens_q", spec.num_q_heads, spec.num_queries
        )
        shares = self.shares
        of_keys = [
            self._gradient("value", "weights", "output_gradient", 1.0, shares),
            self._gradient("key", "of_scores", "query", spec.scale, shares),
        ]
        of_queries = [self._gradient("query", "of_scores", "key", spec.scale)]
        first = rules.first_position
        kernels = [
            self._kernel(
                "keys",
                keys,
                queries,
                of_keys,
                by_step=True,
                shift=-first,
                behind=ahead,
                ahead=behind,
                shares=shares.count if shares else 1,
            ),
            self._kernel(
                "queries",
                queries,
                keys,
                of_queries,
                by_step=False,
                shift=first,
                behind=behind,
                ahead=ahead,
            ),
        ]
        return kernels[::-1] if self.makes_delta else kernels

    @property
    def shares(self) -> HeadShares | None:
        """How workgroups share the query heads of a tile of keys; None where they do not."""
        return head_shares(self.spec, self.target, self.rows)

    def _kernel(
        self, of: str, own: TokenSide, steps: TokenSide, results: list[Gradient], **seen: Any
    ) -> LanesKernel:
        """The kernel that has rows of one side, and takes the other's in steps."""
        return LanesKernel(
            name=f"{self.spec.op}_of_{of}",
            own=own.tensors,
            steps=steps.tensors,
            results=results,
            packed=self.packed,
            own_bounds=own.bounds,
            step_bounds=steps.bounds,
            sequences=self.spec.batch,
            heads=own.heads,
            step_heads=steps.heads,
            own_len=own.length,
            step_len=steps.length,
            rows=self.rows,
            tokens=self.tokens,
            keeps_own=self._keeps_own(results),
            makes_delta=self.makes_delta and own.tensors[0] == "query",
            gives_logits=self.spec.bias is not None and own.tensors[0] == "query",
            **seen,
        )

    @property
    def makes_delta(self) -> bool:
        """Whether the kernel of queries makes delta, a number for each lane of a row, all equal.

        The kernel has half of what that is of; one of its own took 82 of 1089 us on an H200.
        """
        return self.copied is not None and not self.packed

    @property
    def sizes(self) -> list[RowCount]:
        """The sizes that a call chooses, and the numbers of rows that follow from them."""
        chosen = [_row_count([size]) for size, _, _ in dynamic_sizes(self.spec.inputs)]
        counts = [_row_count(_axes_of_rows(one)) for one in self._read]
        return list({one.name: one for one in (*chosen, *counts) if one.factors}.values())

    @property
    def count_of_rows(self) -> int | str:
        """The queries of all heads and sequences."""
        return _row_count(next(one for one in self._read if one.role == Role.LSE).shape).value

    def operands_of(self, kernel: LanesKernel) -> list[Value]:
        """Tensors that a kernel reads, as rows."""
        left_out = "delta_rows" if kernel.makes_delta else "output_rows"
        return [one for one in self.operands if one.name != left_out]

    @property
    def operands(self) -> list[Value]:
        """Tensors that kernels read, as rows."""
        count = self.count_of_rows
        delta = (count, self.layout.groups) if self.makes_delta else (count,)
        elements = {"keep_mask": ("keep_mask_bytes", "i8"), "bias": ("bias_elements", self.element)}
        of_scores = [one for one in self._read if one.name in elements]
        return [
            *(_rows(one) for one in self._read if one not in of_scores),
            Value("delta_rows", delta, "f32"),
            *(_in_one_row(one, *elements[one.name]) for one in of_scores),
            *(array.value for array in self.captured),
        ]

    @property
    def bias(self) -> BiasGradient:
        """The axes of the bias."""
        assert isinstance(self.spec, AttentionBackwardSpec)
        return BiasGradient(self.spec)

    @property
    def logit_tokens(self) -> int:
        """The keys of gradients of logits: whole tiles."""
        return -(-largest(self.spec.num_keys) // SIDE) * SIDE

    @property
    def logit_chunks(self) -> int:
        """Tiles of keys."""
        return self.logit_tokens // SIDE

    @property
    def of_logits(self) -> Value:
        """The gradients of logits, as lanes have them; those that are summed are not rounded."""
        own = (len(self.tiles), self.layout.groups, self.own)
        element = self.element if self.bias.is_of_all else "f32"
        return Value("of_logits", (self.count_of_rows, self.logit_chunks, *own), element)

    @property
    def _read(self) -> list[TensorType]:
        """The inputs that kernels read, without captured arrays."""
        names = (*_READ, "output") if self.makes_delta else _READ
        roles = (Role.SLOPES, Role.KEEP_MASK, Role.BIAS)
        return [one for one in self.spec.inputs if one.name in names or one.role in roles]

    # ---- Which logits there are besides products, and which tokens these are of.

    @property
    def asks_places(self) -> bool:
        """Whether logits depend on more of queries and keys than which of these are seen."""
        spec = self.spec
        hides = spec.keep_mask is not None or spec.bias is not None
        return spec.alibi or hides or bool(spec.functions)

    @property
    def captured(self) -> list[CapturedArray]:
        """The arrays that functions read."""
        return captured_arrays(self.spec)

    def functions_of(self, kernel: LanesKernel) -> dict[str, ScoreFunction]:
        """The functions of scores, where lanes of a kernel have the numbers that these are of."""
        own = NumberPlace("%own_i32", "row")
        of_tokens = {
            "query": NumberPlace("%tokens_i32", "score") if kernel.by_step else own,
            "first_key": own if kernel.by_step else NumberPlace("%first_token_i32", "call"),
            "offset": NumberPlace("%no_numbers" if kernel.by_step else "%token_numbers", "score"),
        }
        of_call = {name: NumberPlace(f"%{name}_i32", "call") for name in ("batch", "head")}
        score = NumberPlace("%natural", "score")
        return score_functions(self.spec, {**of_tokens, **of_call, "score": score}, _LEVELS)

    def sizes_along(self, axes: str) -> dict[str, AnySize]:
        """The sizes of the axes that a mask, or a bias, varies along, by letter."""
        sizes = self.spec.axis_sizes
        return {letter: sizes[letter] for letter in sizes if letter in axes}

    def _gradient(
        self,
        name: str,
        weights: str,
        step: str,
        factor: float,
        shares: HeadShares | None = None,
    ) -> Gradient:
        tensor = next(one for one in self.spec.inputs if one.name == name)
        rows = _rows(tensor)
        shape = rows.shape
        if self.packed:
            tokens, *of_token = tensor.shape
            shape = (value_of(tokens), prod(map(largest, of_token)))
        value = Value(f"{name}_gradient_rows", shape, rows.element)
        if shares:
            value = shares.value(f"{name}_gradient")
        return Gradient(f"{name}_gradient", value, weights, step, factor)

    def _keeps_own(self, results: list[Gradient]) -> bool:
        """Whether lanes keep their own rows in registers."""
        sums = len(results) * len(self.queries) * self.width // self.layout.groups
        # Rows of both tensors, two elements a register.
        own = len(self.queries) * self.width // self.layout.operand_groups
        most = _MOST_KEPT.get(self.instruction.family, _MOST_KEPT_OF_OTHERS * self.row_tiles)
        return sums + own <= most


def _row_count(sizes: Sequence[AnySize]) -> RowCount:
    """How many rows axes of these sizes are."""
    factors = [size for size in sizes if isinstance(size, DynamicSize)]
    number = prod(size for size in sizes if isinstance(size, int))
    names = [size.name for size in factors] + ([f"by_{number}"] if number > 1 else [])
    return RowCount(f"{'_'.join(names)}_dim", factors, number)


def _axes_of_rows(tensor: TensorType) -> tuple[AnySize, ...]:
    """The axes that become rows: all but the last one of a tensor that has columns."""
    whole = tensor.role in (Role.LSE, Role.KEEP_MASK, Role.BIAS) or len(tensor.shape) == 1
    return tensor.shape if whole else tensor.shape[:-1]


def _in_one_row(tensor: TensorType, name: str, element: str) -> Value:
    """All elements of a tensor, one after the other."""
    return Value(name, (_row_count(tensor.shape).value,), element)


def _rows(tensor: TensorType) -> Value:
    """A tensor as rows: its last axis is columns, and all others are one."""
    axes = _axes_of_rows(tensor)
    columns = tensor.largest_shape[len(axes) :]
    name = tensor.name if len(tensor.shape) == 1 else f"{tensor.name}_rows"
    return Value(name, (_row_count(axes).value, *columns), dtype(tensor.dtype).mlir)
