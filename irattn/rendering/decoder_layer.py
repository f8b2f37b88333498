"""How the graph of a layer is put together from its parts."""

from dataclasses import dataclass, replace

from irattn.core.tensors import TensorType
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.layer_attention import token_axes
from irattn.specs.layer_input import LayerInputParts
from irattn.targets import Target


@dataclass(frozen=True)
class DecoderLayer:
    """The arguments that a layer hands on to its parts."""

    spec: DecoderLayerSpec
    target: Target

    @property
    def hidden(self) -> TensorType:
        """The hidden state as the parts take it."""
        return self._of_layer(self.spec.projection.outputs[0])

    @property
    def read(self) -> TensorType:
        """The rows that attention reads, as the parts take them."""
        return self._of_layer(self.spec.first_projection.inputs[0])

    @property
    def query(self) -> TensorType:
        """The queries as the parts around attention have them."""
        return self._of_layer(self.spec.first_projection.outputs[0])

    @property
    def key(self) -> TensorType:
        """The new keys, and the values, as the parts around attention have them."""
        query = self.query
        shape = (query.shape[0], self.spec.attention.num_kv_heads, *query.shape[2:])
        return replace(query, name="key", shape=shape)

    @property
    def attended(self) -> TensorType:
        """The sums that heads attend to, as the parts around attention have them."""
        shape = (*self.query.shape[:-1], self.spec.attention.v_dim)
        return replace(self.query, name="attended", shape=shape)

    @property
    def differences(self) -> TensorType:
        """The heads that others are subtracted from, as the parts have them."""
        batch, _, q_len, columns = self.query.shape
        shape = (batch, self.spec.projected_heads, q_len, columns)
        return replace(self.query, name="differences", shape=shape)

    @property
    def positions(self) -> TensorType:
        """The positions as the rotation takes them."""
        return self._of_layer(self.spec.rope.positions)

    @property
    def token_ids(self) -> TensorType:
        """The ids of tokens as their embedding takes them."""
        return self._of_layer(self._parts.embedding.inputs[0])

    @property
    def token(self) -> TensorType:
        """The layer's own input of each token as the parts have it."""
        return self._of_layer(self._parts.projection.outputs[0])

    @property
    def are_tokens_apart(self) -> bool:
        """Whether the parts take the hidden state otherwise than the layer is given it."""
        return self.spec.is_packed or self.spec.streams is not None

    @property
    def streams(self) -> TensorType:
        """All hidden states of each token."""
        return self._beside("streams", self._num_streams, self.spec.hidden_size)

    @property
    def stream_sums(self) -> TensorType:
        """The sums of hidden states."""
        return replace(self.streams, dtype="f32")

    @property
    def square(self) -> TensorType:
        """The coefficients of each of a token's hidden states for each."""
        return self._beside("square", self._num_streams, self._num_streams)

    @property
    def shares(self) -> TensorType:
        """The share that each of a token's hidden states gets."""
        return self._beside("shares", self._num_streams)

    @property
    def _num_streams(self) -> int:
        assert self.spec.streams is not None
        return self.spec.streams.num_streams

    def _beside(self, name: str, *sizes: int) -> TensorType:
        return replace(self.hidden, name=name, shape=(*self.hidden.shape[:2], *sizes))

    @property
    def _parts(self) -> LayerInputParts:
        assert self.spec.layer_input_parts is not None
        return self.spec.layer_input_parts

    def by_token(self, heads: TensorType) -> TensorType:
        """Heads with those of each token beside one another."""
        batch, count, q_len, columns = heads.shape
        return replace(heads, shape=(batch, q_len, count, columns))

    def _of_layer(self, tensor: TensorType) -> TensorType:
        """A tensor of a part, whose tokens have the layer's own size where they are packed."""
        if not self.spec.is_packed:
            return tensor
        return replace(tensor, shape=(*token_axes(self.spec.attention), *tensor.shape[1:]))

    @property
    def attention_arguments(self) -> list[str]:
        """The arguments of attention after query, key and value."""
        return [tensor.name for tensor in self.spec.attention_inputs]

    @property
    def qkv_arguments(self) -> list[str]:
        """The parameters of the projection into query, key and value."""
        return [f"qkv_{tensor.name}" for tensor in self.spec.qkv.inputs[1:]]

    @property
    def output_arguments(self) -> list[str]:
        """The parameters of the projection back into the hidden state."""
        return [f"output_{tensor.name}" for tensor in self.spec.projection.inputs[1:]]

    @property
    def latent_arguments(self) -> list[str]:
        """The parameters of the projection into latents."""
        projection = self.spec.latent_projection
        return [tensor.name for tensor in projection.weights] if projection else []

    @property
    def results(self) -> dict[str, str]:
        """The caches that the layer returns, and the values that they are."""
        caches = self.spec.outputs[1:]
        return {cache.name: f"attended#{number}" for number, cache in enumerate(caches, 1)}

    @property
    def projected(self) -> dict[str, int]:
        """The place of query, key, value and gate among what the projection makes."""
        return {name: place for place, name in enumerate(self.spec.qkv.heads)}

    @property
    def mlp_arguments(self) -> list[str]:
        """The arguments of the MLP after the hidden state."""
        return [tensor.name for tensor in self.spec.mlp.inputs[1:]] if self.spec.mlp else []

    @property
    def beside_arguments(self) -> list[str]:
        """The parameters of experts beside the MLP."""
        beside = self.spec.experts_beside
        return [f"experts_{tensor.name}" for tensor in beside.parameters] if beside else []


# One template, whose parts differ.
PLANS = {
    ("decoder_layer", "linalg/blocked"): DecoderLayer,
    ("decoder_layer", "linalg/fused"): DecoderLayer,
}
