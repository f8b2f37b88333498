"""vLLM's attention on CPUs, in the place of its own backend."""

from typing import Any

import numpy as np

from irattn.core.errors import ArgumentError
from irattn.integrations.vllm.backend import Backend
from irattn.integrations.vllm.layer import CACHES, Batch, BatchBuilder, LayerAttention, loaded
from irattn.integrations.vllm.theirs import attention, torch
from irattn.runtime.arrays import ALIGNMENT, aligned_copy
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.kernel import Kernel
from irattn.specs import Spec

Tensor = Any


class CpuBackend(Backend):
    """The backend that takes the place of CPU_ATTN."""

    @staticmethod
    def get_name() -> str:
        """The name that it goes by, as it takes that one's place."""
        return "CPU_ATTN"

    @staticmethod
    def get_impl_cls() -> type:
        """The class that attends."""
        return CpuAttention

    @staticmethod
    def get_builder_cls() -> type:
        """The class that finds the tokens of a batch."""
        return CpuBatchBuilder

    @staticmethod
    def get_supported_kernel_block_sizes(kv_cache_spec: Any = None) -> list[Any]:
        """Sizes of blocks with which each lies at an address that IREE takes."""
        return [attention.MultipleOf(32)]


class CpuBatchBuilder(BatchBuilder):
    """Copies the integers of a batch, and checks those that kernels trust, once for all layers."""

    def _slots_of(self, common: Any) -> DeviceArray:
        return _copied(common.slot_mapping[: common.num_actual_tokens])

    def _where(self, common: Any) -> dict[str, DeviceArray]:
        count = len(common.query_start_loc) - 1
        pages = max(1, -(-common.max_seq_len // self.kv_cache_spec.block_size))
        return {
            "cu_seqlens_q": _copied(common.query_start_loc),
            "block_table": _copied(common.block_table_tensor[:count, :pages]),
            "context_lens": _copied(common.seq_lens[:count]),
        }


def _copied(integers: Tensor) -> DeviceArray:
    return DeviceArray.from_numpy(np.ascontiguousarray(integers.numpy(), np.int32))


def _read(kernel: Kernel, tensor: Tensor) -> DeviceArray:
    """A tensor where it lies, or a copy of one that a kernel cannot read there."""
    array = _array(kernel, tensor.contiguous())
    array = array if _is_aligned(array) else aligned_copy(array)
    return DeviceArray._in_memory_of(array, kernel.spec.io_dtype, kernel.device)


def _written(kernel: Kernel, name: str, tensor: Tensor) -> DeviceArray:
    """A tensor where it lies, to be written to."""
    array = _array(kernel, tensor)
    if not tensor.is_contiguous() or not _is_aligned(array):
        raise ArgumentError(
            f"{name}: expected elements that lie row by row, from an address that is a multiple of "
            f"{ALIGNMENT}, as it is written in place; give a copy of it"
        )
    return DeviceArray._in_memory_of(array, kernel.spec.io_dtype, kernel.device)


def _array(kernel: Kernel, tensor: Tensor) -> np.ndarray:
    # NumPy has no bf16, nor takes it from others.
    is_bf16 = kernel.spec.io_dtype == "bf16"
    array: np.ndarray = (tensor.view(torch.uint16) if is_bf16 else tensor).numpy()
    return array


def _is_aligned(array: np.ndarray) -> bool:
    return int(array.__array_interface__["data"][0]) % ALIGNMENT == 0


class CpuAttention(LayerAttention):
    """A layer's attention on a CPU."""

    # The cache as kernels take it, its keys and its values, and where it lies.
    _cache: tuple[Any, tuple[DeviceArray, DeviceArray]] | None = None

    def _kernel(self, spec: Spec, device: Any) -> Kernel:
        return loaded(spec, "cpu", "auto")

    def _attend(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        kv_cache: Tensor,
        batch: Batch,
        output: Tensor,
    ) -> None:
        tokens, block_size = batch.num_actual_tokens, kv_cache.shape[2]
        kernel = self.prepare(query.dtype, block_size, query.device, batch.causal)
        place, caches = self._taken(kernel, kv_cache)
        given = {"query": query, "key": key, "value": value} if self.writes else {"query": query}
        attended = _written(kernel, "output", output[:tokens])
        _, *updated = kernel.outputs(
            **{name: _read(kernel, tensor[:tokens]) for name, tensor in given.items()},
            **({"slot_mapping": batch.slots} if self.writes else {}),
            **dict(zip(CACHES, caches, strict=True)),
            **batch.where,
            **{name: numbers.numpy() for name, numbers in self._of_heads.items()},
            out=(attended, None, None) if self.writes else attended,
            donate=CACHES if self.writes else (),
        )
        # The same memory, which is theirs now.
        self._cache = place, tuple(updated) if updated else caches

    def _taken(
        self, kernel: Kernel, kv_cache: Tensor
    ) -> tuple[Any, tuple[DeviceArray, DeviceArray]]:
        """The cache where it lies: each block of a head has its values behind its keys."""
        place = (kv_cache.data_ptr(), kv_cache.shape)
        taken, self._cache = self._cache, None
        if taken is None or taken[0] != place:
            blocks = kv_cache.view(*kv_cache.shape[:2], -1, self.head_size)
            # Two arrays of the same memory: each is given up to the kernel.
            keys, values = (_written(kernel, "kv_cache", blocks) for _ in CACHES)
            taken = place, (keys, values)
        return taken
