"""Changes single instructions of compiled kernels, to see whether the emulator notices.

Every other mutant is a deletion; the rest flip a bit, so that another instruction comes out that
the emulator executes too. Not changed, because no result can tell:

- instructions that no wave comes to on these inputs;
- waits, delays, clauses, padding and the early release of registers: they are about time only;
- jumps over code in which no lane is active, which are not deleted: the code does nothing then;
- cache hints, and operands that an instruction has no use for.

`python tools/mutate.py` shows the mutants that nobody notices.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from irattn import catalog, targets
from irattn.build import build
from irattn.codeobject import Instruction, KernelCode, instructions, read_code_object
from irattn.emulator import Run, executes, run_plan
from irattn.emulator.isa.families import family
from irattn.emulator.machine.schedule import ends_block
from irattn.emulator.ops.operands import Operands
from irattn.emulator.ops.registry import effect_of
from irattn.errors import ArtifactError
from irattn.inputs import CASES, Tensors, cases_for
from irattn.launches import launch_files, launch_plan
from irattn.reference import reference
from irattn.runtime.arguments import check_arguments
from irattn.specs import Spec
from irattn.verification import measured, strain

TARGET = "gfx1100"
# Odd sizes, so that bounds matter.
SPECS: dict[str, Spec] = {
    "causal_f16": catalog.get("gqa_causal_tiny").replace(io_dtype="f16", q_len=61, kv_len=77),
    "decode_f32": catalog.get("gqa_decode_tiny").replace(kv_len=45),
    "paged_prefill_f16": catalog.get("gqa_paged_prefill_tiny").replace(io_dtype="f16"),
    "softmax": catalog.get("softmax_tiny").replace(q_len=31, kv_len=37),
    "rms_norm": catalog.get("rms_norm_tiny").replace(rows=31, columns=100),
    "projection_f16": catalog.get("output_projection_tiny").replace(io_dtype="f16"),
    "merge_states": catalog.get("merge_states_tiny").replace(q_len=31),
    "cache_write": catalog.get("cache_write_tiny"),
}
# How far rows of `wide` inputs go, as powers of two; 2 for what is not named.
WIDTH = defaultdict(lambda: 2, {"softmax": 12, "rms_norm": 50})
INPUTS = ("normal", "large_logits", "subnormals", "one_token", "masked_rows")
# A mutant that executes more blocks than this, and many times the blocks of the program, hangs.
MOST_BLOCKS = 20_000

_NOP = (0xBF800000).to_bytes(4, "little")
_TIMING = ("s_wait", "s_delay_alu", "s_clause", "s_nop", "s_sendmsg", "s_set_inst", "s_code_end")
_HINTS = ("glc", "slc", "dlc", "scope", "th", "nv")
# RDNA4 divides a barrier in two; a wave goes on at the second part.
_BARRIERS = ("s_barrier", "s_barrier_wait")
_OPERANDS = ("VGPRField", "SGPRField", "SrcField", "SSrcField", "VDSTYField", "SRsrcField")


def wide(spec: Spec) -> Tensors:
    """Normal inputs whose rows are of very different size: each times a power of two."""
    tensors, rng = CASES["normal"].tensors(spec), np.random.default_rng(1)
    for tensor in spec.inputs:
        values = tensors[tensor.name]
        if values.dtype.kind == "f" and values.ndim > 1:
            powers = rng.integers(-WIDTH[spec.op], WIDTH[spec.op] + 1, (*values.shape[:-1], 1))
            tensors[tensor.name] = np.ldexp(values, powers).astype(values.dtype)
    return tensors


# Where accumulation registers begin makes no difference to which fields count.
ANYWHERE = 256


@dataclass(frozen=True)
class Place:
    """One instruction of a program."""

    file: str
    kernel: KernelCode
    instruction: Instruction


@dataclass(frozen=True)
class Mutant:
    """Code objects, and other files, of which one instruction was deleted or altered."""

    place: Place
    what: str
    code: bytes
    files: dict[str, bytes]

    def __str__(self) -> str:
        old = self.place.instruction
        return f"{old.at:#06x} {old.name} {old.operands}: {self.what}"


class Program:
    """A compiled spec with inputs and what must come out."""

    def __init__(self, name: str, target: str = TARGET) -> None:
        self.name, self.spec, self.target = name, SPECS[name], target
        spec = self.spec
        artifact = build(spec, targets.get(target))
        self.plan, self.files = launch_plan(artifact), launch_files(artifact)
        wanted = [case.name for case in cases_for(spec) if case.name in INPUTS]
        self.inputs = {case: CASES[case].tensors(spec) for case in wanted}
        self.inputs["wide"] = wide(spec)
        self.expected = {case: reference(spec, given) for case, given in self.inputs.items()}

    def run(self, case: str, files: Mapping[str, bytes] | None = None, **how: Any) -> Run:
        """Execute its files, or others, on a case."""
        names = [tensor.name for tensor in self.spec.inputs]
        given = check_arguments(self.spec, self.inputs[case])
        by_name = dict(zip(names, given, strict=True))
        return run_plan(self.plan, files or self.files, by_name, most_blocks=MOST_BLOCKS, **how)

    def strain(self, case: str, run: Run) -> float:
        """The worst output's error in units of what is allowed."""
        strains = []
        for output, expected, tensor in zip(
            run.outputs, self.expected[case], self.spec.outputs, strict=True
        ):
            strains.append(strain(measured(output, expected, tensor)))
        return max(strains)

    @cached_property
    def runs(self) -> dict[str, Run]:
        """What it does unchanged, by case."""
        return {case: self.run(case) for case in self.inputs}

    @cached_property
    def places(self) -> list[Place]:
        """All instructions up to the end, those that only wait left out."""
        return [
            Place(file, kernel, instruction)
            for file, data in self.files.items()
            if data.startswith(b"\x7fELF")
            for kernel in read_code_object(data).kernels
            for instruction in until_the_end(kernel, self.target)
            if not instruction.name.startswith(_TIMING)
        ]

    @cached_property
    def executed(self) -> list[Place]:
        """Those that some wave comes to on some inputs."""
        reached: dict[str, set[int]] = {}
        for run in self.runs.values():
            for counts in run.counts:
                reached.setdefault(counts.kernel, set()).update(counts.executed)
        return [p for p in self.places if p.instruction.at in reached.get(p.kernel.name, ())]

    def without(self, place: Place) -> Mutant:
        """The program with an instruction deleted."""
        return self.changed(place, "deleted", _NOP * (place.instruction.size // 4))

    @cached_property
    def barriers(self) -> list[Place]:
        """Its barriers that waves come to."""
        return [place for place in self.executed if place.instruction.name in _BARRIERS]

    def mutants(self, count: int, seed: int) -> Iterator[Mutant]:
        """Mutants at random places."""
        rng = np.random.default_rng(seed)
        for i in range(count):
            altered = None
            while altered is None:
                place = self.executed[rng.integers(len(self.executed))]
                if i % 2:
                    altered = self._altered(place, rng)
                elif not _only_skips(place.instruction):
                    altered = self.without(place)
            yield altered

    def _altered(self, place: Place, rng: np.random.Generator) -> Mutant | None:
        """The program with a bit of an instruction flipped; None where no such bit was found."""
        old = place.instruction
        for bit in rng.permutation(8 * old.size):
            name = _field(old, int(bit))
            if name is None or name in _HINTS or old.name.startswith("s_barrier"):
                continue
            raw = (old.raw ^ 1 << int(bit)).to_bytes(old.size, "little")
            mutant = self.changed(place, f"bit {bit} of {name} flipped", raw)
            new = decoded(mutant, self.target)
            if new is None or new.size != old.size:
                continue
            if _is_used(old, name, self.target) and executes(new, self.target):
                what = f"{mutant.what}, now {new.name} {new.operands}"
                return Mutant(place, what, mutant.code, mutant.files)
        return None

    def changed(self, place: Place, what: str, raw: bytes) -> Mutant:
        """The program with other bytes where an instruction begins."""
        elf, code = self.files[place.file], place.kernel.code
        at = place.instruction.at
        start = elf.index(code) + at
        changed = elf[:start] + raw + elf[start + len(raw) :]
        code = code[:at] + raw + code[at + len(raw) :]
        return Mutant(place, what, code, {**self.files, place.file: changed})


def until_the_end(kernel: KernelCode, target: str) -> list[Instruction]:
    """The instructions of a kernel before its last end."""
    decoded_code = list(instructions(kernel.code, target))
    last = max(i for i, instruction in enumerate(decoded_code) if instruction.name == "s_endpgm")
    return decoded_code[:last]


def _only_skips(instruction: Instruction) -> bool:
    """Whether it jumps forward where no lane is active."""
    target = instruction.branch_target
    return instruction.name == "s_cbranch_execz" and target is not None and target > instruction.at


def _field(instruction: Instruction, bit: int) -> str | None:
    """The field of an instruction that a bit belongs to."""
    for name, field in instruction.encoding._fields:
        if field.lo <= bit < field.lo + field.mask.bit_length():
            return None if type(field).__name__ == "FixedBitField" else str(name)
    return None


def decoded(mutant: Mutant, target: str) -> Instruction | None:
    """What stands where the instruction was; None where it is none."""
    try:
        rest = instructions(mutant.code[mutant.place.instruction.at :], target)
        first = next(rest)
    except ArtifactError:
        return None
    at = mutant.place.instruction.at
    return replace(first, at=at)


def _is_used(instruction: Instruction, name: str, target: str) -> bool:
    """Whether a field is no operand, or one that the instruction looks at."""
    field = dict(instruction.encoding._fields)[name]
    if type(field).__name__ not in _OPERANDS or ends_block(instruction.name):
        return True
    asked = set()

    class Asked(Operands):
        def field(self, name: str, default: int = 0) -> int:
            asked.add(name)
            return super().field(name, default)

    its = family(target)
    effect_of(Asked(instruction, its, ANYWHERE))
    return name in asked or its.fields.get(name) in asked
