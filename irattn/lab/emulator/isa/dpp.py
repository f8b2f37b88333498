"""Which lanes DPP instructions read from, by the control in their encoding."""

from functools import cache

import numpy as np

from irattn.lab.emulator.faults import UnknownInstructionError

# What one family has and the other has not: first and last control, and the assembler's name.
_GFX9_ONLY = (
    (0x130, 0x130, "wave_shl"),
    (0x134, 0x134, "wave_rol"),
    (0x138, 0x138, "wave_shr"),
    (0x13C, 0x13C, "wave_ror"),
    (0x142, 0x142, "row_bcast:15"),
    (0x143, 0x143, "row_bcast:31"),
)
_RDNA_ONLY = ((0x160, 0x16F, "row_xmask"),)


def check_control(control: int, *, is_gfx9: bool) -> None:
    """UnknownInstructionError for a DPP control that the hardware does not have."""
    others = _RDNA_ONLY if is_gfx9 else _GFX9_ONLY
    for first, last, name in others:
        if first <= control <= last:
            whose = "RDNA" if is_gfx9 else "GFX9"
            raise UnknownInstructionError(
                f"DPP control {name} ({control:#x}), which only {whose} has"
            )
    dpp_lanes(control, 32)


@cache
def dpp8_lanes(choice: tuple[int, ...], lanes: int) -> np.ndarray:
    """For DPP8: each lane reads the one of its eight that is chosen for its place."""
    lane = np.arange(lanes)
    chosen: np.ndarray = lane & ~7 | np.array(choice)[lane & 7]
    return chosen


@cache
def dpp_lanes(control: int, lanes: int) -> tuple[np.ndarray, np.ndarray | None]:
    """For a DPP control: the lane that each lane reads, and whether there is one; None: always."""
    lane = np.arange(lanes)
    row, place = lane & ~15, lane & 15
    amount = control & 15
    there = np.ones(lanes, bool)
    if control <= 0xFF:
        source = lane & ~3 | np.array([control >> 2 * (i & 3) & 3 for i in range(lanes)])
    elif 0x101 <= control <= 0x10F:
        source, there = lane + amount, place + amount < 16
    elif 0x111 <= control <= 0x11F:
        source, there = lane - amount, place >= amount
    elif 0x121 <= control <= 0x12F:
        source = row | (place - amount) & 15
    elif control in (0x130, 0x138):
        source = lane + (1 if control == 0x130 else -1)
        there = (source >= 0) & (source < lanes)
    elif control in (0x134, 0x13C):
        source = (lane + (1 if control == 0x134 else -1)) % lanes
    elif control == 0x140:
        source = row | 15 - place
    elif control == 0x141:
        source = lane & ~7 | 7 - (lane & 7)
    elif control in (0x142, 0x143):
        # The last lane of 16 or 32 goes to all lanes of the next 16 or 32.
        size = 16 if control == 0x142 else 32
        source, there = (lane & -size) - 1, lane >= size
    elif 0x150 <= control <= 0x15F:
        source = row | amount
    elif 0x160 <= control <= 0x16F:
        source = row | place ^ amount
    else:
        raise UnknownInstructionError(f"DPP control {control:#x}")
    return np.where(there, source, lane), None if there.all() else there
