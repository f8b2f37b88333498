"""GGUF files as configurations: their metadata in the words of a `config.json`."""

from irattn.models.gguf.architecture import Architecture
from irattn.models.gguf.architectures import ARCHITECTURES
from irattn.models.gguf.fields import architecture_of, config_of

__all__ = ["ARCHITECTURES", "Architecture", "architecture_of", "config_of"]
