"""Writes an artifact for hosts without IREE: code objects, how to launch them, and C source."""

from irattn.binary.exporting.folder import LAUNCH_JSON, write_hsaco

__all__ = ["LAUNCH_JSON", "write_hsaco"]
