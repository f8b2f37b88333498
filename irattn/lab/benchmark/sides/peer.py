"""The base of other libraries' sides: problems for the calls, outputs for the check."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.benchmark.problems import NoWayError, Problem, Problems, problems_of
from irattn.lab.benchmark.sides import base
from irattn.lab.benchmark.work import bench_tensors
from irattn.specs import Spec

# A call for one problem.
One = Callable[[], object]


class PeerSide(base.Side):
    """Ways for a problem, from which those for a call of several problems follow."""

    problems_of_spec: Problems
    output_dtype: np.dtype

    @abstractmethod
    def ways_of(self, problem: Problem) -> dict[str, One]:
        """Calls that compute a problem, on arrays of the library's own."""

    @abstractmethod
    def array(self, result: object) -> np.ndarray:
        """The result of such a call as f32 [b, h, q, d], or as what has that many elements."""

    def set_up(self, spec: Spec) -> None:
        self.problems_of_spec = problems_of(spec, bench_tensors(spec))
        self.output_dtype = dtype(spec.outputs[0].dtype).numpy
        each = [self.ways_of(problem) for problem in self.problems_of_spec.problems]
        names = [name for name in each[0] if all(name in ways for ways in each)]
        if not names:
            raise NoWayError("its attention has not what this takes")
        self.ways = {name: _all_of([ways[name] for ways in each]) for name in names}

    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        results = result if isinstance(result, list) else [result]
        shapes = [(*p.query.shape[:3], p.value.shape[3]) for p in self.problems_of_spec.problems]
        outputs = [self.array(one).reshape(s) for one, s in zip(results, shapes, strict=True)]
        return [self.problems_of_spec.assemble(outputs).astype(self.output_dtype)]


def _all_of(calls: Sequence[One]) -> One:
    """One call for the problems of a call; alone it is called without a list around it."""
    if len(calls) == 1:
        return calls[0]
    return lambda: [call() for call in calls]


def folded(query: Any, key: Any) -> Any:
    """The heads of a group as rows of one head: [b, kv heads, group * q, d]."""
    b, heads, q_len, d = query.shape
    kv_heads = key.shape[1]
    return query.reshape(b, kv_heads, heads // kv_heads * q_len, d)
