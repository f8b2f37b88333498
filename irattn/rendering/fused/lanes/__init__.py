"""Steps of attention written out for lanes, where matrix instructions are."""

from irattn.rendering.fused.lanes.choice import lanes_for
from irattn.rendering.fused.lanes.lanes import Lanes
from irattn.rendering.fused.lanes.lds import LdsTiles
from irattn.rendering.fused.lanes.loops import StepLimits, Steps, loops_of, step_limits
from irattn.rendering.fused.lanes.own import Own

__all__ = [
    "Lanes",
    "LdsTiles",
    "Own",
    "StepLimits",
    "Steps",
    "lanes_for",
    "loops_of",
    "step_limits",
]
