"""DBRX: layer norms without biases, clipped queries, keys and values, and flat experts."""

from irattn.core.errors import ConfigError, shown
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import FILE, ROPE, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive, section, text

_NORMED, _CLIP, _ACTIVATION = "moe_normalize_expert_weights", "clip_qkv", "ffn_act_fn"
_THETA, _ROPE = "rope_theta", "rope_parameters"


def _as_read(fields: Fields) -> Fields:
    """The fields of a file by the keys of others; ConfigError for what irattn's layers lack."""
    normed = fields.get(_NORMED)
    if normed not in (None, 1):
        raise ConfigError(f"{_NORMED}: expected 1 or null, got {shown(normed)}")
    # The code clips where it is not null: 0 would leave nothing.
    if fields.get(_CLIP) == 0:
        raise ConfigError(f"{_CLIP}: expected a number above 0 or null, got 0")
    own, other = positive(fields, _THETA), positive(section(fields, _ROPE), _THETA)
    if None not in (own, other) and own != other:
        # The published code has one, transformers the other.
        raise ConfigError(
            f"{_THETA}: expected that of {_ROPE}, {other:g}, or none beside it, got {own:g}"
        )
    return {
        **fields,
        "hidden_act": text(section(fields, _ACTIVATION), "name"),
        "max_position_embeddings": fields.get("max_seq_len"),
        "norm_topk_prob": normed is not None,
        "num_experts_per_tok": fields.get("moe_top_k"),
    }


DBRX = ModelFamily(
    reads=(FILE - {"quantization_config", "tie_word_embeddings"})
    | (ROPE - {"partial_rotary_factor"})
    | {
        *("d_model", "kv_n_heads", "max_seq_len", "n_heads", "n_layers"),
        *(_CLIP, _ACTIVATION, "ffn_hidden_size", "moe_num_experts", _NORMED, "moe_top_k"),
    },
    only={
        "head_dim": (),
        "partial_rotary_factor": (1, 1.0),
        "quantization_config": (),
        "tie_word_embeddings": (False,),
    },
    # What transformers writes of kv_n_heads.
    harmless=frozenset({"num_key_value_heads"}),
    # The class says one, the published code another.
    needs=((_THETA, _ROPE),),
    defaults={
        **{"kv_n_heads": 1, "ffn_hidden_size": 3584, "moe_num_experts": 4, "moe_top_k": 1},
        **{_NORMED: 1.0, "layer_norm_epsilon": 1e-5},
    },
    as_read=_as_read,
    layer=LayerStyle(
        norm_kind="layer",
        experts=ExpertStyle(width="ffn_hidden_size", is_normalized="norm_topk_prob"),
    ),
    tensors=TensorNames(
        bases=("transformer.",),
        embedding="wte",
        norm="norm_f",
        layer="blocks.{number}.",
        attention_norm="norm_attn_norm.norm_1",
        qkv=("norm_attn_norm.attn.Wqkv",),
        output="norm_attn_norm.attn.out_proj",
        mlp_norm="norm_attn_norm.norm_2",
        router="ffn.router.layer",
        expert_gate_up=("ffn.experts.mlp.w1", "ffn.experts.mlp.v1"),
        expert_down="ffn.experts.mlp.w2",
        have_flat_experts=True,
    ),
)
