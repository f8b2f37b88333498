"""vLLM's own attention on CPUs, over a cache in its layout."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from irattn.core.dtypes import dtype
from irattn.lab.benchmark.problems import NoWayError, Tensors, keys_of_packed
from irattn.lab.benchmark.sides import base
from irattn.lab.benchmark.sides.tensors import tensor_of, torch_type
from irattn.lab.benchmark.work import bench_tensors
from irattn.specs import Spec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec

# What is set up here; any other field of attention must have its default.
_SAYABLE = frozenset({"io_dtype", "batch", "softmax_scale", "causal", "dynamic", "block_size"})
# Tokens of a block: the least that it takes.
_BLOCK = 32


class Side(base.Side):
    """One call of the C++ kernel of vLLM, on the instructions that it chooses itself."""

    def __init__(self, threads: int, device: str) -> None:
        super().__init__(threads, device)
        # Any: the packages are extras.
        self.torch: Any = import_module("torch")
        self.torch.set_num_threads(threads)
        self.ops: Any = import_module("vllm._custom_ops")
        self.backend: Any = import_module("vllm.v1.attention.backends.cpu_attn")

    def version(self) -> str:
        return f"vLLM {import_module('vllm').__version__}"

    def set_up(self, spec: Spec) -> None:
        if not isinstance(spec, PackedPagedAttentionSpec) or spec.updates:
            raise NoWayError(f"it has no {spec.op}")
        if field := spec.first_beyond(_SAYABLE):
            raise NoWayError(f"its call is set up without {field}")
        self.output_dtype = dtype(spec.outputs[0].dtype).numpy
        self.ways = {"cpu_attention_with_kv_cache": self._call(spec, bench_tensors(spec))}

    def arrays(self, way: str, result: object) -> list[np.ndarray]:
        as_numpy: np.ndarray = result.float().numpy()  # type: ignore[attr-defined]
        return [as_numpy.astype(self.output_dtype)]

    def _call(self, spec: PackedPagedAttentionSpec, tensors: Tensors) -> Callable[[], object]:
        query = tensor_of(self.torch, tensors["query"])
        isa = self.backend._get_attn_isa(query.dtype, _BLOCK, spec.head_dim, "auto")
        starts, lens = (
            self.torch.from_numpy(tensors[name]) for name in ("cu_seqlens_q", "context_lens")
        )
        key_cache, value_cache, table = self._cache(spec, tensors, isa)
        output = self.torch.zeros_like(query)
        both = {"query_start_loc": starts, "seq_lens": lens, "causal": spec.causal}
        plan = self.ops.cpu_attn_get_scheduler_metadata(
            num_reqs=spec.batch,
            num_heads=spec.num_q_heads,
            num_kv_heads=spec.num_kv_heads,
            head_dim=spec.head_dim,
            dtype=query.dtype,
            sliding_window_size=-1,
            isa=isa,
            enable_kv_split=True,
            **both,
        )

        def call() -> object:
            self.ops.cpu_attention_with_kv_cache(
                query=query,
                key_cache=key_cache,
                value_cache=value_cache,
                output=output,
                scale=spec.scale,
                alibi_slopes=None,
                sliding_window=-1,
                block_table=table,
                softcap=0.0,
                scheduler_metadata=plan,
                s_aux=None,
                **both,
            )
            return output

        return call

    def _cache(
        self, spec: PackedPagedAttentionSpec, tensors: Tensors, isa: str
    ) -> tuple[Any, Any, Any]:
        """The keys and values as vLLM writes them, in blocks anywhere, and the table of these."""
        lens = tensors["context_lens"]
        pages = -(-int(lens.max()) // _BLOCK)
        table = np.random.default_rng(0).permutation(spec.batch * pages).reshape(spec.batch, pages)
        element = torch_type(self.torch, spec.io_dtype)
        shape = (table.size, spec.num_kv_heads, 2 * _BLOCK, spec.head_dim)
        key_cache, value_cache = self.torch.zeros(shape, dtype=element).chunk(2, dim=2)
        for s, (key, value) in enumerate(keys_of_packed(spec, tensors)):
            tokens = np.arange(lens[s])
            slots = table[s, tokens // _BLOCK] * _BLOCK + tokens % _BLOCK
            self.ops.cpu_attn_reshape_and_cache(
                *(
                    tensor_of(self.torch, np.ascontiguousarray(rows[0].swapaxes(0, 1)))
                    for rows in (key, value)
                ),
                key_cache,
                value_cache,
                self.torch.from_numpy(slots),
                isa,
            )
        return key_cache, value_cache, self.torch.from_numpy(table.astype(np.int32))
