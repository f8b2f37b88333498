"""Build several graphs at a time, and give the outcome of each in order."""

import time
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from irattn.compiling.artifact import Artifact
from irattn.compiling.build import Compile, find_or_compile
from irattn.compiling.store import Store
from irattn.core.errors import IrattnError
from irattn.core.progress import step
from irattn.rendering import GraphRequest


@dataclass(frozen=True)
class Built:
    """An artifact under the name that was asked for, and what it took to have it."""

    name: str
    artifact: Artifact
    was_found: bool
    seconds: float

    @property
    def outcome(self) -> str:
        """In a word."""
        return "found" if self.was_found else "compiled"


@dataclass(frozen=True)
class Failed:
    """A graph that could not be built, under the name that was asked for, and why."""

    name: str
    request: GraphRequest
    error: IrattnError | OSError


def build_each(
    work: Iterable[tuple[str, GraphRequest]],
    store: Store | None = None,
    *,
    jobs: int | None = None,
    compile: Compile | None = None,
    are_names_folders: bool = True,
) -> Generator[Built | Failed]:
    """Build several graphs; gives the outcome of each in order, once all before it are done.

    A failure does not stop the others; who does not want them closes this. `jobs` are built at a
    time, by default as many as there are cores; `compile` is as for `find_or_compile`. Without
    `are_names_folders` artifacts have names made from their specs.
    """
    work = list(work)

    def timed(name: str, request: GraphRequest) -> Built:
        start, folder = time.monotonic(), name if are_names_folders else None
        artifact, was_found = find_or_compile(request, store, name=folder, compile=compile)
        return Built(name, artifact, was_found, time.monotonic() - start)

    with step() as note, build_pool(jobs) as pool:
        futures = [pool.submit(timed, *one) for one in work]

        def count(_: object = None) -> None:
            done = sum(future.done() for future in futures)
            note(
                f"{done} of {len(futures)} {'artifact' if len(futures) == 1 else 'artifacts'} done"
            )

        count()
        for future in futures:
            future.add_done_callback(count)
        for (name, request), future in zip(work, futures, strict=True):
            yield _outcome(name, request, future)


@contextmanager
def build_pool(jobs: int | None) -> Iterator[ThreadPoolExecutor]:
    """Threads that after a failure, or Ctrl-C, do not start what has not started."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _outcome(name: str, request: GraphRequest, future: "Future[Built]") -> Built | Failed:
    try:
        return future.result()
    except (IrattnError, OSError) as error:
        return Failed(name, request, error)
