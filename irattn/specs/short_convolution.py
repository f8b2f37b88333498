"""Short causal convolution, a channel at a time, with the tokens before a call as its state."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import AnySize, Role, TensorType, q_lens
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import DynamicSizes

# Longer ones would want products, not a few multiplications.
_LEAST_KERNEL, _MOST_KERNEL = 2, 4


@dataclass(frozen=True, kw_only=True)
class ShortConvolutionSpec(DynamicSizes):
    """output[t, c] = sum over j of weight[c, j] x[t - kernel + 1 + j, c], for each sequence.

    The depthwise causal convolution before delta rules and state-space layers (`causal_conv1d`;
    Dao and Gu 2024, and Qwen3-Next). Tensors in `io_dtype`, sums in f32:

    - x, output `[batch, q_len, channels]`
    - weight `[channels, kernel]`, `kernel` 2 to 4; with `use_bias` also bias `[channels]`
    - initial_state `[batch, kernel - 1, channels]`: the tokens before the first, the last one last
    - final_state, shaped as initial_state: the last tokens of the call, and before them those of
      initial_state where the call has fewer

    With `silu` the output is z / (1 + exp(-z)) of the sum. With `ragged` `q_lens` int32 `[batch]`
    says how many tokens of each sequence are real: others give zeros and are in no state. `dynamic`
    may name batch and q_len.
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

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "channels")
        if whole("kernel", self.kernel, least=_LEAST_KERNEL) > _MOST_KERNEL:
            raise SpecError(f"kernel: expected at most {_MOST_KERNEL}, got {self.kernel}")
        for name in ("use_bias", "silu", "ragged"):
            check_flag(name, getattr(self, name))
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
            *((q_lens(self.size("batch"), self.q_len),) if self.ragged else ()),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._tokens, self.io_dtype, by_row=False),
            TensorType("final_state", self._state, self.io_dtype, role=Role.STATE),
        )

    @property
    def flops(self) -> int:
        """Multiplications and additions."""
        return 2 * self.batch * self.q_len * self.channels * self.kernel

    @property
    def state_tokens(self) -> int:
        """Tokens of a state."""
        return self.kernel - 1

    @property
    def _tokens(self) -> tuple[AnySize, ...]:
        return (self.size("batch"), self.size("q_len"), self.channels)

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
