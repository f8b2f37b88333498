"""Zamba 2: Mamba 2, and before some of its layers a block of attention that several of them share.

Such a block reads the embedding beside the hidden state. It is a layer of irattn's, whose weights
have the adapters of its place in them, and so has the projection behind it.
"""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.models.families.tensor_names import SharedNames, TensorNames
from irattn.models.own_mlps import MLPS, NO_MLP
from irattn.models.values import Fields, positive, texts, whole

_KINDS, _COUNT, _HEADS, _EXPAND = (
    *("layers_block_type", "num_hidden_layers", "n_mamba_heads", "mamba_expand"),
)
_EPS, _SHARED, _RANK, _ADAPTS = (
    *("rms_norm_eps", "num_mem_blocks", "adapter_rank", "use_shared_attention_adapter"),
)
_BOTH, _STEP = "hybrid", ("mamba", "linear_attention")
_QUERIES, _KV_HEADS = "num_attention_heads", "num_key_value_heads"
# The code's own for norms behind gates.
_GATED_EPS = 1e-5


def _blocks(fields: Fields) -> list[str]:
    """The kind of each block; ConfigError for one that the code does not have."""
    blocks, count = texts(fields, _KINDS), whole(fields, _COUNT)
    if count not in (None, len(blocks)):
        raise ConfigError(
            f"{_KINDS}: expected a kind for each of the {count} layers ({_COUNT}), got "
            f"{len(blocks)}"
        )
    for kind in blocks:
        if kind != _BOTH and kind not in _STEP:
            known = ", ".join((*_STEP, _BOTH))
            raise ConfigError(f"{_KINDS}: expected of {known}, got {shown(kind)}")
    return blocks


def _as_read(fields: Fields) -> Fields:
    """Zamba 2's file by the keys of others: two layers for a block of both kinds."""
    if (eps := positive(fields, _EPS)) != _GATED_EPS:
        raise ConfigError(
            f"{_EPS}: expected {_GATED_EPS}, as norms behind gates have, got {shown(eps)}"
        )
    of_block = {True: ["full_attention", "state_space"], False: ["state_space"]}
    layers = [kind for block in _blocks(fields) for kind in of_block[block == _BOTH]]
    own = {
        **fields,
        _COUNT: len(layers),
        "layer_types": layers,
        MLPS: [NO_MLP if kind == "state_space" else "dense" for kind in layers],
        # The convolution has one whatever the file says.
        "use_conv_bias": True,
    }
    size, heads, steps = (whole(fields, key) for key in ("hidden_size", _QUERIES, _HEADS))
    if size and heads:
        own |= _heads(fields, size, heads)
    if size and steps:
        inner = (whole(fields, _EXPAND) or 2) * size
        if inner % steps:
            raise ConfigError(
                f"{_HEADS}: expected a divisor of the {inner} columns of all ({_EXPAND} x "
                f"hidden_size), got {steps}"
            )
        own["mamba_headdim"] = inner // steps
    return own


def _heads(fields: Fields, size: int, heads: int) -> dict[str, Any]:
    """The sizes of a block of attention, which reads two hidden states' columns."""
    if size % heads:
        raise ConfigError(f"{_QUERIES}: expected a divisor of hidden_size = {size}, got {heads}")
    if fields.get(_ADAPTS) and whole(fields, _KV_HEADS) not in (None, heads):
        raise ConfigError(
            f"{_ADAPTS}: expected as many KV heads as the {heads} query heads, which adapters are "
            f"made for, got {fields[_KV_HEADS]} ({_KV_HEADS})"
        )
    return {
        "head_dim": 2 * size // heads,
        "softmax_scale": (size // heads) ** -0.5,
        "intermediate_size": whole(fields, "intermediate_size") or 4 * size,
    }


def _tensors(fields: Fields) -> TensorNames:
    """The names of a file as it is read, whose blocks of both kinds are layers that attend."""
    blocks = _blocks_of_layers(texts(fields, "layer_types"))
    count = whole(fields, _SHARED) or 1
    # The code shares nothing where it does not share the embedding.
    are_shared = bool(fields.get("tie_word_embeddings"))
    attending = [number for number, attends in blocks if attends]
    parts: list[str] = []
    shared: list[SharedNames | None] = []
    for number, attends in blocks:
        if not attends:
            is_behind = number in attending
            parts.append(f"{number}.mamba_decoder" if is_behind else str(number))
            shared.append(None)
            continue
        use = attending.index(number)
        owner = attending[use % count] if are_shared else number
        parts.append(f"{owner}.shared_transformer")
        rank, adapts = whole(fields, _RANK) or 1, bool(fields.get(_ADAPTS))
        shared.append(SharedNames(f"layers.{number}.linear", use, rank, adapts))
    return TensorNames(
        norm="final_layernorm",
        mlp_norm="pre_ff_layernorm",
        gate_up=("feed_forward.gate_up_proj",),
        down="feed_forward.down_proj",
        state_space=StateSpaceNames(),
        parts=tuple(parts),
        shared=tuple(shared),
    )


def _blocks_of_layers(layers: list[str]) -> list[tuple[int, bool]]:
    """The block of each layer, which ends with a state-space step, and whether it attends."""
    found, number = [], 0
    for kind in layers:
        attends = kind != "state_space"
        found.append((number, attends))
        number += not attends
    return found


_FALSE: dict[str, Any] = dict.fromkeys(("add_bias_linear", "use_long_context"), (False,))
ZAMBA_2 = ModelFamily(
    reads=(LAYER - {"quantization_config", "position_embedding_type", "head_dim"})
    | {
        *(_KINDS, _HEADS, _EXPAND, _SHARED, _RANK, _ADAPTS, "use_mem_rope", "mamba_ngroups"),
        *("mamba_d_state", "mamba_d_conv"),
    },
    only={
        **{**WHOLE_HEADS, **_FALSE, "use_conv_bias": (True,), "quantization_config": ()},
        **{"time_step_limit": (), "layer_types": ()},
        # transformers cuts the time steps of prompts here, those of other tokens not, and the
        # published code nowhere, whose files all say 0.001.
        "time_step_min": (0.0, 0.001),
    },
    harmless=frozenset(
        {
            # The code counts them.
            *("attention_head_dim", "attention_hidden_size", "ffn_hidden_size", "kv_channels"),
            *("hybrid_layer_ids", "mamba_headdim", "num_query_groups"),
            # How prompts are cut, and what is computed with.
            *("chunk_size", "use_mamba_kernels", "use_mem_eff_path"),
            # What begins a training.
            *("time_step_floor", "time_step_max"),
        }
    ),
    needs=((_KINDS,),),
    layer=lambda fields: LayerStyle(reads_embedded=True, rotates=bool(fields.get("use_mem_rope"))),
    tensors=_tensors,
    as_read=_as_read,
)
