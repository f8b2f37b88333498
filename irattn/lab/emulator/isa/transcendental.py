"""Names of the instructions that the transcendental unit executes."""

_OPERATIONS = ("rcp", "rcp_iflag", "rsq", "sqrt", "exp", "log", "sin", "cos")
_NAMES = frozenset(
    f"{unit}_{operation}_{kind}"
    for unit in ("v", "v_s")
    for operation in _OPERATIONS
    for kind in ("f16", "f32", "f64")
)


def is_transcendental(name: str) -> bool:
    """Whether an instruction by RDNA3's name is one of them."""
    return name in _NAMES
