"""Templates as Python code, kept between processes: Jinja takes up to a second to compile them."""

import hashlib
from contextlib import suppress
from functools import cache
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache


class CompiledTemplates(FileSystemBytecodeCache):
    """Code in Jinja's folder of the user, of the templates of one environment.

    An environment's extensions change what is compiled: `named` tells it from others that read the
    same templates. What cannot be kept, or read, is compiled anew.
    """

    def __init__(self, named: str) -> None:
        super().__init__(pattern=f"irattn_{named}_%s.cache")

    def get_bucket(
        self, environment: jinja2.Environment, name: str, filename: str | None, source: str
    ) -> Bucket:
        """The place of a template's code; that of another source is no match."""
        compiled = environment.preprocess(source, name, filename)
        return super().get_bucket(environment, name, filename, compiled)

    def get_source_checksum(self, source: str) -> str:
        """The checksum of the source as it is compiled, and of what compiles it."""
        return hashlib.sha256(_compiler() + source.encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Whatever is wrong with a file, the template is there."""
        try:
            super().load_bytecode(bucket)
        except Exception:
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """A full disk is no reason not to render."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_templates(named: str) -> CompiledTemplates | None:
    """None where no folder of the user's own can be had."""
    try:
        return CompiledTemplates(named)
    except (OSError, RuntimeError):
        return None


@cache
def _compiler() -> bytes:
    """A key of all that decides on a template's code: Jinja, and the filters and options here."""
    digest = hashlib.sha256(jinja2.__version__.encode())
    for module in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(module.read_bytes())
    return digest.digest()
