"""The compiler for tests: the same text for the same target is compiled once, for all of them.

Stores under `tmp_path` begin empty, so that the same few specs would be compiled again and again.
That the compiler gives the same bytes every time is what test_store checks, in other processes.
"""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from filelock import FileLock

import irattn.compiling.compiler
from irattn.targets import host_cpu_digest
from support.places import ROOT

KEPT = ROOT / "build" / "test-store" / ".compiled"

# The same machine code with less work: all cores have a test of their own, and no debugger looks at
# code for the CPU.
QUICKLY = ("--mlir-disable-threading", "--iree-llvmcpu-debug-symbols=false")


def compiled_quickly(text: str, flags: tuple[str, ...], **how: Any) -> bytes:
    """What `compile_installed` gives; nothing is kept."""
    return irattn.compiling.compiler.compile_installed(text, (*flags, *QUICKLY), **how)


def compiled_once(
    text: str, flags: tuple[str, ...], *, compiler: str | None = None, **how: Any
) -> bytes:
    """What `compile_installed` gives, kept between tests; failures are not.

    Nothing is kept of a compiler that is not the installed one.
    """
    if compiler not in (None, irattn.compiling.compiler.find_compiler()):
        return compiled_quickly(text, flags, compiler=compiler, **how)
    facts = [
        text,
        flags,
        irattn.compiling.compiler.find_compiler(),
        irattn.compiling.compiler.compiler_version(),
        host_cpu_digest(),
    ]
    kept = KEPT / hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    if kept.exists():
        return kept.read_bytes()
    KEPT.mkdir(parents=True, exist_ok=True)
    # Tests beside this one wait for what it compiles.
    with FileLock(kept.with_suffix(".lock")):
        if not kept.exists():
            data = compiled_quickly(text, flags, **how)
            # Complete or not there: others may read it at any moment.
            with tempfile.NamedTemporaryFile(dir=KEPT, delete=False) as written:
                written.write(data)
            Path(written.name).replace(kept)
    return kept.read_bytes()
