"""Attention taken apart: its stages run one after the other, each compared with the reference.

A stage is given what the stage before it really computed. Its own error is measured against the
reference of that stage on the same inputs, and so tells which stage is wrong; the accumulated error
is measured against the float64 pipeline from the start, and tells what the errors add up to.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from irattn.errors import UsageError
from irattn.inputs import cases_for
from irattn.reference import reference
from irattn.runtime import Kernel
from irattn.specs import (
    AttentionScoresSpec,
    AttentionSpec,
    CausalMaskSpec,
    ScaleScoresSpec,
    SoftmaxSpec,
    Spec,
    WeightedValuesSpec,
)
from irattn.targets import Target
from irattn.tensors import TensorType
from irattn.verification import Accuracy, kernel_for, measured

# What the stages can say; any other field of attention must have its default.
_SAYABLE = (
    *("io_dtype", "batch", "num_q_heads", "num_kv_heads", "q_len", "kv_len", "head_dim"),
    *("value_dim", "softmax_scale", "causal", "alignment"),
)

# The input of each stage that is the output of the stage before it.
_FED = {
    ScaleScoresSpec.op: "scores",
    CausalMaskSpec.op: "scores",
    SoftmaxSpec.op: "scores",
    WeightedValuesSpec.op: "weights",
}

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class StageVerdict:
    """The worst of all cases for one stage, or for the whole kernel, which has only one error."""

    stage: str
    output: TensorType
    own: Accuracy
    accumulated: Accuracy
    tolerance: float

    @property
    def is_wrong(self) -> bool:
        """Whether the stage itself computes something else than its reference."""
        return not self.own.decisive <= self.tolerance

    @property
    def passed(self) -> bool:
        """Whether neither its own error nor what it was given leaves the tolerance."""
        return not self.is_wrong and self.accumulated.decisive <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """JSON form; null is an error without bound."""
        return {
            "stage": self.stage,
            "output": self.output.to_dict(),
            "own": self.own.to_dict(),
            "accumulated": self.accumulated.to_dict(),
            "tolerance": self.tolerance,
            "passed": self.passed,
        }


@dataclass(frozen=True)
class StagesVerdict:
    """The stages of one spec in order, and the whole kernel as the last row."""

    name: str
    rows: tuple[StageVerdict, ...]
    cases: int
    ran: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every row met its tolerance."""
        return all(row.passed for row in self.rows)

    @property
    def first_difference(self) -> str | None:
        """The first stage that is wrong by itself, else the first row whose errors add up."""
        wrong = [row.stage for row in self.rows if row.is_wrong]
        inherited = [row.stage for row in self.rows if not row.passed]
        return next(iter(wrong + inherited), None)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        return {
            "name": self.name,
            "cases": self.cases,
            "stages": [row.to_dict() for row in self.rows],
            "first_difference": self.first_difference,
            "passed": self.passed,
            "ran": list(self.ran),
        }


def stages_of(spec: Spec, name: str | None = None) -> list[Spec]:
    """The stages of an attention spec, in order; UsageError for what they cannot say."""
    name = name or spec.op
    if not isinstance(spec, AttentionSpec):
        raise UsageError(f"{name}: expected contiguous attention to take apart, got {spec.op}")
    for field in dataclasses.fields(spec):
        value = getattr(spec, field.name)
        if field.name not in _SAYABLE and value != field.default:
            raise UsageError(
                f"{field.name}: the stages of attention have no word for it, got {value!r}; "
                f"they say {', '.join(_SAYABLE)}"
            )
    scores: dict[str, Any] = {
        name: getattr(spec, name) for name in ("batch", "num_q_heads", "q_len", "kv_len")
    }
    product = {**scores, "num_kv_heads": spec.num_kv_heads, "io_dtype": spec.io_dtype}
    mask = [CausalMaskSpec(**scores, alignment=spec.alignment)] if spec.causal else []
    return [
        AttentionScoresSpec(**product, head_dim=spec.head_dim),
        ScaleScoresSpec(**scores, softmax_scale=spec.scale),
        *mask,
        SoftmaxSpec(**scores),
        WeightedValuesSpec(**product, head_dim=spec.v_dim),
    ]


def verify_stages(
    spec: Spec,
    target: Target,
    *,
    name: str | None = None,
    device: str = "auto",
    formulation: str | None = None,
    dialect: str = "linalg",
    seed: int = 0,
    root: Path | None = None,
) -> StagesVerdict:
    """Run the stages of an attention spec and the whole kernel on every case; compare each.

    `formulation` and `dialect` are those of the whole kernel: stages have only one. Devices are
    chosen as `verify_spec` chooses them. UsageError for a spec that the stages cannot say.
    """
    stages = stages_of(spec, name)
    made = [kernel_for(stage, target, None, device, None, "linalg", root) for stage in stages]
    made.append(kernel_for(spec, target, name, device, formulation, dialect, root))
    kernels = [kernel for kernel, _ in made]
    cases = cases_for(spec)
    runs = [list(_run(kernels, case.tensors(spec, seed))) for case in cases]
    return StagesVerdict(
        name=name or f"{spec.op}-{spec.digest}",
        rows=tuple(_worst(rows) for rows in zip(*runs, strict=True)),
        cases=len(cases),
        ran=tuple(dict.fromkeys(ran for _, ran in made)),
    )


def _run(kernels: list[Kernel], tensors: Tensors) -> Iterator[StageVerdict]:
    """Every stage in turn, then the whole kernel, which comes last."""
    *stages, whole = kernels
    found: Tensors = tensors
    ideal: Tensors = tensors
    for kernel in stages:
        stage = kernel.spec
        found = _arguments(stage, found, tensors)
        (output,) = kernel.outputs(**found)
        (own,) = reference(stage, found)
        (expected,) = reference(stage, _arguments(stage, ideal, tensors))
        yield _compared(stage, output, own, expected)
        found, ideal = {"output": output}, {"output": expected}
    (expected,) = reference(whole.spec, tensors)
    yield _compared(whole.spec, whole.outputs(**tensors)[0], expected, expected)


def _arguments(stage: Spec, before: Tensors, tensors: Tensors) -> dict[str, np.ndarray]:
    """The inputs of a stage: what the one before it gave, the rest from attention's own."""
    fed = _FED.get(stage.op)
    return {
        tensor.name: before["output"] if tensor.name == fed else tensors[tensor.name]
        for tensor in stage.inputs
    }


def _compared(
    spec: Spec, output: np.ndarray, own: np.ndarray, expected: np.ndarray
) -> StageVerdict:
    tensor = spec.outputs[0]
    own_error, tolerance = measured(output, own, tensor)
    accumulated, _ = measured(output, expected, tensor)
    return StageVerdict(spec.op, tensor, own_error, accumulated, tolerance)


def _worst(rows: tuple[StageVerdict, ...]) -> StageVerdict:
    """One stage over all cases: the largest of each kind of error."""
    return dataclasses.replace(
        rows[0],
        own=max((row.own for row in rows), key=_decisive),
        accumulated=max((row.accumulated for row in rows), key=_decisive),
    )


def _decisive(accuracy: Accuracy) -> float:
    return accuracy.decisive
