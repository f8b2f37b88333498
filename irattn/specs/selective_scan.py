"""Mamba 1's selective scan: a state of each channel, which forgets by the token's own time step."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import AnySize, Role, TensorType, integers
from irattn.specs.base import check_positive
from irattn.specs.dynamic import DynamicSizes

# Lanes of GPUs keep a channel's state in their registers, and what each of its columns forgets.
_MOST_COLUMNS = 32


@dataclass(frozen=True, kw_only=True)
class SelectiveScanSpec(DynamicSizes):
    """A state-space step of each channel, with a skip around it and a gate behind it.

    Gu and Dao 2023, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces", algorithm
    2, as `selective_scan_fn` of mamba_ssm has it. For each token of a channel c, with the state h
    of the token before it, key B and query C:

        dt = softplus(steps[c] + time_bias[c])
        h[n] = exp(-exp(decay_log[n, c]) dt) h[n] + dt key[n] x[c]
        output[c] = (sum over n of query[n] h[n] + skip_weight[c] x[c]) silu(gate[c])

    Of packed tokens of `batch` sequences. Tensors in `io_dtype` unless said otherwise, sums and
    the state in f32:

    - x, steps, gate, output `[q_tokens, channels]`
    - key, query `[q_tokens, state_size]`: what all channels write by, and are read by; up to 32
      columns
    - decay_log f32 `[state_size, channels]`
    - time_bias, skip_weight f32 `[channels]`
    - initial_state f32 `[batch, state_size, channels]`
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its state then stays as it is. Tokens
      after the last one give zeros
    - final_state, shaped as initial_state: on the device it is that one's own memory

    `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "selective_scan"
    dynamic_names: ClassVar[tuple[str, ...]] = ("q_tokens",)

    io_dtype: str = "f16"
    batch: int = 1
    q_tokens: int
    channels: int
    state_size: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_tokens", "channels")
        if whole("state_size", self.state_size, least=1) > _MOST_COLUMNS:
            raise SpecError(f"state_size: expected at most {_MOST_COLUMNS}, got {self.state_size}")
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        kind, each = self.io_dtype, (self.channels,)
        columns = (self.size("q_tokens"), self.state_size)
        return (
            TensorType("x", self._tokens, kind),
            TensorType("steps", self._tokens, kind),
            TensorType("key", columns, kind),
            TensorType("query", columns, kind),
            TensorType("gate", self._tokens, kind),
            TensorType("decay_log", (self.state_size, self.channels), "f32"),
            TensorType("time_bias", each, "f32", role=Role.WEIGHT_BIAS),
            TensorType("skip_weight", each, "f32"),
            TensorType("initial_state", self._state, "f32", role=Role.STATE),
            integers("cu_seqlens_q", (self.batch + 1,), Role.QUERY_BOUNDS, (0, self.q_tokens)),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._tokens, self.io_dtype, by_row=False),
            TensorType("final_state", self._state, "f32", by_row=False, role=Role.STATE),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"final_state": "initial_state"}

    @property
    def flops(self) -> int:
        """Multiplications and additions: by what is kept, by what is written, and by the query."""
        return 6 * self.q_tokens * self.channels * self.state_size

    @property
    def _tokens(self) -> tuple[AnySize, ...]:
        return (self.size("q_tokens"), self.channels)

    @property
    def _state(self) -> tuple[int, ...]:
        return (self.batch, self.state_size, self.channels)


CATALOGUE = {
    "selective_scan_tiny": SelectiveScanSpec(batch=3, q_tokens=20, channels=72, io_dtype="f32"),
}
