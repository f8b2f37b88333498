"""The names that assembly has for hardware registers and messages, by their numbers."""

from collections.abc import Mapping

_COMMON = {1: "MODE", 2: "STATUS", 5: "GPR_ALLOC", 6: "LDS_ALLOC", 7: "IB_STS"}
_GFX9 = {
    **_COMMON,
    3: "TRAPSTS",
    4: "HW_ID",
    15: "SH_MEM_BASES",
    16: "TBA_LO",
    17: "TBA_HI",
    18: "TMA_LO",
    19: "TMA_HI",
}
_HARDWARE_REGISTERS: Mapping[str, Mapping[int, str]] = {
    "rdna3": {
        **_COMMON,
        3: "TRAPSTS",
        15: "SH_MEM_BASES",
        18: "PERF_SNAPSHOT_PC_LO",
        19: "PERF_SNAPSHOT_PC_HI",
        20: "FLAT_SCR_LO",
        21: "FLAT_SCR_HI",
        23: "HW_ID1",
        24: "HW_ID2",
        27: "PERF_SNAPSHOT_DATA",
        29: "SHADER_CYCLES",
    },
    "rdna4": {
        **_COMMON,
        4: "STATE_PRIV",
        10: "PERF_SNAPSHOT_DATA",
        11: "PERF_SNAPSHOT_PC_LO",
        12: "PERF_SNAPSHOT_PC_HI",
        15: "PERF_SNAPSHOT_DATA1",
        16: "PERF_SNAPSHOT_DATA2",
        17: "EXCP_FLAG_PRIV",
        18: "EXCP_FLAG_USER",
        19: "TRAP_CTRL",
        20: "SCRATCH_BASE_LO",
        21: "SCRATCH_BASE_HI",
        23: "HW_ID1",
        24: "HW_ID2",
        29: "SHADER_CYCLES_LO",
        30: "SHADER_CYCLES_HI",
        31: "DVGPR_ALLOC_LO",
        32: "DVGPR_ALLOC_HI",
    },
    "cdna2": _GFX9,
    "cdna3": {
        **_GFX9,
        20: "XCC_ID",
        21: "SQ_PERF_SNAPSHOT_DATA",
        22: "SQ_PERF_SNAPSHOT_DATA1",
        23: "SQ_PERF_SNAPSHOT_PC_LO",
        24: "SQ_PERF_SNAPSHOT_PC_HI",
    },
}

_OF_RDNA = {
    1: "INTERRUPT",
    2: "HS_TESSFACTOR",
    3: "DEALLOC_VGPRS",
    9: "GS_ALLOC_REQ",
    128: "RTN_GET_DOORBELL",
    129: "RTN_GET_DDID",
    130: "RTN_GET_TMA",
    131: "RTN_GET_REALTIME",
    132: "RTN_SAVE_WAVE",
    133: "RTN_GET_TBA",
    134: "RTN_GET_TBA_TO_PC",
}
_OF_GFX9 = {
    1: "INTERRUPT",
    4: "SAVEWAVE",
    5: "STALL_WAVE_GEN",
    6: "HALT_WAVES",
    7: "ORDERED_PS_DONE",
    8: "EARLY_PRIM_DEALLOC",
    9: "GS_ALLOC_REQ",
    10: "GET_DOORBELL",
}
_MESSAGES: Mapping[str, Mapping[int, str]] = {
    "rdna3": {**_OF_RDNA, 5: "STALL_WAVE_GEN", 6: "HALT_WAVES"},
    "rdna4": {**_OF_RDNA, 135: "RTN_GET_SE_AID_ID"},
    "cdna2": _OF_GFX9,
    "cdna3": _OF_GFX9,
}
_MESSAGE_BITS = {"rdna": 8, "cdna": 4}


def hardware_register(number: int, isa: str) -> str:
    """A hardware register's bits, as `s_getreg` and `s_setreg` name them: `hwreg(…)`."""
    register, offset, size = number & 63, number >> 6 & 31, (number >> 11) + 1
    name = _HARDWARE_REGISTERS[isa].get(register)
    word = f"HW_REG_{name}" if name else str(register)
    part = f", {offset}, {size}" if (offset, size) != (0, 32) else ""
    return f"hwreg({word}{part})"


def message(number: int, isa: str) -> str:
    """The message of `s_sendmsg`: `sendmsg(…)`, or a plain number where there is none such."""
    bits = _MESSAGE_BITS[isa[:4]]
    name = _MESSAGES[isa].get(number)
    if name:
        return f"sendmsg(MSG_{name})"
    return f"sendmsg({number}, 0, 0)" if number < 1 << bits else str(number)


def index_modes(number: int) -> str:
    """Which operands `s_set_gpr_idx` lets M0 index: `gpr_idx(…)`."""
    names = ("SRC0", "SRC1", "SRC2", "DST")
    if number >> len(names):
        return f"{number:#x}"
    return f"gpr_idx({','.join(name for i, name in enumerate(names) if number >> i & 1)})"
