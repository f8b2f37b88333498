"""The names of tensors in the files of a model."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from irattn.models.families.state_tensor_names import (
    ConvolutionNames,
    DeltaNames,
    LightningNames,
    ScanNames,
    StateSpaceNames,
)

# All experts of a layer at once, `[experts, out, in]`.
PACKED_EXPERTS = ("mlp.experts.gate_up_proj", "mlp.experts.down_proj")
# What DeepSeek's kind calls the experts that are shared, fields of TensorNames.
SHARED_EXPERTS: dict[str, Any] = {
    "shared_gate_up": ("mlp.shared_experts.gate_proj", "mlp.shared_experts.up_proj"),
    "shared_down": "mlp.shared_experts.down_proj",
}

# What language models are called that are a part of a model, and have a head.
_MODELS = ("language_model.", "model.language_model.", "text_model.")

# How many rows of a weight, one below the other, are multiplied with what.
RowFactors: TypeAlias = tuple[tuple[int, float], ...]

# What stands before the names of a block of its own behind one, which is the next in the files.
NEXT_BLOCK = "next_block."


@dataclass(frozen=True)
class DifferenceNames:
    """Names of the tensors that say how much of heads is subtracted; nothing is behind them."""

    factors: tuple[str, ...] = (
        *("self_attn.lambda_q1", "self_attn.lambda_k1"),
        *("self_attn.lambda_q2", "self_attn.lambda_k2"),
    )


@dataclass(frozen=True)
class SharedNames:
    """Names of what a layer has of its own beside weights that it shares with others.

    `output` is the name, behind the base, of the weight that what the MLP makes is multiplied with.
    What is added to the weights of `gate_up` and, with `adapts_attention`, to each of `qkv` is a
    product of two of `rank` columns, whose names are those of the layer's `use`.
    """

    output: str
    use: int
    rank: int
    adapts_attention: bool
    gate_up: str = "feed_forward.gate_up_proj_adapter_list.{use}.{part}"
    qkv: tuple[str, ...] = (
        "self_attn.linear_q_adapter_list.{use}.{part}",
        "self_attn.linear_k_adapter_list.{use}.{part}",
        "self_attn.linear_v_adapter_list.{use}.{part}",
    )


@dataclass(frozen=True)
class LayerInputNames:
    """Names of the tensors of layers' own embeddings; the first three are of all layers at once."""

    embedding: str = "embed_tokens_per_layer"
    projection: str = "per_layer_model_projection"
    projection_norm: str = "per_layer_projection_norm"
    gate: str = "per_layer_input_gate"
    output: str = "per_layer_projection"
    post_norm: str = "post_per_layer_input_norm"


@dataclass(frozen=True)
class LaurelNames:
    """Names of the tensors of the learned part of a residual."""

    down: str = "laurel.linear_left"
    up: str = "laurel.linear_right"
    norm: str = "laurel.post_laurel_norm"


@dataclass(frozen=True)
class StreamNames:
    """Names of what mixes hidden states beside one another; the scale has nothing behind its own.

    `split` and `join` are of the whole model, with a tensor for each but the first hidden state.
    """

    norm: str = "altup.router_norm"
    router: str = "altup.modality_router"
    prediction: str = "altup.prediction_coefs"
    correction: str = "altup.correction_coefs"
    scale: str = "altup.correct_output_scale"
    split: str = "altup_projections.{number}"
    join: str = "altup_unembed_projections.{number}"


@dataclass(frozen=True)
class BesideNames:
    """Names of what experts beside an MLP have besides; the two scales have nothing behind them."""

    own_norm: str = "post_feedforward_layernorm_1"
    norm: str = "pre_feedforward_layernorm_2"
    post_norm: str = "post_feedforward_layernorm_2"
    router_scale: str = "router.scale"
    expert_scale: str = "router.per_expert_scale"


@dataclass(frozen=True)
class TensorNames:
    """Names in the files of a model that `irattn generate` runs; by default those of Llama's.

    `bases` are what may stand before all names but the head's: in the files of a model that sees
    images as well, the language model is a part. `layer` is what stands before the names of a
    layer's tensors. All of them have `.weight` behind them, or `.bias`.

    `qkv` and `gate_up` are three and two tensors, or one that has their rows one below the other; a
    fourth of `qkv` has the gates of what is attended to. `has_head_bias`: the head has a bias.
    `is_grouped`: the rows of that one go by KV heads, each after the query heads that share it.
    `turns_back` (nanochat): positions turn heads the other way round, as if halves of heads of
    queries and keys changed places. `slopes` makes those of so many heads, where a model has some.
    `embedding_norm` (BLOOM) is a norm behind the embedding. Without a `norm` (GPT) there is none
    behind the last layer. `table_columns` are those of embedding and head where hidden states have
    others (OPT 350M), which `project_in` and `project_out` make of them, and them of these.
    `value_columns` (MiMo V2) are those of a head's values, where these are not those of keys, and
    `value_scale` is what values are multiplied with.
    `qkv_shards` (CodeGen): that one is so many, each with its queries, values and keys.
    With `is_choice_row` (ERNIE 4.5) the bias of choices is a row, `[1, experts]`; without a name,
    it is zeros.
    Of experts there is a tensor for each `{expert}`, or one of all, whose name is whole. Models
    have both kinds of files: where they are there, `packed_experts` are the tensors of all. Some
    have other names in some files: `as_stored` tells these by the names that are there.
    `turned_experts` are `[experts, in, out]` (Llama 4), and with `have_pairs` (GPT-OSS) gate and up
    take turns; None: files have them either way, as their shapes say.
    With `have_flat_experts` (DBRX) gate, up and down are tensors `[experts * inner, hidden]`.
    `are_turned`: weights of products are stored as `[in, out]`. `positions` is a table of learned
    positions, the first of which is its row `first_position`; `position_table` makes one of so many
    rows and columns, where the code does (XGLM). Norms of layers and at the end have
    no weights in files without `has_norm_weights`, and are multiplied with 1; `norm_plus` is added
    to those of others. `has_gates`: queries are followed head by head by the gates of what is
    attended to. `gates_heads` (Laguna): gates without biases have tensors of their own, with a row
    for each head, or for each column of one where it is false.
    `last_output_bias` is that of the last layer's output projection; others' are zeros.
    It, `output_scale` and those of a learned `activation` have nothing behind their names.
    `values_are_keys`: layers that see all keys make their values of the key's weight.
    `delta` are the names in layers with gated delta nets, `convolution` those in layers with
    short convolutions, `state_space` those in layers with Mamba 2's steps, `scan` those in layers
    with Mamba 1's, `lightning` those in layers with lightning attention, `layer_input` those of
    layers' own embeddings, `beside` those around experts beside an MLP, `laurel` those of a learned
    part of the residual, `streams` those around hidden states beside one another, `difference`
    those of heads that are subtracted.
    `first_blocks`, where MLPs are blocks of their own in the files, are the numbers of those that
    layers begin with; names with NEXT_BLOCK are of the next one. Behind the last layer, what would
    be the next one's norm of attention is `behind_last`, where it has a name (MiniMax).
    `parts` (Zamba 2) are the words in the place of numbers, where layers are parts of blocks, and
    `shared` what a layer has of its own where others share its weights. `row_factors` are what rows
    of the weights of these names are multiplied with.
    Layers with latent attention have `latent` to `from_latents` instead of `qkv`, and `query_down`
    where queries have a latent, too; `from_latents` has the keys and then the values of each head.
    GGUF files have `keys_from_latents`, of each head columns first, and `values_from_latents`.
    """

    bases: tuple[str, ...] = (
        *("model.", "model.language_model.", "language_model.model.", "model.text_model."),
    )
    embedding: str = "embed_tokens"
    embedding_norm: str = ""
    table_columns: int | None = None
    project_in: str = "project_in"
    project_out: str = "project_out"
    positions: str | None = None
    position_table: Callable[[int, int], np.ndarray] | None = None
    first_position: int = 0
    norm: str = "norm"
    head: str = "lm_head"
    has_head_bias: bool = False
    layer: str = "layers.{number}."
    first_blocks: tuple[int, ...] = ()
    behind_last: str = ""
    parts: tuple[str, ...] = ()
    shared: tuple[SharedNames | None, ...] = ()
    row_factors: tuple[tuple[str, RowFactors], ...] = ()
    has_norm_weights: bool = True
    norm_plus: float = 0.0
    attention_norm: str = "input_layernorm"
    qkv: tuple[str, ...] = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
    is_grouped: bool = False
    value_columns: int | None = None
    value_scale: float = 1.0
    qkv_shards: int = 1
    turns_back: bool = False
    slopes: Callable[[int, int], np.ndarray] | None = None
    query_down: str = "self_attn.q_a_proj"
    query_down_norm: str = "self_attn.q_a_layernorm"
    query: str = "self_attn.q_b_proj"
    latent: str = "self_attn.kv_a_proj_with_mqa"
    latent_norm: str = "self_attn.kv_a_layernorm"
    from_latents: str = "self_attn.kv_b_proj"
    keys_from_latents: str = ""
    values_from_latents: str = ""
    query_norm: str = "self_attn.q_norm"
    key_norm: str = "self_attn.k_norm"
    output: str = "self_attn.o_proj"
    last_output_bias: str = ""
    post_norm: str = ""
    mlp_norm: str = "post_attention_layernorm"
    gate_up: tuple[str, ...] = ("mlp.gate_proj", "mlp.up_proj")
    up: str = ""
    down: str = "mlp.down_proj"
    mlp_post_norm: str = ""
    router: str = "mlp.gate"
    choice_bias: str = "mlp.gate.e_score_correction_bias"
    is_choice_row: bool = False
    expert_gate_up: tuple[str, ...] = (
        "mlp.experts.{expert}.gate_proj",
        "mlp.experts.{expert}.up_proj",
    )
    expert_down: str = "mlp.experts.{expert}.down_proj"
    packed_experts: tuple[str, str] = PACKED_EXPERTS
    shared_gate_up: tuple[str, ...] = ("mlp.shared_expert.gate_proj", "mlp.shared_expert.up_proj")
    shared_down: str = "mlp.shared_expert.down_proj"
    shared_gate: str = "mlp.shared_expert_gate"
    sinks: str = "self_attn.sinks"
    are_turned: bool = False
    has_gates: bool = False
    gates_heads: bool | None = None
    output_scale: str = ""
    activation: tuple[str, ...] = ()
    values_are_keys: bool = False
    delta: DeltaNames | None = None
    convolution: ConvolutionNames | None = None
    state_space: StateSpaceNames | None = None
    lightning: LightningNames | None = None
    difference: DifferenceNames | None = None
    scan: ScanNames | None = None
    layer_input: LayerInputNames | None = None
    beside: BesideNames | None = None
    laurel: LaurelNames | None = None
    streams: StreamNames | None = None
    turned_experts: bool | None = False
    have_flat_experts: bool = False
    have_pairs: bool = False
    as_stored: "Callable[[TensorNames, Collection[str]], TensorNames] | None" = None

    @property
    def moves_qkv(self) -> bool:
        """Whether rows of queries, keys and values stand in another order in files."""
        is_narrow = self.value_columns is not None or self.gates_heads is not None
        is_apart = self.has_gates or self.values_are_keys or self.turns_back
        return is_narrow or is_apart or self.is_grouped or self.qkv_shards > 1

    def base_in(self, names: Collection[str]) -> str:
        """The one of `bases` in these files; the first where none fits."""
        found = (base for base in self.bases if f"{base}{self.embedding}.weight" in names)
        return next(found, self.bases[0])

    def before(self, number: int) -> str:
        """The words before the names of a layer's tensors."""
        if self.parts:
            return self.layer.format(number=self.parts[number])
        block = self.first_blocks[number] if self.first_blocks else number
        return self.layer.format(number=block)

    def in_files(self, name: str, number: int) -> str:
        """A name of a layer's tensor as files have it, where it may be the next block's."""
        if not self.first_blocks:
            return name
        ahead = f"{self.before(number)}{NEXT_BLOCK}"
        if self.behind_last and number + 1 == len(self.first_blocks):
            return name.replace(f"{ahead}{self.attention_norm}", self.behind_last)
        return name.replace(ahead, self.layer.format(number=self.first_blocks[number] + 1))

    def stored_in(self, names: Collection[str]) -> "TensorNames":
        """The names as these files have them, where there are two ways to."""
        found = self.as_stored(self, names) if self.as_stored else self
        if not any(name.endswith(self.packed_experts) for name in names):
            return found
        gate_up, down = self.packed_experts
        return replace(found, expert_gate_up=(gate_up,), expert_down=down)

    def head_in(self, names: Collection[str]) -> str:
        """The name of the head in these files: beside the language model, or within its part."""
        inner = (f"{before}{self.head}" for before in _MODELS)
        return next((name for name in inner if f"{name}.weight" in names), self.head)
