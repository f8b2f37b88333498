"""Keys of configurations: which names sound like attention, and which of these never touch it."""

import re

# What a key that changes attention has in its name. A name is all that is known of an unknown key,
# so there are rather too many words here than too few. A key without any of them passes: files
# carry private keys of all kinds.
_WORDS = (
    *("att", "head", "kv", "qk", "query", "softmax", "soft_cap", "softcap", "logit", "temperature"),
    *("layer_type", "block_type", "layer_kind", "pattern", "hybrid", "window", "slid", "local"),
    *("global", "rope", "rotary", "yarn", "alibi", "position", "relative", "bucket", "scal"),
    *("multipl", "cache", "ssm", "mamba", "conv", "recur", "rwkv", "retention", "linear", "delta"),
    *("lightning", "chunk", "spars", "dilat", "stride", "index", "indices", "latent", "lora"),
    *("rank", "sink", "memory", "state", "mask", "causal", "prefix", "bidirection", "gate"),
    *("share", "topk", "top_k"),
)
_SOUNDS = re.compile("|".join(_WORDS))
_NEVER = ("_token_id", "_token_ids", "_token_index", "dropout", "_implementation")

# Where off means another attention than on: what is false counts, too.
_ON_BY_DEFAULT = re.compile("scal|causal|mask|softmax|norm")
# A count or a size of nothing, or a switch that is written as a number.
_COUNTS = re.compile(
    r"^(num|n|use|has|is)_|_(size|rank|layers|top_?k|buckets|interval|period|length)$"
)

# In files of any model.
HARMLESS = frozenset(
    {
        # how a library runs and generates
        *("_attn_implementation_autoset", "_flash_attn_2_enabled"),
        *("attention_softmax_in_fp32", "chunk_size_feed_forward"),
        *("deterministic_flash_attn", "flash_attention", "flash_attn", "output_attentions"),
        *("ignore_index", "output_hidden_states", "output_router_logits", "prefix"),
        *("reorder_and_upcast_attn",),
        *("scale_attention_softmax_in_fp32", "softmax_in_fp32", "temperature", "top_k"),
        *("use_cache", "use_flash_attention", "use_flash_attention_2", "use_flash_attn"),
        # training
        *("attention_dropout_prob", "attention_probs_dropout_prob", "attn_pdrop"),
        *("layer_scale_init_value", "layerscale_value", "mask_feature_length"),
        *("mask_feature_min_masks", "mask_feature_prob", "mask_time_length"),
        *("mask_time_min_masks", "mask_time_prob", "sparse_pred_ignore_index"),
        *("sparse_prediction", "use_mask_token", "semantic_loss_ignore_index"),
        # embedding and head
        *(
            "embedding_multiplier",
            "final_logit_softcapping",
            "lm_head_bias",
            "logit_scale",
            "logits_to_keep",
        ),
        *(
            "logit_scale_init_value",
            "logits_scaling",
            "num_logits_to_keep",
            "output_multiplier",
            "scale_emb",
        ),
        *("scale_embedding", "share_input_output_embed"),
        *("vision_use_head", "vocab_size_multiple", "share_embedding"),
        # MLPs, experts and residuals
        *("decoder_sparse_step", "mlp_layer_types", "moe_layer_start_index"),
        *("moe_layer_end_index", "moe_num_shared_experts", "moe_routed_scaling_factor"),
        *("moe_router_logit_softcapping", "moe_router_topk", "moe_topk", "mtp_layer_types"),
        *("mtp_mlp_layer_types", "n_shared_experts", "norm_topk_prob", "num_local_experts"),
        *("num_shared_experts", "num_shared_expert", "residual_multiplier", "route_scale"),
        *("routed_scaling_factor", "router_scaling_factor", "scale_depth"),
        *("shared_expert_combination_strategy", "shared_expert_intermediate_size"),
        *("shared_intermediate_size", "topk_group", "topk_method", "use_gated_activation"),
        # what comes before attention: norms and clipping of queries and keys, biases, positions
        *("add_qkv_bias", "attention_bias", "attention_out_bias", "attn_bias", "clip_qkv"),
        *("qk_layernorm", "qk_layernorms", "qk_norm", "qk_norm_type", "qkv_bias", "use_qk_norm"),
        *("use_attention_bias", "use_qkv_bias", "use_absolute_position_embeddings"),
        *("apply_query_key_layer_scaling", "num_ln_in_parallel_attn"),
        *("attention_input_bias", "attention_output_bias"),
        # images
        *("auxiliary_num_convs", "encoder_stride", "out_indices", "pool_scales"),
        *("reshape_hidden_states", "use_auxiliary_head"),
    }
)


def sounds_like_attention(key: str) -> bool:
    """Whether the name of a key says that attention may be about it."""
    name = key.lower()
    return not name.endswith(_NEVER) and bool(_SOUNDS.search(name))


def is_off(key: str, value: object) -> bool:
    """Whether the value of an unknown key says nothing, or that a feature is not there."""
    if value is None or value in ("", [], {}):
        return True
    if value is False:
        return not _ON_BY_DEFAULT.search(key.lower())
    return type(value) is int and value == 0 and bool(_COUNTS.search(key.lower()))
