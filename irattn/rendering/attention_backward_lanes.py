"""How GPUs take the gradient of attention with matrix instructions, at the level of lanes.

Two kernels: one has a tile of keys and goes through the queries that see some of it, of all heads
of the group; the other a tile of queries, and goes through the keys that it sees. Each makes scores
anew, so that together they multiply seven times where five would do: all sums are taken in one
order, and none leaves its workgroup but where several share the heads of a group.
"""

import math
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from irattn.core.tensors import AnySize, Role, TensorType, largest
from irattn.rendering.attention.lane_layouts import LAYOUTS
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.attention_backward_kernels import Gradient, LanesKernel, TokenSide
from irattn.rendering.attention_backward_lds import BackwardLds
from irattn.rendering.attention_backward_rows import as_rows, axes_of_rows, in_one_row, row_count
from irattn.rendering.attention_backward_tile import (
    SIDE,
    WIDTHS,
    BackwardSpec,
    BackwardTile,
    row_width,
)
from irattn.rendering.bias_gradient import BiasGradient
from irattn.rendering.dynamic import dynamic_sizes, value_of
from irattn.rendering.flat_tensors import RowCount
from irattn.rendering.head_shares import HeadShares, head_shares
from irattn.rendering.logits import LogitRules, logit_rules
from irattn.rendering.values import Value
from irattn.rendering.whole_tiles import TiledTensor, tiled_tensor
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# Those that have a head's columns.
_COLUMNS = ("query", "key", "value", "output_gradient", "output")

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


def takes_lanes(spec: BackwardSpec, target: Target) -> bool:
    """Whether kernels of lanes make the gradients: else products of whole tensors do."""
    return beyond_lanes(spec, target) is None


def beyond_lanes(spec: BackwardSpec, target: Target) -> str | None:
    """The first reason why kernels of lanes do not take a spec, in words; None where they do."""
    instruction = target.matrix.get(spec.io_dtype)
    has_layout = instruction is not None and instruction.family in LAYOUTS
    has_depth = instruction is not None and (instruction.k == SIDE or spec.io_dtype == "f32")
    columns = max(spec.head_dim, spec.v_dim)
    if not (has_layout and has_depth and columns <= WIDTHS[-1]):
        return (
            f"{spec.op}: expected f16, bf16 or, on CDNA, f32, heads of at most {WIDTHS[-1]}, and a "
            f"GPU whose matrix instructions for 16 bits are 16 deep, got {spec.io_dtype}, "
            f"{columns} and {target.name}"
        )
    for one in spec.inputs:
        if one.role not in _TAKEN:
            return f"{one.name}: expected none on GPUs, got {one}"
        columns = one.largest_shape[-1]
        read = row_width(spec) if one.name in _COLUMNS else columns
        if one.elements // columns * read > _MOST_I32:
            return f"{one.name}: expected less than 2**31 elements on GPUs, got {one}"
    return None


@dataclass(frozen=True)
class LanesBackward(BackwardTile):
    """Both kernels: %b counts sequences, %x heads, %block tiles of rows."""

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
    def lds(self) -> BackwardLds:
        """Where steps lie in LDS."""
        return BackwardLds(self)

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
        return head_shares(self.spec, self.target, self.rows, self.width)

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
            keeps_own=self.keeps_own(len(results)),
            makes_delta=self.makes_delta and own.tensors[0] == "query",
            gives_logits=self.spec.bias is not None and own.tensors[0] == "query",
            **seen,
        )

    @property
    def makes_delta(self) -> bool:
        """Whether the kernel of queries makes delta, a number for each lane of a row, all equal.

        The kernel has half of what that is of; one of its own took 82 of 1089 us on an H200.
        """
        return self.lds.copied is not None and not self.packed

    @property
    def sizes(self) -> list[RowCount]:
        """The sizes that a call chooses, and the numbers of rows that follow from them."""
        chosen = [row_count([size]) for size, _, _ in dynamic_sizes(self.spec.inputs)]
        counts = [row_count(axes_of_rows(one)) for one in self._read]
        return list({one.name: one for one in (*chosen, *counts) if one.factors}.values())

    @property
    def count_of_rows(self) -> int | str:
        """The queries of all heads and sequences."""
        return row_count(next(one for one in self._read if one.role == Role.LSE).shape).value

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
            *(as_rows(self._wide(one)) for one in self._read if one not in of_scores),
            Value("delta_rows", delta, "f32"),
            *(in_one_row(one, *elements[one.name]) for one in of_scores),
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
    def tiled(self) -> dict[str, TiledTensor]:
        """The tensors that have columns, and gradients of them, in whole tiles of columns."""
        tensors = (*self.spec.inputs, *self.spec.outputs)
        names = {*_COLUMNS, *(f"{name}_gradient" for name in _COLUMNS)}
        return {
            one.name: tiled_tensor(one, {len(one.shape) - 1: self.width})
            for one in tensors
            if one.name in names
        }

    def _wide(self, tensor: TensorType) -> TensorType:
        """A tensor as kernels read it."""
        if tensor.name not in _COLUMNS:
            return tensor
        return replace(tensor, shape=(*tensor.shape[:-1], self.width))

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
        return score_functions(
            self.spec,
            {**of_tokens, **of_call, "score": score},
            _LEVELS,
            multiplies_shares=self.target.multiplies_shares,
        )

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
        tensor = self._wide(next(one for one in self.spec.inputs if one.name == name))
        rows = as_rows(tensor)
        shape = rows.shape
        if self.packed:
            tokens, *of_token = tensor.shape
            shape = (value_of(tokens), prod(map(largest, of_token)))
        value = Value(f"{name}_gradient_rows", shape, rows.element)
        if shares:
            value = shares.value(f"{name}_gradient")
        return Gradient(f"{name}_gradient", value, weights, step, factor)
