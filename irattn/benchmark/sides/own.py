"""irattn's own side: called on device arrays, or on a GPU launched on tensors that lie there."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from irattn.artifact import Artifact, read_artifact
from irattn.benchmark.sides import base
from irattn.benchmark.work import bench_tensors
from irattn.runtime import DeviceArray, Launcher, load_artifact
from irattn.specs import Spec


class Side(base.Side):
    """One artifact; `load` comes before `prepare`."""

    artifact: Artifact
    launched: Path | None
    launcher: Launcher

    def load(self, folder: str, launched: str | None) -> None:
        """Take an artifact, and on a GPU its module that is only launched."""
        self.artifact = read_artifact(Path(folder))
        self.launched = Path(launched) if launched else None

    def set_up(self, spec: Spec) -> None:
        self._make_way(bench_tensors(spec))

    def _make_way(self, tensors: Mapping[str, np.ndarray]) -> None:
        if self.launched is None:
            kernel = load_artifact(self.artifact, self.device)
            given = {
                name: DeviceArray.from_numpy(array, kernel.device)
                for name, array in tensors.items()
            }
            self.ways = {"call": lambda: kernel.outputs(**given)}
            return
        self.launcher = Launcher(self.launched.read_bytes(), self.artifact, self.device, tensors)
        self.ways, self.wait = {"launch": self.launcher.launch}, self.launcher.wait

    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        if way == "launch":
            return list(self.launcher.outputs())
        assert isinstance(result, tuple)
        return list(map(np.asarray, result))
