"""Launches compiled code by the driver itself, on streams and memory of the caller's.

Neither IREE's runtime nor the compiler nor templates take part: a launch plan says it all.
"""

from irattn.runtime.direct.cuda import Cuda
from irattn.runtime.direct.driver import Driver
from irattn.runtime.direct.hip import Hip
from irattn.runtime.direct.memory import DirectArray
from irattn.runtime.direct.session import DirectSession

__all__ = ["Cuda", "DirectArray", "DirectSession", "Driver", "Hip"]
