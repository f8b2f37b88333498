"""Run a benchmark: compile, compare the outputs, choose the peer's best way, then time in turns."""

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from irattn.compiling.build import build
from irattn.compiling.store import Store
from irattn.core.errors import IrattnError, UsageError
from irattn.core.progress import step, steps
from irattn.lab.benchmark.limits import Limits, better_of, measure_limits
from irattn.lab.benchmark.machine import installed, processor, widest_vectors
from irattn.lab.benchmark.plan import TITLES, Plan, plan
from irattn.lab.benchmark.problems import NoWayError
from irattn.lab.benchmark.process import SideProcess
from irattn.lab.benchmark.results import Measured, Report, Row
from irattn.lab.benchmark.timing import interleave
from irattn.lab.benchmark.work import bench_tensors, work_of
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.rendering import GraphRequest
from irattn.runtime.costs import check_call, check_verification
from irattn.specs import Spec
from irattn.targets import Target, host_cpu_flags

TURNS = 7
TURN_SECONDS = 0.15
_TRIAL_SECONDS = 0.05

Tell = Callable[[Row], object]


def bench_specs(
    specs: Mapping[str, Spec],
    target: Target,
    *,
    device: str = "auto",
    against: str | None = None,
    turns: int = TURNS,
    tell: Tell = lambda row: None,
) -> Report:
    """Time specs by name against a peer, both in processes of their own; see the package.

    `tell` is given each row when it is done. What a row cannot do, it says; a plan that cannot be
    carried out raises UsageError or DeviceError.
    """
    chosen = plan(target, device, against)
    dtypes = list(dict.fromkeys(spec.io_dtype for spec in specs.values()))
    before = _limits(chosen, dtypes)
    rows = []
    for name in steps(specs, str):
        rows.append(_row(chosen, name, specs[name], turns))
        tell(rows[-1])
    return Report(
        rows=tuple(rows),
        target=target.name,
        device=chosen.device,
        against=chosen.against,
        measured=chosen.measured,
        machine=_machine(chosen),
        limits=better_of(before, _limits(chosen, dtypes)),
        notes=chosen.notes,
    )


def _limits(chosen: Plan, dtypes: Sequence[str]) -> Limits | None:
    """NumPy measures every CPU, PyTorch what it runs on."""
    sides = [] if chosen.is_gpu else ["numpy"]
    sides += ["torch"] if chosen.against == "torch" else []
    with step("the machine's limits"):
        return measure_limits(sides, chosen.threads, chosen.device, dtypes)


def _machine(chosen: Plan) -> dict[str, Any]:
    versions = {"irattn": installed("irattn"), "IREE": installed("iree-base-compiler")}
    if chosen.against:
        with SideProcess(chosen.against, chosen.threads, chosen.device) as process:
            name, _, number = process.version().rpartition(" ")
        versions[name] = number
    return {
        "processor": processor(),
        "vectors": widest_vectors(host_cpu_flags()),
        "threads": chosen.threads,
        "date": datetime.now(UTC).date().isoformat(),
        "versions": versions,
    }


def _row(chosen: Plan, name: str, spec: Spec, turns: int) -> Row:
    """One row; what fails is its failure, not that of the others."""
    row = Row(name, spec)
    try:
        check_call(spec.calls[-1])
        with tempfile.TemporaryDirectory(prefix="irattn-bench-") as folder:
            with step("compile"):
                start = time.monotonic()
                artifact = build(GraphRequest(spec, chosen.target), Store(Path(folder)), name=name)
                row = row.with_(compile_seconds=time.monotonic() - start)
            with SideProcess("own", chosen.threads, chosen.device) as own:
                own.load(str(artifact.path))
                return _timed(chosen, row, own, turns)
    except UsageError:
        raise
    except IrattnError as error:
        return row.with_(failure=str(error))


def _timed(chosen: Plan, row: Row, own: SideProcess, turns: int) -> Row:
    # The largest sizes that a call may have.
    call = row.spec.calls[-1]
    (way,) = own.prepare(call.to_json())
    outputs = own.outputs(way)
    row = row.with_(work=work_of(call, bench_tensors(call)))
    if chosen.against is None:
        return _alone(row, call, own, way, outputs, turns)
    with SideProcess(chosen.against, chosen.threads, chosen.device) as peer:
        try:
            with step(f"prepare {TITLES[chosen.against]}"):
                ways = peer.prepare(call.to_json())
        except NoWayError as error:
            row = row.with_(note=f"{TITLES[chosen.against]} is not timed: {error}")
            return _alone(row, call, own, way, outputs, turns)
        with step("compare outputs"):
            row = _checked(row, call, outputs, {name: peer.outputs(name) for name in ways}, 2)
        if row.failure:
            return row
        with step("time in turns"):
            trials = {name: min(peer.turn(name, _TRIAL_SECONDS)) for name in ways}
            best = min(trials, key=trials.__getitem__)
            sides = [(own, way, {}), (peer, best, trials)]
            own_side, peer_side = _interleaved(sides, turns)
        return row.with_(own=own_side, peer=peer_side)


def _alone(
    row: Row, call: Spec, own: SideProcess, way: str, outputs: list[np.ndarray], turns: int
) -> Row:
    """Without a peer the numbers are compared with the float64 reference."""
    check_verification(call)
    with step("compare with the reference"):
        expected = list(reference(call, bench_tensors(call)))
        row = _checked(row, call, outputs, {"the reference": expected}, 1)
    if row.failure:
        return row
    with step("time in turns"):
        (side,) = _interleaved([(own, way, {})], turns)
    return row.with_(own=side)


def _checked(
    row: Row,
    call: Spec,
    outputs: list[np.ndarray],
    others: Mapping[str, list[np.ndarray]],
    allowed: float,
) -> Row:
    """A row that says how far the outputs are from those of others, and fails where that is far.

    `allowed` counts tolerances: two where both sides may be off by one.
    """
    apart = {name: _strain(call, outputs, other) for name, other in others.items()}
    worst = max(apart, key=apart.__getitem__)
    row = row.with_(strain=apart[worst])
    if apart[worst] <= allowed:
        return row
    return row.with_(
        failure=f"wrong numbers, not timed: the outputs differ from those of {worst} by "
        f"{apart[worst]:.3g} tolerances, where {allowed:g} are allowed"
    )


def _strain(call: Spec, outputs: list[np.ndarray], others: list[np.ndarray]) -> float:
    """How far apart the outputs are that both have, in tolerances."""
    return max(
        strain(measured(output, other.astype(np.float64), tensor))
        for output, other, tensor in zip(outputs, others, call.outputs, strict=True)
    )


def _interleaved(
    sides: Sequence[tuple[SideProcess, str, Mapping[str, float]]], turns: int
) -> list[Measured]:
    """The memory that a call of each side takes, then its times, turn about."""
    peaks = [process.peak(way) for process, way, _ in sides]
    taken = interleave(
        [partial(process.turn, way, TURN_SECONDS) for process, way, _ in sides], turns
    )
    return [
        Measured(times, way, trials, peak)
        for times, peak, (_, way, trials) in zip(taken, peaks, sides, strict=True)
    ]
