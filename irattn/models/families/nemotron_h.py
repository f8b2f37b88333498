"""Nemotron-H and Nemotron 3: blocks that are Mamba 2, attention, an MLP or experts alone.

A layer is a block with Mamba 2 or attention, and the block with an MLP or experts behind it, where
there is one.
"""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.expert_style import ExpertStyle, dense_first
from irattn.models.families.family import DECODER, LayerStyle, ModelFamily
from irattn.models.families.mamba import check_time_steps
from irattn.models.families.state_tensor_names import MIXER_STEPS
from irattn.models.families.tensor_names import NEXT_BLOCK, TensorNames
from irattn.models.own_mlps import MLPS, NO_MLP
from irattn.models.values import Fields, key_of, text, texts, whole

_LISTED, _PATTERN = "layers_block_type", "hybrid_override_pattern"
_BLOCKS = {"M": "linear_attention", "*": "full_attention", "-": "mlp", "E": "moe"}
_OLD = {"mamba": "linear_attention", "attention": "full_attention"}
_MIXERS = {"linear_attention": "state_space", "full_attention": "full_attention"}
_MLP_KINDS = {"mlp": "dense", "moe": "sparse"}
_HEAD, _OLD_HEAD = "head_dim", "attention_head_dim"


def _blocks(fields: Fields) -> list[str]:
    """The kind of each block; ConfigError for one that the code does not have."""
    listed = [_OLD.get(one, one) for one in texts(fields, _LISTED)]
    blocks = listed or [_BLOCKS.get(one, one) for one in text(fields, _PATTERN) or ""]
    for number, kind in enumerate(blocks):
        if kind not in _BLOCKS.values():
            known = ", ".join(_BLOCKS.values() if listed else _BLOCKS)
            raise ConfigError(f"{_key(fields)}: expected of {known}, got {shown(kind)}")
        if kind in _MLP_KINDS and (number == 0 or blocks[number - 1] in _MLP_KINDS):
            raise ConfigError(
                f"{_key(fields)}: expected an MLP or experts behind Mamba 2 or attention alone, "
                f"got block {number}"
            )
    return blocks


def _key(fields: Fields) -> str:
    return key_of(fields, _LISTED, _PATTERN)


def _firsts(fields: Fields) -> tuple[int, ...]:
    """The numbers of the blocks that layers begin with."""
    return tuple(number for number, kind in enumerate(_blocks(fields)) if kind in _MIXERS)


def _as_read(fields: Fields) -> Fields:
    """Nemotron-H's file by the keys of others: layers of two blocks, and of one."""
    check_time_steps(fields)
    head, said = whole(fields, _HEAD), whole(fields, _OLD_HEAD)
    if said is not None and said != head:
        raise ConfigError(f"{_OLD_HEAD}: expected {_HEAD} = {head}, got {said}")
    blocks = _blocks(fields)
    behind = [_MLP_KINDS.get(kind, NO_MLP) for kind in [*blocks[1:], ""]]
    firsts = _firsts(fields)
    return {
        **fields,
        "num_hidden_layers": len(firsts),
        "layer_types": [_MIXERS[blocks[number]] for number in firsts],
        MLPS: [behind[number] for number in firsts],
    }


def _layer(fields: Fields) -> LayerStyle:
    experts = ExpertStyle(
        scores="sigmoid",
        is_normalized="norm_topk_prob",
        has_choice_bias=True,
        shared_size="moe_shared_expert_intermediate_size",
        dense=dense_first,
        is_plain=True,
    )
    has_experts = "sparse" in texts(fields, MLPS)
    return LayerStyle(gated=False, rotates=False, experts=experts if has_experts else None)


def _tensors(fields: Fields) -> TensorNames:
    return TensorNames(
        bases=("backbone.", "model."),
        embedding="embeddings",
        norm="norm_f",
        first_blocks=_firsts(fields),
        attention_norm="norm",
        qkv=("mixer.q_proj", "mixer.k_proj", "mixer.v_proj"),
        output="mixer.o_proj",
        state_space=MIXER_STEPS,
        mlp_norm=f"{NEXT_BLOCK}norm",
        up=f"{NEXT_BLOCK}mixer.up_proj",
        down=f"{NEXT_BLOCK}mixer.down_proj",
        router=f"{NEXT_BLOCK}mixer.gate",
        choice_bias=f"{NEXT_BLOCK}mixer.gate.e_score_correction_bias",
        expert_gate_up=(f"{NEXT_BLOCK}mixer.experts.{{expert}}.up_proj",),
        expert_down=f"{NEXT_BLOCK}mixer.experts.{{expert}}.down_proj",
        shared_gate_up=(f"{NEXT_BLOCK}mixer.shared_experts.up_proj",),
        shared_down=f"{NEXT_BLOCK}mixer.shared_experts.down_proj",
    )


_NONE: tuple[Any, ...] = ()
_FALSE = (False,)
NEMOTRON_H = ModelFamily(
    reads=(DECODER - {"quantization_config", "position_embedding_type"})
    | {
        *(_LISTED, _PATTERN, _OLD_HEAD, "intermediate_size", "layer_norm_epsilon"),
        *("mlp_hidden_act", "time_step_limit", "mamba_num_heads", "mamba_head_dim", "n_groups"),
        *("ssm_state_size", "conv_kernel", "use_conv_bias", "moe_intermediate_size"),
        *("moe_shared_expert_intermediate_size", "n_group", "n_routed_experts", "norm_topk_prob"),
        *("num_experts_per_tok", "routed_scaling_factor", "topk_group"),
    },
    only={
        **dict.fromkeys(("attention_bias", "mlp_bias", "use_bias", "mamba_proj_bias"), _FALSE),
        **{"residual_in_fp32": _FALSE, "mamba_hidden_act": ("silu",)},
        **dict.fromkeys(("moe_latent_size", "sliding_window", "quantization_config"), _NONE),
        "mamba_ssm_cache_dtype": ("float32",),
        # transformers cuts the time steps of prompts here, those of other tokens not. The published
        # code begins a training with it, and cuts at `time_step_limit`: nowhere in its files, which
        # all say 0.001.
        "time_step_min": (0.0, 0.001),
    },
    harmless=frozenset(
        {
            # Nothing is rotated.
            *("partial_rotary_factor", "rope_parameters", "rope_scaling", "rope_theta"),
            # Heads say it, and prompts are cut in other ways.
            *("expand", "chunk_size", "mamba_chunk_size"),
            # What begins a training.
            *("time_step_max", "time_step_floor", "time_step_rank"),
            "rescale_prenorm_residual",
            # What guesses more tokens, and how experts are computed.
            *("num_nextn_predict_layers", "mtp_layers_block_type", "mtp_hybrid_override_pattern"),
            *("moe_shared_expert_overlap", "use_mamba_kernels"),
        }
    ),
    needs=((_LISTED, _PATTERN),),
    layer=_layer,
    tensors=_tensors,
    as_read=_as_read,
)
