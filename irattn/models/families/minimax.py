"""MiniMax 1, with lightning attention and norms of what residuals are added to, and MiniMax M2."""

from dataclasses import replace

from irattn.core.errors import ConfigError, shown
from irattn.models.families.common import LAYER, PARTIAL, SILU, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.mistral import MIXTRAL_TENSORS
from irattn.models.families.state_tensor_names import LightningNames
from irattn.models.families.tensor_names import NEXT_BLOCK, TensorNames
from irattn.models.names import LAYERS, LIGHTNING_HEADS
from irattn.models.values import Fields, positive, texts, whole

# Experts chosen by sigmoids, norms over all heads of a token, and partial rotation.
MINIMAX_M2 = ModelFamily(
    reads=PARTIAL | EXPERT_KEYS | {"rotary_dim"},
    only={"use_qk_norm": (True,), "qk_norm_type": ("per_layer",), "use_routing_bias": (True,)},
    # Factors of residuals, and of experts.
    harmless=frozenset(
        {
            *("layernorm_full_attention_beta", "layernorm_linear_attention_beta"),
            *("layernorm_mlp_beta", "shared_moe_mode"),
        }
    ),
    defaults={"rope_theta": 5000000.0},
    layer=LayerStyle(
        qk_norm=True,
        joint_qk_norm=True,
        experts=ExpertStyle(width="intermediate_size", scores="sigmoid", has_choice_bias=True),
    ),
    tensors=MIXTRAL_TENSORS,
)
_KINDS, _HEADS, _EPS = "layer_types", "num_attention_heads", "rms_norm_eps"
_FULL, _LINEAR = "full_attention", "linear_attention"
_ALPHAS, _BETAS = (
    tuple(f"{part}_{factor}_factor" for part in ("full_attn", "linear_attn", "mlp"))
    for factor in ("alpha", "beta")
)
_SCALE = "residual_scale"
# Beyond what any model has, and within what norms can take back.
_LEAST, _MOST = 1e-3, 1e3


def _as_read(fields: Fields) -> Fields:
    """MiniMax 1's file by the keys of others.

    Each sum alpha x + beta change goes through a norm, which is that of x + beta / alpha change
    with an eps that is divided by alpha squared. The embedding, which goes through such a norm, is
    divided by alpha.
    """
    alpha, beta = _factor(fields, _ALPHAS), _factor(fields, _BETAS)
    count, heads, size = (whole(fields, key) for key in (*LAYERS[:1], _HEADS, "hidden_size"))
    own = {
        **fields,
        _KINDS: _layer_kinds(fields, count or 0),
        LIGHTNING_HEADS: heads,
        _SCALE: beta / alpha,
        "embedding_multiplier": 1 / alpha,
        _EPS: (positive(fields, _EPS) or 1e-5) / alpha**2,
    }
    if fields.get("head_dim") is None and heads and size:
        own["head_dim"] = size // heads
    return own


def _factor(fields: Fields, keys: tuple[str, ...]) -> float:
    """The factor that some keys all say; ConfigError where they differ."""
    first, *others = (positive(fields, key) or 1.0 for key in keys)
    if not _LEAST <= first <= _MOST:
        raise ConfigError(
            f"{keys[0]}: expected a number from {_LEAST:g} to {_MOST:g}, got {shown(first)}"
        )
    for key, other in zip(keys[1:], others, strict=True):
        if other != first:
            raise ConfigError(
                f"{key}: expected the {keys[0]} = {shown(first)}, as irattn has the same for "
                f"attention and experts, got {shown(other)}"
            )
    return first


def _layer_kinds(fields: Fields, count: int) -> list[str]:
    """The kind of each layer, every other one from the second on where the file lists none."""
    listed = texts(fields, _KINDS) or [(_FULL, _LINEAR)[number % 2] for number in range(count)]
    return ["lightning_attention" if kind == _LINEAR else kind for kind in listed]


def _tensors(fields: Fields) -> TensorNames:
    """The names of a file as it is read, in which a layer ends with the norm of the next one."""
    return replace(
        MIXTRAL_TENSORS,
        embedding_norm=f"{MIXTRAL_TENSORS.before(0)}{MIXTRAL_TENSORS.attention_norm}",
        norm="",
        post_norm=MIXTRAL_TENSORS.mlp_norm,
        mlp_post_norm=f"{NEXT_BLOCK}{MIXTRAL_TENSORS.attention_norm}",
        first_blocks=tuple(range(whole(fields, *LAYERS) or 0)),
        behind_last=MIXTRAL_TENSORS.norm,
        lightning=LightningNames(),
    )


MINIMAX = ModelFamily(
    reads=(LAYER | EXPERT_KEYS | {_KINDS, *_ALPHAS, *_BETAS})
    - {"hidden_act", "norm_topk_prob", "quantization_config"},
    only={
        **{**WHOLE_HEADS, **SILU, "norm_topk_prob": (True,), "postnorm": (True,)},
        **{"shared_intermediate_size": (0,), "sliding_window": (), "quantization_config": ()},
    },
    # How the code cuts prompts.
    harmless=frozenset({"block_size"}),
    defaults={"rope_theta": 1000000.0},
    needs=(LAYERS,),
    layer=LayerStyle(
        pre_norm=False,
        post_norm=True,
        norms_residual=True,
        residual_scale=_SCALE,
        experts=ExpertStyle(width="intermediate_size"),
    ),
    tensors=_tensors,
    as_read=_as_read,
)
