"""LFM2, dense and with experts: short convolutions between layers with attention."""

from dataclasses import replace

from irattn.core.errors import ConfigError
from irattn.models.families.common import LAYER, TIED, WHOLE_HEADS
from irattn.models.families.expert_style import (
    EXPERT_KEYS,
    ExpertStyle,
    dense_first,
    numbers_of,
)
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import ConvolutionNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive, texts, whole

_ADJUSTS, _TIMES, _MULTIPLE = (
    *("block_auto_adjust_ff_dim", "block_ffn_dim_multiplier", "block_multiple_of"),
)
_LISTED, _ATTENDING, _SIZE, _OLD_SIZE = (
    *("layer_types", "full_attn_idxs", "intermediate_size", "block_ff_dim"),
)
_COUNT, _TIED, _OLD_TIED = ("num_hidden_layers", "tie_word_embeddings", "tie_embedding")


def _as_read(fields: Fields) -> Fields:
    """LFM2's file by the keys of others: the kind of each layer, and the size of the MLP."""
    own = dict(fields)
    if fields.get(_OLD_TIED) is not None:
        own[_TIED] = fields[_OLD_TIED]
    count = whole(fields, _COUNT)
    if not texts(fields, _LISTED) and count is not None:
        attending = numbers_of(fields, _ATTENDING)
        own[_LISTED] = [
            "full_attention" if attending is None or number in attending else "conv"
            for number in range(count)
        ]
    own[_SIZE] = _mlp_size(fields)
    return own


def _mlp_size(fields: Fields) -> int | None:
    """The columns of the MLP: two thirds of what the file says, adjusted, where it says so."""
    size = whole(fields, _OLD_SIZE, _SIZE)
    if size is None or not fields.get(_ADJUSTS):
        return size
    size = 2 * size // 3
    times, multiple = positive(fields, _TIMES), whole(fields, _MULTIPLE)
    if times is None:
        return size
    if multiple is None:
        raise ConfigError(f"{_MULTIPLE}: missing")
    return -(-int(times * size) // multiple) * multiple


LFM_2_NAMES = TensorNames(
    norm="embedding_norm",
    attention_norm="operator_norm",
    output="self_attn.out_proj",
    query_norm="self_attn.q_layernorm",
    key_norm="self_attn.k_layernorm",
    mlp_norm="ffn_norm",
    gate_up=("feed_forward.w1", "feed_forward.w3"),
    down="feed_forward.w2",
    convolution=ConvolutionNames(),
)

LFM_2 = ModelFamily(
    reads=(LAYER - {"hidden_act", "rms_norm_eps"})
    | {
        *("conv_L_cache", "norm_eps", _LISTED, _OLD_TIED),
        *(_ADJUSTS, _ATTENDING, _MULTIPLE, _OLD_SIZE, _TIMES),
    },
    only=WHOLE_HEADS | {"conv_bias": (False,)},
    # Of its first files: sizes that the code counts, what no layer has, and the other code's.
    harmless=frozenset(
        {
            *("block_mlp_init_scale", "conv_dim", "conv_dim_out", "conv_use_xavier_init"),
            "num_heads",
        }
    ),
    defaults={**TIED, "rope_theta": 1000000.0},
    layer=LayerStyle(qk_norm=True),
    tensors=LFM_2_NAMES,
    as_read=_as_read,
)
LFM_2_MOE = replace(
    LFM_2,
    reads=(LFM_2.reads - {_ADJUSTS, _ATTENDING, _MULTIPLE, _OLD_SIZE, _TIMES})
    | EXPERT_KEYS
    | {"num_dense_layers", "routed_scaling_factor", "use_expert_bias"},
    needs=((_LISTED,),),
    layer=lambda fields: LayerStyle(
        qk_norm=True,
        experts=ExpertStyle(
            scores="sigmoid",
            is_normalized="norm_topk_prob",
            has_choice_bias=bool(fields.get("use_expert_bias")),
            dense=dense_first,
            sum_eps=1e-6,
        ),
    ),
    tensors=replace(
        LFM_2_NAMES,
        router="feed_forward.gate",
        choice_bias="feed_forward.expert_bias",
        expert_gate_up=("feed_forward.experts.{expert}.w1", "feed_forward.experts.{expert}.w3"),
        expert_down="feed_forward.experts.{expert}.w2",
        packed_experts=("feed_forward.experts.gate_up_proj", "feed_forward.experts.down_proj"),
    ),
)
