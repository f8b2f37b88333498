"""A product of hidden states with a weight."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import TensorType, hidden, largest, weight
from irattn.core.weight_formats import check_columns
from irattn.specs.activation_formats import check_activation_format
from irattn.specs.base import check_positive
from irattn.specs.dynamic import BatchOfTokens


@dataclass(frozen=True, kw_only=True)
class LinearSpec(BatchOfTokens):
    """hidden · weightᵀ, as torch's Linear without a bias.

    Tensors in `io_dtype`; sums are f32:

    - hidden `[batch, q_len, in_columns]`
    - weight `[out_columns, in_columns]`
    - output `[batch, q_len, out_columns]`

    `weight_format` is a block format of GGUF files (`q8_0`, `q4_0`, `q4_1`, `q5_0`, `q5_1`,
    `q4_k`, `q5_k`, `q6_k`) or `mxfp4` in their layout: weight is then u8 `[out_columns, bytes of a
    row]`, as in the file, and read as it lies there. in_columns is a multiple of 32, or for the
    formats in `_k` of 256. Or it is a format whose scales are apart: weight is `int8`
    (`int8_channel`) or `fp8_e4m3`, OCP's, and beside it stands weight_scale f32, which numbers are
    multiplied with: `[out_columns]`, or for `fp8_block`, DeepSeek-V3's, `[ceil(out_columns / 128),
    ceil(in_columns / 128)]`, one for 128 x 128. in_columns is a multiple of 32. Of several tokens,
    GPUs with matrix instructions round a weight's numbers, times their scales, to io_dtype, as
    processors with AMX do of 16 or more in bf16.

    A token with an infinity may give NaN where weights are in blocks and the product were infinite:
    numbers of blocks are multiplied with what is added to each, and that is taken off of sums.
    Other tokens are not touched.

    With `activation_format` int8, beside a weight in blocks, hidden is rounded before it is
    multiplied: each 32 numbers x of a token to whole ones, round(x / scale), ties to even, where
    scale is the largest |x| of them over 127, both in f32; a scale below 2^-126 makes zeros.
    Whole numbers are multiplied exactly and scaled in f32. For CPUs.

    `dynamic` may name batch and q_len.
    """

    op: ClassVar[str] = "linear"

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    in_columns: int
    out_columns: int
    weight_format: str | None = None
    activation_format: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "in_columns", "out_columns")
        self._check_dynamic()
        check_columns("in_columns", self.in_columns, self.weight_format)
        check_activation_format(self)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        sizes = (self.out_columns, self.in_columns)
        return (
            hidden((*self.tokens, self.in_columns), self.io_dtype),
            *weight("weight", *sizes, self.io_dtype, self.weight_format),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (TensorType("output", (*self.tokens, self.out_columns), self.io_dtype),)

    @property
    def flops(self) -> int:
        return 2 * largest(self.rows) * self.in_columns * self.out_columns


CATALOGUE = {
    "linear_tiny": LinearSpec(batch=2, q_len=16, in_columns=128, out_columns=97, io_dtype="f32"),
    "linear_scaled_tiny": LinearSpec(
        q_len=2, in_columns=160, out_columns=136, weight_format="fp8_block"
    ),
    "linear_packed_tiny": LinearSpec(q_len=2, in_columns=256, out_columns=24, weight_format="q6_k"),
}
