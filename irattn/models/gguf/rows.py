"""The rows of a GGUF file's tensors, which tell sizes that its metadata leave out."""

from irattn.core.errors import ModelError
from irattn.core.gguf_file import GgufFile


def rows_of(file: GgufFile, name: str) -> int:
    """The rows of a tensor; ModelError where there is none."""
    if name not in file.tensors:
        raise ModelError(f"{name}: expected a tensor in {file.path}, got none")
    return file.tensors[name].shape[0]
