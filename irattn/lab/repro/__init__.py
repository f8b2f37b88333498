"""A folder that shows what a graph does with IREE's tools alone, to attach to a bug report."""

from irattn.lab.repro.compilation import Compilation, compilation_of_artifact, compilation_of_spec
from irattn.lab.repro.folder import write_reproduction

__all__ = ["Compilation", "compilation_of_artifact", "compilation_of_spec", "write_reproduction"]
