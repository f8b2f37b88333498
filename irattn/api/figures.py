"""The verbs that time and choose: bench and tune."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from irattn import targets
from irattn.api.given import folder_of, named_specs, path_of
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError
from irattn.core.numbers import whole
from irattn.lab.benchmark import Report, bench_specs
from irattn.lab.executors import check_same_everywhere, executor_of, using
from irattn.lab.tuning import (
    LEAST_TOKENS,
    NotTuned,
    TuningEntry,
    TuningSession,
    budget_of,
    tune_each,
)
from irattn.runtime.machine import target_or_here
from irattn.specs import Spec


def bench(
    specs: Mapping[str, Spec] | Iterable[str] | str | None = None,
    *,
    target: str | None = None,
    device: str = "auto",
    against: str | None = None,
) -> Report:
    """Time specs beside a peer, and beside what the machine can do, which is measured too.

    `specs` are catalogue names, or specs by names of their own; None is the catalogue's suite.
    `target` is by default that of the device that is named, else this machine's.
    `against` is `torch`, `onnxruntime`, `vllm` or `numpy`; None is torch, or irattn alone where
    torch is not installed. Each side has a process of its own; outputs are compared before anything
    is timed, and what is wrong is not timed: `Row.failure` says so. Times are medians of calls
    taken in turns; a row's `ratio` is the peer's over irattn's. On a GPU launches are timed, many
    with one synchronisation; `device` never falls back. Raises UsageError for a peer that is not
    installed, DeviceError for a device that is not there.
    """
    named = named_specs(catalog.names([catalog.BENCH]) if specs is None else specs)
    return bench_specs(named, target_or_here(target, device), device=device, against=against)


def tune(
    specs: Mapping[str, Spec] | Iterable[str] | str,
    file: str | Path,
    *,
    target: str,
    device: str = "auto",
    budget: int | str | None = None,
    tokens: int = LEAST_TOKENS,
    executor: str | None = None,
    out: str | Path | None = None,
) -> list[TuningEntry]:
    """Choose tiles of attention with evidence, and keep both in a tuning file; see its README.

    `specs` are catalogue names, or specs by names of your own. What the file has of equal inputs is
    not done again. `budget` is how many tiles of a spec are tried, 40, or for how long new ones are
    begun, `"10m"` for all specs together. Cuts have at most so many `tokens`. The best are timed on
    `device`, `auto` where it is there. `executor` is `local:N`, by default with all cores, or
    `dask://HOST:PORT`. Raises RenderError for a spec that has no tile, DeviceError where nothing
    can rank tiles, TuningError for a file that is none, and the first error that was no tile's
    fault.
    """
    named, chosen = named_specs(specs), targets.get(target)
    allowed = budget_of(None if budget is None else str(budget))
    tokens = whole("tokens", tokens, least=LEAST_TOKENS, error=ArgumentError)
    with using(executor_of(executor or f"local:{os.cpu_count() or 1}")) as workers:
        check_same_everywhere(workers, [chosen])
        session = TuningSession(
            path=path_of(file, "file"),
            executor=workers,
            device=device,
            tokens=tokens,
            budget=allowed,
            command="irattn.tune",
            root=folder_of(out),
        )
        tuned = []
        for outcome in tune_each(session, [(name, spec, chosen) for name, spec in named.items()]):
            if isinstance(outcome, NotTuned):
                raise outcome.error
            tuned.append(outcome)
    for one in tuned:
        for error in one.trials.failures.values():
            raise error
    return [one.entry for one in tuned]
