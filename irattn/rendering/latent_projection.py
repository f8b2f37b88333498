"""How the graph of latent attention's inputs is put together from its parts."""

from dataclasses import dataclass

from irattn.core.tensors import TensorType
from irattn.specs.latent_projection import LatentProjectionSpec
from irattn.targets import Target


@dataclass(frozen=True)
class LatentProjection:
    """The tensors between the parts: of all heads, b sequences, h heads, m tokens."""

    spec: LatentProjectionSpec
    target: Target

    @property
    def down(self) -> TensorType:
        """The narrow states that queries are made of, where these are not the hidden ones."""
        return self._of_tokens("down", self.spec.latent.q_lora_rank or 0)

    @property
    def of_all_heads(self) -> TensorType:
        """The queries of a token's heads, side by side."""
        return self.spec.query_up.outputs[0]

    @property
    def by_token(self) -> TensorType:
        """The queries by token."""
        columns = self.spec.latent.head_dim
        shape = (*self.of_all_heads.shape[:2], self.spec.num_q_heads, columns)
        return TensorType("by_token", shape, self.spec.io_dtype)

    @property
    def of_one_token(self) -> TensorType:
        """The queries of sequences of one token."""
        batch, _, heads, columns = self.by_token.shape
        return TensorType("of_one_token", (batch, heads, columns), self.spec.io_dtype)

    @property
    def heads(self) -> TensorType:
        """The queries by head."""
        return self._of_heads("heads", self.spec.latent.head_dim)

    @property
    def plain(self) -> TensorType:
        """The columns of queries that are not rotated."""
        return self.spec.absorption.inputs[0]

    @property
    def absorbed(self) -> TensorType:
        """The plain columns when they meet latents."""
        return self.spec.absorption.outputs[0]

    @property
    def turned(self) -> TensorType:
        """The columns of queries that are rotated."""
        return self.spec.rope.inputs[0]

    @property
    def latent_and_key(self) -> TensorType:
        """Latents, with the shared keys beside them."""
        return self.spec.latent_down.outputs[0]

    @property
    def latent(self) -> TensorType:
        """Latents."""
        return self._of_tokens("latent", self.spec.latent.kv_lora_rank)

    @property
    def key(self) -> TensorType:
        """Shared keys."""
        return self._of_tokens("key", self.spec.latent.rope_dim)

    @property
    def latent_of_head(self) -> TensorType:
        """Latents with an axis of one head."""
        return self._with_head(self.latent)

    @property
    def key_of_head(self) -> TensorType:
        """Shared keys with an axis of one head."""
        return self._with_head(self.key)

    def _of_tokens(self, name: str, columns: int) -> TensorType:
        tokens = (self.spec.size("batch"), self.spec.size("q_len"))
        return TensorType(name, (*tokens, columns), self.spec.io_dtype)

    def _of_heads(self, name: str, columns: int) -> TensorType:
        batch, q_len = self.spec.size("batch"), self.spec.size("q_len")
        shape = (batch, self.spec.num_q_heads, q_len, columns)
        return TensorType(name, shape, self.spec.io_dtype)

    def _with_head(self, tensor: TensorType) -> TensorType:
        batch, *rest = tensor.shape
        return TensorType(tensor.name, (batch, 1, *rest), tensor.dtype)


PLANS = {("latent_projection", "linalg"): LatentProjection}
