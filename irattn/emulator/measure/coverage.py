"""Lists which opcodes the emulator executes, of all that AMD's tables have.

Each opcode is tried with registers for operands; some of its forms (a modifier, an operand of
another kind) may still stop a kernel. Pairs (VOPD) are left out. The tables for CDNA hold what
gfx942 and gfx950 have, whatever the chip.
"""

from collections import defaultdict

from irattn.codeobject import opcodes
from irattn.emulator.measure.support import executes

# A chip of each family that is emulated.
REPRESENTATIVES = ("gfx1100", "gfx1201", "gfx90a", "gfx942")

Coverage = dict[str, dict[str, bool]]


def coverage(gfx: str) -> Coverage:
    """By encoding and mnemonic, whether the emulator executes it; encodings in their order.

    ArtifactError where the instruction tables are not installed.
    """
    table: Coverage = defaultdict(dict)
    for opcode in opcodes(gfx):
        table[opcode.encoding.__name__][opcode.name] = executes(opcode, gfx)
    return {encoding: table[encoding] for encoding in sorted(table)}
