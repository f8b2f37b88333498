"""Kernels that IREE makes of graphs of others: their code objects, as files, shown and executed."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("tinygrad")

from irattn import targets
from irattn.binary.vmfb import read_hip_executable, read_module, trace
from irattn.cli import main
from support.compiled_once import compiled_once
from support.plain_graphs import CONVOLUTION, MATMUL, SOFTMAX

pytestmark = pytest.mark.slow

Arrays = tuple[np.ndarray, ...]


def _softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _convolution(x: np.ndarray, k: np.ndarray) -> np.ndarray:
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
    return np.asarray(np.einsum("bhwcij,ijco->bhwo", windows, k))


# Graph, shapes of inputs, what it means.
GRAPHS: dict[str, tuple[str, tuple[tuple[int, ...], ...], Callable[..., np.ndarray]]] = {
    "matmul": (MATMUL, ((64, 48), (48, 80)), np.matmul),
    "softmax": (SOFTMAX, ((24, 100),), _softmax),
    "convolution": (CONVOLUTION, ((1, 10, 10, 8), (3, 3, 8, 16)), _convolution),
}


def written(graph: str, target: str, folder: Path) -> None:
    """The graph's one kernel as a code object, and how IREE launches it."""
    module = read_module(compiled_once(graph, targets.get(target).flags))
    (name,) = (name for name in module.exports if not name.startswith("__"))
    program = trace(module, name)
    (step,) = program.steps
    (executable,) = program.executables
    (export,), (elf,) = read_hip_executable(executable.data)
    (folder / "kernel.hsaco").write_bytes(elf)
    launch = {"grid": list(step.workgroups), "workgroup": list(export.workgroup_size)}
    launch["dynamic_lds"] = export.dynamic_lds_bytes
    (folder / "launch.json").write_text(json.dumps(launch))


@pytest.mark.parametrize(
    ("name", "target"), list(product(GRAPHS, ("gfx1100", "gfx1201", "gfx942")))
)
def test_a_kernel_that_is_not_ours(name: str, target: str, tmp_path: Path) -> None:
    graph, shapes, meaning = GRAPHS[name]
    written(graph, target, tmp_path)
    rng = np.random.default_rng(1)
    inputs = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]
    expected = meaning(*(array.astype(np.float64) for array in inputs))
    arguments = []
    for i, array in enumerate(inputs):
        np.save(tmp_path / f"{i}.npy", array)
        arguments.append({"buffer": f"{i}", "dtype": "f32", "shape": list(array.shape)})
        arguments[-1]["init"] = f"{i}.npy"
    out = {"buffer": "out", "dtype": "f32", "shape": list(expected.shape), "save": "out.npy"}
    launch = json.loads((tmp_path / "launch.json").read_text())
    launch["arguments"] = [*arguments, out]
    (tmp_path / "launch.json").write_text(json.dumps(launch))
    words = ["--waits", "--execute", "--launch", str(tmp_path / "launch.json")]
    shown = CliRunner().invoke(main, ["inspect", str(tmp_path / "kernel.hsaco"), *words])
    assert shown.exit_code == 0, shown.output
    assert "emulator   executes it" in shown.output
    assert "waits of 1 kernel: none lacks" in shown.output
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), expected, rtol=1e-4, atol=1e-4)
