"""An executor that works at once, in this process, where patches of a test are."""

from concurrent.futures import Future
from typing import Any

from support.compiled_once import compiled_once


class Here:
    """One task at a time."""

    jobs = 1
    is_elsewhere = False

    def compile(self, text: str, flags: tuple[str, ...], *, timeout: float | None = None) -> bytes:
        return compiled_once(text, flags)

    def submit(self, name: str, function: Any, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future

    def close(self, *, at_once: bool) -> None:
        pass
