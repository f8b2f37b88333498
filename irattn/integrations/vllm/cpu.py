"""vLLM's attention on CPUs, in the place of its own backend."""

from typing import Any

import numpy as np

from irattn.core.dtypes import FP8_NAMES
from irattn.core.errors import ArgumentError
from irattn.integrations.vllm.backend import Backend
from irattn.integrations.vllm.cascade import SharedPrefixes, integers
from irattn.integrations.vllm.layer import (
    CACHES,
    BatchBuilder,
    BatchMetadata,
    LayerAttention,
    loaded,
)
from irattn.integrations.vllm.theirs import attention, torch
from irattn.runtime.arrays import ALIGNMENT
from irattn.runtime.device_array import DeviceArray
from irattn.runtime.host_calls import HostCalls
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

    def __init__(
        self, kv_cache_spec: Any, layer_names: list[str], vllm_config: Any, device: Any
    ) -> None:
        super().__init__(kv_cache_spec, layer_names, vllm_config, device)
        self._kept = Copies()

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

    def _cascade_of(self, vllm_config: Any) -> SharedPrefixes | None:
        return SharedPrefixes.of(self.kv_cache_spec, vllm_config)

    def _shared(self, common: Any) -> dict[str, DeviceArray] | None:
        if self._cascade is None or not common.causal:
            return None
        if (step := self._cascade.step(common)) is None:
            return None
        named = integers(step).items()
        return {name: DeviceArray.from_numpy(_int32(array)) for name, array in named}


def _copied(tensor: Tensor) -> DeviceArray:
    return DeviceArray.from_numpy(_int32(tensor.numpy()))


def _int32(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array, np.int32)


class Copies:
    """Copies of tensors that kernels cannot read where they lie, in memory that is kept.

    A copy is there until the next of its name: layers attend one after the other. In memory of its
    own each would cost the system's pages, half as much as a prompt's copy.
    """

    def __init__(self) -> None:
        self._memory: dict[tuple[str, Any], Tensor] = {}

    def copied(self, name: str, tensor: Tensor) -> Tensor:
        """A tensor's copy, row by row from an address that kernels take."""
        count, of_whom = tensor.numel(), (name, tensor.dtype)
        memory = self._memory.get(of_whom)
        if memory is None or len(memory) < count:
            # PyTorch's memory begins where kernels take it.
            memory = self._memory[of_whom] = torch.empty(count, dtype=tensor.dtype)
        return memory[:count].view(tensor.shape).copy_(tensor)


class CpuAttention(LayerAttention):
    """A layer's attention on a CPU."""

    def _kernel(self, spec: Spec, device: Any) -> Kernel:
        return loaded(spec, "cpu", "auto")

    def _attend(
        self,
        kernel: Kernel,
        new: dict[str, Tensor],
        kv_cache: Tensor,
        batch: BatchMetadata,
        output: Tensor,
    ) -> None:
        moved = {
            name: tensor if _is_dense(tensor) else batch.kept.copied(name, tensor)
            for name, tensor in new.items()
        }
        cache, attended = kv_cache.data_ptr(), output.data_ptr()
        if not (_is_dense(kv_cache) and _is_dense(output)):
            raise ArgumentError(
                f"kv_cache, output: expected elements that lie row by row, from addresses that are "
                f"multiples of {ALIGNMENT}, as both are written in place; give copies of them"
            )
        calls = self._calls(kernel, moved, kv_cache, batch)
        at = [tensor.data_ptr() for tensor in moved.values()]
        calls.run((*at, cache, cache), (attended,))

    def _calls(
        self, kernel: Kernel, new: dict[str, Tensor], kv_cache: Tensor, batch: BatchMetadata
    ) -> HostCalls:
        """The calls of a kernel in this step, of which layers with the same numbers have one."""
        # Layers with sinks or slopes have their own.
        of_whom = (kernel, id(self) if self._of_heads else 0, kv_cache.shape[0])
        if (found := batch.calls.get(of_whom)) is None:
            moved = {**new, **dict.fromkeys(CACHES, self._blocks(kv_cache))}
            given = {
                **{name: _shared(kernel, name, tensor) for name, tensor in moved.items()},
                **self._beside(kernel, batch),
                **{n: DeviceArray.from_numpy(x.numpy()) for n, x in self._of_heads.items()},
            }
            found = batch.calls[of_whom] = HostCalls(kernel, given, list(moved))
        return found


def _is_dense(tensor: Tensor) -> bool:
    """Whether a tensor lies row by row from an address that kernels take."""
    return tensor.data_ptr() % ALIGNMENT == 0 and bool(tensor.is_contiguous())


def _shared(kernel: Kernel, name: str, tensor: Tensor) -> DeviceArray:
    """A tensor where it lies."""
    spec: Any = kernel.spec
    element = spec.cache_element if name in CACHES else spec.io_dtype
    # NumPy has neither bf16 nor fp8, nor takes them from others.
    carriers = {"bf16": torch.uint16} | dict.fromkeys(FP8_NAMES, torch.uint8)
    array = (tensor.view(carriers[element]) if element in carriers else tensor).numpy()
    return DeviceArray._in_memory_of(array, element, kernel.device)
