"""Writes an artifact for hosts without IREE: code, how to launch it, and sources in C and Rust."""

from irattn.binary.exporting.folder import LAUNCH_JSON, write_export

__all__ = ["LAUNCH_JSON", "write_export"]
