"""Ask Linux whether this process may use the registers of AMX, which not every sandbox allows."""

import ctypes
import os

# arch_prctl, ARCH_REQ_XCOMP_PERM and XFEATURE_XTILEDATA of Linux's headers for x86-64.
_ARCH_PRCTL, _ASK_PERMISSION, _TILE_DATA = 158, 0x1023, 18


def may_use_tile_registers() -> bool:
    """Whether the permission is given, which stays with the process and those that it forks."""
    if os.name != "posix":
        return False
    return bool(ctypes.CDLL(None).syscall(_ARCH_PRCTL, _ASK_PERMISSION, _TILE_DATA) == 0)
