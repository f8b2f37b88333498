"""Keys that mean the same in the files of different models, in the order in which they are read."""

HIDDEN = ("hidden_size", "n_embd", "n_embed", "d_model", "dim")
HEADS = (
    *("num_attention_heads", "n_head", "n_heads", "num_heads", "attention_heads"),
    *("decoder_attention_heads", "encoder_attention_heads"),
)
KV_HEADS = ("num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads")
LAYERS = (
    *("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    *("decoder_layers", "encoder_layers"),
)
# The most tokens that a model has positions for.
POSITIONS = (
    *("max_position_embeddings", "n_positions", "seq_length"),
    *("max_target_positions", "max_source_positions"),
)
ACTIVATION = (
    "hidden_activation",
    "hidden_act",
    "activation_function",
    "activation",
    "mlp_hidden_act",
)
INNER = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim")
EXPERTS = ("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts")
EACH = ("num_experts_per_tok", "top_k_experts", "moe_topk", "moe_k")
SHARED = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")
ROUTED_SCALE = ("routed_scaling_factor", "router_scaling_factor", "route_scale")
# No file's word, as lightning attention has the heads of attention.
LIGHTNING_HEADS = "lightning_heads"
SCAN_RANK = ("mamba_dt_rank", "time_step_rank")
# No file's word: the channels of a selective scan, which files say in several ways.
SCAN_CHANNELS = "scan_channels"
STATE_SPACE_HEADS = ("mamba_n_heads", "n_mamba_heads", "mamba_num_heads", "num_heads")
NORM_EPS = (
    "rms_norm_eps",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "norm_epsilon",
    "norm_eps",
)

SYNONYMS = (HIDDEN, HEADS, KV_HEADS, LAYERS, POSITIONS, ACTIVATION, EXPERTS, NORM_EPS)
# Of which a decoder's file says one, or several that agree.
ONE_MEANING = (
    *(HIDDEN, HEADS, KV_HEADS, LAYERS, EXPERTS, EACH, SHARED, ROUTED_SCALE),
    # EXAONE 3's norms, by its own word and by Llama's.
    ("layer_norm_epsilon", "rms_norm_eps"),
    # Kimi Linear's words, and DeepSeek's.
    *(("moe_renormalize", "norm_topk_prob"), ("num_expert_group", "n_group")),
    ("num_experts_per_token", "num_experts_per_tok"),
)
