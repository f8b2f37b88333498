"""The MLP of a layer, from hidden state to hidden state."""

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, ClassVar

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real
from irattn.core.tensors import AnySize, Role, TensorType, hidden, largest, weight
from irattn.core.weight_formats import check_columns
from irattn.specs.activation_formats import check_activation_format, rounded_output
from irattn.specs.base import check_flag, check_positive
from irattn.specs.dynamic import BatchOfTokens
from irattn.specs.weight_formats import WeightFormats, format_of, is_apart, stored_formats

ACTIVATIONS = ("silu", "gelu", "gelu_tanh", "relu", "relu_squared")
# One with parameters, which no experts have.
XIELU = "xielu"


@dataclass(frozen=True, kw_only=True)
class MlpSpec(BatchOfTokens):
    """down(activation(gate(hidden)) * up(hidden)) (Shazeer 2020), or, where it is not `gated`,
    down(activation(up(hidden))); each of the three is x · weightᵀ + bias.

    Tensors in `io_dtype`; sums are f32:

    - hidden, output `[batch, q_len, hidden_size]`
    - gate_up_weight `[2 * intermediate_size, hidden_size]`: the rows of the gate, then those of up
      (vLLM's `MergedColumnParallelLinear`, Phi-3's `gate_up_proj`); up_weight
      `[intermediate_size, hidden_size]` where it is not `gated`
    - down_weight `[hidden_size, intermediate_size]`
    - with the `activation` xielu, activation_weight f32 `[4]`
    - with `has_bias`, gate_up_bias `[2 * intermediate_size]` or up_bias `[intermediate_size]`, and
      down_bias `[hidden_size]`

    `weight_format` is that of LinearSpec, for all weights, or maps their names to one each: gate_up
    (up where it is not `gated`) and down. Gate and up may also be named apart, as GGUF files have
    them: there are gate_weight and up_weight then. `activation_format` is that of LinearSpec, of
    what all three multiply.

    `activation`, of f32: `silu`, x / (1 + exp(-x)); `gelu`, x / 2 * (1 + erf(x / sqrt(2)));
    `gelu_tanh`, which transformers calls gelu_pytorch_tanh or gelu_new,
    x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x³))) (Hendrycks and Gimpel 2016); `relu`;
    `relu_squared`, its square, which transformers calls relu2 (So et al. 2021); `xielu` (Huang and
    Schlag 2024, Apertus), with p, n, b and e of activation_weight p * x² + b * x where x > 0, else
    n * (exp(min(x, e)) - 1 - x) + b * x.
    What it makes, and what goes down, is rounded to `io_dtype`. With a `sparsity` (Gemma 3n), a
    share between 0 and 1, `activation` gets max(gate - mean - k * deviation, 0) instead, of mean
    and standard deviation of a token's gate and the k that so large a share of a normal
    distribution is below. `dynamic` may name batch and q_len.
    """

    op: ClassVar[str] = "mlp"

    io_dtype: str = "f16"
    batch: int = 1
    q_len: int
    hidden_size: int
    intermediate_size: int
    activation: str = "silu"
    gated: bool = True
    has_bias: bool = False
    weight_format: WeightFormats | None = None
    activation_format: str | None = None
    sparsity: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "batch", "q_len", "hidden_size", "intermediate_size")
        if self.activation not in (*ACTIVATIONS, XIELU):
            known = ", ".join((*ACTIVATIONS, XIELU))
            raise SpecError(f"activation: expected one of {known}, got {shown(self.activation)}")
        check_flag("gated", self.gated)
        check_flag("has_bias", self.has_bias)
        self._check_sparsity()
        self._check_dynamic()
        formats = stored_formats(self.weight_format, *self._names)
        object.__setattr__(self, "weight_format", formats)
        check_activation_format(self)
        for name in (*self.up_names, "down"):
            inner = name == "down"
            check_columns(
                "intermediate_size" if inner else "hidden_size",
                self.intermediate_size if inner else self.hidden_size,
                format_of(formats, name),
            )

    def _check_sparsity(self) -> None:
        if self.sparsity is None:
            return
        words = "a share from 0.001 to 0.999"
        share = real("sparsity", self.sparsity, 1e-3, 0.999, expected=words)
        object.__setattr__(self, "sparsity", share)
        if not self.gated or self.has_bias:
            raise SpecError("sparsity: only a gate without a bias has it; leave it out")

    @property
    def cutoff(self) -> float | None:
        """How many standard deviations above the mean a gate must be."""
        return None if self.sparsity is None else NormalDist().inv_cdf(self.sparsity)

    @property
    def up_name(self) -> str:
        """The name that the parameters of the first product begin with."""
        return "gate_up" if self.gated else "up"

    @property
    def _names(self) -> list[tuple[str, ...]]:
        """The names that weights may have, in order."""
        return [(self.up_name, "down"), *([("gate", "up", "down")] if self.gated else [])]

    @property
    def up_names(self) -> list[str]:
        """The names that weights of the first product are called by: one, or gate and up apart."""
        return ["gate", "up"] if is_apart(self.weight_format, "gate") else [self.up_name]

    @property
    def up_rows(self) -> int:
        """Columns that the first product makes of each token: those of gate and up."""
        return self.intermediate_size * (2 if self.gated else 1)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        learned = TensorType("activation_weight", (4,), "f32")
        return (
            hidden(self._hidden, self.io_dtype),
            *self._parameters(self.up_names, self.up_name, self.up_rows, self.hidden_size),
            *self._parameters(["down"], "down", self.hidden_size, self.intermediate_size),
            *((learned,) if self.activation == XIELU else ()),
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (rounded_output(self, self._hidden),)

    @property
    def _hidden(self) -> tuple[AnySize, ...]:
        return (*self.tokens, self.hidden_size)

    def _parameters(
        self, names: list[str], together: str, rows: int, columns: int
    ) -> tuple[TensorType, ...]:
        sizes, formats = (rows // len(names), columns), self.weight_format
        weights = tuple(
            tensor
            for name in names
            for tensor in weight(f"{name}_weight", *sizes, self.io_dtype, format_of(formats, name))
        )
        bias = TensorType(f"{together}_bias", (rows,), self.io_dtype, role=Role.WEIGHT_BIAS)
        return (*weights, bias) if self.has_bias else weights

    @property
    def flops(self) -> int:
        columns = self.up_rows + self.intermediate_size
        return 2 * largest(self.rows) * self.hidden_size * columns


_TINY: dict[str, Any] = {"hidden_size": 128, "intermediate_size": 192, "io_dtype": "f32"}
# Llama 3.1 8B.
_BASE: dict[str, Any] = {"hidden_size": 4096, "intermediate_size": 14336}

CATALOGUE = {
    "mlp_tiny": MlpSpec(**_TINY, q_len=32),
    "mlp_base": MlpSpec(**_BASE, q_len=512),
    "mlp_decode_tiny": MlpSpec(**_TINY, q_len=1),
    "mlp_decode_base": MlpSpec(**_BASE, q_len=1),
    "mlp_packed_decode_tiny": MlpSpec(
        q_len=1,
        hidden_size=256,
        intermediate_size=64,
        weight_format=(("gate_up", "q4_k"), ("down", "q8_0")),
    ),
    # Gemma 3n's first layers.
    "mlp_sparse_tiny": MlpSpec(**_TINY, q_len=5, activation="gelu_tanh", sparsity=0.95),
    # Apertus's.
    "mlp_xielu_tiny": MlpSpec(**_TINY, q_len=5, activation=XIELU, gated=False),
    # GPT-2's.
    "mlp_plain_tiny": MlpSpec(
        **_TINY, q_len=32, activation="gelu_tanh", gated=False, has_bias=True
    ),
}
