"""AMD code objects as files of any compiler: read, shown, and executed by a description."""

from irattn.lab.codefiles.description import Description, read_description
from irattn.lab.codefiles.execution import BufferAfter, ExecutedFile, estimated, execute_file
from irattn.lab.codefiles.files import read_code_file

__all__ = [
    "BufferAfter",
    "Description",
    "ExecutedFile",
    "estimated",
    "execute_file",
    "read_code_file",
    "read_description",
]
