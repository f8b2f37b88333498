"""The differences of two subjects, layer by layer, and what the policy makes of them."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any

from irattn.binary.inspection.figures import INSTRUCTION_CLASSES, KernelFigures, StepFigures
from irattn.binary.inspection.names import loops_of
from irattn.binary.manifest import MLIR, VMFB
from irattn.core.errors import SpecError
from irattn.lab.comparison.alignment import NamedStep, aligned, kernel_pairs
from irattn.lab.comparison.executions import Execution
from irattn.lab.comparison.normalise import readable
from irattn.lab.comparison.policy import Policy
from irattn.lab.comparison.subjects import Subject
from irattn.lab.comparison.vocabulary import METRICS
from irattn.specs import spec_from_dict

_MOST_DIFF_LINES = 60


@dataclass(frozen=True)
class Difference:
    """One thing that is not as it was: in which layer, where there, and what it means.

    `where` is a kernel by the compiler's name, or empty for a fill, a copy or the whole; `dispatch`
    is the short name for it. `effect` is one of EFFECTS.
    """

    layer: str
    where: str
    what: str
    before: Any
    after: Any
    effect: str = "neutral"
    diff: tuple[str, ...] = ()
    dispatch: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return asdict(self)


def differences(baseline: Subject, candidate: Subject, policy: Policy) -> list[Difference]:
    """Everything that differs; nothing is inspected where the compiled bytes are the same."""
    changes = [*_asked(baseline, candidate), *_graph(baseline, candidate)]
    if baseline.manifest.sha256[VMFB] != candidate.manifest.sha256[VMFB]:
        changes += _compiled(baseline, candidate, policy)
    return changes


def executed_differences(execution: Execution, policy: Policy) -> list[Difference]:
    """The differences in what two sides execute; none unless both were executed."""
    return list(_metrics(*execution.numbers, policy)) if execution.numbers else []


def _asked(baseline: Subject, candidate: Subject) -> Iterator[Difference]:
    """Spec, signature, flags and compiler: what the manifests say."""
    before, after = baseline.manifest, candidate.manifest
    if before.target != after.target:
        yield Difference("spec", "", "target", before.target, after.target, "breaking")
    asked_before, asked_after = _in_full(before.spec), _in_full(after.spec)
    for name in sorted({*asked_before, *asked_after}):
        old, new = asked_before.get(name), asked_after.get(name)
        if old != new:
            yield Difference("spec", "", name, old, new, "breaking")
    for name in ("entry_points", "inputs", "outputs"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield from _tensors(name, old, new)
    for name in ("formulation", "dialect"):
        if getattr(before, name) != getattr(after, name):
            yield Difference("mlir", "", name, getattr(before, name), getattr(after, name))
    for name in ("compiler", "compiler_version", "irattn_version", "target_identity"):
        if getattr(before, name) != getattr(after, name):
            yield Difference("compiler", "", name, getattr(before, name), getattr(after, name))
    if before.flags != after.flags:
        gone = " ".join(flag for flag in before.flags if flag not in after.flags)
        come = " ".join(flag for flag in after.flags if flag not in before.flags)
        yield Difference("compiler", "", "flags", gone, come)


def _in_full(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec with the fields that irattn has now, too; as it is where it is no spec of now."""
    try:
        return spec_from_dict(spec).to_dict()
    except SpecError:
        return spec


def _tensors(side: str, before: list[Any], after: list[Any]) -> Iterator[Difference]:
    for old, new in zip_longest(before, after):
        if old != new:
            name = (new or old)["name"] if isinstance(new or old, dict) else str(new or old)
            yield Difference("signature", name, side, _type(old), _type(new), "breaking")


def _type(tensor: Any) -> Any:
    """`f16 [1, 4, 32, 64]`, for people."""
    if not isinstance(tensor, dict):
        return tensor
    rest = {k: v for k, v in tensor.items() if k not in ("name", "dtype", "shape")}
    extra = " ".join(f"{name}={value}" for name, value in rest.items() if value is not None)
    return f"{tensor.get('dtype')} {tensor.get('shape')} {extra}".rstrip()


def _graph(baseline: Subject, candidate: Subject) -> Iterator[Difference]:
    before, after = baseline.manifest.sha256[MLIR], candidate.manifest.sha256[MLIR]
    if before == after:
        return
    if baseline.normalised_sha256 == candidate.normalised_sha256:
        yield Difference("mlir", "", "text", "comments, names or layout", "others")
        return
    diff: tuple[str, ...] = ()
    if baseline.artifact and candidate.artifact:
        diff = _diff(baseline.artifact.mlir, candidate.artifact.mlir)
    yield Difference("mlir", "", "graph", before[:12], after[:12], diff=diff)


def _diff(before: str, after: str) -> tuple[str, ...]:
    lines = list(difflib.unified_diff(readable(before), readable(after), lineterm="", n=2))[2:]
    cut = len(lines) - _MOST_DIFF_LINES
    return tuple(lines) if cut <= 0 else (*lines[:_MOST_DIFF_LINES], f"… {cut} more lines")


def _compiled(baseline: Subject, candidate: Subject, policy: Policy) -> Iterator[Difference]:
    before, after = baseline.module, candidate.module
    if before.signature != after.signature:
        yield Difference("signature", "", "function", before.signature, after.signature, "breaking")
    if before.bytecode_version != after.bytecode_version:
        old, new = before.bytecode_version, after.bytecode_version
        yield Difference("compiler", "", "bytecode_version", old, new)
    yield from _metrics(_module_numbers(baseline), _module_numbers(candidate), policy)
    yield from _steps(baseline, candidate, policy)


def _metrics(
    before: Mapping[str, Any], after: Mapping[str, Any], policy: Policy
) -> Iterator[Difference]:
    for name, old in before.items():
        new = after[name]
        if old == new or old is None or new is None:
            continue
        countable = isinstance(old, int | float) and isinstance(new, int | float)
        effect = policy.effect(name, old, new) if countable else "neutral"
        yield Difference(METRICS[name].layer, "", name, old, new, effect)


def _module_numbers(subject: Subject) -> dict[str, Any]:
    module = subject.module
    return {
        "dispatches": len(module.dispatches),
        "transfers": len(module.steps) - len(module.dispatches),
        "transient_bytes": module.transient_bytes,
        "memory_bytes": subject.memory,
        "work": subject.work,
    }


def _steps(baseline: Subject, candidate: Subject, policy: Policy) -> Iterator[Difference]:
    """Steps that came or went, and what changed of the others and of their kernels."""
    for old, new in aligned(baseline, candidate):
        if old and new:
            yield from _placed(_step(old.step, new.step, policy), new.step, new.name)
        else:
            yield _lone(old, new)
    for old, new in kernel_pairs(baseline, candidate):
        yield from _placed(_kernel(old, new, policy), new.step, new.kernel_name)


def _lone(old: NamedStep | None, new: NamedStep | None) -> Difference:
    there = old or new
    assert there is not None
    names = old and old.name, new and new.name
    return Difference("dispatches", there.step.kernel or "", "step", *names, dispatch=there.name)


def _placed(changes: Iterator[Difference], step: StepFigures, name: str) -> Iterator[Difference]:
    return (replace(item, where=step.kernel or "", dispatch=name) for item in changes)


def _step(old: StepFigures, new: StepFigures, policy: Policy) -> Iterator[Difference]:
    if old.workgroups != new.workgroups:
        yield from _metrics({"workgroups": _count(old)}, {"workgroups": _count(new)}, policy)
        if _count(old) == _count(new):
            yield Difference("dispatches", "", "grid", old.workgroups, new.workgroups)
    if old.bytes != new.bytes:
        yield Difference("dispatches", "", "bytes", old.bytes, new.bytes)


def _count(step: StepFigures) -> int | str | None:
    """The number of workgroups; a formula where sizes are the call's."""
    if step.workgroups is None:
        return None
    if any(isinstance(size, str) for size in step.workgroups):
        return " * ".join(str(size) for size in step.workgroups)
    x, y, z = step.workgroups
    return int(x) * int(y) * int(z)


def _kernel(old: NamedStep, new: NamedStep, policy: Policy) -> Iterator[Difference]:
    loops = [loops_of(one.step.kernel or "") for one in (old, new)]
    if loops[0] != loops[1]:
        yield Difference("dispatches", "", "kernel", loops[0], loops[1])
    if old.kernel is None or new.kernel is None:
        return
    yield from _metrics(kernel_numbers(old.kernel), kernel_numbers(new.kernel), policy)
    if old.kernel.code_sha256 != new.kernel.code_sha256:
        codes = old.kernel.code_sha256[:12], new.kernel.code_sha256[:12]
        yield Difference("code", "", "machine code", *codes)


def kernel_numbers(kernel: KernelFigures) -> dict[str, float | None]:
    """The figures of a kernel by the names of their metrics."""
    x, y, z = kernel.workgroup_size
    numbers: dict[str, float | None] = {
        name: getattr(kernel, name)
        for name in (
            *("vgpr_spills", "sgpr_spills", "scratch_bytes", "vgprs", "agprs", "sgprs"),
            *("lds_bytes", "code_bytes"),
        )
    }
    counts = kernel.instructions
    total = sum(counts.values()) if counts is not None else None
    matrix = counts.get("matrix") if counts is not None else None
    numbers |= {
        "waves_per_simd": kernel.occupancy.waves_per_simd if kernel.occupancy else None,
        "threads": x * y * z,
        "instructions": total,
        "overhead": (total - matrix) / matrix if total and matrix else None,
    }
    for kind in INSTRUCTION_CLASSES:
        numbers[f"{kind}_instructions"] = counts.get(kind, 0) if counts is not None else None
    return numbers
