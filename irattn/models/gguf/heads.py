"""The heads of the model of a GGUF file, and how positions rotate them."""

from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.rotation import rotation
from irattn.models.gguf.said import Said

# Of files some of whose layers are convolutions.
_CONVOLUTIONS = "shortconv.l_cache"
_KV_HEADS = "attention.head_count_kv"


def usual_fields(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and the rotation where all layers with attention have the same."""
    size = head_dim(said)
    return {**_kv_heads(said, layers), "head_dim": size, **rotation(said, file, size)}


def _kv_heads(said: Said, layers: int) -> dict[str, Any]:
    """The KV heads of layers with attention; those of LFM2 that have none are convolutions."""
    if not (said.value(_CONVOLUTIONS) and isinstance(said.value(_KV_HEADS), list)):
        heads = said.whole(_KV_HEADS) or said.needed("attention.head_count")
        return {"num_key_value_heads": heads}
    heads, attending = heads_by_layer(said, layers)
    kinds = ["full_attention" if one else "conv" for one in attending]
    return {"num_key_value_heads": heads, "layer_types": kinds}


def heads_by_layer(said: Said, layers: int) -> tuple[int, list[bool]]:
    """The KV heads of layers with attention, and which these are: others have none."""
    given = said.value(_KV_HEADS)
    each = given if isinstance(given, list) else [given] * layers
    counts = {*each} - {0}
    if len(counts) != 1 or len(each) < layers or any(type(one) is not int for one in each):
        raise ConfigError(
            f"{said.named(_KV_HEADS)}: expected the same number for each of the {layers} layers, "
            f"or 0 for those without attention, got {shown(given)}"
        )
    return counts.pop(), [count != 0 for count in each[:layers]]


def head_dim(said: Said) -> int:
    """The columns of a head, of keys and of values."""
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
