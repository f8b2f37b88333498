"""Name dispatches for people: `attention`, `pad query`, `merge`.

The compiler names the loops of a dispatch and their sizes, as in
`attention_dispatch_2_reduction_8x16x2_f32`. What they are for follows from the tensors that the
dispatch reads and writes, and from what ran before it.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from irattn.binary.inspection.figures import StepFigures

# The kernels that the graphs name themselves end in words of their own.
_NAMED = {"attention_kernel": "attention", "attention_merge": "merge"}
_NUMBERED = re.compile(rf"(.*?_dispatch_\d+|.*?(?:{'|'.join(_NAMED)}))(?:_(.*))?")
# What ends the words of a compiler's name: sizes (`8x4xDx128`, `D`) and element types (`f16xi32`).
_SIZE = re.compile(r"\d|D(x|$)|(bf|[fiu])\d")

# What the compiler's words mean; those that are not here stand for themselves.
_VERBS = {
    "online attention": "attention",
    "slow memcpy": "copy",
    "memcpy": "copy",
    "scatter": "write",
    "matmul like": "matmul",
    "matvec like": "matvec",
    "elementwise broadcast": "elementwise",
}


@dataclass(frozen=True)
class Names:
    """Short names: of each step in order, and of each kernel by the compiler's name for it.

    Kernels that do the same with the same tensor are numbered; `tasks` are the steps' names without
    these numbers.
    """

    tasks: tuple[str, ...]
    steps: tuple[str, ...]
    kernels: Mapping[str, str]


def short_names(
    steps: Sequence[StepFigures],
    inputs: Sequence[Mapping[str, Any]],
    outputs: Sequence[Mapping[str, Any]],
) -> Names:
    """The names for the steps of a module; `inputs` and `outputs` are its manifest's tensors.

    A dispatch whose name the compiler made in another way keeps that, up to its number.
    """
    tasks = list(_tasks(steps, _sizes(inputs, outputs)))
    plain = {}
    for kernel in dict.fromkeys(step.kernel for step in steps if step.kernel):
        own = [task for step, task in zip(steps, tasks, strict=True) if step.kernel == kernel]
        # One kernel may be launched for several tensors.
        plain[kernel] = _words(own[0][0], *dict.fromkeys(tensor for _, tensor in own))
    numbers = _numbers(plain)
    words = tuple(_words(*task) for task in tasks)
    of_steps = (numbers.get(step.kernel or "", "") for step in steps)
    return Names(
        tasks=words,
        steps=tuple(word + number for word, number in zip(words, of_steps, strict=True)),
        kernels={kernel: word + numbers[kernel] for kernel, word in plain.items()},
    )


def kind_of(kernel: str) -> str:
    """The compiler's words for a dispatch, without number and sizes: `online attention`.

    Where it has no such words, its name up to the number.
    """
    numbered = _NUMBERED.fullmatch(kernel)
    until, rest = numbered.groups("") if numbered else (kernel, "")
    for end, name in _NAMED.items():
        if until.endswith(end):
            return name
    words = takewhile(lambda word: word and not _SIZE.match(word), rest.split("_"))
    return " ".join(words) or until


def loops_of(kernel: str) -> str:
    """The loops and sizes in the compiler's name of a dispatch: what follows the number."""
    numbered = _NUMBERED.fullmatch(kernel)
    return numbered[2] or "" if numbered else kernel


def _sizes(*sides: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, int]]:
    """Name and elements of each tensor by the id of its buffer in a step."""
    return {
        f"{role}{index}": (tensor["name"], math.prod(tensor["shape"]))
        for role, tensors in zip(("input", "output"), sides, strict=True)
        for index, tensor in enumerate(tensors)
    }


def _tasks(
    steps: Sequence[StepFigures], sizes: Mapping[str, tuple[str, int]]
) -> Iterator[tuple[str, str]]:
    """For each step a verb and the tensor that tells it from others, or nothing."""
    filled: Counter[str] = Counter()
    is_after_attention = False
    for step in steps:
        if step.what == "fill":
            filled.update(step.writes)
            yield "fill", ""
            continue
        kind = kind_of(step.kernel) if step.kernel else step.what
        verb, tensor = _VERBS.get(kind, kind), _tensor(step, sizes)
        # A fill is for the next step that writes the same memory.
        is_filled = any(filled[buffer] > 0 for buffer in step.writes)
        filled.subtract(step.writes if is_filled else ())
        if verb == "copy" and is_filled:
            verb = "pad"
        elif verb == "reduction" and is_after_attention and step.reads and not _inputs(step.reads):
            verb = "merge"
        is_after_attention |= verb == "attention"
        yield verb, "" if verb in ("attention", "merge") or "_" in verb else tensor


def _tensor(step: StepFigures, sizes: Mapping[str, tuple[str, int]]) -> str:
    """The input that a dispatch writes into, else the largest that it reads, else its output."""
    written = _inputs(step.writes)
    outputs = [buffer for buffer in step.writes if buffer.startswith("output")]
    read = sorted(_inputs(step.reads), key=lambda buffer: -sizes[buffer][1])
    # Several outputs may share memory: then it is not known which of them is written.
    candidates = written or read or (outputs if len(outputs) == 1 else [])
    return sizes[candidates[0]][0] if candidates else ""


def _inputs(buffers: Sequence[str]) -> list[str]:
    return [buffer for buffer in buffers if buffer.startswith("input")]


def _words(verb: str, *tensors: str) -> str:
    return f"{verb} {', '.join(filter(None, tensors))}".rstrip()


def _numbers(names: Mapping[str, str]) -> dict[str, str]:
    """` 1`, ` 2`, … for those that share a name, in order; nothing for the others."""
    shared, seen = Counter(names.values()), Counter[str]()
    numbers = {}
    for kernel, name in names.items():
        seen[name] += 1
        numbers[kernel] = f" {seen[name]}" if shared[name] > 1 else ""
    return numbers
