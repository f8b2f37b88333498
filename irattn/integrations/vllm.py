"""vLLM's attention on CPUs: a plug-in that takes the place of its own backend."""

import os
import re
import time
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.integrations.extras import need
from irattn.runtime.cores import give_cores
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.kernel import Kernel
from irattn.runtime.kernel_cache import KernelCache
from irattn.specs.base import MAX_HEAD_DIM
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.sizes import ANY_STEP_OVER_PAGES

need("vllm")

# After it: who lacks it is told of it first, not of PyTorch.
from irattn.integrations.torch import torch  # noqa: E402

_theirs: Any = import_module("vllm.v1.attention.backend")
_registry: Any = import_module("vllm.v1.attention.backends.registry")

_logger: Any = import_module("vllm.logger").init_logger(__name__)

Tensor: TypeAlias = Any

# Where vLLM tells OpenMP a worker's CPUs: GNU's library, which binds the main thread to the first
# before Python begins, Intel's, or any other.
_BINDINGS = ("GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES")
# As vLLM writes them: `0 1`, `...,proclist=[0,1]`, `{0,1}`. Other forms are a user's own.
_LISTED = re.compile(r"(?:^|[\[{])(\d+(?:[ ,]\d+)*)(?:$|[\]}])")


def register() -> None:
    """Take the place of CPU_ATTN; vLLM calls it at its start, in each of its processes.

    Only where VLLM_PLUGINS names irattn: to be installed is not to be asked for.
    """
    if "irattn" in os.environ.get("VLLM_PLUGINS", "").split(","):
        _registry.register_backend(
            _registry.AttentionBackendEnum.CPU_ATTN, f"{__name__}.{Backend.__qualname__}"
        )
        give_cores(_cpus_of_worker())


def _cpus_of_worker() -> list[int]:
    """The logical CPUs that vLLM gave this process; none where it bound none."""
    listed = (_LISTED.search(os.environ.get(name, "")) for name in _BINDINGS)
    return next(([int(cpu) for cpu in re.split("[ ,]", one[1])] for one in listed if one), [])


class Backend(_theirs.AttentionBackend):  # type: ignore[misc]
    """The backend, with what vLLM asks about it first; vLLM refuses the rest in its own words."""

    supported_dtypes = (torch.float32, torch.float16, torch.bfloat16)
    supported_kv_cache_dtypes = ("auto", "float16", "bfloat16")
    forward_includes_kv_cache_update = True

    @staticmethod
    def get_name() -> str:
        """The name that it goes by, as it takes that one's place."""
        return "CPU_ATTN"

    @staticmethod
    def get_impl_cls() -> type:
        """The class that attends."""
        return LayerAttention

    @staticmethod
    def get_builder_cls() -> type:
        """The class that finds the tokens of a batch."""
        return BatchBuilder

    @staticmethod
    def get_supported_kernel_block_sizes(kv_cache_spec: Any = None) -> list[Any]:
        """Sizes of blocks with which each lies at an address that IREE takes."""
        return [_theirs.MultipleOf(32)]

    @classmethod
    def supported_kv_cache_layouts(cls) -> tuple[Any, ...]:
        """Blocks of each head together: its keys, then its values."""
        return (_theirs.KVCacheLayout.LBHNC,)

    @classmethod
    def supports_head_size(cls, head_size: int) -> bool:
        """Heads that irattn compiles."""
        return head_size <= MAX_HEAD_DIM

    @classmethod
    def supports_sliding_window(cls) -> bool:
        """Whether kernels have sliding windows: all have."""
        return True

    @classmethod
    def supports_sink(cls) -> bool:
        """Whether kernels have sinks: all have."""
        return True

    @classmethod
    def supports_non_causal(cls) -> bool:
        """Whether kernels attend without a causal mask: all do."""
        return True


@dataclass(frozen=True)
class StepPlaces:
    """Where a step's tokens and their keys lie: what kernels take, and rows for the new keys.

    `key_rows` and `value_rows` are those of new keys and values in the cache, tokens outermost, of
    the tokens that `written` says, None for all.
    """

    taken: dict[str, DeviceArray]
    key_rows: Tensor
    value_rows: Tensor
    written: Tensor | None


@dataclass
class BatchMetadata(_theirs.AttentionMetadata):  # type: ignore[misc]
    """The places of a batch's tokens: packed queries, and blocks and slots of the cache."""

    num_actual_tokens: int
    query_start_loc: Tensor
    seq_lens: Tensor
    block_table: Tensor
    slot_mapping: Tensor
    causal: bool
    _places: dict[tuple[int, int], StepPlaces] = field(default_factory=dict)

    def places(self, heads: int, block_size: int) -> StepPlaces:
        """The places for so many KV heads in blocks of such a size, made once for all layers."""
        if (found := self._places.get((heads, block_size))) is None:
            found = self._places[heads, block_size] = self._made(heads, block_size)
        return found

    def _made(self, heads: int, block_size: int) -> StepPlaces:
        count = len(self.query_start_loc) - 1
        lens = self.seq_lens[:count]
        pages = max(1, -(-int(lens.max()) // block_size))
        integers = {
            "cu_seqlens_q": self.query_start_loc,
            "block_table": self.block_table[:count, :pages],
            "context_lens": lens,
        }
        slots = self.slot_mapping[: self.num_actual_tokens].long()
        is_written = slots >= 0
        written = None if bool(is_written.all()) else is_written
        slots = slots if written is None else slots[written]
        block, offset = slots // block_size, slots % block_size
        row_of_head = (block[:, None] * heads + torch.arange(heads)) * (2 * block_size)
        key_rows = (row_of_head + offset[:, None]).flatten()
        return StepPlaces(
            taken={name: _there(tensor) for name, tensor in integers.items()},
            key_rows=key_rows,
            value_rows=key_rows + block_size,
            written=written,
        )


def _shared(tensor: Tensor) -> DeviceArray:
    # Named, the device need not be asked for: each question costs as much as the rest.
    return DeviceArray.from_dlpack(tensor.contiguous(), "cpu")


def _there(integers: Tensor) -> DeviceArray:
    return DeviceArray.from_numpy(np.ascontiguousarray(integers.numpy(), np.int32))


class BatchBuilder(_theirs.AttentionMetadataBuilder):  # type: ignore[misc]
    """Makes a batch once for all layers; the kernels of these are there before the first one."""

    def __init__(
        self, kv_cache_spec: Any, layer_names: list[str], vllm_config: Any, device: Any
    ) -> None:
        super().__init__(kv_cache_spec, layer_names, vllm_config, device)
        if vllm_config is not None:
            layers = vllm_config.compilation_config.static_forward_context
            for name in layer_names:
                layers[name].impl.prepare(kv_cache_spec.dtype, kv_cache_spec.block_size)

    def build(
        self, common_prefix_len: int, common_attn_metadata: Any, fast_build: bool = False
    ) -> BatchMetadata:
        """ArgumentError for a batch in which some sequences are causal only."""
        common = common_attn_metadata
        if not isinstance(common.causal, bool):
            raise ArgumentError("causal: expected one for the whole batch, got one a sequence")
        return BatchMetadata(
            num_actual_tokens=common.num_actual_tokens,
            query_start_loc=common.query_start_loc,
            seq_lens=common.seq_lens,
            block_table=common.block_table_tensor,
            slot_mapping=common.slot_mapping,
            causal=common.causal,
        )


class LayerAttention(_theirs.AttentionImpl):  # type: ignore[misc]
    """A layer's attention over vLLM's cache, which the kernels read where it lies."""

    def __init__(
        self,
        num_heads: int,
        head_size: int,
        scale: float,
        num_kv_heads: int | None = None,
        alibi_slopes: list[float] | None = None,
        sliding_window: int | None = None,
        kv_cache_dtype: str = "auto",
        logits_soft_cap: float | None = None,
        attn_type: str = "decoder",
        kv_sharing_target_layer_name: str | None = None,
        sinks: Tensor | None = None,
    ) -> None:
        if attn_type != "decoder" or "fp8" in kv_cache_dtype:
            raise ArgumentError(
                "attn_type, kv_cache_dtype: expected decoder attention over a cache that is not "
                f"quantised, got {attn_type} over {kv_cache_dtype}"
            )
        self.num_heads, self.head_size, self.scale = num_heads, head_size, scale
        self.num_kv_heads = num_kv_heads or num_heads
        # Theirs counts the query's own token.
        self.window = None if sliding_window is None else (sliding_window - 1, None)
        self.logits_soft_cap = logits_soft_cap
        self.kv_cache_dtype = kv_cache_dtype
        self.kv_sharing_target_layer_name = kv_sharing_target_layer_name
        self.alibi_slopes = None if alibi_slopes is None else np.array(alibi_slopes, np.float32)
        self.sinks = sinks
        self._kernels: dict[tuple[Any, int, bool], Kernel] = {}
        # The cache as kernels take it, and where it lies.
        self._cache: tuple[tuple[int, Any], Any] | None = None

    def prepare(self, element: Any, block_size: int, causal: bool = True) -> Kernel:
        """The kernel for all batches over a cache of such elements, in blocks of such a size."""
        wanted = element, block_size, causal
        if (found := self._kernels.get(wanted)) is None:
            found = self._kernels[wanted] = _kernel(self._spec(*wanted))
        return found

    def _spec(self, element: Any, block_size: int, causal: bool) -> PackedPagedAttentionSpec:
        return PackedPagedAttentionSpec(
            io_dtype=str(element),
            num_q_heads=self.num_heads,
            num_kv_heads=self.num_kv_heads,
            head_dim=self.head_size,
            block_size=block_size,
            joint_cache=True,
            softmax_scale=self.scale,
            causal=causal,
            window=self.window,
            logits_soft_cap=self.logits_soft_cap,
            alibi=self.alibi_slopes is not None,
            sinks=self.sinks is not None,
            dynamic=tuple(ANY_STEP_OVER_PAGES),
            **ANY_STEP_OVER_PAGES,
        )

    def forward(
        self,
        layer: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        kv_cache: Tensor,
        attn_metadata: BatchMetadata | None,
        output: Tensor,
        output_scale: Tensor | None = None,
        output_block_scale: Tensor | None = None,
    ) -> Tensor:
        """Write the new keys and values to the cache, attend, and fill `output`.

        query `[tokens, num_heads, head_size]`, key and value `[tokens, num_kv_heads, head_size]`,
        kv_cache `[num_blocks, num_kv_heads, block_size, 2 * head_size]`.
        """
        if output_scale is not None or output_block_scale is not None:
            raise ArgumentError("output_scale: expected none, as outputs are not quantised")
        if attn_metadata is None:
            # A rehearsal, before there is a cache.
            return output
        tokens, heads, size = attn_metadata.num_actual_tokens, self.num_kv_heads, self.head_size
        block_size = kv_cache.shape[2]
        places = attn_metadata.places(heads, block_size)
        if self.kv_sharing_target_layer_name is None:
            _write(kv_cache.view(-1, size), places, key[:tokens], value[:tokens])
        cache = self._taken(kv_cache)
        (attended,) = self.prepare(query.dtype, block_size, attn_metadata.causal).outputs(
            query=_shared(query[:tokens].view(tokens, -1, size)),
            key_cache=cache,
            value_cache=cache,
            **places.taken,
            **self._of_heads(),
        )
        output[:tokens].view(tokens, -1, size).copy_(torch.from_dlpack(attended))
        return output

    def _of_heads(self) -> dict[str, np.ndarray]:
        """The inputs that have one number a head."""
        numbers = {"alibi_slopes": self.alibi_slopes}
        if self.sinks is not None:
            # Loaded after this layer was made.
            numbers["sinks"] = self.sinks.float().numpy()
        return {name: given for name, given in numbers.items() if given is not None}

    def _taken(self, kv_cache: Tensor) -> Any:
        """The cache where it lies: each block of a head has its values behind its keys."""
        place = (kv_cache.data_ptr(), kv_cache.shape)
        if self._cache is None or self._cache[0] != place:
            blocks = kv_cache.view(*kv_cache.shape[:2], -1, self.head_size)
            self._cache = place, _shared(blocks)
        return self._cache[1]


@cache
def _kernel(spec: PackedPagedAttentionSpec) -> Kernel:
    """A kernel, compiled where the store has it not, with a line that says how long it took."""
    start, kernels = time.monotonic(), KernelCache("exact", target="cpu")
    was_there = kernels.is_compiled(spec)
    kernel = kernels.kernel(spec)
    _logger.info(
        "irattn: attention of %d/%d heads, head size %d, %s %s in %.1f s",
        spec.num_q_heads,
        spec.num_kv_heads,
        spec.head_dim,
        spec.io_dtype,
        "loaded" if was_there else "compiled",
        time.monotonic() - start,
    )
    return kernel


def _write(rows: Tensor, places: StepPlaces, key: Tensor, value: Tensor) -> None:
    """New keys and values to their rows of the cache."""
    for new, of_new in ((key, places.key_rows), (value, places.value_rows)):
        given = new if places.written is None else new[places.written]
        rows.index_copy_(0, of_new, given.reshape(-1, rows.shape[1]).to(rows.dtype))
