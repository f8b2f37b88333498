"""How CPUs take the gradient of attention: tiles of keys, and of the queries that see some of them.

Each tile multiplies five times: scores are made once, where two passes would make them twice. The
sums of all gradients lie in memory that is a workgroup's own.
"""

import math
from dataclasses import dataclass

from irattn.core.dtypes import dtype
from irattn.core.tensors import Role, TensorType
from irattn.rendering.attention.blocked_rules import RuleTensor, blocked_rules
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.cpu.registers import Registers, registers_of
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.rendering.logits import LogitRules, logit_rules
from irattn.rendering.values import Value
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# What a tile of queries has in the stack: rows, gradients, weights and gradients of scores. With
# heads of 128 on a Zen 3 core, 36 queries (51 KB) multiply at 61 GFLOP/s, 60 (85 KB) at 50, and 24
# at 52.
_STACK_F32 = 54 * 1024 // 4

# Keys and queries of a tile, at most.
_TILE = 64

# Rows of a block of sums where there are 16 registers: 12 have sums, 3 what is multiplied.
_MANY_ROWS = 6

# Where a row of scores has what functions are of: a number each, and vectors of its scores.
_PLACES = {
    name: NumberPlace(f"%{name}_i32", "row") for name in ("batch", "head", "query", "first_key")
} | {"offset": NumberPlace("%numbers_i32", "score")}

# Workgroups at least, where KV heads are fewer: parts of their keys.
_WORKGROUPS = 8


@dataclass(frozen=True)
class CpuBackward:
    """The kernel: %b counts sequences, %x KV heads, %p parts of the keys."""

    spec: AttentionBackwardSpec | PackedAttentionBackwardSpec
    target: Target

    template = "linalg/attention_backward_cpu.mlir.j2"

    @property
    def packed(self) -> bool:
        """Whether sequences lie one after the other, tokens before heads."""
        return isinstance(self.spec, PackedAttentionBackwardSpec)

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def rules(self) -> LogitRules:
        """Which keys a query sees, and what logits count in."""
        return logit_rules(self.spec)

    @property
    def mask(self) -> RuleTensor | None:
        """The mask, whose flags are bytes."""
        return blocked_rules(self.spec).keep_mask

    @property
    def functions(self) -> dict[str, ScoreFunction]:
        """The functions of scores."""
        score = NumberPlace("%scaled" if self.spec.logits_soft_cap is None else "%capped", "score")
        return score_functions(self.spec, {**_PLACES, "score": score}, ("row", "score"))

    @property
    def captured(self) -> list[CapturedArray]:
        """The arrays that functions read."""
        return captured_arrays(self.spec)

    @property
    def _registers(self) -> Registers:
        return registers_of(self.target)

    @property
    def lanes(self) -> int:
        """f32 of a register."""
        return self._registers.lanes

    @property
    def columns(self) -> int:
        """Columns of a block of sums."""
        return 2 * self.lanes

    @property
    def block(self) -> range:
        """The rows of a block of sums."""
        rows = self._registers.block_rows
        return range(_MANY_ROWS if self._registers.lanes == 8 else rows)

    @property
    def keys(self) -> int:
        """Keys of a tile, in whole blocks of rows and of columns."""
        least = math.lcm(len(self.block), self.columns)
        return max(1, _TILE // least) * least

    @property
    def scored(self) -> int:
        """Keys that a block of rows is multiplied with at once."""
        return self.columns

    @property
    def queries(self) -> int:
        """Queries of a tile, in whole blocks."""
        fit = _STACK_F32 // (self.head_columns + self.value_columns + 2 * self.keys + 2)
        return min(_TILE, fit) // len(self.block) * len(self.block)

    @property
    def head_columns(self) -> int:
        """Columns of queries and keys in whole blocks."""
        return -(-self.spec.head_dim // self.columns) * self.columns

    @property
    def value_columns(self) -> int:
        """Columns of values in whole blocks."""
        return -(-self.spec.v_dim // self.columns) * self.columns

    @property
    def padded_queries(self) -> int | str:
        """Queries in whole tiles; packed, each sequence may end with one that is cut short.

        Where a call chooses their number, the name of a value.
        """
        if not isinstance(self.spec, PackedAttentionBackwardSpec):
            return -(-self.spec.q_len // self.queries) * self.queries
        if "q_tokens" in self.spec.dynamic:
            return "padded_queries"
        return self.spec.q_tokens + self.cut_queries

    @property
    def cut_queries(self) -> int:
        """Queries of tiles that are cut short, at most: one of each packed sequence."""
        return self.spec.batch * self.queries

    @property
    def part_keys(self) -> int:
        """Keys of a workgroup, in whole tiles; packed, all of a sequence."""
        if isinstance(self.spec, PackedAttentionBackwardSpec):
            return self.spec.kv_tokens
        tiles = -(-self.spec.kv_len // self.keys)
        wanted = -(-_WORKGROUPS // (self.spec.batch * self.spec.num_kv_heads))
        return -(-tiles // wanted) * self.keys

    @property
    def parts(self) -> int:
        """Parts of the keys."""
        if isinstance(self.spec, PackedAttentionBackwardSpec):
            return 1
        return -(-self.spec.kv_len // self.part_keys)

    @property
    def scratch(self) -> list[Value]:
        """The tiles of keys that a workgroup has in memory of its own."""
        keys, head, value = self.keys, self.head_columns, self.value_columns
        sizes = {
            "keys": (keys, head),
            "turned_keys": (head, keys),
            "turned_values": (value, keys),
            "key_sums": (keys, head),
            "value_sums": (keys, value),
        }
        workgroups = (self.spec.batch, self.spec.num_kv_heads, self.parts)
        return [
            Value(f"{name}_memory", (*workgroups, *size), "f32") for name, size in sizes.items()
        ]

    @property
    def made(self) -> list[Value]:
        """The results: sums of queries by part of the keys, gradients of keys and of values."""
        sequences = () if self.packed else (self.parts, self.spec.batch)
        rows = (*sequences, self.spec.num_q_heads, self.padded_queries, self.head_columns)
        return [Value("query_sums", rows, "f32"), *map(whole, self.spec.outputs[1:3])]

    @property
    def chosen(self) -> list[str]:
        """The names of the sizes that a call chooses besides those of inputs."""
        return [size for size in (self.padded_queries,) if isinstance(size, str)]

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that the kernel knows by name."""
        padded, spec = self.padded_queries, self.spec
        return {
            "none": 0,
            "one": 1,
            "batch": spec.batch,
            "kv_heads": spec.num_kv_heads,
            "parts": self.parts,
            "group": spec.group_size,
            "head_dim": spec.head_dim,
            "value_dim": spec.v_dim,
            "lanes": self.lanes,
            "block": len(self.block),
            "columns": self.columns,
            "head_columns": self.head_columns,
            "value_columns": self.value_columns,
            "key_tile": self.keys,
            "query_tile": self.queries,
            "scored_keys": self.scored,
            **({} if isinstance(padded, str) else {"padded_queries": padded}),
        }

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch."""
        of_arrays = {array.name: array.value for array in self.captured}
        read = [of_arrays.get(tensor.name, whole(tensor)) for tensor in self._read]
        arguments = [*read, *self.scratch]
        made = [*self.scratch, *self.made]
        given = {f"{name}_gradient": f"{name}_made" for name in ("query", "key", "value")}
        given = given if self.packed else {}
        sizes = dynamic_sizes(self.spec.inputs)
        return CpuKernel(
            arguments=arguments,
            sources=[one.name for one in arguments],
            results=self.made,
            gives=[
                f"{one.name}_left" if one in self.scratch else given.get(one.name, one.name)
                for one in made
            ],
            sizes=[*(str(value_of(size)) for size, _, _ in sizes), *self.chosen],
            written=self.scratch,
            constants=self.numbers,
        )

    @property
    def _read(self) -> list[TensorType]:
        """The inputs of the kernel: delta in the place of the output, and no sinks."""
        delta = TensorType("delta", self.spec.inputs[4].shape, "f32")
        taken = [one for one in self.spec.inputs if one.role not in (Role.ATTENDED, Role.SINKS)]
        return [*taken, delta]
