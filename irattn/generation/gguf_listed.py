"""Numbers that GGUF files have as metadata, a list of one for each layer, and others as tensors."""

import numpy as np

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile, GgufTensor
from irattn.models.gguf import Architecture


def listed_tensors(
    file: GgufFile, architecture: Architecture, layers: int
) -> dict[str, GgufTensor]:
    """The numbers as tensors of their layers, by the names of their keys there."""
    tensors = {}
    for key, shape in architecture.listed.items():
        for number, value in enumerate(_numbers(file, key, layers)):
            name = f"blk.{number}.{key}"
            tensors[name] = GgufTensor(name, "F32", shape, value.reshape(1).view(np.uint8))
    return tensors


def _numbers(file: GgufFile, key: str, layers: int) -> np.ndarray:
    """A number for each layer, or the one of all; ConfigError for anything else."""
    given = file.metadata.get(key)
    if type(given) is float:
        return np.full(layers, given, np.float32)
    is_list = isinstance(given, np.ndarray) and given.dtype.kind == "f"
    if not isinstance(given, np.ndarray) or not is_list or len(given) < layers:
        raise ConfigError(
            f"{key}: expected a number for each of the {layers} layers, got {shown(given)}"
        )
    return given[:layers].astype(np.float32)
