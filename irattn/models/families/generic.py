"""Files without a model type, read by the keys that any model may have."""

from irattn.models.families.family import DECODER, ROPE, ROTATION, WINDOW, ModelFamily

GENERIC = ModelFamily(
    reads=DECODER
    | WINDOW
    | ROPE
    | {
        *("_sliding_window_pattern", "alibi", "attention_head_dim", "attention_multiplier"),
        *("attention_types", "attn_logit_softcapping", "d_model", "decoder_attention_heads"),
        *("decoder_layers", "dim", "encoder_attention_heads", "encoder_layers"),
        *("global_attn_every_n_layers", "is_decoder", "kv_channels", "kv_n_heads"),
        *("local_attention", "max_source_positions", "max_target_positions"),
        *("max_window_layers", "multi_query", "multi_query_attention", "multi_query_group_num"),
        *("n_embd", "n_embed", "n_head", "n_head_kv", "n_heads", "n_layer", "n_layers"),
        *("n_positions", "new_decoder_architecture", "num_heads", "num_kv_heads", "num_layers"),
        *("query_pre_attn_scalar", "scale_attn_weights"),
        *("seq_length", "sliding_window_pattern", "softmax_scale", "use_alibi"),
        *("use_bidirectional_attention", "use_sliding_window", "window_size"),
    },
    harmless=ROTATION,
    causal=None,
)
