"""Tell what irattn does not have of layers of new structure, by the type of a model.

A test compares the table in pages/models.md with it.
"""

MISSING = {
    "doge": "keys that each head chooses by a learned mask, and MLPs beside experts of single rows",
    "jetmoe": "experts that queries and output projections are made of",
    "zamba": (
        "Mamba 1 in heads, each of which makes time steps, B and C of its own channels "
        "(n_mamba_heads), and blocks of attention that several layers share"
    ),
    "bailing_hybrid": (
        "gates of whole heads of latent attention, and gates per channel of delta nets that "
        "are not of low rank and keep a least part (kda_lower_bound)"
    ),
    **dict.fromkeys(
        (
            *("bart", "bigbird_pegasus", "blenderbot", "blenderbot-small", "marian", "mbart"),
            *("mvp", "pegasus", "plbart", "prophetnet", "trocr"),
        ),
        "layers that attend to what an encoder made of another text, or of an image",
    ),
    "beam": "residuals whose weights go by the number of the layer",
    "blt": (
        "bytes that a model of its own joins into patches, and layers that attend to these "
        "(cross_attn_k)"
    ),
    "cpmant": "learned distances of places and segments in the logits (position_bias_num_buckets)",
    "dory": "layers that are run several times (n_recurrent_loops)",
    **dict.fromkeys(
        ("gemma4_assistant", "gemma4_unified_assistant"),
        "layers that attend to the keys of another model",
    ),
    "git": "an image's tokens in front of a text, which are seen both ways",
    **dict.fromkeys(
        ("moshi", "musicgen", "musicgen_melody"),
        "several tokens of sound at a time, each with a head of its own",
    ),
    "recurrent_gemma": "linear recurrences with gates of blocks of columns (lru_width)",
    "reformer": (
        "attention among keys of one hash (lsh_attn_chunk_length), and residuals of two streams"
    ),
    "rwkv": "RWKV's mixing of tokens in the place of attention",
    "xlnet": "learned distances in the logits, and queries of two streams",
    "longcat_flash": "two attentions in a layer, and experts that give back what they get",
    "axk2": (
        "norms with gates of low rank (gated_norm_rank), and gates of what latent attention "
        "attends to, of the queries' latent"
    ),
    "deepseek_v4": (
        "hidden states beside one another that every layer mixes (hc_mult), compressed keys "
        "(compress_rates), outputs of attention in groups of low rank (o_lora_rank), and "
        "experts by a token's hash"
    ),
    "dots3_note_text": (
        "latents of other sizes in layers with windows (swa_kv_lora_rank …), a norm of rotated "
        "keys, and gates of whole heads"
    ),
    "hrm_text": (
        "two stacks of layers that are run several times (H_cycles, L_cycles), and a prefix "
        "that is seen both ways (prefix_lm)"
    ),
    "hy_v4": (
        "hidden states beside one another that every layer mixes (hc_mult), and sinks and gates "
        "of latent attention"
    ),
    "hy_v4_vl_text": (
        "hidden states beside one another that every layer mixes (hc_mult), and sinks and gates "
        "of latent attention"
    ),
    "inkling_text": (
        "short convolutions behind projections (conv_kernel_size), learned distances in the "
        "logits (rel_extent), and shared experts among those that the router weighs"
    ),
    "inkling2_text": (
        "short convolutions of taps that depend on tokens, learned distances in the logits "
        "(rel_extent), and residuals of blocks of layers (n_layers_per_attn_res_block)"
    ),
    "inkling2_loop_text": (
        "what inkling2_text lacks, and layers that are run several times (loop_layer_index_start)"
    ),
    "minimax_m3_vl_text": (
        "GPT-OSS's activation in MLPs and shared experts (swiglu_limit), and blocks of keys "
        "that an indexer chooses (index_topk_blocks)"
    ),
    "mllama_text_model": "layers that attend to an image's tokens (cross_attention_layers)",
    "qwen4_exp_text": (
        "hidden states beside one another that every layer mixes (hc_count), embeddings of "
        "several tokens (ple_layer_ids), and keys that an indexer chooses (indexer_budget)"
    ),
    "zaya": (
        "convolutions of queries and keys, values of the token before (cca_time0 …), and a "
        "router that reads the last layer's"
    ),
}


def lacking_layers(model_type: str) -> str:
    """The words for a type whose layers are among the missing ones."""
    return f"model_type: {model_type}: irattn does not have its layers yet: {MISSING[model_type]}"
