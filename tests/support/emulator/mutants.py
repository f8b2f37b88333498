"""Compiled specs whose instructions are changed, with inputs and what must come out.

`python tools/mutate.py` shows the mutants that nobody notices.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from irattn import targets
from irattn.binary.launches import launch_plan_and_files
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.lab.certificates.mutants import InstructionPlace, MutableCode, most_blocks
from irattn.lab.emulator import Run, run_plan
from irattn.lab.inputs import CASES, Tensors, cases_for
from irattn.lab.verification import measured, strain
from irattn.reference import reference
from irattn.rendering import GraphRequest
from irattn.runtime.arguments import check_arguments
from irattn.specs import Spec

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
# RDNA4 divides a barrier in two; a wave goes on at the second part.
_BARRIERS = ("s_barrier", "s_barrier_wait")


def wide(spec: Spec) -> Tensors:
    """Normal inputs whose rows are of very different size: each times a power of two."""
    tensors, rng = CASES["normal"].tensors(spec), np.random.default_rng(1)
    for tensor in spec.inputs:
        values = tensors[tensor.name]
        if values.dtype.kind == "f" and values.ndim > 1:
            powers = rng.integers(-WIDTH[spec.op], WIDTH[spec.op] + 1, (*values.shape[:-1], 1))
            tensors[tensor.name] = np.ldexp(values, powers).astype(values.dtype)
    return tensors


class Program(MutableCode):
    """A compiled spec with inputs and what must come out."""

    def __init__(self, name: str, target: str = TARGET) -> None:
        self.name, self.spec = name, SPECS[name]
        spec = self.spec
        artifact = build(GraphRequest(spec, targets.get(target)))
        self.plan, files = launch_plan_and_files(artifact)
        super().__init__(files, target, self._came_to)
        wanted = [case.name for case in cases_for(spec) if case.name in INPUTS]
        self.inputs = {case: CASES[case].tensors(spec) for case in wanted}
        self.inputs["wide"] = wide(spec)
        self.expected = {case: reference(spec, given) for case, given in self.inputs.items()}

    def run(self, case: str, files: Mapping[str, bytes] | None = None, **how: Any) -> Run:
        """Execute its files, or others, on a case."""
        names = [tensor.name for tensor in self.spec.inputs]
        given = check_arguments(self.spec, self.inputs[case])
        by_name = dict(zip(names, given, strict=True))
        if files:
            how["most_blocks"] = most_blocks(self.runs[case].counts)
        return run_plan(self.plan, files or self.files, by_name, **how)

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

    def _came_to(self) -> dict[str, set[int]]:
        reached: dict[str, set[int]] = {}
        for run in self.runs.values():
            for counts in run.counts:
                reached.setdefault(counts.kernel, set()).update(counts.executed)
        return reached

    @cached_property
    def barriers(self) -> list[InstructionPlace]:
        """The barriers of the program that waves come to."""
        return [place for place in self.executed if place.instruction.name in _BARRIERS]
