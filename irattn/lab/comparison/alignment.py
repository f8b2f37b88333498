"""Which steps of one side are those of the other: they do the same, in the same order."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from irattn.binary.inspection.figures import KernelFigures, StepFigures
from irattn.binary.inspection.names import kind_of
from irattn.lab.comparison.subjects import Subject


@dataclass(frozen=True)
class NamedStep:
    """A step with its short name, and its kernel, which other steps may launch too, with its own.

    `task` is the name without a number; `kernel` is None where the step has none or its figures are
    not known.
    """

    step: StepFigures
    task: str
    name: str
    kernel: KernelFigures | None = None
    kernel_name: str = ""


def aligned(
    baseline: Subject, candidate: Subject
) -> Iterator[tuple[NamedStep | None, NamedStep | None]]:
    """Steps that do the same in the same order on both sides; the others alone."""
    before, after = _launched(baseline), _launched(candidate)
    keys = _keys(before, after)
    matcher = difflib.SequenceMatcher(None, *keys, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            yield from zip(before[start:end], after[new_start:new_end], strict=True)
        else:
            yield from ((old, None) for old in before[start:end])
            yield from ((None, new) for new in after[new_start:new_end])


def kernel_pairs(baseline: Subject, candidate: Subject) -> list[tuple[NamedStep, NamedStep]]:
    """The steps of both sides that are compared; each pair of kernels that these launch once."""
    pairs: dict[tuple[str, str], tuple[NamedStep, NamedStep]] = {}
    for old, new in aligned(baseline, candidate):
        if old and new and old.step.kernel and new.step.kernel:
            pairs.setdefault((old.step.kernel, new.step.kernel), (old, new))
    return list(pairs.values())


def _launched(subject: Subject) -> list[NamedStep]:
    kernels = {kernel.name: kernel for kernel in subject.module.kernels}
    names = subject.names
    launched = []
    for step, task, name in zip(subject.module.steps, names.tasks, names.steps, strict=True):
        of_kernel = (kernels.get(step.kernel), names.kernels[step.kernel]) if step.kernel else ()
        launched.append(NamedStep(step, task, name, *of_kernel))
    return launched


def _keys(before: list[NamedStep], after: list[NamedStep]) -> tuple[list[str], list[str]]:
    """Keys that are equal for steps that do the same, as far as both sides know that."""
    if all(one.step.writes for one in (*before, *after)):
        return [one.task for one in before], [one.task for one in after]
    return [_kind(one.step) for one in before], [_kind(one.step) for one in after]


def _kind(step: StepFigures) -> str:
    return kind_of(step.kernel) if step.kernel else step.what
