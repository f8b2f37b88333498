"""Providers of devices: what runs artifacts, in order of choice, and why one does not."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from irattn.compiling.artifact import Artifact
from irattn.core.errors import ArgumentError, DeviceError, shown
from irattn.runtime.devices import DriverStatus
from irattn.runtime.session import Loaded
from irattn.specs import Spec
from irattn.targets import Target

if TYPE_CHECKING:
    from irattn.runtime.direct import DirectSession

# Packages name their providers under this group of entry points.
ENTRY_POINTS = "irattn.providers"

# What a device may be called besides a provider's name.
AUTO, CPU = "auto", "cpu"


class Provider(ABC):
    """A way to run artifacts; `name` is what a user gives as `device`.

    Others register their own with `register_provider`, or under the entry points of
    `irattn.providers`, as a class or function without arguments that gives one.
    """

    name: str
    # Whether device `cpu` may mean this one.
    is_cpu = False

    @property
    def takes_device_arrays(self) -> bool:
        """Whether kernels on it take arrays that stay there, and not those of NumPy alone."""
        return True

    @abstractmethod
    def status(self) -> DriverStatus:
        """The provider's devices, or why there are none; never raises."""

    @abstractmethod
    def misfit(self, target: Target) -> str | None:
        """Why the provider cannot run a target's code, as `needs device hip`; None where it can."""

    @abstractmethod
    def open(self, artifact: Artifact) -> Loaded:
        """The artifact, ready to be called; DeviceError with the reason where it does not load."""

    def launch_problem(self, target: Target) -> str | None:
        """Why no launcher of the device's own runs a target's code; None where one does."""
        return "has no launcher besides IREE's"

    def open_direct(self, artifact: Artifact) -> "DirectSession":
        """The artifact with a launcher of the device's own, which takes other libraries' arrays.

        DeviceError where the provider has none, or the driver's library is not there.
        """
        raise DeviceError(f"device {self.name}: has no launcher besides IREE's")

    def reluctance(self, spec: Spec | None) -> str | None:
        """Why the provider is taken by name only, of a spec or at all; None where `auto` may."""
        return None


@dataclass(frozen=True)
class Decision:
    """Whether a provider is taken: `reason` says why it is rejected, None where it is taken."""

    provider: str
    reason: str | None

    @property
    def accepted(self) -> bool:
        """Whether this provider runs the code."""
        return self.reason is None

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {**asdict(self), "accepted": self.accepted}

    def __str__(self) -> str:
        outcome = "accepted" if self.accepted else f"rejected because {self.reason}"
        return f"{self.provider}: {outcome}"


class _Broken(Provider):
    """A package's provider that does not load."""

    def __init__(self, name: str, error: Exception) -> None:
        self.name = name
        self._problem = f"its package does not load: {type(error).__name__}: {error}"

    def status(self) -> DriverStatus:
        return DriverStatus(self.name, (), self._problem)

    def misfit(self, target: Target) -> str | None:
        return None

    def open(self, artifact: Artifact) -> Loaded:
        raise DeviceError(f"device {self.name}: {self._problem}")


class Registry:
    """Providers in order of choice."""

    def __init__(self) -> None:
        self._providers: list[Provider] = []

    def __iter__(self) -> Iterator[Provider]:
        return iter(tuple(self._providers))

    def register(self, provider: Provider, before: str | None = None) -> None:
        """Add a provider at the end, or before another.

        ArgumentError for what is none, or has no name or one that is taken.
        """
        names = [known.name for known in self._providers]
        if not isinstance(provider, Provider):
            raise ArgumentError(
                f"provider: expected an object of irattn.Provider, got {shown(provider)}"
            )
        if not isinstance(name := getattr(provider, "name", None), str) or not name:
            raise ArgumentError(f"provider: expected one with a name, got {shown(name)}")
        if provider.name in (AUTO, CPU, *names):
            raise ArgumentError(f"provider: expected a name of its own, got {provider.name}")
        if before is not None and before not in names:
            raise ArgumentError(f"before: expected one of {', '.join(names)}, got {before}")
        self._providers.insert(names.index(before) if before else len(names), provider)

    def remove(self, name: str) -> None:
        """Take a provider out; ArgumentError where there is none of this name."""
        self._providers.remove(self.get(name))

    def get(self, name: str) -> Provider:
        """The provider of a name; ArgumentError where there is none."""
        for provider in self._providers:
            if provider.name == name:
                return provider
        known = ", ".join(provider.name for provider in self._providers)
        raise ArgumentError(f"provider: expected one of {known}, got {name}")

    def register_packages(self) -> None:
        """Add the providers of installed packages; one that does not load says so when asked."""
        for point in entry_points(group=ENTRY_POINTS):
            try:
                self.register(point.load()())
            except Exception as error:  # another package's, of whatever kind
                names = [known.name for known in self._providers]
                # Where its name is another's, it is known by where it is.
                name = point.value if point.name in (AUTO, CPU, *names) else point.name
                self.register(_Broken(name, error))

    def decide(self, target: Target, spec: Spec | None, device: str) -> tuple[Decision, ...]:
        """Which provider runs a target's code, and why not the others; loads nothing.

        `device` is a provider's name, `cpu` or `auto`; without a spec the answer is for specs in
        general.
        """
        taken: str | None = None
        decisions = []
        for provider in self:
            reason: str | None
            if not _is_meant(provider, device):
                reason = f"device {device} is asked for"
            elif taken:
                # What is not needed is not asked: an answer may take long.
                reason = f"{taken} comes first"
            else:
                reason = _reason(provider, target, spec, device)
            decisions.append(Decision(provider.name, reason))
            taken = taken or (None if reason else provider.name)
        return tuple(decisions)


def _is_meant(provider: Provider, device: str) -> bool:
    return device in (AUTO, provider.name) or (device == CPU and provider.is_cpu)


def _reason(provider: Provider, target: Target, spec: Spec | None, device: str) -> str | None:
    """Why a provider is not taken that may be meant; None where it is taken."""
    if misfit := provider.misfit(target):
        return f"{target.name} {misfit}"
    if problem := provider.status().problem:
        return problem
    return None if device == provider.name else provider.reluctance(spec)
