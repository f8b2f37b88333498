"""AFMoE (Arcee's Trinity): gates of what is attended to, and experts chosen by sigmoids."""

from irattn.models.families.common import LISTED, WHOLE_HEADS
from irattn.models.families.expert_style import EXPERT_KEYS, ExpertStyle, dense_first
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import SHARED_EXPERTS, TensorNames

AFMOE = ModelFamily(
    reads=LISTED
    | EXPERT_KEYS
    | {"mup_enabled", "num_dense_layers", "num_shared_experts", "route_scale"},
    # Gates would have no biases.
    only=WHOLE_HEADS | {"attention_bias": (False,)},
    needs=(("layer_types",),),
    # What the list of kinds is made of.
    harmless=frozenset({"global_attn_every_n_layers"}),
    layer=LayerStyle(
        qk_norm=True,
        output_gate=True,
        post_norm=True,
        rotates_windows_alone=True,
        experts=ExpertStyle(scores="sigmoid", has_choice_bias=True, dense=dense_first),
    ),
    tensors=TensorNames(
        qkv=tuple(f"self_attn.{name}_proj" for name in ("q", "k", "v", "gate")),
        post_norm="post_attention_layernorm",
        mlp_norm="pre_mlp_layernorm",
        mlp_post_norm="post_mlp_layernorm",
        router="mlp.router.gate",
        choice_bias="mlp.expert_bias",
        **SHARED_EXPERTS,
    ),
)
