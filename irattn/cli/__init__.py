"""The command line: one file per command."""

from irattn.cli.main import main

__all__ = ["main"]
