"""A folder that shows what a graph does with IREE's tools alone, to attach to a bug report."""

from irattn.reproduction.folder import write_reproduction
from irattn.reproduction.subject import Subject, subject_of_artifact, subject_of_spec

__all__ = ["Subject", "subject_of_artifact", "subject_of_spec", "write_reproduction"]
