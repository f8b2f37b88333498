"""Gated delta rule: linear attention whose state forgets, and may correct what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from irattn.core.errors import ArgumentError, SpecError, shown
from irattn.core.numbers import real
from irattn.core.tensors import AnySize, DynamicSize, Role, TensorType, integers, q_lens, value
from irattn.specs.base import check_flag, check_head_dim, check_positive
from irattn.specs.dynamic import DynamicSizes
from irattn.specs.layouts import check_layout, laid_out

GATES = ("head", "channel")

# The name of the size that bounds of packed sequences have.
_BOUNDS = "bounds"


@dataclass(frozen=True, kw_only=True)
class GatedDeltaRuleSpec(DynamicSizes):
    """Linear attention over a state that forgets by a gate and is written to by the delta rule.

    Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks: Improving Mamba2 with Delta Rule",
    equation 10, as Qwen3-Next has it. For each token of a head, with the state S of the token
    before it:

        S = exp(g) S;  S = S + k ⊗ beta (v - kᵀ S);  output = scale qᵀ S

    With `uncorrected` the state is written to as it is, S = S + k ⊗ beta v: gated linear attention,
    which are Mamba 2's state-space step (Dao and Gu 2024, "Transformers are SSMs": query C, key B,
    value x, beta the time step, g the time step times A) and lightning attention (beta 1).

    Tensors in `io_dtype` unless said otherwise:

    - query, key `[batch, num_k_heads, q_len, key_dim]`, value
      `[batch, num_v_heads, q_len, value_dim]`; consecutive value heads share a key head
    - g f32 `[batch, num_v_heads, q_len]`: the log of what is kept of the state; with `gate`
      `channel` (Kimi's KDA) `[batch, num_v_heads, q_len, key_dim]`, one for each row of the state
    - beta `[batch, num_v_heads, q_len]`: how much of a value is written
    - initial_state f32 `[batch, num_v_heads, key_dim, value_dim]`
    - output, shaped as value
    - final_state, shaped as initial_state: on the device it is that one's own memory

    Tokens before heads with `layout` `NHD`, as transformers and flash-linear-attention have them.
    `scale` None means `key_dim ** -0.5`. With `qk_l2_norm` queries and keys are divided by
    sqrt(sum(x²) + 1e-6) first; without it, keys longer than 1 make a state that may grow without
    end, where it is corrected. Lengths: with `ragged` `q_lens` int32 `[batch]` says how many tokens
    of each sequence are real; with `packed` (and `NHD`) tensors of tokens have no axis `batch`,
    `q_len` counts the tokens of all sequences, and sequence `s` has those from `cu_seqlens_q[s]` up
    to `cu_seqlens_q[s + 1]`. Other tokens give zeros and change no state. `dynamic` may name batch
    and q_len.

    AMD's GPUs with matrix instructions take 16 tokens of f16 or bf16 at once, where gates are per
    head: what these multiply is rounded to `io_dtype`, the state among it and products of a query,
    a key and the scale, and a NaN or infinity in a token may be NaN in outputs of up to 15 tokens
    before it.
    """

    op: ClassVar[str] = "gated_delta_rule"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len")
    late: ClassVar[tuple[str, ...]] = ("uncorrected",)
    l2_eps: ClassVar[float] = 1e-6

    io_dtype: str = "f16"
    batch: int = 1
    num_k_heads: int | None = None
    num_v_heads: int
    q_len: int
    key_dim: int
    value_dim: int
    gate: str = "head"
    scale: float | None = None
    qk_l2_norm: bool = False
    layout: str = "HND"
    ragged: bool = False
    packed: bool = False
    uncorrected: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "num_v_heads", "q_len")
        check_head_dim(self, "key_dim", "value_dim")
        self._check_heads()
        for name in ("qk_l2_norm", "ragged", "packed", "uncorrected"):
            check_flag(name, getattr(self, name))
        if self.gate not in GATES:
            raise SpecError(f"gate: expected {' or '.join(GATES)}, got {shown(self.gate)}")
        if self.scale is not None:
            scale = real("scale", self.scale, -1e30, 1e30)
            object.__setattr__(self, "scale", None if scale == self.key_dim**-0.5 else scale + 0.0)
        check_layout(self.layout)
        self._check_packed()
        self._check_dynamic()

    def _check_heads(self) -> None:
        if self.num_k_heads is None:
            return
        check_positive(self, "num_k_heads")
        if self.num_v_heads % self.num_k_heads:
            raise SpecError(
                f"num_k_heads: expected a divisor of num_v_heads = {self.num_v_heads}, "
                f"got {self.num_k_heads}"
            )
        if self.num_k_heads == self.num_v_heads:
            object.__setattr__(self, "num_k_heads", None)

    def _check_packed(self) -> None:
        if not self.packed:
            return
        if self.layout != "NHD":
            raise SpecError(f"layout: packed tokens lie before heads, NHD, got {self.layout}")
        if self.ragged:
            raise SpecError("ragged: packed sequences have no padding; leave it out")

    @property
    def k_heads(self) -> int:
        """The heads of queries and keys."""
        return self.num_v_heads if self.num_k_heads is None else self.num_k_heads

    @property
    def group_size(self) -> int:
        """The value heads that share a key head."""
        return self.num_v_heads // self.k_heads

    @property
    def query_scale(self) -> float:
        """The factor that queries are multiplied with."""
        return self.key_dim**-0.5 if self.scale is None else self.scale

    @property
    def outgrows_values(self) -> bool:
        """Whether outputs may be larger than the largest value.

        With queries and keys up to 1 and the scale of `None`, of values up to 60,000 the largest
        output was 38,600 and the largest number of a state 59,500 (24 draws of up to 600 tokens).
        A state that is not corrected adds values up.
        """
        return bool(self.uncorrected or abs(self.query_scale) > self.key_dim**-0.5)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        kind, values = self.io_dtype, self._tokens(self.num_v_heads)
        rows = (*self._tokens(self.k_heads), self.key_dim)
        # Unless they are made so, keys must be short for a corrected state to stay finite.
        role = Role.KEY if self.qk_l2_norm else Role.UNIT_KEY
        gates = (*values, self.key_dim) if self.gate == "channel" else values
        return (
            TensorType("query", rows, kind, role=Role.QUERY),
            TensorType("key", rows, kind, role=role),
            value((*values, self.value_dim), kind),
            TensorType("g", gates, "f32", role=Role.LOG_DECAY),
            TensorType("beta", values, kind, role=Role.SHARE),
            TensorType("initial_state", self._state, "f32", role=Role.STATE),
            *self._lengths,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        shape = (*self._tokens(self.num_v_heads), self.value_dim)
        return (
            TensorType("output", shape, self.io_dtype, by_row=False),
            TensorType(
                "final_state",
                self._state,
                "f32",
                by_row=False,
                rounded=self.io_dtype,
                role=Role.STATE,
            ),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"final_state": "initial_state"}

    @property
    def flops(self) -> int:
        """Operations of the recurrence: a product with the state for key, value and query.

        That for a key says what the state is corrected by.
        """
        sequences = 1 if self.packed else self.batch
        tokens = sequences * self.q_len * self.num_v_heads
        products = 2 if self.uncorrected else 3
        return 2 * products * tokens * self.key_dim * self.value_dim

    def of_sizes(self, sizes: Mapping[str, int]) -> Self:
        known = dict(sizes)
        bounds = known.pop(_BOUNDS, None)
        if bounds is not None and known.setdefault("batch", max(bounds - 1, 1)) != bounds - 1:
            raise ArgumentError(
                f"cu_seqlens_q: expected {known['batch'] + 1} numbers, one more than sequences, "
                f"got {bounds}"
            )
        return super().of_sizes(known)

    def _tokens(self, heads: int) -> tuple[AnySize, ...]:
        both = laid_out(self.layout, heads, self.size("q_len"))
        return both if self.packed else (self.size("batch"), *both)

    @property
    def _state(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.num_v_heads, self.key_dim, self.value_dim)

    @property
    def _lengths(self) -> tuple[TensorType, ...]:
        """The lengths that a call tells."""
        if self.packed:
            most = self.batch + 1
            count = DynamicSize(most, _BOUNDS) if "batch" in self.dynamic else most
            return (integers("cu_seqlens_q", (count,), Role.QUERY_BOUNDS, (0, self.q_len)),)
        return (q_lens(self.size("batch"), self.q_len),) if self.ragged else ()


# Qwen3-Next 80B.
_DECODE = GatedDeltaRuleSpec(
    batch=4, num_k_heads=16, num_v_heads=32, q_len=1, key_dim=128, value_dim=128, qk_l2_norm=True
)

# State-space steps, as Mamba 2 has them: two heads of a group.
_UNCORRECTED = GatedDeltaRuleSpec(
    batch=2,
    num_k_heads=1,
    num_v_heads=2,
    q_len=70,
    key_dim=32,
    value_dim=32,
    scale=1.0,
    io_dtype="bf16",
    uncorrected=True,
)


CATALOGUE = {
    "gated_delta_rule_decode_tiny": GatedDeltaRuleSpec(
        batch=2,
        num_k_heads=1,
        num_v_heads=2,
        q_len=1,
        key_dim=32,
        value_dim=32,
        io_dtype="f32",
        qk_l2_norm=True,
    ),
    "gated_delta_rule_decode_base": _DECODE,
    "gated_delta_rule_prefill_tiny": GatedDeltaRuleSpec(
        batch=2,
        num_k_heads=1,
        num_v_heads=2,
        q_len=70,
        key_dim=32,
        value_dim=32,
        ragged=True,
        qk_l2_norm=True,
        io_dtype="f32",
    ),
    "gated_delta_rule_prefill_base": _DECODE.replace(batch=1, q_len=2048),
    "uncorrected_rule_decode_tiny": _UNCORRECTED.replace(q_len=1, io_dtype="f32"),
    "uncorrected_rule_prefill_tiny": _UNCORRECTED.replace(ragged=True),
}
