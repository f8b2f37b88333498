"""irattn's own side: called on device arrays; on a GPU, calls are waited for together.

What a call updates, caches and states, it is given to keep: the next one goes on from there.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from irattn.compiling.artifact import Artifact, read_artifact
from irattn.lab.benchmark.sides import base
from irattn.lab.benchmark.work import bench_tensors
from irattn.runtime import GPU_DRIVERS, DeviceArray, load_artifact
from irattn.specs import Spec


class Side(base.Side):
    """One artifact; `load` comes before `prepare`."""

    artifact: Artifact
    spec: Spec
    results: tuple[DeviceArray, ...]

    def load(self, folder: str) -> None:
        """Take an artifact."""
        self.artifact = read_artifact(Path(folder))

    def set_up(self, spec: Spec) -> None:
        self.spec = spec
        self._make_way(bench_tensors(spec))

    def outputs(self, way: str) -> list[np.ndarray]:
        if self.spec.updates:
            # Calls before have changed what they were given.
            self.set_up(self.spec)
        return super().outputs(way)

    def _make_way(self, tensors: Mapping[str, np.ndarray]) -> None:
        kernel = load_artifact(self.artifact, self.device)
        given = {
            name: DeviceArray.from_numpy(array, kernel.device) for name, array in tensors.items()
        }

        updates = self.spec.updates
        places = {output.name: i for i, output in enumerate(self.spec.outputs)}

        def launch() -> tuple[DeviceArray, ...]:
            self.results = kernel.outputs(**given, donate=tuple(updates.values()))
            for output, taken in updates.items():
                given[taken] = self.results[places[output]]
            return self.results

        def wait() -> None:
            # The last of those that are made in order.
            self.results[0].synchronize()

        def call() -> tuple[DeviceArray, ...]:
            results = launch()
            wait()
            return results

        if self.device in GPU_DRIVERS:
            self.ways, self.wait = {"launch": launch}, wait
        else:
            self.ways = {"call": call}

    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        assert isinstance(result, tuple)
        return list(map(np.asarray, result))
