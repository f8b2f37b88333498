"""The heads of the model of a GGUF file, and how positions rotate them."""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

# Of files some of whose layers are convolutions.
_CONVOLUTIONS = "shortconv.l_cache"


def usual_fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and the rotation where all layers with attention have the same."""
    size = _head_dim(said)
    return {**_kv_heads(said, layers), "head_dim": size, **rotation(said, file, size)}


def _kv_heads(said: Said, layers: int) -> dict[str, Any]:
    """The KV heads of layers with attention; those of LFM2 that have none are convolutions."""
    key = "attention.head_count_kv"
    each = said.value(key)
    if not (said.value(_CONVOLUTIONS) and isinstance(each, list)):
        return {"num_key_value_heads": said.whole(key) or said.needed("attention.head_count")}
    counts = {*each} - {0}
    if len(counts) != 1 or len(each) < layers:
        raise ConfigError(
            f"{said.named(key)}: expected the same number for each of the {layers} layers, or 0 "
            f"for those without attention, got {shown(each)}"
        )
    kinds = ["full_attention" if count else "conv" for count in each[:layers]]
    return {"num_key_value_heads": counts.pop(), "layer_types": kinds}


def _head_dim(said: Said) -> int:
    heads, width = said.needed("attention.head_count"), said.needed("embedding_length")
    size = said.whole("attention.key_length")
    if size is None:
        if width % heads:
            raise ConfigError(
                f"{said.named('embedding_length')}: expected a multiple of the {heads} heads, "
                f"got {width}"
            )
        size = width // heads
    if said.whole("attention.value_length") not in (None, size):
        raise ConfigError(
            f"{said.named('attention.value_length')}: expected attention.key_length = {size}, got "
            f"{said.value('attention.value_length')}"
        )
    return size
