"""Tasks on the workers of a dask cluster. The only module that imports distributed.

What to do with a task whose worker was lost, and which worker takes which, is dask's business.
"""

import asyncio
import hashlib
import pickle
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from irattn.binary.manifest import sha256
from irattn.core.errors import ExecutorError, UsageError
from irattn.lab.executors.tasks import compile_here, run
from irattn.lab.executors.versions import Versions, versions

SCHEME = "dask://"
_ANSWER_SECONDS = 10


class Dask:
    """The workers that a scheduler has, now and later."""

    is_elsewhere = True

    def __init__(self, address: str) -> None:
        """ExecutorError where none answers at `HOST:PORT`, or a worker has other versions."""
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise UsageError(
                f"executor: {SCHEME}{address} needs the package distributed: "
                "pip install 'irattn[cluster]'"
            ) from error
        self._address = address
        self._lost = distributed.KilledWorker
        try:
            _await_answer(f"tcp://{address}")
            self._client = distributed.Client(
                f"tcp://{address}", timeout=_ANSWER_SECONDS, set_as_default=False
            )
        except (OSError, TimeoutError) as error:
            raise ExecutorError(
                f"{SCHEME}{address}: no scheduler answers; `dask scheduler` starts one"
            ) from error
        try:
            self._check_workers(address)
        except BaseException:
            self._client.close()
            raise
        self.jobs = 2 * sum(self._client.nthreads().values())

    def compile(self, text: str, flags: tuple[str, ...], *, timeout: float | None = None) -> bytes:
        """Compile on a worker; the bytes are those that it hashed."""
        vmfb, digest = self.submit("compile", compile_here, text, flags, timeout).result()
        if sha256(vmfb) != digest:
            raise ExecutorError("what a worker compiled did not arrive as it was; run it again")
        return bytes(vmfb)

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Equal tasks have equal names, and run once."""
        content = pickle.dumps((function, arguments))
        key = f"irattn-{name}-{hashlib.sha256(content).hexdigest()[:24]}"
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        if self._client.status == "closed":
            # dask has tried for a while to find the scheduler again.
            future.set_exception(self._without_scheduler(name))
            return future
        remote = self._client.submit(run, versions(), function, *arguments, key=key, pure=True)
        remote.add_done_callback(lambda done: self._settle(done, future, name))
        return future

    def close(self, *, at_once: bool) -> None:
        """Leave the cluster, whose scheduler then cancels what was not awaited."""
        self._client.close()

    def _settle(self, remote: Any, future: Future[Any], name: str) -> None:
        """Hand an outcome on."""
        try:
            future.set_result(remote.result())
        except self._lost as error:
            lost = ExecutorError(f"{name}: every worker that began it was lost: {error}")
            future.set_exception(lost)
        except CancelledError:
            future.set_exception(self._without_scheduler(name))
        except Exception as error:
            future.set_exception(error)

    def _without_scheduler(self, name: str) -> ExecutorError:
        return ExecutorError(
            f"{name}: the scheduler at {SCHEME}{self._address} was lost; start it and its workers "
            "again"
        )

    def _check_workers(self, address: str) -> None:
        answers: dict[str, Versions | Exception] = self._client.run(versions, on_error="return")
        if not answers:
            raise ExecutorError(
                f"{SCHEME}{address}: the scheduler has no workers; "
                f"`dask worker tcp://{address}` starts one"
            )
        for worker, there in answers.items():
            if isinstance(there, Exception):
                raise ExecutorError(f"{worker}: this worker has no irattn that runs: {there}")
            if differences := versions().differences(there):
                raise ExecutorError(
                    f"{worker}: refused, as this worker has {differences}; install the same there"
                )


def _await_answer(address: str) -> None:
    """OSError or TimeoutError where no scheduler answers.

    A client waits for ever for an answer of whatever else listens there, as a dashboard does.
    """
    from distributed.comm import connect

    async def answer() -> None:
        comm = await asyncio.wait_for(connect(address, timeout=_ANSWER_SECONDS), _ANSWER_SECONDS)
        await comm.close()

    # In a thread of its own, as a notebook's runs a loop already.
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, answer()).result()
