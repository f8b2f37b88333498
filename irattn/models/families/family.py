"""Describe the models of one type: their keys, their attention and their layers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields

# What is read of every file.
FILE = frozenset(
    {
        *("architectures", "dtype", "eos_token_id", "model_type", "position_embedding_type"),
        *("quantization_config", "tie_word_embeddings", "torch_dtype", "vocab_size"),
    }
)
SIZES = frozenset(
    {"hidden_size", "max_position_embeddings", "num_attention_heads", "num_hidden_layers"}
)
DECODER = FILE | SIZES | {"head_dim", "num_key_value_heads"}
WINDOW = frozenset({"layer_types", "sliding_window"})
# How positions rotate queries and keys, before attention: layers read it.
ROPE = frozenset(
    {
        *("original_max_position_embeddings", "partial_rotary_factor", "rope_parameters"),
        *("rope_scaling", "rope_theta"),
    }
)
# Of positions along three axes, which are the same for text alone.
AXES = frozenset({"mrope_interleaved", "mrope_section"})
# What other names there are for it, and for positions that are added.
ROTATION = ROPE | {
    *("mrope_section", "no_rope_layer_interval", "no_rope_layers"),
    *("rope_interleaved", "rope_pct", "rotary", "rotary_dim", "rotary_emb_base", "rotary_pct"),
    *("rotary_percent", "use_rotary_embedding", "rope_local_base_freq", "layer_rope_theta"),
}


@dataclass(frozen=True)
class LayerStyle:
    """A model's layers as its code makes them. A bias is fixed, or a key says if there is one, and
    so are norms of queries and keys.

    Norms, `gated`, `output_gate`, `softplus_gate`, `scales_output` and `parallel_mlp` are
    DecoderLayerSpec's; with `norms_rotated_alone`, queries and keys have norms only where positions
    rotate them.
    `residual_scale` is the key of that. `norms_experts`: what experts add goes through a norm, and
    what MLPs in their place add does not. `rotates`: whether positions rotate queries and keys, in
    layers with windows only where `rotates_windows_alone`, and as the file scales them in those
    layers, too, if `scales_windows`. `rotates_by_kind`: the code takes `rope_parameters` with a
    part for each kind of layers alone.
    `gelu` is the activation that a file's `gelu` means. `learns_activation`: the code has xielu,
    whose parameters are tensors of each layer.
    `gated_norm_eps` is DeltaLayerSpec's; with `has_channel_gates` its `gate_rank` is the columns of
    a head.
    `has_layer_input`: files may say how wide each layer's own embedding of tokens is.
    `steps_beside`: layers with Mamba 2 stand beside the attention before them, whose input they
    read; with `has_group_norm` they are StateSpaceLayerSpec's without `skips_group_norm`.
    With `reads_embedded` layers that attend are DecoderLayerSpec's of that name, and those with
    Mamba 2 add what they make to what is before such a layer, where one is before them.
    With `subtracts_heads` they are DecoderLayerSpec's of that name.
    `norms_steps`: time steps, B and C of selective scans are normed.
    `has_streams`: files say how many hidden states stand beside one another, and of what rank a
    learned part of the residual is.
    """

    qkv_bias: str | bool = False
    output_bias: str | bool = False
    mlp_bias: str | bool = False
    qk_norm: str | bool = False
    joint_qk_norm: bool = False
    qk_norm_weights: bool = True
    norms_rotated_alone: bool = False
    norms_after_rope: bool = False
    layer_qk_norm: bool = False
    output_gate: bool = False
    softplus_gate: bool = False
    value_norm: bool = False
    scales_output: bool = False
    pre_norm: bool = True
    post_norm: bool = False
    norms_residual: bool = False
    norm_kind: str = "rms"
    norm_bias: bool = False
    norm_offset: float = 0.0
    gated: bool = True
    gelu: str = "gelu"
    learns_activation: bool = False
    parallel_mlp: str | None = None
    residual_scale: str | None = None
    norms_experts: bool = False
    rope_style: str = "rotate_half"
    rotates: bool = True
    rotates_windows_alone: bool = False
    scales_windows: bool = True
    rotates_by_kind: bool = False
    experts: ExpertStyle | None = None
    gated_norm_eps: float | None = None
    has_channel_gates: bool = False
    has_layer_input: bool = False
    has_streams: bool = False
    steps_beside: bool = False
    has_group_norm: bool = True
    reads_embedded: bool = False
    subtracts_heads: bool = False
    norms_steps: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelFamily:
    """The models of one type.

    `reads` are the keys that their specs come of; nothing else of a file reaches them. `harmless`
    sound as if they changed attention, and do not. `only` are keys that irattn takes at these
    values alone, with which they change nothing; of a list, each entry is one of them. Of each of
    `needs`, one must be in the file. `defaults` are what the code fills in where a file leaves a
    key out, beside what transformers' class says (`defaults.json`).

    `causal` models see no later token; None: the file tells. Those that look both ways and have
    `decodes` are causal where the file says `is_decoder`.
    `cached` ones are given their tokens one after the other. `extra_tokens` of a vision model are
    those besides the patches. Of those that have `sinks`, it may be the layers with windows alone.
    `structure` is what `decoder_layer` does not have of their layers.
    `as_read` gives a file by the keys that other code has for the same.
    `layer` and `tensors`, which are named where irattn generates text with them, may depend on the
    file. `scales_by_width`: embeddings are multiplied with the root of the hidden size. `latent`
    ones have multi-head latent attention.
    """

    reads: frozenset[str]
    harmless: frozenset[str] = frozenset()
    only: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    needs: tuple[tuple[str, ...], ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    causal: bool | None = True
    decodes: bool = False
    cached: bool = True
    sinks: bool = False
    sinks_in_windows_alone: bool = False
    alibi: bool = False
    extra_tokens: int | None = None
    layer: LayerStyle | Callable[[Fields], LayerStyle] | None = None
    structure: str | None = None
    tensors: TensorNames | Callable[[Fields], TensorNames] | None = None
    scales_by_width: bool = False
    latent: bool = False
    as_read: Callable[[Fields], Fields] | None = None

    def style_of(self, fields: Fields) -> LayerStyle | None:
        """The layers of a file, where the family gets any."""
        return self.layer(fields) if callable(self.layer) else self.layer

    def tensors_of(self, fields: Fields) -> TensorNames | None:
        """The names of tensors beside a file, where irattn generates text with the family."""
        return self.tensors(fields) if callable(self.tensors) else self.tensors


@dataclass(frozen=True, kw_only=True)
class Wrapper:
    """Models whose language model is a part of the file, of a type of its own.

    `inner` is the type of a part that does not say its own. `fixed` are keys of the part whose
    values the code of the whole goes by, whatever the file says.
    """

    inner: str | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
