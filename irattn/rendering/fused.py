"""How a fused graph lays out a spec: padded sizes, affine maps and tiles.

Templates read these numbers and compute none themselves.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from irattn.rendering.logits import LogitRules, Operand
from irattn.specs.attention import AttentionSpec
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.targets import MatrixInstruction, Target
from irattn.tensors import DynamicSize

_MATRIX_HEAD_DIMS = (32, 64, 128, 256)

# The dimensions of one row of the output; those of KV tokens follow the head columns.
_ROW = ("b", "h", "g", "m")

# Decode is cut into parts of the keys, so that many workgroups share one sequence; a part has at
# least this many tokens.
_SPLIT_TOKENS = 256
_MOST_SPLITS = 16


def _round_up(value: int, multiple: int) -> int:
    """A dynamic size is a multiple already."""
    return value if isinstance(value, DynamicSize) else -(-value // multiple) * multiple


def _pad_rows(rows: int) -> int:
    """One subgroup's rows of matrix instructions, or those of four."""
    if isinstance(rows, DynamicSize):
        return rows
    return 16 if rows <= 16 else _round_up(rows, 64)


def _matrix_head_dim(head_dim: int) -> int:
    return next(size for size in _MATRIX_HEAD_DIMS if size >= head_dim)


@dataclass(frozen=True)
class Tile:
    """How a GPU kernel is cut up, over the iteration dimensions that the compiler is left with.

    `workgroup` and `reduction` are tile sizes (0: not tiled), `subgroups` counts the subgroups
    along each dimension, `qk_dims` and `pv_dims` are the dimensions of the two products.
    """

    instruction: str
    workgroup: list[int]
    reduction: list[int]
    subgroups: list[int]
    qk_dims: list[int]
    pv_dims: list[int]
    workgroup_size: int
    subgroup_size: int


@dataclass(frozen=True)
class CpuTile:
    """How a fused graph is cut up on a CPU, over the same dimensions."""

    distribution: list[int]
    parallel: list[int]
    reduction: list[int]


class _Fused:
    """What the fused graphs share: `dims` maps each iteration dimension to its padded size.

    b batch, h KV head, g query head of the KV head's group, m query, n value column, k head
    column, and the KV tokens. In decode, s counts parts of the keys, which are attended to apart
    and merged.
    """

    spec: AttentionFeatures
    target: Target

    @property
    def token_sizes(self) -> dict[str, int]:
        """The dimensions of KV tokens, outermost first, as the loop has them: a new mapping."""
        raise NotImplementedError

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        """The dimensions of each operand of the attention op."""
        raise NotImplementedError

    @property
    def producer_maps(self) -> list[tuple[str, ...]]:
        """Further maps of what the compiler fuses into the kernel, before and after it."""
        sinks = [("h", "g")] if self.spec.sinks else []
        # Every part of the keys reads the one query.
        query = [self.query_dims] if self.splits > 1 else []
        return [*(operand.axes for operand in self.rules.operands), *sinks, *query]

    @property
    def rules(self) -> LogitRules:
        raise NotImplementedError

    @property
    def v_dim(self) -> int:
        """Value columns of the kernel."""
        raise NotImplementedError

    @property
    def dims(self) -> dict[str, int]:
        sizes = {**self.row_sizes, **self.token_sizes, "n": self.v_dim, "k": self.head_dim}
        tokens = [name for name in self.token_sizes if name != "s"]
        return {name: sizes[name] for name in (*self.state_row, "n", "k", *tokens)}

    @property
    def row_sizes(self) -> dict[str, int]:
        spec = self.spec
        # Matrix instructions take the heads of a group as rows where there is one query.
        group = _pad_rows(spec.group_size) if self.has_head_rows else spec.group_size
        sizes = (spec.size("batch"), spec.num_kv_heads, group, self.q_len)
        return dict(zip(_ROW, sizes, strict=True))

    @property
    def splits(self) -> int:
        """Parts of the keys; 1 where they are not split."""
        return 1

    @property
    def has_any_pages(self) -> bool:
        """Whether this is decode over pages whose number the call chooses.

        GPUs then need a tile of ours: the compiler finds none of its own for most sizes.
        """
        return False

    @property
    def has_head_rows(self) -> bool:
        """Whether the heads of a group are the rows of matrix instructions."""
        if self.has_any_pages:
            return self.spec.io_dtype != "f32" or "f32" in self.target.matrix
        columns = {self.spec.head_dim, self.spec.v_dim}
        return (
            self.splits > 1
            and 1 < self.spec.group_size <= 16
            and self.spec.io_dtype != "f32"
            and columns <= set(_MATRIX_HEAD_DIMS)
        )

    @property
    def state_row(self) -> tuple[str, ...]:
        """The dimensions of one row of the kernel's results."""
        return ("b", "h", "s", "g", "m") if self.splits > 1 else self.row

    @property
    def state_columns(self) -> tuple[str, ...]:
        """Those of the weighted values."""
        return (*self.state_row, "n")

    @property
    def row(self) -> tuple[str, ...]:
        """The dimensions of one row of the output."""
        return tuple(self.row_sizes)

    @property
    def query_dims(self) -> tuple[str, ...]:
        """The dimensions of the query in memory."""
        return (*self.row, "k")

    @property
    def output_dims(self) -> tuple[str, ...]:
        """The dimensions of the output in memory."""
        return (*self.row, "n")

    def padded(self, axes: Iterable[str]) -> list[int]:
        """The sizes of some dimensions in the loop."""
        return [self.dims[axis] for axis in axes]

    def real(self, axes: Iterable[str]) -> list[int]:
        """Their sizes in the spec."""
        columns = {"k": self.spec.head_dim, "n": self.spec.v_dim}
        return [{**self.rules.sizes, **columns}[axis] for axis in axes]

    def lack(self, axes: Iterable[str]) -> list[int]:
        """How much their sizes in the spec lack of those in the loop."""
        axes = list(axes)
        pairs = zip(self.padded(axes), self.real(axes), strict=True)
        return [padded - real for padded, real in pairs]

    def whole(self, axes: Iterable[str]) -> list[list[int]]:
        """Which dimensions are one in the spec's own tensors: (h, g) are the query heads."""
        groups: list[list[int]] = []
        for i, axis in enumerate(axes):
            if axis == "g":
                groups[-1].append(i)
            else:
                groups.append([i])
        return groups

    def pads(self, operand: Operand) -> bool:
        """Whether an operand of the rules lacks anything."""
        return not operand.is_place and any(self.lack(operand.axes))

    @property
    def is_decode(self) -> bool:
        """One query row stays as it is: decode is bound by memory traffic, not by arithmetic.

        A single row of a single head would leave the compiler nothing to distribute: it is padded
        like prefill.
        """
        return self.spec.num_queries == 1 and self.spec.batch * self.spec.num_q_heads > 1

    @property
    def q_len(self) -> int:
        """Queries of the kernel."""
        return 1 if self.is_decode else _pad_rows(self.spec.num_queries)

    @property
    def head_dim(self) -> int:
        """Matrix instructions want head sizes that divide evenly among the subgroups."""
        return self.spec.head_dim if self.is_decode else _matrix_head_dim(self.spec.head_dim)

    @property
    def pads_query(self) -> bool:
        return any(self.lack(self.query_dims))

    @property
    def pads_rows(self) -> bool:
        return any(self.lack(self.row))

    @property
    def pads_output(self) -> bool:
        return any(self.lack(self.output_dims))

    @property
    def instruction(self) -> MatrixInstruction | None:
        """The matrix instruction that the kernel uses, if any."""
        if self.is_decode and not self.has_head_rows:
            return None
        return self.target.matrix.get(self.spec.io_dtype)

    @property
    def tokens_at_a_time(self) -> int | None:
        """Tokens of one step of a tiled reduction; None leaves the tile to the compiler."""
        raise NotImplementedError

    @property
    def tile_dims(self) -> list[tuple[str, ...]]:
        """The dimensions that are left when the compiler comes to tile the kernel.

        Those of size 1 vanish; then neighbours that lie side by side in every operand that has
        either of them become one.
        """
        kept = [
            name for name, size in self.dims.items() if size > 1 or isinstance(size, DynamicSize)
        ]
        every = [*self.maps.values(), *self.producer_maps]
        maps = [[dim for dim in axes if dim in kept] for axes in every]
        groups: list[tuple[str, ...]] = []
        for dim in kept:
            if groups and all(_are_neighbours(axes, groups[-1][-1], dim) for axes in maps):
                groups[-1] = (*groups[-1], dim)
            else:
                groups.append((dim,))
        return [part for dims in groups for part in self._cut(dims)]

    def _cut(self, dims: tuple[str, ...]) -> list[tuple[str, ...]]:
        """For GPUs, the compiler cuts a dynamic length into steps (p of tokens) and their rest."""
        size = self.dims[dims[-1]]
        if not (isinstance(size, DynamicSize) and size.multiple > 1 and self.target.is_gpu):
            return [dims]
        return [("p",) if dims == ("t",) else (f"steps of {dims[-1]}",), dims]

    @property
    def tile(self) -> Tile | None:
        """The tile of a GPU kernel with matrix instructions."""
        instruction, tokens = self.instruction, self.tokens_at_a_time
        if instruction is None or tokens is None:
            return None
        m = "g" if self.has_head_rows else "m"
        subgroups = min(self.dims[m], 64) // instruction.m
        rows = subgroups * instruction.m
        is_alone = rows == math.prod(self.row_sizes.values())
        # All columns at once, unless their sums would not fit the registers: with fewer, every
        # workgroup along n repeats the first product. The compiler refuses workgroups that differ
        # in their columns alone.
        columns = 128 if self.v_dim > 128 and not is_alone else 0
        groups = self.tile_dims
        wave_size = self.target.wave_size or 1
        return Tile(
            instruction=instruction.name,
            workgroup=self._sizes({m: rows, "n": columns, "k": 0, "p": 0, "t": 0}, other=1),
            reduction=self._sizes({"p": 1, "t": tokens}, other=0),
            subgroups=self._sizes({m: subgroups}, other=1),
            qk_dims=[i for i, dims in enumerate(groups) if "n" not in dims],
            pv_dims=[i for i, dims in enumerate(groups) if "k" not in dims],
            workgroup_size=subgroups * wave_size,
            subgroup_size=wave_size,
        )

    @property
    def cpu_tile(self) -> CpuTile | None:
        """The tile of a fused graph on a CPU where the compiler's own choice is wrong.

        IREE 3.13.0 tiles head columns beyond 128 as if the softmax of a part of a dot product
        were a part of the softmax; the numbers are then wrong without a word.
        """
        if self.target.is_gpu or self.head_dim <= 128:
            return None
        return CpuTile(
            distribution=self._sizes({"m": 32, "n": 0, "k": 0, "p": 0, "t": 0}, other=1),
            parallel=self._sizes({"n": 16, "k": 0, "p": 0, "t": 0}, other=1),
            reduction=self._sizes({"p": 1, "t": 16}, other=0),
        )

    def _sizes(self, chosen: dict[str, int], other: int) -> list[int]:
        """One number for each dimension that is left: that of its innermost dimension."""
        return [chosen.get(dims[-1], other) for dims in self.tile_dims]


class _FusedTokens(_Fused):
    """What graphs share whose KV tokens t lie in one row; decode is not padded."""

    @property
    def kv_len(self) -> int:
        return self.spec.num_keys if self.is_decode else _round_up(self.spec.num_keys, 64)

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim if self.is_decode else _matrix_head_dim(self.spec.v_dim)

    @property
    def token_sizes(self) -> dict[str, int]:
        if self.splits == 1:
            return {"t": self.kv_len}
        return {"s": self.splits, "t": self.kv_len // self.splits}

    @property
    def rules(self) -> LogitRules:
        num_keys = self.spec.num_keys
        tokens = {"t": num_keys} if self.splits == 1 else self.token_sizes
        sizes = {**_spec_rows(self.spec), **tokens}
        return LogitRules(self.spec, sizes, tuple(tokens), pads_keys=self.kv_len != num_keys)

    @property
    def tokens_at_a_time(self) -> int | None:
        # RDNA 3 keeps operands of matrix instructions twice: with more values for each logit, or
        # more head columns, a step of 32 tokens no longer fits its registers.
        is_short = self.instruction is not None and self.instruction.repeats_operands
        has_more = bool(self.spec.logits_soft_cap or self.rules.operands) or self.head_dim > 128
        return 16 if is_short and has_more else 32

    @property
    def pads_key(self) -> bool:
        return any(self.lack(self.maps["key"]))

    @property
    def pads_value(self) -> bool:
        return any(self.lack(self.maps["value"]))


@dataclass(frozen=True)
class FusedAttention(_FusedTokens):
    """The one-kernel graph of padded batches."""

    spec: AttentionSpec
    target: Target

    @property
    def splits(self) -> int:
        """Parts of equal length: padding keys and values would copy them."""
        if not self.is_decode or self.spec.kv_len % 64 or "kv_len" in self.spec.dynamic:
            return 1
        counts = [2**i for i in range(_MOST_SPLITS.bit_length() - 1, 0, -1)]
        fitting = (n for n in counts if self.spec.kv_len % (64 * n) == 0)
        return next((n for n in fitting if self.spec.kv_len // n >= _SPLIT_TOKENS), 1)

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        tokens = tuple(self.token_sizes)
        return {
            "query": (*self.state_row, "k"),
            "key": ("b", "h", *tokens, "k"),
            "value": ("b", "h", *tokens, "n"),
            **({"rules": self.rules.axes} if self.rules.changes_logits else {}),
            "output": self.state_columns,
            "row": self.state_row,
        }


@dataclass(frozen=True)
class FusedPackedAttention(_FusedTokens):
    """The one-kernel graph of packed sequences: m and t count the tokens of all of them."""

    spec: PackedAttentionSpec
    target: Target

    @property
    def is_decode(self) -> bool:
        """A single packed query is padded like any other."""
        return False

    @property
    def row_sizes(self) -> dict[str, int]:
        return {name: size for name, size in super().row_sizes.items() if name != "b"}

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        return {
            "query": self.query_dims,
            "key": ("t", "h", "k"),
            "value": ("t", "h", "n"),
            "rules": self.rules.axes,
            "output": ("h", "g", "m", "n"),
            "row": ("h", "g", "m"),
        }

    @property
    def query_dims(self) -> tuple[str, ...]:
        return ("m", "h", "g", "k")

    @property
    def output_dims(self) -> tuple[str, ...]:
        return ("m", "h", "g", "n")

    @property
    def producer_maps(self) -> list[tuple[str, ...]]:
        return [*super().producer_maps, self.output_dims]


@dataclass(frozen=True)
class FusedPagedAttention(_Fused):
    """The one-kernel paged graph, p page and t token of the page; decode is not padded."""

    spec: PagedAttentionSpec
    target: Target

    @property
    def max_blocks(self) -> int:
        """Prefill has at least two pages, so that the page dimension does not vanish."""
        blocks = self.spec.size("max_blocks")
        return blocks if self.is_decode or isinstance(blocks, DynamicSize) else max(2, blocks)

    @property
    def v_dim(self) -> int:
        return self.head_dim

    @property
    def has_any_pages(self) -> bool:
        return self.is_decode and "max_blocks" in self.spec.dynamic

    @property
    def head_dim(self) -> int:
        if not self.has_any_pages:
            return super().head_dim
        # Without a tile of ours the compiler needs as many columns as its own tile has.
        fewest = 0 if self.has_head_rows else 128
        return max(fewest, _matrix_head_dim(self.spec.head_dim))

    @property
    def splits(self) -> int:
        """Parts of as many pages each."""
        if not self.is_decode or "max_blocks" in self.spec.dynamic:
            return 1
        parts = min(_MOST_SPLITS, self.spec.max_context // _SPLIT_TOKENS)
        return next((n for n in range(parts, 1, -1) if self.spec.max_blocks % n == 0), 1)

    @property
    def token_sizes(self) -> dict[str, int]:
        if self.splits == 1:
            return {"p": self.max_blocks, "t": self.spec.block_size}
        pages = self.max_blocks // self.splits
        return {"s": self.splits, "p": pages, "t": self.spec.block_size}

    @property
    def page_dims(self) -> tuple[str, ...]:
        """The dimensions of the block table."""
        return ("b", *self.token_sizes)[:-1]

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        return {
            "query": (*self.state_row, "k"),
            "key": (*self.page_dims, "h", "t", "k"),
            "value": (*self.page_dims, "h", "t", "n"),
            "rules": self.rules.axes,
            "output": self.state_columns,
            "row": self.state_row,
        }

    @property
    def producer_maps(self) -> list[tuple[str, ...]]:
        """The gather is fused into the kernel, unless the pages are padded after it."""
        return [*super().producer_maps, *([] if self.pads_pages else [self.page_dims])]

    @property
    def rules(self) -> LogitRules:
        pages = {**self.token_sizes, "t": self.spec.block_size}
        if self.splits == 1:
            pages["p"] = self.spec.size("max_blocks")
        sizes = {**_spec_rows(self.spec), **pages}
        return LogitRules(self.spec, sizes, tuple(pages))

    @property
    def tokens_at_a_time(self) -> int | None:
        """One step reads from one page: the compiler's own tile spans pages, and does not compile
        for many sizes. Tokens are columns of the first product and depth of the second. A page
        that is no multiple of such a step is left to the compiler, which then uses no matrix
        instructions, and compiles.
        """
        if self.instruction is None:
            return None
        tokens = max(self.instruction.n, self.instruction.k)
        return None if self.spec.block_size % tokens else tokens

    @property
    def pads_table(self) -> bool:
        return self.max_blocks != self.spec.max_blocks

    @property
    def pads_pages(self) -> bool:
        return self.head_dim != self.spec.head_dim


def _spec_rows(spec: AttentionFeatures) -> dict[str, int]:
    """The dimensions of rows in the spec's own sizes."""
    sizes = (spec.size("batch"), spec.num_kv_heads, spec.group_size, spec.num_queries)
    return dict(zip(_ROW, sizes, strict=True))


def _are_neighbours(axes: Iterable[str], first: str, second: str) -> bool:
    """Whether both dimensions are absent or follow each other; reductions stay by themselves."""
    axes = list(axes)
    if "n" in (first, second) or "k" in (first, second):
        return False
    if first not in axes and second not in axes:
        return True
    return first in axes and axes[axes.index(first) + 1 :][:1] == [second]


PLANS = {
    ("attention", "linalg/fused"): FusedAttention,
    ("packed_attention", "linalg/fused"): FusedPackedAttention,
    ("paged_attention", "linalg/fused"): FusedPagedAttention,
    ("paged_update_attention", "linalg/fused"): FusedPagedAttention,
}
