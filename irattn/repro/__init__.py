"""A folder that shows what a graph does with IREE's tools alone, to attach to a bug report."""

from irattn.repro.compilation import Subject, subject_of_artifact, subject_of_spec
from irattn.repro.folder import write_reproduction

__all__ = ["Subject", "subject_of_artifact", "subject_of_spec", "write_reproduction"]
