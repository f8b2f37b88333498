"""ONNX Runtime: ONNX's Attention, and its own operators where they say the same."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype_name
from irattn.lab.benchmark.problems import NoWayError, Problem
from irattn.lab.benchmark.sides.peer import One, PeerSide

_OPSET = 23
_CONTRIB = "com.microsoft"


class Side(PeerSide):
    """Models of one node on the CPU, on values that the session is given once."""

    def __init__(self, threads: int, device: str) -> None:
        super().__init__(threads, device)
        # Any: the packages are extras.
        self.ort: Any = import_module("onnxruntime")
        self.onnx: Any = import_module("onnx")

    def version(self) -> str:
        return f"ONNX Runtime {self.ort.__version__}"

    def ways_of(self, problem: Problem) -> dict[str, One]:
        name = dtype_name(problem.query.dtype)
        if name == "bf16":
            raise NoWayError("its attention on CPUs has no bf16")
        makers = {"Attention": self._attention}
        if problem.mask is None and problem.is_causal:
            makers["GroupQueryAttention"] = self._group_query
        if problem.mask is None and problem.group_size == 1 and name == "f32":
            makers["MultiHeadAttention"] = self._multi_head
        ways: dict[str, One] = {}
        for way, make in makers.items():
            try:
                ways[way] = make(problem)
            # The library refuses a model when it is loaded.
            except Exception as error:
                self.problems[way] = str(error).splitlines()[0]
        if not ways:
            raise NoWayError("; ".join(self.problems.values()))
        return ways

    def array(self, result: object) -> np.ndarray:
        assert isinstance(result, Reply)
        return result.array()

    def _attention(self, problem: Problem) -> One:
        inputs = {"query": problem.query, "key": problem.key, "value": problem.value}
        if problem.mask is not None:
            mask = problem.mask.reshape((1,) * (4 - problem.mask.ndim) + problem.mask.shape)
            kept = mask.dtype == np.bool_
            inputs["mask"] = mask if kept else mask.astype(problem.query.dtype)
        how = {"scale": problem.scale, "is_causal": int(problem.is_causal)}
        return self._call("Attention", inputs, how)

    def _group_query(self, problem: Problem) -> One:
        """The tokens' heads side by side: [b, tokens, heads * d]."""
        b, heads, q_len, _ = problem.query.shape
        inputs = {
            **dict(zip(("query", "key", "value"), map(_by_token, _arrays(problem)), strict=True)),
            "past_key": None,
            "past_value": None,
            "seqlens_k": np.full(b, q_len - 1, np.int32),
            "total": np.array(q_len, np.int32),
        }
        how = {"num_heads": heads, "kv_num_heads": problem.key.shape[1], "scale": problem.scale}
        outputs = ("output", "present_key", "present_value")
        return self._call("GroupQueryAttention", inputs, how, outputs, heads)

    def _multi_head(self, problem: Problem) -> One:
        arrays = map(_by_token, _arrays(problem))
        inputs = dict(zip(("query", "key", "value"), arrays, strict=True))
        heads = problem.query.shape[1]
        how = {
            "num_heads": heads,
            "scale": problem.scale,
            "unidirectional": int(problem.is_causal),
        }
        return self._call("MultiHeadAttention", inputs, how, heads=heads)

    def _call(
        self,
        op: str,
        inputs: Mapping[str, np.ndarray | None],
        how: dict[str, Any],
        outputs: Sequence[str] = ("output",),
        heads: int | None = None,
    ) -> One:
        """A call of a model of one node, whose inputs lie where the session takes them."""
        session = self._session(op, inputs, how, outputs)
        binding = session.io_binding()
        for name, array in inputs.items():
            if array is not None:
                binding.bind_ortvalue_input(name, self.ort.OrtValue.ortvalue_from_numpy(array))
        for name in outputs:
            binding.bind_output(name)

        def call() -> Reply:
            session.run_with_iobinding(binding)
            return Reply(binding.get_outputs()[0], heads)

        return call

    def _session(
        self,
        op: str,
        inputs: Mapping[str, np.ndarray | None],
        how: dict[str, Any],
        outputs: Sequence[str],
    ) -> Any:
        helper, contrib = self.onnx.helper, op != "Attention"
        typed = {n: a for n, a in inputs.items() if a is not None}
        element = helper.np_dtype_to_tensor_dtype
        graph = helper.make_graph(
            [
                helper.make_node(
                    op,
                    [name if array is not None else "" for name, array in inputs.items()],
                    list(outputs),
                    domain=_CONTRIB if contrib else "",
                    **how,
                )
            ],
            op,
            [helper.make_tensor_value_info(n, element(a.dtype), a.shape) for n, a in typed.items()],
            [
                helper.make_tensor_value_info(name, element(typed["query"].dtype), None)
                for name in outputs
            ],
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        options = self.ort.SessionOptions()
        options.intra_op_num_threads = self.threads
        # Threads that spin after a call would steal the cores from the other side's next one.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return self.ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )


class Reply:
    """The outputs that a call left in the session's memory."""

    def __init__(self, value: Any, heads: int | None) -> None:
        self._value = value
        self._heads = heads

    def array(self) -> np.ndarray:
        """A copy as [b, h, q, d], from heads side by side where there are such."""
        result: np.ndarray = self._value.numpy()
        if self._heads is None:
            return result
        b, q_len, _ = result.shape
        return result.reshape(b, q_len, self._heads, -1).swapaxes(1, 2)


def _arrays(problem: Problem) -> tuple[np.ndarray, ...]:
    return problem.query, problem.key, problem.value


def _by_token(array: np.ndarray) -> np.ndarray:
    """[b, heads, tokens, d] as [b, tokens, heads * d]."""
    b, _, tokens, _ = array.shape
    return np.ascontiguousarray(array.swapaxes(1, 2)).reshape(b, tokens, -1)
