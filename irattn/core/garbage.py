"""Python's collector of garbage, kept from looking where there is none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_garbage() -> Iterator[None]:
    """Have Python not look for garbage while much is made that stays.

    Python looks whenever so many objects are new, and now and then at all objects of the process:
    the more other libraries hold, the longer that takes. Reference counts go on freeing.
    """
    was_looking = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_looking:
            gc.enable()
