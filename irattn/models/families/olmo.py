"""OLMo 1, with norms without weights, and with more of them OLMo 2, 3 and Hybrid, and experts."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import BIAS, LAYER, LISTED, SILU, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields, positive, section, texts, whole

OLMO = ModelFamily(
    reads=(LAYER - {"rms_norm_eps"}) | {"attention_bias", "clip_qkv"},
    only=WHOLE_HEADS,
    defaults={"layer_norm_eps": 1e-5},
    layer=LayerStyle(**BIAS, norm_kind="layer"),
    tensors=TensorNames(has_norm_weights=False),
)
OLMO_2 = ModelFamily(
    reads=LAYER | {"attention_bias"},
    only=WHOLE_HEADS,
    layer=LayerStyle(**BIAS, pre_norm=False, post_norm=True, qk_norm=True, joint_qk_norm=True),
    tensors=TensorNames(
        post_norm="post_attention_layernorm", mlp_post_norm="post_feedforward_layernorm"
    ),
)
_THETA = 500000.0


def _with_one_theta(fields: Fields) -> Fields:
    """The fields of OLMo 3's file, whose theta outside of parts the code has for some layers alone.

    Those with windows have the class's.
    """
    theta, parts = positive(fields, "rope_theta"), section(fields, "rope_parameters").values()
    has_own = bool(parts) and all(isinstance(p, Mapping) and p.get("rope_theta") for p in parts)
    if theta not in (None, _THETA) and not has_own:
        raise ConfigError(
            f"rope_theta: expected {_THETA}, which the code has for layers with windows whatever "
            f"stands here, or a theta in each part of rope_parameters, got {shown(theta)}"
        )
    return fields


OLMO_3 = replace(
    OLMO_2,
    reads=LISTED | {"attention_bias"},
    as_read=_with_one_theta,
    defaults={"rope_theta": _THETA, "sliding_window_pattern": 4},
    layer=LayerStyle(
        **BIAS,
        pre_norm=False,
        post_norm=True,
        qk_norm=True,
        joint_qk_norm=True,
        scales_windows=False,
        rotates_by_kind=True,
    ),
)


def _layer_of_hybrid(fields: Fields) -> LayerStyle:
    """OLMo 2's layer, which does not rotate where the theta is null; delta nets have own norms."""
    given = (section(fields, "rope_parameters"), fields)
    thetas = [said["rope_theta"] for said in given if "rope_theta" in said]
    assert isinstance(OLMO_2.layer, LayerStyle)
    return replace(
        OLMO_2.layer,
        rotates=not thetas or thetas[0] is not None,
        # The code's own, whatever the file says of other norms.
        gated_norm_eps=1e-5,
    )


def _hybrid_as_read(fields: Fields) -> Fields:
    """OLMo Hybrid's file with the sizes of delta nets and the kinds of layers that it lacks."""
    own = dict(fields)
    heads, size = whole(fields, "num_attention_heads"), whole(fields, "hidden_size")
    for key in ("linear_num_key_heads", "linear_num_value_heads"):
        own[key] = whole(fields, key) or heads
    if whole(fields, "linear_key_head_dim") is None and size is not None:
        own["linear_key_head_dim"] = 3 * size // (4 * (own["linear_num_key_heads"] or 1))
    if whole(fields, "linear_value_head_dim") is None:
        own["linear_value_head_dim"] = 2 * own["linear_key_head_dim"]
    if not texts(fields, "layer_types") and (count := whole(fields, "num_hidden_layers")):
        kinds = ["full_attention" if n % 4 == 3 else "linear_attention" for n in range(count)]
        own["layer_types"] = kinds if count > 3 else [*kinds[:-1], "full_attention"]
    return own


def _hybrid_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names in files with those that training had: norms of delta nets, and convolutions.

    transformers, when it saves a model, calls the second norm of other layers so, too.
    """
    if not any(name.endswith(f".{_FIRST_NORM}.weight") for name in there):
        return names
    is_kept = any(name.endswith(f".{names.post_norm}.weight") for name in there)
    assert names.delta is not None
    return replace(
        names,
        attention_norm=_FIRST_NORM,
        mlp_norm=_SECOND_NORM,
        post_norm=names.post_norm if is_kept else _SECOND_NORM,
        delta=replace(names.delta, conv=tuple(f"linear_attn.{one}_conv1d" for one in "qkv")),
    )


_FIRST_NORM, _SECOND_NORM = "attention_layer_norm", "feedforward_layer_norm"
OLMO_HYBRID = ModelFamily(
    reads=(LAYER - {"hidden_act"})
    | {
        *("attention_bias", "layer_types", "linear_allow_neg_eigval", "linear_conv_kernel_dim"),
        *("linear_key_head_dim", "linear_num_key_heads", "linear_num_value_heads"),
        "linear_value_head_dim",
    },
    only=WHOLE_HEADS | SILU,
    # How weights begin before training.
    harmless=frozenset(
        {
            *("linear_a_log_max", "linear_a_log_min", "linear_dt_init_floor", "linear_dt_max"),
            "linear_dt_min",
        }
    ),
    # Of a file that does not say how many layers there are.
    defaults={"full_attention_interval": 4},
    layer=_layer_of_hybrid,
    tensors=TensorNames(
        post_norm="post_attention_layernorm",
        mlp_post_norm="post_feedforward_layernorm",
        delta=DeltaNames(
            qkv=("linear_attn.q_proj", "linear_attn.k_proj", "linear_attn.v_proj"),
            gate=("linear_attn.g_proj",),
            rates=("linear_attn.b_proj", "linear_attn.a_proj"),
            norm="linear_attn.o_norm",
            output="linear_attn.o_proj",
        ),
        as_stored=_hybrid_stored,
    ),
    as_read=_hybrid_as_read,
)
_EXPERTS = ExpertStyle(width="intermediate_size", is_normalized="norm_topk_prob")
OLMOE = replace(
    OLMO_2,
    reads=OLMO_2.reads | EXPERT_KEYS | {"clip_qkv"},
    layer=LayerStyle(**BIAS, qk_norm=True, joint_qk_norm=True, experts=_EXPERTS),
    tensors=TensorNames(),
)
FLEX_OLMO = replace(
    OLMO_2,
    reads=OLMO_2.reads | EXPERT_KEYS,
    defaults={"rope_theta": 500000.0},
    layer=LayerStyle(
        **BIAS, pre_norm=False, post_norm=True, qk_norm=True, joint_qk_norm=True, experts=_EXPERTS
    ),
)
