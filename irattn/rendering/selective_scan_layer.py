"""How the graph of a layer with a selective scan is put together from its parts."""

from dataclasses import dataclass
from itertools import accumulate

from irattn.rendering.state_layers import StateLayerPlan
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec


@dataclass(frozen=True)
class SelectiveScanLayer(StateLayerPlan):
    """The places of time steps, B and C among the columns of what is made of x."""

    spec: SelectiveScanLayerSpec

    @property
    def first_columns(self) -> dict[str, int]:
        """The first column of each."""
        counts = self.spec.columns
        return dict(zip(counts, accumulate(counts.values(), initial=0), strict=False))


PLANS = {("selective_scan_layer", "linalg"): SelectiveScanLayer}
