"""Make a thing once, however many threads ask for it."""

import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Once(Generic[_T]):
    """Things by key, each kept as long as anybody else keeps it."""

    def __init__(self) -> None:
        self._made: weakref.WeakValueDictionary[Hashable, _T] = weakref.WeakValueDictionary()
        self._making: dict[Hashable, threading.Lock] = {}
        # Held to look things up, not while one is made.
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The thing of a key, made if it is not there; who asks meanwhile waits for it."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            made = self._made.get(key)
            try:
                if made is None:
                    made = self._made[key] = make()
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return made
