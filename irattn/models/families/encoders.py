"""Models that see all of their tokens at once: encoders of text and of images, CLIP, Whisper."""

from dataclasses import replace

from irattn.models.families.family import FILE, ROTATION, SIZES, ModelFamily

_STRUCTURE = "cross attention"
_TEXT = ModelFamily(
    reads=FILE | SIZES,
    # Of what comes after the last layer, and of ALBERT's training.
    harmless=ROTATION | {"down_scale_factor", "pooler_num_attention_heads", "pooler_size_per_head"},
    only={"add_cross_attention": (False,)},
    causal=False,
)
# Their code can also make a decoder.
_BERT = replace(_TEXT, reads=FILE | SIZES | {"is_decoder"}, decodes=True)
_HEADS = replace(_TEXT, reads=FILE | SIZES | {"head_dim", "num_key_value_heads"})
_IMAGE = ModelFamily(
    reads=FILE | SIZES | {"image_size", "num_register_tokens", "patch_size"},
    harmless=ROTATION,
    only={
        "use_relative_position_bias": (False,),
        "use_shared_relative_position_bias": (False,),
    },
    causal=False,
    extra_tokens=0,
)

ENCODERS: dict[str, ModelFamily] = {
    **dict.fromkeys(("bert", "camembert", "data2vec-text", "electra", "ernie"), _BERT),
    **dict.fromkeys(("roberta", "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl"), _BERT),
    **dict.fromkeys(("albert", "gte", "jina_embeddings_v3"), _TEXT),
    "nomic_bert": replace(
        _TEXT,
        reads=FILE | SIZES | {"head_dim", "n_embd", "n_head", "n_layer", "n_positions"},
        harmless=ROTATION
        | {
            *("max_trained_positions", "qkv_proj_bias", "rotary_emb_fraction"),
            *("rotary_emb_interleaved", "rotary_emb_scale_base", "rotary_scaling_factor"),
        },
        only={
            "causal": (False,),
            "scale_attn_by_inverse_layer_idx": (False,),
            "scale_attn_weights": (True,),
        },
    ),
    "clip_text_model": ModelFamily(reads=FILE | SIZES, cached=False),
    "distilbert": replace(_TEXT, reads=FILE | {"dim", "n_heads", "n_layers"} | SIZES),
    "esm": _BERT,
    "eurobert": _HEADS,
    "esmc": _HEADS,
    "modernbert": replace(
        _TEXT,
        reads=FILE | SIZES | {"global_attn_every_n_layers", "layer_types", "local_attention"},
        defaults={"global_attn_every_n_layers": 3, "local_attention": 128},
    ),
    "siglip_text_model": _TEXT,
    # One token is for the class; DeiT has a second one for distillation.
    **dict.fromkeys(
        ("beit", "clip_vision_model", "dinov2", "dinov2_with_registers", "vit"),
        replace(_IMAGE, extra_tokens=1),
    ),
    "deit": replace(_IMAGE, extra_tokens=2),
    "siglip_vision_model": _IMAGE,
    "whisper": ModelFamily(
        reads=FILE
        | {
            *("d_model", "decoder_attention_heads", "decoder_layers", "encoder_attention_heads"),
            *("encoder_layers", "max_source_positions", "max_target_positions"),
            *("is_decoder", "is_encoder_decoder", "use_bidirectional_attention"),
        },
        harmless=frozenset({"num_attention_heads", "num_hidden_layers", "hidden_size"}),
        # The decoder's; the encoder is told that it looks both ways.
        causal=True,
        structure=_STRUCTURE,
    ),
}
