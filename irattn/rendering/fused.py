"""How a fused graph lays out a spec: padded sizes and tiles.

Templates read these numbers and compute none themselves.
"""

import math
from dataclasses import dataclass

from irattn.specs import AttentionSpec, PagedAttentionSpec
from irattn.targets import MatrixInstruction, Target

_MATRIX_HEAD_DIMS = (32, 64, 128, 256)


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def _pad_rows(rows: int) -> int:
    """One subgroup's rows of matrix instructions, or those of four."""
    return 16 if rows <= 16 else _round_up(rows, 64)


def _matrix_head_dim(head_dim: int) -> int:
    return next(size for size in _MATRIX_HEAD_DIMS if size >= head_dim)


@dataclass(frozen=True)
class Tile:
    """How a GPU kernel is cut up, over the iteration dimensions that are larger than 1.

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
    """How a fused graph is cut up on a CPU, over the dimensions that are larger than 1."""

    distribution: list[int]
    parallel: list[int]
    reduction: list[int]


class _Fused:
    """What the fused graphs share: `dims` maps each iteration dimension to its padded size.

    m is the innermost query row, n the value column, k the head column and t the innermost KV
    token; what comes before n is a row of the output, what comes after k is a KV token.
    """

    spec: AttentionSpec | PagedAttentionSpec
    target: Target

    @property
    def dims(self) -> dict[str, int]:
        raise NotImplementedError

    @property
    def tile_dims(self) -> dict[str, int]:
        """The dimensions that are left when the compiler comes to tile the kernel."""
        return self.dims

    @property
    def is_decode(self) -> bool:
        """One query row stays as it is: decode is bound by memory traffic, not by arithmetic.

        A single row of a single head would leave the compiler nothing to distribute: it is padded
        like prefill.
        """
        return self.spec.q_len == 1 and self.spec.batch * self.spec.num_q_heads > 1

    @property
    def loop(self) -> str:
        """The iteration dimensions, as affine maps list them."""
        return ", ".join(self.dims)

    @property
    def head_dim(self) -> int:
        """Matrix instructions want head sizes that divide evenly among the subgroups."""
        return self.spec.head_dim if self.is_decode else _matrix_head_dim(self.spec.head_dim)

    @property
    def instruction(self) -> MatrixInstruction | None:
        """The matrix instruction that the kernel uses, if any."""
        return None if self.is_decode else self.target.matrix.get(self.spec.io_dtype)

    @property
    def tokens_at_a_time(self) -> int | None:
        """Tokens of one step of a tiled reduction; None leaves the tile to the compiler."""
        raise NotImplementedError

    @property
    def tile(self) -> Tile | None:
        """The tile of a GPU kernel with matrix instructions."""
        instruction, tokens, dims = self.instruction, self.tokens_at_a_time, self.tile_dims
        if instruction is None or tokens is None:
            return None
        subgroups = min(dims["m"], 64) // instruction.m
        rows = subgroups * instruction.m
        is_alone = rows == math.prod(size for name, size in dims.items() if name not in "nkpt")
        # All columns at once, unless their sums would not fit the registers: with fewer, every
        # workgroup along n repeats the first product. The compiler refuses workgroups that differ
        # in their columns alone.
        columns = 128 if dims["n"] > 128 and not is_alone else 0
        workgroup = {"m": rows, "n": columns}
        reduction = {"p": 1, "t": tokens}
        kept = [name for name, size in dims.items() if size > 1]
        wave_size = self.target.wave_size or 1
        return Tile(
            instruction=instruction.name,
            workgroup=[workgroup.get(name, 0 if name in "nkpt" else 1) for name in kept],
            reduction=[reduction.get(name, 0) for name in kept],
            subgroups=[subgroups if name == "m" else 1 for name in kept],
            qk_dims=[i for i, name in enumerate(kept) if name != "n"],
            pv_dims=[i for i, name in enumerate(kept) if name != "k"],
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
        kept = [name for name, size in self.tile_dims.items() if size > 1]
        return CpuTile(
            distribution=[{"m": 32}.get(name, 0 if name in "nkpt" else 1) for name in kept],
            parallel=[{"n": 16}.get(name, 0 if name in "kpt" else 1) for name in kept],
            reduction=[{"p": 1, "t": 16}.get(name, 0) for name in kept],
        )


@dataclass(frozen=True)
class FusedAttention(_Fused):
    """Padded sizes of the one-kernel graph.

    c counts pairs of batch and KV head. Without a causal mask all rows of a group are alike and
    fold into one dimension m; with one, they are (g, m), and the mask does not depend on g.
    """

    spec: AttentionSpec
    target: Target

    @property
    def q_rows(self) -> int:
        """Rows of the innermost query dimension before padding."""
        return self.spec.q_len if self.spec.hides_keys else self.spec.group_size * self.spec.q_len

    @property
    def groups(self) -> list[int]:
        """The query heads of a group, where they are a dimension of their own."""
        return [self.spec.group_size] if self.spec.hides_keys else []

    @property
    def batch_heads(self) -> int:
        return self.spec.batch * self.spec.num_kv_heads

    @property
    def all_rows(self) -> int:
        return self.spec.batch * self.spec.num_q_heads * self.spec.q_len

    @property
    def padded_rows(self) -> int:
        return self.q_rows if self.is_decode else _pad_rows(self.q_rows)

    @property
    def kv_len(self) -> int:
        return self.spec.kv_len if self.is_decode else _round_up(self.spec.kv_len, 64)

    @property
    def v_dim(self) -> int:
        return self.spec.v_dim if self.is_decode else _matrix_head_dim(self.spec.v_dim)

    @property
    def dims(self) -> dict[str, int]:
        rows = {"g": self.spec.group_size} if self.spec.hides_keys else {}
        return {
            "c": self.batch_heads,
            **rows,
            "m": self.padded_rows,
            "n": self.v_dim,
            "k": self.head_dim,
            "t": self.kv_len,
        }

    @property
    def row(self) -> str:
        """The dimensions of one row of the output, as affine maps list them."""
        return "c, g, m" if self.spec.hides_keys else "c, m"

    @property
    def row_sizes(self) -> list[int]:
        return [self.batch_heads, *self.groups, self.q_rows]

    @property
    def padded_row_sizes(self) -> list[int]:
        return [self.batch_heads, *self.groups, self.padded_rows]

    @property
    def tokens_at_a_time(self) -> int | None:
        return 32

    @property
    def pads_query(self) -> bool:
        return (self.padded_rows, self.head_dim) != (self.q_rows, self.spec.head_dim)

    @property
    def pads_key(self) -> bool:
        return (self.kv_len, self.head_dim) != (self.spec.kv_len, self.spec.head_dim)

    @property
    def pads_value(self) -> bool:
        return (self.kv_len, self.v_dim) != (self.spec.kv_len, self.spec.v_dim)

    @property
    def pads_output(self) -> bool:
        return (self.padded_rows, self.v_dim) != (self.q_rows, self.spec.v_dim)

    @property
    def hides_padding(self) -> bool:
        return self.kv_len != self.spec.kv_len

    @property
    def has_mask(self) -> bool:
        return self.spec.hides_keys or self.hides_padding

    @property
    def causal_offset(self) -> int:
        """Row 0 sees keys up to this one."""
        return self.spec.kv_len - self.spec.q_len


@dataclass(frozen=True)
class FusedPagedAttention(_Fused):
    """Padded sizes of the one-kernel paged graph; decode is not padded."""

    spec: PagedAttentionSpec
    target: Target

    @property
    def q_len(self) -> int:
        return 1 if self.is_decode else _pad_rows(self.spec.q_len)

    @property
    def max_blocks(self) -> int:
        """Prefill has at least two pages, so that the page dimension does not vanish."""
        return self.spec.max_blocks if self.is_decode else max(2, self.spec.max_blocks)

    @property
    def dims(self) -> dict[str, int]:
        return {
            "b": self.spec.batch,
            "h": self.spec.num_kv_heads,
            "g": self.spec.group_size,
            "m": self.q_len,
            "n": self.head_dim,
            "k": self.head_dim,
            "p": self.max_blocks,
            "t": self.spec.block_size,
        }

    @property
    def tile_dims(self) -> dict[str, int]:
        """Padded pages are a tensor of their own, and with one KV head their tokens lie in a row:
        the compiler then makes one dimension of pages and tokens.
        """
        dims = self.dims
        if self.pads_pages and self.spec.num_kv_heads == 1:
            dims["t"] *= dims.pop("p")
        return dims

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
    def pads_query(self) -> bool:
        return (self.q_len, self.head_dim) != (self.spec.q_len, self.spec.head_dim)

    @property
    def pads_table(self) -> bool:
        return self.max_blocks != self.spec.max_blocks

    @property
    def pads_pages(self) -> bool:
        return self.head_dim != self.spec.head_dim
