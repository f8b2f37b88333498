"""The hidden states beside one another that a layer takes and gives, as Gemma 3n has them."""

from dataclasses import dataclass, replace
from typing import Any

from irattn.core.errors import SpecError
from irattn.core.numbers import whole
from irattn.core.tensors import TensorType
from irattn.specs.base import check_flag, store_plain, stored_part
from irattn.specs.linear import LinearSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.stream_coefficients import StreamCoefficientsSpec


@dataclass(frozen=True, kw_only=True)
class HiddenStreams:
    """How many hidden states a token has, which one the layer reads, and if there is a scale."""

    num_streams: int
    active: int = 0
    has_scale: bool = True

    def __post_init__(self) -> None:
        store_plain(self)
        whole("streams.num_streams", self.num_streams, least=2, error=SpecError)
        whole("streams.active", self.active, least=0, error=SpecError)
        check_flag("streams.has_scale", self.has_scale)
        if self.active >= self.num_streams:
            raise SpecError(
                f"streams.active: expected less than num_streams = {self.num_streams}, got "
                f"{self.active}"
            )


def stored_streams(given: object) -> HiddenStreams | None:
    """The hidden states as a spec stores them, from themselves or their JSON form."""
    return stored_part(HiddenStreams, "streams", given, "num_streams")


@dataclass(frozen=True)
class StreamParts:
    """The parts that mix the hidden states before and after a layer; `norm` is that of its own."""

    given: HiddenStreams
    norm: RmsNormSpec

    @property
    def prediction(self) -> StreamCoefficientsSpec:
        """The coefficients of each stream for each, by which they are predicted."""
        return self._coefficients(self.given.num_streams**2)

    @property
    def correction(self) -> StreamCoefficientsSpec:
        """The share of what the layer changed that each stream gets besides."""
        return self._coefficients(self.given.num_streams)

    def _coefficients(self, count: int) -> StreamCoefficientsSpec:
        norm = self.norm
        return StreamCoefficientsSpec(
            rows=norm.rows,
            num_streams=self.given.num_streams,
            hidden_size=norm.columns,
            num_coefficients=count,
            eps=norm.eps,
            offset=norm.offset,
            io_dtype=norm.io_dtype,
            dynamic=norm.dynamic,
        )

    @property
    def parameters(self) -> tuple[TensorType, ...]:
        """The weights, in the order in which a layer takes them."""
        _, norm, router, predicting = self.prediction.inputs
        scale = TensorType("stream_scale", (self.norm.columns,), self.norm.io_dtype)
        return (
            replace(norm, name="stream_norm_weight"),
            replace(router, name="stream_router_weight"),
            replace(predicting, name="stream_prediction_weight"),
            replace(self.correction.inputs[-1], name="stream_correction_weight"),
            *((scale,) if self.given.has_scale else ()),
        )

    @property
    def flops(self) -> int:
        """Operations of the products."""
        mixing = 2 * self.norm.rows * self.norm.columns * self.given.num_streams**2
        return self.prediction.flops + self.correction.flops + mixing


@dataclass(frozen=True)
class LaurelParts:
    """The parts of a residual that is learned, of so low a `rank`, and the norm after them.

    `tokens` are `batch`, `q_len`, `dynamic` and `io_dtype` of products.
    """

    rank: int
    tokens: dict[str, Any]
    norm: RmsNormSpec

    @property
    def down(self) -> LinearSpec:
        """The product that makes few columns."""
        return self._linear(self.norm.columns, self.rank)

    @property
    def up(self) -> LinearSpec:
        """The product that makes hidden states of them."""
        return self._linear(self.rank, self.norm.columns)

    def _linear(self, columns: int, made: int) -> LinearSpec:
        return LinearSpec(**self.tokens, in_columns=columns, out_columns=made)

    @property
    def parameters(self) -> tuple[TensorType, ...]:
        """The weights, in the order in which a layer takes them."""
        named = {
            "laurel_down_weight": self.down,
            "laurel_up_weight": self.up,
            "laurel_norm_weight": self.norm,
        }
        return tuple(replace(part.inputs[1], name=name) for name, part in named.items())

    @property
    def flops(self) -> int:
        """Operations of the products."""
        return self.down.flops + self.up.flops
