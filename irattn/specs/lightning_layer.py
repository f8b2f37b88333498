"""A layer of a hybrid model: lightning attention, then an MLP or experts, and norms behind both."""

from dataclasses import dataclass
from typing import ClassVar

from irattn.core.tensors import Role, TensorType, hidden
from irattn.specs.base import Spec, check_head_dim, check_positive
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.gated_rms_norm import GatedRmsNormSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.row_norm import check_eps
from irattn.specs.state_layer import StateLayer, named, parameters


@dataclass(frozen=True, kw_only=True)
class LightningLayerSpec(StateLayer):
    """x = norm(hidden + output projection(gate * norm(lightning attention(...)))), and with an
    `intermediate_size` what comes after: norm(x + MLP(x)). Without, it is half of a layer.

    A layer of kind `linear_attention` of MiniMax-Text-01 (MiniMax 2025), over packed tokens of
    `batch` sequences, whose states it takes and gives. As what is added to there is what a norm
    made, each norm stands behind the sum before it here. Of the hidden state are made query, key
    and value, which go through silu, and a gate of the output, which is a sigmoid. Lightning
    attention is GatedDeltaRuleSpec, `uncorrected`, of shares and a `scale` of 1, whose heads forget
    at a speed of their own, whatever the token. Tensors in `io_dtype` unless said:

    - hidden, output `[q_tokens, hidden_size]`
    - qkv_weight `[3 * num_heads * head_dim, hidden_size]`: the rows of all queries, of all keys and
      of all values
    - gate_weight `[num_heads * head_dim, hidden_size]`
    - log_kept f32 `[num_heads]`: the log of what a token leaves of the state before it
    - state f32 `[batch, num_heads, head_dim, head_dim]`
    - cu_seqlens_q int32 `[batch + 1]`: sequence `s` has the tokens from `cu_seqlens_q[s]` up to
      `cu_seqlens_q[s + 1]`, none where both are the same; its state then stays as it is.
      Tokens after the last one are padding
    - gated_norm_weight `[num_heads * head_dim]`: GatedRmsNormSpec over all heads of a token, with
      `gated_norm_eps` and no offset
    - output_weight `[hidden_size, num_heads * head_dim]`: OutputProjectionSpec
    - post_norm_weight and, with an MLP, mlp_post_norm_weight `[hidden_size]`: RmsNormSpec, with
      `norm_eps` and `norm_offset`
    - gate_up_weight, down_weight: MlpSpec, with `intermediate_size` and `activation`; with
      `plain_mlp` up_weight in the place of the first, of an MLP without a gate
    - with `experts`, an Experts, and without an `intermediate_size`: in the place of the MLP are
      experts, whose parameters are MixtureOfExpertsSpec's
    - updated_state: as state, in its own memory

    What is added to the hidden state, by the MLP too, is multiplied with `residual_scale` first.

    Between the steps values are rounded to `io_dtype`. `dynamic` may name q_tokens.
    """

    op: ClassVar[str] = "lightning_layer"

    num_heads: int
    head_dim: int
    gated_norm_eps: float = 1e-6

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(self, "num_heads")
        check_head_dim(self, "head_dim")
        check_eps(self, "gated_norm_eps")
        # Made to be checked.
        _ = (self.rule, self.qkv, self.gate, self.projection)

    @property
    def size_words(self) -> list[str]:
        return [f"h{self.num_heads}", f"d{self.head_dim}"]

    @property
    def inner_size(self) -> int:
        """Columns of all heads."""
        return self.num_heads * self.head_dim

    @property
    def qkv(self) -> QkvProjectionSpec:
        """The projection into query, key and value."""
        return self._into_heads(3 * self.num_heads, self.head_dim)

    @property
    def gate(self) -> QkvProjectionSpec:
        """The projection into the gate of the output."""
        return self._into_heads(self.num_heads, self.head_dim)

    @property
    def rule(self) -> GatedDeltaRuleSpec:
        """Lightning attention."""
        return GatedDeltaRuleSpec(
            **self._packed,
            num_v_heads=self.num_heads,
            key_dim=self.head_dim,
            value_dim=self.head_dim,
            scale=1.0,
            uncorrected=True,
            layout="NHD",
        )

    @property
    def gated_norm(self) -> GatedRmsNormSpec:
        """The norm of all heads of a token, and their gates."""
        return GatedRmsNormSpec(
            **self._rows(1),
            columns=self.inner_size,
            eps=self.gated_norm_eps,
            sigmoid_gate=True,
        )

    @property
    def projection(self) -> OutputProjectionSpec:
        """The projection back into the hidden state."""
        return self._from_heads(self.num_heads, self.head_dim)

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        *_, state, bounds = self.rule.inputs
        return (
            hidden(self._hidden, self.io_dtype),
            *parameters("qkv", self.qkv),
            *parameters("gate", self.gate),
            TensorType("log_kept", (self.num_heads,), "f32", role=Role.LOG_DECAY),
            named("state", state),
            bounds,
            named("gated_norm_weight", self.gated_norm.inputs[2]),
            *parameters("output", self.projection),
            named("post_norm_weight", self.norm.inputs[1]),
            *self._mlp_inputs,
        )

    @property
    def _mlp_inputs(self) -> tuple[TensorType, ...]:
        mlp = self.mlp
        if mlp is None:
            return ()
        return (*mlp.inputs[1:], named("mlp_post_norm_weight", self.norm.inputs[1]))

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        return (
            TensorType("output", self._hidden, self.io_dtype),
            named("updated_state", self.rule.outputs[1]),
        )

    @property
    def updates(self) -> dict[str, str]:
        return {"updated_state": "state"}

    @property
    def _products(self) -> tuple[Spec, ...]:
        return (self.qkv, self.gate, self.rule, self.projection)


CATALOGUE = {
    "lightning_layer_tiny": LightningLayerSpec(
        batch=3,
        q_tokens=20,
        hidden_size=64,
        num_heads=4,
        head_dim=16,
        intermediate_size=96,
        io_dtype="f32",
    ),
}
