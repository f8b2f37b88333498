"""Plan the gradient of attention, and as products of whole tensors where no kernel takes it."""

import math
from dataclasses import dataclass, replace

from irattn.core.dtypes import dtype
from irattn.core.errors import RenderError
from irattn.core.tensors import Role, TensorType
from irattn.rendering.attention.score_functions import score_functions
from irattn.rendering.attention.score_steps import (
    CapturedArray,
    NumberPlace,
    ScoreFunction,
    captured_arrays,
)
from irattn.rendering.attention_backward_cpu import CpuBackward
from irattn.rendering.attention_backward_lanes import LanesBackward, beyond_lanes, takes_lanes
from irattn.rendering.attention_backward_squares import SquaresBackward, takes_squares
from irattn.rendering.bias_gradient import BiasGradient
from irattn.rendering.logits import LogitRules, logit_rules
from irattn.rendering.values import Value
from irattn.rendering.whole_tiles import TiledTensor, in_tiles, tile_of, tiled_tensor
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.logits import AXES
from irattn.specs.packed_attention_backward import PackedAttentionBackwardSpec
from irattn.targets import Target

# Where the body of a score has what functions are of.
_PLACES = {
    name: NumberPlace(f"%{name}_i32", "score") for name in ("batch", "head", "query", "first_key")
} | {"offset": NumberPlace("%key_i32", "score")}


@dataclass(frozen=True)
class WholeBackward:
    """The graph: the query heads of a group are rows of one product."""

    spec: AttentionBackwardSpec
    target: Target

    template = "linalg/attention_backward_whole.mlir.j2"

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def kv_heads(self) -> int:
        """The KV heads of all sequences."""
        return self.spec.batch * self.spec.num_kv_heads

    @property
    def queries(self) -> int:
        """Queries of a head, of which a group has whole tiles."""
        tile = tile_of(self.target)
        of_head = tile // math.gcd(tile, self.spec.group_size)
        return -(-self.spec.q_len // of_head) * of_head

    @property
    def keys(self) -> int:
        """Keys in whole tiles."""
        return in_tiles(self.spec.kv_len, self.target)

    @property
    def head_columns(self) -> int:
        """Columns of queries and keys in whole tiles."""
        return in_tiles(self.spec.head_dim, self.target)

    @property
    def value_columns(self) -> int:
        """Columns of values in whole tiles."""
        return in_tiles(self.spec.v_dim, self.target)

    @property
    def tiled(self) -> dict[str, TiledTensor]:
        """The tensors of products and scores in whole tiles, by name; delta as `lse` is."""
        by_name = {tensor.name: tensor for tensor in self.spec.inputs}
        rows = {2: self.queries}
        sizes = {
            "query": rows | {3: self.head_columns},
            "key": {2: self.keys, 3: self.head_columns},
            "value": {2: self.keys, 3: self.value_columns},
            "output_gradient": rows | {3: self.value_columns},
            "lse": rows,
            **{name: self._score_axes(by_name[name]) for name in self.operands},
        }
        found = {name: tiled_tensor(by_name[name], axes) for name, axes in sizes.items()}
        delta = replace(by_name["lse"], name="delta_of_rows" if self.spec.sinks else "delta")
        return {**found, "delta": tiled_tensor(delta, rows)}

    @property
    def of_scores(self) -> list[Value]:
        """The operands of gradients of scores besides products: numbers of rows come first."""
        tiled = self.tiled
        return [tiled[name].value for name in ("lse", "delta", *self.operands)]

    @property
    def cut(self) -> dict[int, int]:
        """The axes of scores that have less than whole tiles, and how much."""
        axes = {2: (self.spec.q_len, self.queries), 3: (self.spec.kv_len, self.keys)}
        return {axis: size for axis, (size, whole) in axes.items() if size < whole}

    def _score_axes(self, tensor: TensorType) -> dict[int, int]:
        """The sizes in whole tiles of the axes along which a mask or a bias varies."""
        letters = {Role.BIAS: self.spec.bias, Role.KEEP_MASK: self.spec.keep_mask}
        sizes = {"q": self.queries, "k": self.keys}
        varies = letters.get(tensor.role) or ""
        return {AXES.index(letter): sizes[letter] for letter in "qk" if letter in varies}

    @property
    def group_rows(self) -> int:
        """The queries of a KV head."""
        return self.spec.group_size * self.queries

    @property
    def all_rows(self) -> int:
        """The queries of all heads."""
        return self.kv_heads * self.group_rows

    @property
    def rules(self) -> LogitRules:
        """Which keys a query sees."""
        return logit_rules(self.spec)

    @property
    def first_seen(self) -> int:
        """How far from its own position the first key lies that a query sees."""
        return -(self.rules.most_behind or 0)

    @property
    def operands(self) -> list[str]:
        """The tensors that change or hide logits, by name."""
        beside = (Role.SINKS, Role.CAPTURED)
        return [one.name for one in self.spec.feature_inputs if one.role not in beside]

    @property
    def functions(self) -> dict[str, ScoreFunction]:
        """The functions of scores, each on numbers of one score."""
        score = NumberPlace("%scaled" if self.spec.logits_soft_cap is None else "%logit", "score")
        return score_functions(
            self.spec,
            {**_PLACES, "score": score},
            ("score",),
            multiplies_shares=self.target.multiplies_shares,
        )

    @property
    def captured(self) -> list[CapturedArray]:
        """The arrays that functions read."""
        return captured_arrays(self.spec)

    @property
    def uses_positions(self) -> bool:
        """Whether logits depend on where queries and keys stand."""
        rules = self.rules
        return self.spec.alibi or not rules.last_ahead is rules.most_behind is None

    @property
    def bias(self) -> BiasGradient:
        """The axes of the bias."""
        return BiasGradient(self.spec)

    @property
    def sums_logits_apart(self) -> bool:
        """Whether the bias's gradient is summed in a loop of its own: in 16 bits on CPUs."""
        is_narrow = self.spec.io_dtype != "f32"
        return is_narrow and not self.target.is_gpu and not self.bias.is_of_all


def _plan(
    spec: AttentionBackwardSpec, target: Target
) -> LanesBackward | WholeBackward | CpuBackward:
    if takes_lanes(spec, target):
        return LanesBackward(spec, target)
    # On CPUs the gradient of a bias, that of every score, is held in memory anyway.
    if target.is_gpu or spec.bias:
        return WholeBackward(spec, target)
    return _cpu_plan(spec, target)


def _cpu_plan(
    spec: AttentionBackwardSpec | PackedAttentionBackwardSpec, target: Target
) -> CpuBackward:
    takes = takes_squares(spec, target)
    return SquaresBackward(spec, target) if takes else CpuBackward(spec, target)


def _packed_plan(spec: PackedAttentionBackwardSpec, target: Target) -> LanesBackward | CpuBackward:
    beyond = beyond_lanes(spec, target)
    if beyond is None:
        return LanesBackward(spec, target)
    if not target.is_gpu:
        return _cpu_plan(spec, target)
    raise RenderError(
        f"{beyond}; take the gradient of each sequence by attention_backward, or choose a CPU as "
        "target"
    )


PLANS = {
    ("attention_backward", "linalg"): _plan,
    ("packed_attention_backward", "linalg"): _packed_plan,
}
