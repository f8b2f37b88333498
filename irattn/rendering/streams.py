"""The tensors between the parts of graphs of hidden states beside one another.

Parts have a size of their own for tokens; these have that of the graph.
"""

from dataclasses import dataclass

from irattn.core.tensors import AnySize, TensorType
from irattn.specs.stream_coefficients import StreamCoefficientsSpec
from irattn.specs.streams import Streams
from irattn.targets import Target


@dataclass(frozen=True)
class _OfTokens:
    """The base of graphs whose parts take each token as a sequence of its own."""

    spec: Streams | StreamCoefficientsSpec
    target: Target

    @property
    def tokens(self) -> TensorType:
        """One hidden state of each token."""
        return self._of_tokens("tokens", 1, self.spec.hidden_size)

    def _of_tokens(self, name: str, *sizes: int) -> TensorType:
        shape: tuple[AnySize, ...] = (self.spec.size("rows"), *sizes)
        return TensorType(name, shape, self.spec.io_dtype)


@dataclass(frozen=True)
class StreamsPlan(_OfTokens):
    """The streams but the first, which products make."""

    spec: Streams

    @property
    def others(self) -> TensorType:
        """The streams of each token, below one another."""
        return self._of_tokens("others", self.spec.others, self.spec.hidden_size)

    @property
    def columns(self) -> TensorType:
        """The streams of each token, side by side."""
        return self._of_tokens("columns", self.spec.others * self.spec.hidden_size)

    @property
    def heads(self) -> TensorType:
        """The streams as heads of a sequence of one token."""
        return self._of_tokens("heads", self.spec.others, 1, self.spec.hidden_size)


@dataclass(frozen=True)
class StreamCoefficients(_OfTokens):
    """The numbers that coefficients are made of."""

    spec: StreamCoefficientsSpec

    @property
    def routed(self) -> TensorType:
        """The numbers whose tanh is taken."""
        return self._of_tokens("routed", 1, self.spec.num_streams)


PLANS = {
    ("split_streams", "linalg"): StreamsPlan,
    ("join_streams", "linalg"): StreamsPlan,
    ("stream_coefficients", "linalg"): StreamCoefficients,
}
