"""A side's process, seen from the one that asks."""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from irattn.core.errors import BenchmarkError

# Threads that spin after a call would steal the cores from the other side's next one. OpenMP reads
# this once, when its library is loaded, so it is set before the process begins.
_WAIT = {"OMP_WAIT_POLICY": "PASSIVE"}
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def environment(threads: int) -> dict[str, str]:
    """The environment of a side's process: as many threads as irattn, none of which spins."""
    # The process finds the same modules as this one.
    path = {"PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    return {**os.environ, **_WAIT, **dict.fromkeys(_THREADS, str(threads)), **path}


class SideProcess:
    """A side (`own`, `torch`, `onnxruntime`, `numpy`) in a process of its own.

    Each row of a benchmark starts one anew: no row sees the memory and threads of another, and one
    that dies takes nothing with it. Use it in a `with` block.
    """

    def __init__(self, side: str, threads: int, device: str = "cpu") -> None:
        self.side = side
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._process = subprocess.Popen(
            [sys.executable, "-m", "irattn.lab.benchmark.worker", side, str(threads), device],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=environment(threads),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._said):
            if pipe:
                pipe.close()

    def prepare(self, spec_json: str) -> list[str]:
        """The ways that compute a spec; NoWayError with reasons where there are none."""
        return list(self._ask("prepare", spec_json))

    def load(self, folder: str) -> None:
        """Give irattn's own side an artifact."""
        self._ask("load", folder)

    def outputs(self, way: str) -> list[np.ndarray]:
        """The outputs that a way computes."""
        return list(self._ask("outputs", way))

    def turn(self, way: str, seconds: float) -> list[float]:
        """Seconds of calls in succession."""
        return list(self._ask("turn", way, seconds))

    def peak(self, way: str) -> int | None:
        """Bytes that a call takes beyond its inputs."""
        taken: int | None = self._ask("peak", way)
        return taken

    def version(self) -> str:
        """The library that runs, with its version."""
        return str(self._ask("version"))

    def limits(self, dtypes: Sequence[str]) -> dict[str, float]:
        """The machine's limits, as the side measures them."""
        return dict(self._ask("limits", list(dtypes)))

    def _ask(self, verb: str, *arguments: Any) -> Any:
        """The result of a method of the side; its refusals are raised here."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            pickle.dump((verb, arguments), self._process.stdin)
            self._process.stdin.flush()
            how, answer = pickle.load(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise BenchmarkError(
                f"the process of {self.side} died: {self._last_words()}"
            ) from error
        if how == "refused":
            raise answer
        return answer

    def _last_words(self) -> str:
        code = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:400] if lines else f"exit status {code}"
