"""What a configuration can ask for that irattn does not have."""

from typing import Any

from irattn.errors import ConfigError, shown
from irattn.models.values import Fields, text, texts

# Features that change attention: the key, what it means, and the values that switch it off.
_KEYS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("kv_lora_rank", "latent attention", (None, 0)),
    ("attention_chunk_size", "chunked attention", (None, 0)),
    ("attention_sink_size", "first tokens that stay inside of every window", (None, 0)),
    ("blocksparse_block_size", "block-sparse attention", (None, 0)),
    ("is_encoder_decoder", "encoder-decoder attention", (None, False)),
    ("scale_attn_by_inverse_layer_idx", "a softmax scale per layer", (None, False)),
    ("relative_attention_num_buckets", "relative positions in the logits", (None, 0)),
    ("relative_attention", "relative positions in the logits", (None, False)),
    ("use_relative_position_bias", "relative positions in the logits", (None, False)),
    ("position_encoding_2d", "a prefix that is seen both ways", (None, False)),
    ("prefix_lm", "a prefix that is seen both ways", (None, False)),
    ("attn_config", "attention settings of its own kind", (None,)),
)

# Position embeddings that are added before attention, rotate its inputs, or are ALiBi.
_POSITION_EMBEDDINGS = ("absolute", "alibi", "learned", "none", "rope", "rotary", "sinusoidal")

_LAYER_TYPES = ("full_attention", "sliding_attention")


def refuse_unsupported(fields: Fields) -> None:
    """ConfigError, naming the key, for a feature that irattn does not have."""
    for key, feature, off in _KEYS:
        value = fields.get(key)
        if value not in off:
            raise ConfigError(
                f"{key}: {shown(value)} asks for {feature}, which irattn does not have yet"
            )
    for kind in texts(fields, "layer_types"):
        if kind not in _LAYER_TYPES:
            raise ConfigError(f"layer_types: {kind} is a kind of layer that irattn does not have")
    embedding = text(fields, "position_embedding_type") or "absolute"
    if embedding not in _POSITION_EMBEDDINGS:
        raise ConfigError(
            f"position_embedding_type: {embedding} is not known to leave the logits alone; "
            f"expected one of {', '.join(_POSITION_EMBEDDINGS)}"
        )
