"""Which weights of a GGUF file a model's graphs read in the blocks that the file has."""

from collections.abc import Sequence

from irattn.core.weight_formats import WEIGHT_FORMATS
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_model import GgufModel


def formats_of_layer(model: ModelFolder, number: int) -> dict[str, str] | None:
    """The formats of a layer's weights by DecoderLayerSpec's names; None where it has none.

    Tensors of one format are one weight, the rows of one below those of the other. Queries, keys
    and values have blocks together or not at all, and so has an MLP.
    """
    if not isinstance(model, GgufModel) or model.widens:
        return None
    names, before = model.tensors, model.tensors.layer.format(number=number)

    def formats(*own: str) -> list[str]:
        return _formats(model, [f"{before}{name}.weight" for name in own])

    qkv, output, mlp = (
        formats(*names.qkv),
        formats(names.output),
        formats(*names.gate_up, names.down),
    )
    found = {
        **_named(qkv, "qkv", ("qkv_query", "qkv_key", "qkv_value")),
        **_named(output, "output", ()),
        **_named(mlp[:-1], "gate_up", ("gate", "up")),
        **_named(mlp[-1:], "down", ()),
    }
    return found or None


def _named(formats: Sequence[str], together: str, apart: Sequence[str]) -> dict[str, str]:
    """Formats by the name of one weight of all, or by those of one weight each."""
    if len({*formats}) == 1:
        return {together: formats[0]}
    return dict(zip(apart, formats, strict=False))


def format_of_table(model: ModelFolder, *, of_head: bool) -> str | None:
    """The format of the embedding, or of the head's weight, which may be the same."""
    if not isinstance(model, GgufModel) or model.widens:
        return None
    is_own = of_head and not model.shares_embedding
    name = model.tensors.head if is_own else model.tensors.embedding
    return next(iter(_formats(model, [f"{name}.weight"])), None)


def _formats(model: GgufModel, names: Sequence[str]) -> list[str]:
    """The format of each tensor; none where one of them has numbers, or blocks of another type."""
    tensors = [model.gguf.tensors.get(name) for name in names]
    formats = [tensor.type.lower() if tensor else "" for tensor in tensors]
    return formats if all(one in WEIGHT_FORMATS for one in formats) else []
