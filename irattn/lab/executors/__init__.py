"""Where many small jobs run: on this machine, or on the workers of a dask cluster.

A task is a function of plain values with a name made from them, and needs nothing of the machine
that it runs on but irattn and the compiler, in the same versions. Results come back to the process
that asked, which keeps them as it keeps its own.
"""

from irattn.lab.executors.choice import Executor, check_same_everywhere, executor_of, using
from irattn.lab.executors.local import Local
from irattn.lab.executors.versions import Versions, versions

__all__ = [
    "Executor",
    "Local",
    "Versions",
    "check_same_everywhere",
    "executor_of",
    "using",
    "versions",
]
