"""The embedding of each token that a layer has of its own, and adds, as Gemma 3n and Gemma 4 do."""

from dataclasses import dataclass, replace
from typing import Any

from irattn.core.errors import SpecError, shown
from irattn.core.numbers import whole
from irattn.core.tensors import TensorType
from irattn.specs.base import store_plain, stored_part
from irattn.specs.embedding import EmbeddingSpec
from irattn.specs.linear import LinearSpec
from irattn.specs.mlp import ACTIVATIONS
from irattn.specs.rms_norm import RmsNormSpec


@dataclass(frozen=True, kw_only=True)
class LayerInput:
    """The columns of a layer's own embedding, its tokens, and the activation of its gate.

    `known_tokens` are those that there are where the embedding has not all of them.
    """

    width: int
    vocab_size: int
    activation: str = "gelu_tanh"
    known_tokens: int | None = None

    def __post_init__(self) -> None:
        store_plain(self)
        for name in ("width", "vocab_size"):
            whole(f"layer_input.{name}", getattr(self, name), error=SpecError)
        if self.activation not in ACTIVATIONS:
            raise SpecError(
                f"layer_input.activation: expected one of {', '.join(ACTIVATIONS)}, got "
                f"{shown(self.activation)}"
            )
        if self.known_tokens is not None:
            whole(
                "layer_input.known_tokens",
                self.known_tokens,
                least=self.vocab_size + 1,
                error=SpecError,
            )

    @property
    def all_tokens(self) -> int:
        """The tokens that there are, with those that the embedding does not have."""
        return self.known_tokens or self.vocab_size


def stored_layer_input(given: object) -> LayerInput | None:
    """The input as a spec stores it, from itself or its JSON form; SpecError otherwise."""
    return stored_part(LayerInput, "layer_input", given, "a width")


@dataclass(frozen=True)
class LayerInputParts:
    """The parts that make a layer's input of so many tokens, and add it to a hidden state.

    `tokens` are `batch`, `q_len`, `dynamic` and `io_dtype` of products, `norm` is that of the
    layer's hidden state.
    """

    given: LayerInput
    tokens: dict[str, Any]
    norm: RmsNormSpec

    @property
    def embedding(self) -> EmbeddingSpec:
        """The layer's embedding of each token."""
        width = self.given.width
        return EmbeddingSpec(
            **self.tokens,
            vocab_size=self.given.vocab_size,
            hidden_size=width,
            scale=width**0.5,
        )

    @property
    def projection(self) -> LinearSpec:
        """The projection of the model's embedding."""
        return self._linear(self.norm.columns, self.given.width)

    @property
    def projection_norm(self) -> RmsNormSpec:
        """The norm of what is projected times `hidden_size ** -0.5`: as if `eps` were larger."""
        columns = self.norm.columns
        return self.norm.replace(columns=self.given.width, eps=self.norm.eps * columns)

    @property
    def gate(self) -> LinearSpec:
        """The projection of the hidden state into gates."""
        return self._linear(self.norm.columns, self.given.width)

    @property
    def output(self) -> LinearSpec:
        """The projection of what comes through into the hidden state."""
        return self._linear(self.given.width, self.norm.columns)

    @property
    def parameters(self) -> tuple[TensorType, ...]:
        """The weights, in the order in which a layer takes them."""
        named = {
            "token_embedding_weight": self.embedding,
            "token_projection_weight": self.projection,
            "token_norm_weight": self.projection_norm,
            "token_gate_weight": self.gate,
            "token_output_weight": self.output,
            "token_post_norm_weight": self.norm,
        }
        return tuple(replace(part.inputs[1], name=name) for name, part in named.items())

    @property
    def flops(self) -> int:
        """Operations of the products."""
        return self.projection.flops + self.gate.flops + self.output.flops

    def _linear(self, columns: int, made: int) -> LinearSpec:
        return LinearSpec(**self.tokens, in_columns=columns, out_columns=made)
