"""PyTorch as an expert uses it: its attention, or products, in the best of several ways."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from irattn.core.dtypes import dtype, dtype_name
from irattn.lab.benchmark.problems import NoWayError, Pages, Problem
from irattn.lab.benchmark.sides.base import best_rate
from irattn.lab.benchmark.sides.peer import One, PeerSide, folded
from irattn.lab.benchmark.sides.tensors import tensor_of, torch_type
from irattn.lab.benchmark.sides.torch_delta_rule import delta_rule_outputs, delta_rule_ways
from irattn.lab.benchmark.sides.torch_experts import experts_ways
from irattn.lab.benchmark.sides.torch_gradient import gradient_outputs, gradient_ways
from irattn.lab.benchmark.sides.torch_linear import linear_ways
from irattn.lab.benchmark.work import bench_tensors
from irattn.runtime import GPU_DRIVERS
from irattn.specs import Spec
from irattn.specs.attention_backward import AttentionBackwardSpec
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.linear import LinearSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec

# What is no attention.
_Other: TypeAlias = GatedDeltaRuleSpec | AttentionBackwardSpec | LinearSpec | MixtureOfExpertsSpec
_READ_BYTES = 1 << 28
# What a product may take by the rate of a small one.
_MOST_SECONDS = 5.0
# Queries of a window that are computed together, with the keys that any of them sees.
_BLOCK = 256


class Side(PeerSide):
    """PyTorch on the CPU or, where the device is a GPU, on PyTorch's own."""

    def __init__(self, threads: int, device: str) -> None:
        super().__init__(threads, device)
        # Any: the package is an extra.
        self.torch: Any = import_module("torch")
        self.torch.set_num_threads(threads)
        self.torch.set_grad_enabled(False)
        self.place = "cuda" if device in GPU_DRIVERS else "cpu"
        self.attend: Any = self.torch.nn.functional.scaled_dot_product_attention
        if self.place == "cuda":
            self.wait = self.torch.cuda.synchronize
        self.other: _Other | None = None

    def version(self) -> str:
        return f"PyTorch {self.torch.__version__}"

    def set_up(self, spec: Spec) -> None:
        self.other = spec if isinstance(spec, _Other) else None
        if self.other is None:
            super().set_up(spec)
            return
        self._check_place()
        if isinstance(self.other, LinearSpec):
            self.ways = linear_ways(self.torch, self.other, bench_tensors(spec), self.place)
            return
        tensors = {name: self._tensor(array) for name, array in bench_tensors(spec).items()}
        if isinstance(self.other, GatedDeltaRuleSpec):
            self.ways = delta_rule_ways(self.other, tensors)
        elif isinstance(self.other, MixtureOfExpertsSpec):
            self.ways = experts_ways(self.torch, self.other, tensors)
        else:
            self.ways = gradient_ways(self.torch, self.other, tensors)

    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        if self.other is None:
            return super().arrays(way, result)
        if isinstance(self.other, LinearSpec | MixtureOfExpertsSpec):
            (output,) = self.other.outputs
            rows = self.array(result).astype(dtype(output.dtype).numpy)
            return [rows.reshape(output.largest_shape)]
        if isinstance(self.other, GatedDeltaRuleSpec):
            return delta_rule_outputs(self.other, result)
        return gradient_outputs(result)

    def ways_of(self, problem: Problem) -> dict[str, One]:
        self._check_place()
        tensors = [self._tensor(array) for array in (problem.query, problem.key, problem.value)]
        query, key, value = tensors
        mask = self._mask(problem)
        how = {"is_causal": problem.is_causal, "scale": problem.scale}
        self._wake(query.dtype)
        ways: dict[str, One] = {}
        if problem.group_size == 1:
            ways["sdpa"] = lambda: self.attend(query, key, value, mask, **how)
        else:
            ways["enable_gqa"] = lambda: self.attend(
                query, key, value, mask, enable_gqa=True, **how
            )
            ways |= self._grouped(query, key, value, mask, how)
        if not problem.is_causal and mask is None:
            rows = folded(query, key)
            ways["folded"] = lambda: self.attend(rows, key, value, scale=problem.scale)
            if query.shape[2] == 1:
                ways["matmul"] = lambda: self._products(rows, key, value, problem.scale)
        if problem.window_left is not None:
            ways["blocks of queries"] = self._in_blocks(query, key, value, problem)
        if problem.pages is not None:
            ways = {f"gathered before, {name}": call for name, call in ways.items()}
            ways |= self._paged(query, problem.pages, value.shape[-1], mask, how)
        return ways

    def array(self, result: object) -> np.ndarray:
        as_numpy: np.ndarray = result.float().cpu().numpy()  # type: ignore[attr-defined]
        return as_numpy

    def limits(self, dtypes: Sequence[str]) -> dict[str, float]:
        """Large products in each storage type, and a sum over more than caches hold."""
        rates = {name: self._product_rate(name) for name in dtypes}
        many = self.torch.ones(_READ_BYTES // 4, device=self.place)
        rates["read"] = best_rate(_READ_BYTES, self._done(many.sum))
        return rates

    def _product_rate(self, name: str) -> float:
        """FLOP/s; a type without products of its own is so slow that a small one tells enough."""
        rate = 0.0
        # GPUs have more than a hundred times the rate.
        for n in (256, 8192 if self.place == "cuda" else 2048):
            square = self.torch.ones(n, n, device=self.place, dtype=torch_type(self.torch, name))
            if rate and 2 * n**3 / rate > _MOST_SECONDS:
                return rate
            rate = best_rate(2 * n**3, self._done(partial(self.torch.matmul, square, square)))
        return rate

    def _done(self, call: Callable[[], object]) -> One:
        """A call that is done when it returns."""

        def done() -> None:
            call()
            if self.wait:
                self.wait()

        return done

    def _check_place(self) -> None:
        if self.place == "cuda" and not self.torch.cuda.is_available():
            raise NoWayError("this PyTorch finds no GPU")

    def _tensor(self, array: np.ndarray) -> Any:
        return tensor_of(self.torch, array).to(self.place)

    def _mask(self, problem: Problem) -> Any:
        """None, a bool mask, or one in the storage type, which is what the attention asks for."""
        if problem.mask is None:
            return None
        mask = self.torch.from_numpy(problem.mask)
        if problem.mask.dtype != np.bool_:
            mask = mask.to(torch_type(self.torch, dtype_name(problem.query.dtype)))
        return mask.expand(*(1,) * (4 - mask.dim()), *mask.shape).to(self.place)

    def _wake(self, element: Any) -> None:
        """Have the library set up once what is no call's memory."""
        small = self.torch.ones(1, 1, 16, 16, dtype=element, device=self.place)
        self.attend(small, small, small)
        self.torch.matmul(small, small)

    def _grouped(
        self, query: Any, key: Any, value: Any, mask: Any, how: dict[str, Any]
    ) -> dict[str, One]:
        """KV heads as a batch, whose heads are those of the group: nothing is copied."""
        b, heads, q_len, d = query.shape
        kv_heads = key.shape[1]
        group = heads // kv_heads
        rows = query.reshape(b * kv_heads, group, q_len, d)
        keys, values = (
            x.flatten(0, 1).unsqueeze(1).expand(-1, group, -1, -1) for x in (key, value)
        )
        if mask is not None and (mask.shape[0] > 1 or mask.shape[1] > 1):
            whole = mask.expand(b, heads, *mask.shape[2:])
            mask = whole.reshape(b * kv_heads, group, *mask.shape[2:])
        return {"KV heads as batch": lambda: self.attend(rows, keys, values, mask, **how)}

    def _products(self, rows: Any, key: Any, value: Any, scale: float) -> Any:
        weights = self.torch.matmul(rows * scale, key.transpose(-1, -2)).softmax(-1)
        return self.torch.matmul(weights, value)

    def _in_blocks(self, query: Any, key: Any, value: Any, problem: Problem) -> One:
        """Blocks of queries against the keys that a causal window leaves to them."""
        assert problem.window_left is not None
        left, length = problem.window_left, query.shape[2]
        parts = []
        for start in range(0, length, _BLOCK):
            rows = slice(start, min(length, start + _BLOCK))
            seen = slice(max(0, start - left), rows.stop)
            position = self.torch.arange(rows.start, rows.stop)[:, None]
            token = self.torch.arange(seen.start, seen.stop)
            keep = ((token <= position) & (token >= position - left)).to(self.place)
            parts.append((query[:, :, rows], key[:, :, seen], value[:, :, seen], keep))
        how = {"scale": problem.scale, "enable_gqa": problem.group_size > 1}
        return lambda: self.torch.cat([self.attend(*part, **how) for part in parts], dim=2)

    def _paged(
        self, query: Any, pages: Pages, columns: int, mask: Any, how: dict[str, Any]
    ) -> dict[str, One]:
        """Pages gathered in the call, as every step of decoding would have to.

        Values have so many `columns`, of the keys where they have no cache.
        """
        table = self.torch.from_numpy(pages.table.astype(np.int64)).to(self.place)
        given = (pages.key_cache, pages.value_cache)
        caches = [self._tensor(cache) for cache in given if cache is not None]
        is_decode = query.shape[2] == 1 and mask is None

        def gather(cache: Any) -> Any:
            return cache[table].transpose(1, 2).flatten(2, 3)

        def call() -> Any:
            key, *values = map(gather, caches)
            value = values[0] if values else key[..., :columns]
            if is_decode:
                return self.attend(folded(query, key), key, value, scale=how["scale"])
            return self.attend(query, key, value, mask, enable_gqa=True, **how)

        return {"gathered in the call": call}
