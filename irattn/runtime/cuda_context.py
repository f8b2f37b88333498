"""CUDA's context in every thread: IREE makes it current in the one that opens the device."""

import ctypes
import sys
import threading
from collections.abc import Callable

_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def context_attacher() -> Callable[[], None]:
    """A function that makes this thread's context current in a thread that calls it, once each."""
    cuda = ctypes.CDLL(_LIBRARY)
    context = ctypes.c_void_p()
    cuda.cuCtxGetCurrent(ctypes.byref(context))
    attached = threading.local()

    def attach() -> None:
        if not hasattr(attached, "is_done"):
            cuda.cuCtxSetCurrent(context)
            attached.is_done = True

    return attach
