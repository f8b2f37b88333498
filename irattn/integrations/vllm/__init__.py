"""vLLM's attention on CPUs and on GPUs: a plug-in with a backend for each.

On CPUs the backend takes the place of vLLM's own; on GPUs it is the one that vLLM calls CUSTOM.
"""

import os
import re

from irattn.integrations.vllm.theirs import registry
from irattn.runtime.cores import give_cores, spin_briefly

# Where vLLM tells OpenMP a worker's CPUs: GNU's library, which binds the main thread to the first
# before Python begins, Intel's, or any other.
_BINDINGS = ("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES")
# As vLLM writes them: `0 1`, `...,proclist=[0,1]`, `{0,1}`. Other forms are a user's own.
_LISTED = re.compile(r"(?:^|[\[{])(\d+(?:[ ,]\d+)*)(?:$|[\]}])")


def register() -> None:
    """Take the places of CPU_ATTN and CUSTOM; vLLM calls it at its start, in each process.

    Only where VLLM_PLUGINS names irattn: to be installed is not to be asked for. vLLM asks for
    CPU_ATTN on CPUs alone, and for CUSTOM where `--attention-backend CUSTOM` says so.
    """
    if "irattn" in os.environ.get("VLLM_PLUGINS", "").split(","):
        # By name: what a machine does not need is not imported there.
        names = registry.AttentionBackendEnum
        registry.register_backend(names.CPU_ATTN, f"{__name__}.cpu.CpuBackend")
        registry.register_backend(names.CUSTOM, f"{__name__}.gpu.GpuBackend")
        give_cores(_cpus_of_worker())
        spin_briefly()


def _cpus_of_worker() -> list[int]:
    """The logical CPUs that vLLM gave this process; none where it bound none."""
    listed = (_LISTED.search(os.environ.get(name, "")) for name in _BINDINGS)
    return next(([int(cpu) for cpu in re.split("[ ,]", one[1])] for one in listed if one), [])
