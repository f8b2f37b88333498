"""A layer of a model: Mamba 1's selective scan, then an MLP or experts."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import Role, TensorType, hidden
from irattn.specs.base import Spec, check_flag, check_positive
from irattn.specs.linear import LinearSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.row_norm import check_eps
from irattn.specs.selective_scan import SelectiveScanSpec
from irattn.specs.short_convolution import ShortConvolutionSpec
from irattn.specs.state_layer import StateLayer, named, parameters


@dataclass(frozen=True, kw_only=True)
class SelectiveScanLayerSpec(StateLayer):
    """x = hidden + output projection(selective scan(...)), and with an `intermediate_size` what
    comes after: x + MLP(RMSNorm(x)). Without, as in Mamba 1, it is all of the layer.

    A layer with Mamba 1 (Gu and Dao 2023), as Mamba, Falcon Mamba and Jamba have it, over packed
    tokens of `batch` sequences, whose states it takes and gives. Of the normed hidden state are
    made a gate and the input x of each channel, which goes through a short convolution and silu. Of
    x are made B, C and, by way of `rank` columns, a time step for each channel. Tensors in
    `io_dtype` unless said:

    - hidden, output `[q_tokens, hidden_size]`
    - norm_weight and, with an MLP, mlp_norm_weight `[hidden_size]`: RmsNormSpec, with `norm_eps`
      and `norm_offset`
    - gate_weight, channels_weight `[channels, hidden_size]`
    - conv_weight `[channels, kernel]`, with `has_conv_bias` conv_bias `[channels]`, and conv_state
      `[batch, kernel - 1, channels]`: ShortConvolutionSpec
    - selection_weight `[rank + 2 * state_size, channels]`: the rows of what time steps are made of,
      of B and of C
    - with `step_norm_eps` (Falcon Mamba, Jamba) these three are normed, as RmsNormSpec has it, by
      steps_norm_weight `[rank]`, key_norm_weight and query_norm_weight `[state_size]`
    - steps_weight `[channels, rank]`
    - decay_log f32 `[state_size, channels]`, time_bias and skip_weight f32 `[channels]`
    - state f32 `[batch, state_size, channels]`: SelectiveScanSpec, in which B is key and C query
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its states then stay as they are.
      Tokens after the last one are padding
    - output_weight `[hidden_size, channels]`: LinearSpec, as all weights of products are
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`; with
      `plain_mlp` up_weight in the place of the first, of an MLP without a gate
    - with `experts`, an Experts, and without an `intermediate_size`: in the place of the MLP are
      experts, whose parameters are MixtureOfExpertsSpec's
    - updated_conv_state, updated_state: as conv_state and state; state in its own memory

    What is added to the hidden state, by the MLP too, is multiplied with `residual_scale` first.
    Between the parts values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "selective_scan_layer"

    channels: int
    state_size: int = 16
    rank: int
    kernel: int = 4
    has_conv_bias: bool = False
    step_norm_eps: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "channels", "rank")
        check_flag("has_conv_bias", self.has_conv_bias)
        if self.step_norm_eps is not None:
            check_eps(self, "step_norm_eps")
        # Made to be checked.
        _ = (self.convolution, self.scan)

    @property
    def size_words(self) -> list[str]:
        return [f"c{self.channels}", f"s{self.state_size}"]

    @property
    def columns(self) -> dict[str, int]:
        """The columns that are made of x: of time steps, of B and of C."""
        return {"steps": self.rank, "key": self.state_size, "query": self.state_size}

    @property
    def into(self) -> LinearSpec:
        """The projections into the gate and into x, one like the other."""
        return self._linear(self.hidden_size, self.channels)

    @property
    def selection(self) -> LinearSpec:
        """The projection of x into what time steps are made of, B and C."""
        return self._linear(self.channels, sum(self.columns.values()))

    @property
    def steps(self) -> LinearSpec:
        """The projection into the time steps of channels."""
        return self._linear(self.rank, self.channels)

    @property
    def projection(self) -> LinearSpec:
        """The projection back into the hidden state."""
        return self._linear(self.channels, self.hidden_size)

    @property
    def convolution(self) -> ShortConvolutionSpec:
        """The convolution of x."""
        return ShortConvolutionSpec(
            **self._packed,
            channels=self.channels,
            kernel=self.kernel,
            use_bias=self.has_conv_bias,
            silu=True,
        )

    @property
    def scan(self) -> SelectiveScanSpec:
        """The scan itself."""
        return SelectiveScanSpec(
            batch=self.batch,
            q_tokens=self.q_tokens,
            channels=self.channels,
            state_size=self.state_size,
            io_dtype=self.io_dtype,
            dynamic=self.dynamic,
        )

    def step_norm(self, name: str) -> RmsNormSpec:
        """The norm of the columns of that name."""
        eps = self.norm_eps if self.step_norm_eps is None else self.step_norm_eps
        return RmsNormSpec(**self._rows(1), columns=self.columns[name], eps=eps)

    @property
    def normed_columns(self) -> list[str]:
        """The names of the columns that have a norm."""
        return [] if self.step_norm_eps is None else list(self.columns)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        _, *conv_parameters, conv_state, _ = self.convolution.inputs
        *_, decay_log, time_bias, skip_weight, state, bounds = self.scan.inputs
        return (
            hidden(self._hidden, self.io_dtype),
            named("norm_weight", self.norm.inputs[1]),
            *parameters("gate", self.into),
            *parameters("channels", self.into),
            *(named(f"conv_{tensor.name}", tensor) for tensor in conv_parameters),
            *parameters("selection", self.selection),
            *(
                named(f"{name}_norm_weight", self.step_norm(name).inputs[1])
                for name in self.normed_columns
            ),
            *parameters("steps", self.steps),
            decay_log,
            time_bias,
            skip_weight,
            named("conv_state", conv_state),
            named("state", state),
            bounds,
            *parameters("output", self.projection),
            *self._mlp_inputs,
        )

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype),
            named("updated_conv_state", self.convolution.outputs[1]),
            TensorType(
                "updated_state",
                self.scan.outputs[1].shape,
                "f32",
                by_row=False,
                # What is written to it was rounded before.
                rounded=self.io_dtype,
                role=Role.STATE,
            ),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"updated_state": "state"}

    @property
    def _products(self) -> tuple[Spec, ...]:
        products = (self.into, self.into, self.selection, self.steps, self.projection)
        return (*products, self.convolution, self.scan)

    def _linear(self, in_columns: int, out_columns: int) -> LinearSpec:
        return LinearSpec(**self._tokens, in_columns=in_columns, out_columns=out_columns)


_TINY = SelectiveScanLayerSpec(
    batch=3,
    q_tokens=20,
    hidden_size=64,
    channels=96,
    rank=8,
    has_conv_bias=True,
    io_dtype="f32",
)

CATALOGUE = {
    "selective_scan_layer_tiny": _TINY,
    # As Jamba has it.
    "scan_layer_with_norms_tiny": _TINY.replace(step_norm_eps=1e-6, intermediate_size=96),
}
