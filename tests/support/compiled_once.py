"""The compiler for tests: the same text for the same target is compiled once, for all of them.

Stores under `tmp_path` begin empty, so that the same few specs would be compiled again and again.
That the compiler gives the same bytes every time is what test_store checks, in other processes.
"""

import hashlib
import json
import tempfile
from pathlib import Path

import irattn.compiler
from irattn.targets import host_cpu_digest

KEPT = Path(__file__).resolve().parents[2] / "build" / "test-store" / ".compiled"


def compiled_once(text: str, flags: tuple[str, ...]) -> bytes:
    """What `compile_mlir` gives, kept between tests; failures are not."""
    facts = [
        text,
        flags,
        irattn.compiler.find_compiler(),
        irattn.compiler.compiler_version(),
        host_cpu_digest(),
    ]
    kept = KEPT / hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    if not kept.exists():
        # The same bytes with less work: all cores have a test of their own.
        data = irattn.compiler.compile_mlir(text, (*flags, "--mlir-disable-threading"))
        KEPT.mkdir(parents=True, exist_ok=True)
        # Complete or not there: others may read it at any moment.
        with tempfile.NamedTemporaryFile(dir=KEPT, delete=False) as written:
            written.write(data)
        Path(written.name).replace(kept)
    return kept.read_bytes()
