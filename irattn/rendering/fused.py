"""How a fused graph lays out a spec: padded sizes, affine maps and tiles.

Templates read these numbers and compute none themselves.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from irattn.rendering.logits import LogitRules, Operand
from irattn.specs import AttentionSpec, PagedAttentionSpec
from irattn.targets import MatrixInstruction, Target

_MATRIX_HEAD_DIMS = (32, 64, 128, 256)

# The dimensions of one row of the output; those of KV tokens follow the head columns.
_ROW = ("b", "h", "g", "m")


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _pad_rows(rows: int) -> int:
    """One subgroup's rows of matrix instructions, or those of four."""
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
    column, and the KV tokens.
    """

    spec: AttentionSpec | PagedAttentionSpec
    target: Target

    @property
    def token_sizes(self) -> dict[str, int]:
        """The dimensions of KV tokens, outermost first, as the loop has them."""
        raise NotImplementedError

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        """The dimensions of each operand of the attention op."""
        raise NotImplementedError

    @property
    def producer_maps(self) -> list[tuple[str, ...]]:
        """Further maps of what the compiler fuses into the kernel, before and after it."""
        sinks = [("h", "g")] if self.spec.sinks else []
        return [*(operand.axes for operand in self.rules.operands), *sinks]

    @property
    def rules(self) -> LogitRules:
        raise NotImplementedError

    @property
    def v_dim(self) -> int:
        """Value columns of the kernel."""
        raise NotImplementedError

    @property
    def dims(self) -> dict[str, int]:
        return {
            **self.row_sizes,
            "n": self.v_dim,
            "k": self.head_dim,
            **self.token_sizes,
        }

    @property
    def row_sizes(self) -> dict[str, int]:
        spec = self.spec
        sizes = (spec.batch, spec.num_kv_heads, spec.group_size, self.q_len)
        return dict(zip(_ROW, sizes, strict=True))

    def padded(self, axes: Iterable[str]) -> list[int]:
        """The sizes of some dimensions in the loop."""
        return [self.dims[axis] for axis in axes]

    def padding(self, operand: Operand) -> list[int]:
        """How much an operand of the rules lacks of the loop's sizes."""
        pairs = zip(self.padded(operand.axes), operand.sizes, strict=True)
        return [padded - size for padded, size in pairs]

    def pads(self, operand: Operand) -> bool:
        """Whether an operand of the rules lacks anything."""
        return any(self.padding(operand))

    @property
    def is_decode(self) -> bool:
        """One query row stays as it is: decode is bound by memory traffic, not by arithmetic.

        A single row of a single head would leave the compiler nothing to distribute: it is padded
        like prefill.
        """
        return self.spec.q_len == 1 and self.spec.batch * self.spec.num_q_heads > 1

    @property
    def q_len(self) -> int:
        """Queries of the kernel."""
        return 1 if self.is_decode else _pad_rows(self.spec.q_len)

    @property
    def head_dim(self) -> int:
        """Matrix instructions want head sizes that divide evenly among the subgroups."""
        return self.spec.head_dim if self.is_decode else _matrix_head_dim(self.spec.head_dim)

    @property
    def pads_query(self) -> bool:
        return (self.q_len, self.head_dim) != (self.spec.q_len, self.spec.head_dim)

    @property
    def pads_output(self) -> bool:
        return (self.q_len, self.v_dim) != (self.spec.q_len, self.spec.v_dim)

    @property
    def instruction(self) -> MatrixInstruction | None:
        """The matrix instruction that the kernel uses, if any."""
        return None if self.is_decode else self.target.matrix.get(self.spec.io_dtype)

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
        kept = [name for name, size in self.dims.items() if size > 1]
        every = [*self.maps.values(), *self.producer_maps]
        maps = [[dim for dim in axes if dim in kept] for axes in every]
        groups: list[tuple[str, ...]] = []
        for dim in kept:
            if groups and all(_are_neighbours(axes, groups[-1][-1], dim) for axes in maps):
                groups[-1] = (*groups[-1], dim)
            else:
                groups.append((dim,))
        return groups

    @property
    def tile(self) -> Tile | None:
        """The tile of a GPU kernel with matrix instructions."""
        instruction, tokens = self.instruction, self.tokens_at_a_time
        if instruction is None or tokens is None:
            return None
        subgroups = min(self.q_len, 64) // instruction.m
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
            workgroup=self._sizes({"m": rows, "n": columns, "k": 0, "p": 0, "t": 0}, other=1),
            reduction=self._sizes({"p": 1, "t": tokens}, other=0),
            subgroups=self._sizes({"m": subgroups}, other=1),
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


@dataclass(frozen=True)
class FusedAttention(_Fused):
    """The one-kernel graph; decode is not padded."""

    spec: AttentionSpec
    target: Target

    @property
    def kv_len(self) -> int:
        return self.spec.kv_len if self.is_decode else _round_up(self.spec.kv_len, 64)

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim if self.is_decode else _matrix_head_dim(self.spec.v_dim)

    @property
    def token_sizes(self) -> dict[str, int]:
        return {"t": self.kv_len}

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        return {
            "query": (*_ROW, "k"),
            "key": ("b", "h", "t", "k"),
            "value": ("b", "h", "t", "n"),
            **({"rules": self.rules.axes} if self.rules.changes_logits else {}),
            "output": (*_ROW, "n"),
            "row": _ROW,
        }

    @property
    def rules(self) -> LogitRules:
        sizes = {**self.row_sizes, "m": self.spec.q_len, "t": self.spec.kv_len}
        return LogitRules(self.spec, sizes, ("t",), pads_keys=self.kv_len != self.spec.kv_len)

    @property
    def tokens_at_a_time(self) -> int | None:
        # RDNA 3 keeps operands of matrix instructions twice: with more values for each logit, a
        # step of 32 tokens no longer fits its registers.
        is_rdna3 = self.instruction is not None and self.instruction.name.startswith("WMMAR3")
        has_more = bool(self.spec.logits_soft_cap or self.rules.operands)
        return 16 if is_rdna3 and has_more else 32

    @property
    def pads_key(self) -> bool:
        return (self.kv_len, self.head_dim) != (self.spec.kv_len, self.spec.head_dim)

    @property
    def pads_value(self) -> bool:
        return (self.kv_len, self.v_dim) != (self.spec.kv_len, self.spec.v_dim)


@dataclass(frozen=True)
class FusedPagedAttention(_Fused):
    """The one-kernel paged graph, p page and t token of the page; decode is not padded."""

    spec: PagedAttentionSpec
    target: Target

    @property
    def max_blocks(self) -> int:
        """Prefill has at least two pages, so that the page dimension does not vanish."""
        return self.spec.max_blocks if self.is_decode else max(2, self.spec.max_blocks)

    @property
    def v_dim(self) -> int:
        return self.head_dim

    @property
    def token_sizes(self) -> dict[str, int]:
        return {"p": self.max_blocks, "t": self.spec.block_size}

    @property
    def maps(self) -> dict[str, tuple[str, ...]]:
        return {
            "query": (*_ROW, "k"),
            "key": ("b", "p", "h", "t", "k"),
            "value": ("b", "p", "h", "t", "n"),
            "rules": self.rules.axes,
            "output": (*_ROW, "n"),
            "row": _ROW,
        }

    @property
    def producer_maps(self) -> list[tuple[str, ...]]:
        """The gather is fused into the kernel, unless the pages are padded after it."""
        return [*super().producer_maps, *([] if self.pads_pages else [("b", "p")])]

    @property
    def rules(self) -> LogitRules:
        pages = {"p": self.spec.max_blocks, "t": self.spec.block_size}
        return LogitRules(self.spec, {**self.row_sizes, "m": self.spec.q_len, **pages}, ("p", "t"))

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


def _are_neighbours(axes: Iterable[str], first: str, second: str) -> bool:
    """Whether both dimensions are absent or follow each other; reductions stay by themselves."""
    axes = list(axes)
    if "n" in (first, second) or "k" in (first, second):
        return False
    if first not in axes and second not in axes:
        return True
    return first in axes and axes[axes.index(first) + 1 :][:1] == [second]
