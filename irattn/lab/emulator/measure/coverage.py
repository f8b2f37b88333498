"""Lists which opcodes the emulator executes, of all that AMD's tables have.

Each opcode is tried with registers for operands; some of its forms (a modifier, an operand of
another kind) may still stop a kernel. Pairs (VOPD) are left out. The tables for CDNA hold what
gfx942 and gfx950 have, whatever the chip.
"""

from collections import defaultdict

from irattn.binary.codeobject import Instruction, opcodes
from irattn.lab.emulator.isa.families import family
from irattn.lab.emulator.isa.transcendental import is_transcendental
from irattn.lab.emulator.measure.support import executes

# A chip of each instruction set that is emulated.
REPRESENTATIVES = ("gfx1100", "gfx1201", "gfx90a", "gfx942")

Coverage = dict[str, dict[str, bool]]


def coverage(gfx: str) -> Coverage:
    """By encoding and mnemonic, whether the emulator executes it, sorted.

    ArtifactError where the instruction tables are not installed.
    """
    table: Coverage = defaultdict(dict)
    for opcode in opcodes(gfx):
        table[opcode.encoding.__name__][opcode.name] = executes(opcode, gfx)
    return {encoding: dict(sorted(rows.items())) for encoding, rows in sorted(table.items())}


def exactness(instruction: Instruction, gfx: str) -> str:
    """How well the emulator knows an instruction: `exact`, `approximate` or `none`.

    Approximate are those that hardware approximates (reciprocals, roots, exponentials, logarithms,
    sines), and sums of products of floats, which it may round in another order.
    """
    if not executes(instruction, gfx):
        return "none"
    name = family(gfx).usual_name(instruction.name)
    sums = instruction.kind == "matrix" or name.startswith(_DOTS)
    if is_transcendental(name) or (sums and not name.startswith(_WHOLE_SUMS)):
        return "approximate"
    return "exact"


_DOTS = ("v_dot", "v_dual_dot")
# Sums of whole numbers have no order.
_WHOLE_SUMS = (
    "v_wmma_i32",
    "v_mfma_i32",
    "v_smfmac_i32",
    "v_dot2_i32",
    "v_dot2_u32",
    "v_dot4",
    "v_dot8",
)
