"""How CPUs with AMX take the gradient of attention in bf16: products of squares of pairs.

A tile of queries meets the tiles of keys that it sees. Weights and gradients of scores become bf16
with a row for each query. Neighbours of two rows are pairs of queries: so the sums of keys and
values have a row for each column, and are turned when they are whole; those of queries have not.
"""

from dataclasses import dataclass

from irattn.rendering.attention_backward_cpu import CpuBackward
from irattn.rendering.cpu.kernels import whole
from irattn.rendering.cpu.registers import has_squares
from irattn.rendering.values import Value
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# Rows of a square, and those of a block of two: products take two squares of either side.
_SQUARE, _BLOCK = 16, 32
_SQUARE_PAIRS = 256

# Queries and keys of a tile: the sums of keys and values, and what their products take, go through
# the second cache once for each tile of queries. One Sapphire Rapids core, its own time in ms, 8
# causal heads over 2,048 tokens:
#   queries, keys   64, 64   128, 64   192, 64   128, 32   256, 32
#   heads of 128        83        60        59        76        69
#   heads of 64         48        33        36        40        39
_QUERIES, _KEYS = 128, 64


@dataclass(frozen=True)
class SquaresBackward(CpuBackward):
    """The kernel: %b counts sequences, %x KV heads, %p parts of the keys."""

    template = "linalg/attention_backward_squares.mlir.j2"

    @property
    def keys(self) -> int:
        """Keys of a tile."""
        return _KEYS

    @property
    def queries(self) -> int:
        """Queries of a tile."""
        return _QUERIES

    @property
    def squares(self) -> dict[str, int]:
        """How many squares, and blocks of two, lie along each axis of tiles."""
        axes = {
            "query": self.queries,
            "key": self.keys,
            "head": self.head_columns,
            "value": self.value_columns,
        }
        squares = {f"{name}_squares": size // _SQUARE for name, size in axes.items()}
        return squares | {f"{name}_blocks": size // _BLOCK for name, size in axes.items()}

    @property
    def key_tiles(self) -> int | str:
        """Tiles of keys of a workgroup; packed, of all sequences: one of each may be cut short.

        Where a call chooses the tokens, the name of a value.
        """
        if not isinstance(self.spec, PackedAttentionBackwardSpec):
            return -(-self.part_keys // self.keys)
        if "kv_tokens" in self.spec.dynamic:
            return "key_tiles"
        return self.spec.kv_tokens // self.keys + self.spec.batch

    @property
    def tiles_here(self) -> int | str:
        """Tiles of keys that a workgroup has, as a type says it."""
        return "?" if self.packed else self.key_tiles

    @property
    def of_keys(self) -> dict[str, tuple[int, int]]:
        """The squares that a workgroup has of each tile of its keys."""
        count = self.squares
        return {
            "turned_keys": (count["head_blocks"], count["key_squares"]),
            "turned_values": (count["value_blocks"], count["key_squares"]),
            "key_pairs": (count["key_blocks"], count["head_squares"]),
            "key_sums": (count["head_squares"], count["key_squares"]),
            "value_sums": (count["value_squares"], count["key_squares"]),
        }

    @property
    def of_queries(self) -> dict[str, tuple[int, int]]:
        """The squares that a workgroup has of a tile of queries."""
        count = self.squares
        return {
            "query_rows": (count["query_squares"], count["head_blocks"]),
            "gradient_rows": (count["query_squares"], count["value_blocks"]),
            "query_pairs": (count["head_squares"], count["query_blocks"]),
            "gradient_pairs": (count["value_squares"], count["query_blocks"]),
            "query_sums": (count["query_squares"], count["head_squares"]),
        }

    @property
    def memories(self) -> list[tuple[str, Value, tuple[int, int]]]:
        """The memory of all workgroups, by name, and the squares of a tile."""
        sizes = self.of_keys | self.of_queries
        named = zip(sizes.items(), self.scratch, strict=True)
        return [(name, memory, size) for (name, size), memory in named]

    @property
    def scratch(self) -> list[Value]:
        """The memory of workgroups: squares as lines of pairs, and of sums."""
        spec, tiles = self.spec, self.key_tiles
        workgroups = (spec.batch, spec.num_kv_heads, self.parts)
        of_keys = (spec.num_kv_heads, tiles) if self.packed else (*workgroups, tiles)
        shapes = {name: (*of_keys, *size) for name, size in self.of_keys.items()}
        shapes |= {name: (*workgroups, *size) for name, size in self.of_queries.items()}
        return [
            Value(f"{name}_memory", (*shape, _SQUARE_PAIRS), "i32")
            for name, shape in shapes.items()
        ]

    @property
    def made(self) -> list[Value]:
        """The gradients as the kernel makes them; of parts of the keys, sums of queries in f32."""
        query, key, value = map(whole, self.spec.outputs[:3])
        if self.parts > 1:
            query = Value("query_sums", (self.parts, *query.shape), "f32")
        return [query, key, value]

    @property
    def chosen(self) -> list[str]:
        """The names of the sizes that a call chooses besides those of inputs."""
        return [size for size in (self.key_tiles,) if isinstance(size, str)]

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that the kernel knows by name."""
        spec = self.spec
        return {
            "none": 0,
            "one": 1,
            "square_height": _SQUARE,
            "block_height": _BLOCK,
            "batch": spec.batch,
            "kv_heads": spec.num_kv_heads,
            "parts": self.parts,
            "group": spec.group_size,
            "lanes": self.lanes,
            "query_tile": self.queries,
            **self.squares,
        }


def takes_squares(
    spec: AttentionBackwardSpec | PackedAttentionBackwardSpec, target: Target
) -> bool:
    """Whether the target multiplies squares of bf16, and queries and keys fill one."""
    is_short = isinstance(spec, AttentionBackwardSpec) and min(spec.q_len, spec.kv_len) < _SQUARE
    return spec.io_dtype == "bf16" and has_squares(target) and not is_short
