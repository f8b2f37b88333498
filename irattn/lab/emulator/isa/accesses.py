"""Read from encodings and names which operations instructions begin.

The kinds are those by which `Counters` names its counters: a load, a store, and so on.
"""

_MEMORY = ("MUBUF", "MTBUF", "VBUFFER", "GLOBAL", "VGLOBAL", "SCRATCH", "VSCRATCH")
_IMAGES = ("MIMG", "VIMAGE", "VSAMPLE")
# Cache controls that no counter counts; those of RDNA4 are counted as loads and stores.
_UNCOUNTED = ("buffer_gl0_inv", "buffer_gl1_inv", "buffer_inv")
_WRITES_BACK = ("global_wb", "global_wbinv", "buffer_wbl2")
_MESSAGES = ("s_sendmsg", "s_sendmsghalt", "s_sendmsg_rtn_b32", "s_sendmsg_rtn_b64")
# What barriers answer, and the first half of one that answers.
_SCALAR_ANSWERS = ("s_get_barrier_state", "s_barrier_signal_isfirst", "s_barrier_leave")
# What moves data through LDS without changing it.
_LDS_READERS = ("flat_load", "ds_load", "ds_bpermute", "ds_permute", "ds_swizzle", "ds_nop")


def begun(encoding: str, name: str, *, returns: bool) -> tuple[str, ...]:
    """The kinds of operations that an instruction begins; it `returns` to vector registers or not.

    The name is RDNA3's, the encoding that of the tables. What may go to LDS or to memory is both.
    """
    encoding = encoding.partition("_")[0]
    if encoding in ("DS", "VDS"):
        return ("lds",)
    if name in _MESSAGES:
        return ("message",)
    if "prefetch" in name or name in _UNCOUNTED:
        return ()
    if encoding == "SMEM" or name in _SCALAR_ANSWERS:
        return ("scalar",)
    if encoding in ("EXP", "VEXPORT", "LDSDIR", "VDSDIR"):
        return ("export",)
    if encoding in ("FLAT", "VFLAT"):
        return (_of_memory(name, returns=returns), "lds")
    if encoding in _IMAGES and ("sample" in name or "gather" in name):
        return ("sample",)
    if encoding in _IMAGES and "bvh" in name:
        return ("bvh",)
    return (_of_memory(name, returns=returns),) if encoding in (*_MEMORY, *_IMAGES) else ()


def _of_memory(name: str, *, returns: bool) -> str:
    """Atomics that return nothing count as stores."""
    is_store = "store" in name or name in _WRITES_BACK
    return "store" if is_store or ("atomic" in name and not returns) else "load"


def changes_lds(name: str) -> bool:
    """Whether an instruction that may go to LDS stores to it."""
    return not name.startswith(_LDS_READERS)
