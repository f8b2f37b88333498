"""Short causal convolution, a channel at a time, with the tokens before a call as its state."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import AnySize, Role, TensorType, integers, q_lens
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import DynamicSizes

# Longer ones would want products, not a few multiplications.
_LEAST_KERNEL, _MOST_KERNEL = 2, 8


@dataclass(frozen=True, kw_only=True)
class ShortConvolutionSpec(DynamicSizes):
    """output[t, c] = sum over j of weight[c, j] x[t - kernel + 1 + j, c], for each sequence.

    The depthwise causal convolution before delta rules and state-space layers (`causal_conv1d`;
    Dao and Gu 2024, and Qwen3-Next). Tensors in `io_dtype`, sums in f32:

    - x, output `[batch, q_len, channels]`
    - weight `[channels, kernel]`, `kernel` 2 to 8; with `use_bias` also bias `[channels]`
    - initial_state `[batch, kernel - 1, channels]`: the tokens before the first, the last one last
    - final_state, shaped as initial_state: the last tokens of the call, and before them those of
      initial_state where the call has fewer

    With `silu` the output is z / (1 + exp(-z)) of the sum. With `ragged` `q_lens` int32 `[batch]`
    says how many tokens of each sequence are real: others give zeros and are in no state. With
    `packed` x and output have no axis `batch`, `q_len` counts the tokens of all sequences, and
    sequence `s` has those from `cu_seqlens_q[s]` up to `cu_seqlens_q[s + 1]`, int32 `[batch + 1]`;
    tokens after the last one give zeros. `dynamic` may name batch, unless they are packed, and
    q_len.
    """

    op: ClassVar[str] = "short_convolution"
    dynamic_names: ClassVar[tuple[str, ...]] = ("batch", "q_len")

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    channels: int
    kernel: int = 4
    use_bias: bool = False
    silu: bool = False
    ragged: bool = False
    packed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "channels")
        if whole("kernel", self.kernel, least=_LEAST_KERNEL) > _MOST_KERNEL:
            raise SpecError(f"kernel: expected at most {_MOST_KERNEL}, got {self.kernel}")
        for name in ("use_bias", "silu", "ragged", "packed"):
            check_flag(name, getattr(self, name))
        if self.packed and self.ragged:
            raise SpecError("ragged: packed sequences have no padding; leave it out")
        if self.packed and "batch" in self.dynamic:
            raise SpecError("dynamic: batch is known where sequences are packed; leave it out")
        self._check_dynamic()

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        kind, channels = self.io_dtype, self.channels
        bias = TensorType("bias", (channels,), kind, role=Role.WEIGHT_BIAS)
        return (
            TensorType("x", self._tokens, kind),
            TensorType("weight", (channels, self.kernel), kind, role=Role.WEIGHT),
            *((bias,) if self.use_bias else ()),
            TensorType("initial_state", self._state, kind, role=Role.STATE),
            *self._lengths,
        )

    @property
    def _lengths(self) -> tuple[TensorType, ...]:
        """The lengths that a call tells."""
        if self.packed:
            count = (self.batch + 1,)
            return (integers("cu_seqlens_q", count, Role.QUERY_BOUNDS, (0, self.q_len)),)
        return (q_lens(self.size("batch"), self.q_len),) if self.ragged else ()

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._tokens, self.io_dtype, by_row=False),
            TensorType("final_state", self._state, self.io_dtype, role=Role.STATE),
        )

    @property
    def flops(self) -> int:
        """Multiplications and additions."""
        tokens = self.q_len if self.packed else self.batch * self.q_len
        return 2 * tokens * self.channels * self.kernel

    @property
    def state_tokens(self) -> int:
        """Tokens of a state."""
        return self.kernel - 1

    @property
    def _tokens(self) -> tuple[AnySize, ...]:
        tokens = (self.size("q_len"), self.channels)
        return tokens if self.packed else (self.size("batch"), *tokens)

    @property
    def _state(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.state_tokens, self.channels)


CATALOGUE = {
    "short_convolution_tiny": ShortConvolutionSpec(
        batch=2, q_len=9, channels=64, silu=True, ragged=True, io_dtype="f32"
    ),
    # Qwen3-Next 80B: queries, keys and values of its delta rule side by side.
    "short_convolution_base": ShortConvolutionSpec(q_len=2048, channels=8192, silu=True),
}
