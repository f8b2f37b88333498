"""vLLM's attention on GPUs, AMD's and NVIDIA's: kernels launched where its tensors lie.

Launches go to PyTorch's current stream by the driver itself: nothing is read back, and a captured
graph does what is launched here.
"""

from typing import Any, ClassVar

from irattn.core.errors import ArgumentError
from irattn.functional.places import place_of
from irattn.integrations.vllm.backend import Backend
from irattn.integrations.vllm.layer import (
    CACHES,
    BatchBuilder,
    BatchMetadata,
    LayerAttention,
    loaded,
)
from irattn.integrations.vllm.theirs import attention, torch
from irattn.runtime.kernel import Kernel
from irattn.runtime.loading import DIRECT
from irattn.specs import Spec

Tensor = Any


class GpuBackend(Backend):
    """The backend that vLLM calls CUSTOM."""

    @staticmethod
    def get_name() -> str:
        """The name of the place that it takes."""
        return "CUSTOM"

    @staticmethod
    def get_impl_cls() -> type:
        """The class that attends."""
        return GpuAttention

    @staticmethod
    def get_builder_cls() -> type:
        """The class that finds the tokens of a batch."""
        return GpuBatchBuilder


class GpuBatchBuilder(BatchBuilder):
    """Makes batches of vLLM's own tensors, which stay where they are while their contents change.

    So do the slots, of which kernels take 32 bits. How many workgroups a launch has depends on
    shapes alone, not on what tensors hold: a graph of it, captured once, serves every batch of
    these shapes, prompts and decodes together.
    """

    _cudagraph_support: ClassVar[Any] = attention.AttentionCGSupport.ALWAYS

    def __init__(
        self, kv_cache_spec: Any, layer_names: list[str], vllm_config: Any, device: Any
    ) -> None:
        super().__init__(kv_cache_spec, layer_names, vllm_config, device)
        tokens = vllm_config.scheduler_config.max_num_batched_tokens
        self._slots = torch.empty(tokens, dtype=torch.int32, device=device)

    def _slots_of(self, common: Any) -> Tensor:
        tokens = common.num_actual_tokens
        return self._slots[:tokens].copy_(common.slot_mapping[:tokens])

    def _where(self, common: Any) -> dict[str, Tensor]:
        count = len(common.query_start_loc) - 1
        return {
            "cu_seqlens_q": common.query_start_loc,
            "block_table": common.block_table_tensor[:count],
            "context_lens": common.seq_lens[:count],
        }


class GpuAttention(LayerAttention):
    """A layer's attention on a GPU."""

    def _kernel(self, spec: Spec, device: Any) -> Kernel:
        place = place_of(torch.empty(1, device=device))
        if place is None:
            raise ArgumentError(f"device: expected a GPU, whose tensors stay there, got {device}")
        kernel = loaded(spec, place.target, place.device, DIRECT)
        # A capture may not load code.
        kernel.prepare(device)
        return kernel

    def _attend(
        self,
        kernel: Kernel,
        new: dict[str, Tensor],
        kv_cache: Tensor,
        batch: BatchMetadata,
        output: Tensor,
    ) -> None:
        attended = output[: batch.num_actual_tokens]
        kernel(
            **{name: tensor.contiguous() for name, tensor in new.items()},
            **dict.fromkeys(CACHES, self._blocks(kv_cache)),
            **self._beside(kernel, batch),
            **self._of_heads,
            out=[attended, None, None] if self.writes else attended,
            donate=CACHES if self.writes else (),
        )
