"""Every error that reaches a user on purpose.

A message names the argument, says what was expected and what came, and, where something mends it,
what to do.
"""

import math
import reprlib

# What a message may quote of a file.
_MAX_MESSAGE = 600

# Beyond these bits a whole number is told by its size: Python does not even print thousands of
# digits, and nobody reads dozens.
_MAX_BITS = 63


class IrattnError(Exception):
    """Base of all errors raised on purpose by irattn."""


class UsageError(IrattnError):
    """The user asked for something that does not exist or makes no sense."""


class MissingPathError(UsageError):
    """Nothing is at a path that was given, or the folder of a file to write is not there."""


class SpecError(UsageError):
    """A spec has an impossible value."""


class TargetError(UsageError):
    """A target name is not in the target table."""


class CatalogueError(UsageError):
    """A name is not in the catalogue."""


class ConfigError(UsageError):
    """A model's `config.json` cannot be turned into specs."""


class ModelError(UsageError):
    """A model's folder lacks a file or a tensor, or has one of another kind."""


class ArgumentError(UsageError):
    """A tensor argument of a kernel has the wrong name, rank, shape, dtype or value."""


class RenderError(UsageError):
    """A spec cannot be said in the requested dialect or formulation."""


class PolicyError(UsageError):
    """A policy of comparisons says something impossible."""


class TuningError(UsageError):
    """A tuning file is none, or says nothing of what it is asked for."""


class SourceError(UsageError):
    """A side of a comparison is not there, or is nothing that can be compared."""


class CompileError(IrattnError):
    """The compiler refused a rendered graph; `diagnostics` is all that it said."""

    def __init__(self, message: str, diagnostics: str = "") -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class ArtifactError(IrattnError):
    """An artifact is missing, incomplete, altered or made for something else."""


class MissingArtifactError(ArtifactError, MissingPathError):
    """Neither artifact nor bundle is at a path that was given: nothing is."""


class CertificateError(IrattnError):
    """A certificate is missing, malformed, or of another version."""


class DeviceError(IrattnError):
    """A device is not there, or a launch on it failed."""


class StorageError(IrattnError, OSError):
    """A file cannot be written: the disk is full or read-only, or its folder cannot be one."""


class MissingPackageError(IrattnError, ImportError):
    """A package that is needed is not installed; the message says how to get it."""


class OutOfBlocksError(IrattnError):
    """A paged cache has too few free blocks; nothing was changed."""


class TooLargeError(IrattnError):
    """A spec needs more memory than this machine has."""


class ToolchainError(IrattnError):
    """A version of IREE's tools cannot be installed, or is damaged."""


class ExecutorError(IrattnError):
    """A cluster is not there, or its workers cannot do what was asked."""


class BenchmarkError(IrattnError):
    """A process whose calls are timed does not start, or died."""


class EmulatorError(IrattnError):
    """Emulated machine code did something that it must not do, or that irattn cannot execute."""


def quoted(word: str) -> str:
    """A user's word as it came, in quotes where it could not be seen or would break a line."""
    return word if word.strip() and word.isprintable() else repr(word)


class _Shown(reprlib.Repr):
    """Values as messages quote them: in one line, of any size, however deep."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 12
        self.maxstring = self.maxother = 100

    def repr_int(self, value: int, level: int) -> str:
        if value.bit_length() <= _MAX_BITS:
            return repr(value)
        return f"about {'-' if value < 0 else ''}2**{round(math.log2(abs(value)))}"


# What any value is in a message; `repr` fails for numbers of thousands of digits.
shown = _Shown().repr


def printable(error: BaseException) -> str:
    """An error's message, short and printable whatever the file put into it."""
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error))
    return text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]}…"
