"""Tune one spec for one target, and keep in the tuning file what was found, tile by tile."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from irattn.compiling.build import artifact_name
from irattn.compiling.store import Store, default_root
from irattn.core.errors import DeviceError
from irattn.lab.emulated_gpu import device as emulated_device
from irattn.lab.emulated_gpu.device import EMULATOR
from irattn.lab.executors import Executor, versions
from irattn.lab.tuning.budget import Budget
from irattn.lab.tuning.cut import cut
from irattn.lab.tuning.entries import Tried, TuningEntry
from irattn.lab.tuning.file import Tuning, read_tuning, write_tuning
from irattn.lab.tuning.measuring import device_for, machine_of
from irattn.lab.tuning.order import tiles_in_order
from irattn.lab.tuning.search import (
    Trials,
    finalists,
    measure_best,
    try_tiles,
    verify_best,
    verify_quickest,
    winner,
)
from irattn.lab.tuning.trials import Job, Tile
from irattn.rendering import GraphRequest
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Where times were measured: a device, and the machine that has it.
MachineUsed: TypeAlias = tuple[str | None, Mapping[str, Any] | None]
_NOWHERE: MachineUsed = (None, None)

# Tiles are compiled beside the artifacts, out of sight.
_FOLDER = ".tuning"


@dataclass(frozen=True)
class TuningSession:
    """How specs are tuned: where work is done, how much of it, and which file keeps the outcome.

    `device` is `auto`, or one that must be there. `tell` is given the entry after each step, and
    what was done last.
    """

    path: Path
    executor: Executor
    device: str
    tokens: int
    budget: Budget
    command: str
    root: Path | None
    tell: Callable[[TuningEntry, int, Tried], object] = lambda entry, tiles, last: None

    def tune(self, name: str, spec: Spec, target: Target) -> tuple[TuningEntry, Trials]:
        """The entry of a spec, and its trials; RenderError for one without tiles.

        ArgumentError for a name that no artifact has, DeviceError where nothing can rank tiles
        here. What a file of equal versions has is not done again.
        """
        # The file with another one could not be read again.
        artifact_name(GraphRequest(spec, target), name)
        tiles = tiles_in_order(spec, target)
        assert isinstance(spec, AttentionFeatures)
        device = measuring_device(target, self.device)
        job = self._job(name, spec, target, tiles[0], device)
        trials = Trials(tiles)
        before = self._before(job)
        timed_on: MachineUsed = (before.device, before.machine) if before else _NOWHERE
        trials.take_over(before.tried if before else ())
        # What cannot be kept is not worth the time.
        self._keep(job, trials.tried, timed_on)

        def keep(place: MachineUsed, tried: Sequence[Tried], *done: Tried) -> None:
            entry = self._keep(job, tried, place)
            for last in done:
                self.tell(entry, len(tiles), last)

        try_tiles(job, trials, self.budget, partial(keep, timed_on))
        tried, here = _settle(job, trials.tried, device, timed_on, keep)
        if not job.ranks:
            # Nothing tells which are worth it but times.
            tried = verify_quickest(job, tried, partial(keep, here))
        return self._keep(job, tried, here), trials

    def _job(
        self, name: str, spec: AttentionFeatures, target: Target, own: Tile, device: str | None
    ) -> Job:
        root = (self.root or default_root()) / _FOLDER
        where = trial_device(target, device)
        small = cut(spec, target, self.tokens)
        return Job(name, spec, target, own, small, where, self.executor, root)

    def _before(self, job: Job) -> TuningEntry | None:
        """The file's entry of an earlier run with the same inputs."""
        entry = _read(self.path).find(job.spec, job.target)
        if entry is None or entry.versions != asdict(versions()):
            return None
        same = (entry.cut, entry.own_tile, entry.ranked_by)
        return entry if same == (job.cut.spec, job.own_tile, job.ranked_by) else None

    def _keep(self, job: Job, tried: Sequence[Tried], timed_on: MachineUsed) -> TuningEntry:
        """The entry of what was tried, put into the file, which other processes may write too.

        Evidence of other versions, or on another cut, stays until there is some in its place.
        """
        entry = self._entry(job, tried, *timed_on)
        with Store(self.root).alone("tuning"):
            file = _read(self.path)
            if tried or file.find(job.spec, job.target) is None:
                file = file.with_entry(entry)
            write_tuning(self.path, file)
        return entry

    def _entry(
        self,
        job: Job,
        tried: Sequence[Tried],
        device: str | None,
        machine: Mapping[str, Any] | None,
    ) -> TuningEntry:
        return TuningEntry(
            name=job.name,
            spec=job.spec,
            target=job.target.name,
            target_identity=job.target.identity,
            tile=winner(tried, job.own_tile),
            own_tile=job.own_tile,
            ranked_by=job.ranked_by,
            cut=job.cut.spec,
            copies=job.cut.copies,
            work=job.cut.work,
            tried=tuple(tried),
            device=device,
            machine=machine,
            versions=asdict(versions()),
            date=datetime.now(UTC).date().isoformat(),
            command=self.command,
        )


def measuring_device(target: Target, device: str) -> str | None:
    """Where tiles are timed; None where `auto` finds nothing. DeviceError for one that is named."""
    try:
        return device_for(target, device)
    except DeviceError:
        if device != "auto":
            raise
        return None


def trial_device(target: Target, device: str | None) -> str:
    """Where cuts run: the emulator, else where tiles are timed; DeviceError where neither is."""
    problem = emulated_device.problem(target)
    if problem is None:
        return EMULATOR
    if device is None:
        reason = problem if target.is_gpu else "runs on a processor that this one is not"
        raise DeviceError(
            f"{target.name} {reason}, and no device here runs its code: nothing can verify and "
            "rank tiles; tune it on a machine that has one"
        )
    return device


def _settle(
    job: Job,
    tried: Sequence[Tried],
    device: str | None,
    timed_on: MachineUsed,
    keep: Callable[..., object],
) -> tuple[Sequence[Tried], MachineUsed]:
    """All that was tried, the best verified, and timed where there is a device.

    Tiles that fail there give way to the next.
    """
    here: MachineUsed = (device, machine_of(device)) if device else timed_on
    while True:
        if job.ranks:
            tried = verify_best(job, tried, partial(keep, timed_on))
        best = finalists(job, tried)
        if not device or (timed_on == here and all(one.measured for one in best)) or not best:
            return tried, here
        before, tried, timed_on = tried, measure_best(job, tried, device), here
        keep(here, tried, *(one for one in tried if not one.is_sound and one not in before))


def _read(path: Path) -> Tuning:
    return read_tuning(path) if path.exists() else Tuning()
