"""A layer's attention, and the batches that it is given, of CPUs and of GPUs alike."""

import time
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.integrations.vllm.cascade import SharedPrefixes
from irattn.integrations.vllm.theirs import attention, logging, torch
from irattn.integrations.vllm.words import QUANTISED, check_kind, layer_spec
from irattn.runtime.kernel import Kernel
from irattn.runtime.kernel_cache import KernelCache
from irattn.specs import Spec

# Below vLLM's own: it shows what these say.
_logger: Any = logging.init_logger(f"vllm.{__name__}")

Tensor: TypeAlias = Any

# What a kernel that writes new tokens updates: one array is given as both.
CACHES = ("key_cache", "value_cache")


@dataclass
class BatchMetadata(attention.AttentionMetadata):  # type: ignore[misc]
    """A step of an engine, with its integers as kernels take them: the same for all layers.

    `slots` are those of new tokens, and `where` bounds of queries, lengths and blocks, by name;
    `shared` is these in groups that share their first blocks, where that pays. `calls` is what a
    backend keeps of the step for its next layers, and `kept` what its builder keeps for its next
    steps.
    """

    num_actual_tokens: int
    causal: bool
    slots: Any
    where: dict[str, Any]
    shared: dict[str, Any] | None = None
    kept: Any = None
    calls: dict[Any, Any] = field(default_factory=dict)


class BatchBuilder(attention.AttentionMetadataBuilder):  # type: ignore[misc]
    """Makes a batch once for all layers; the kernels of these are there before the first one."""

    def __init__(
        self, kv_cache_spec: Any, layer_names: list[str], vllm_config: Any, device: Any
    ) -> None:
        super().__init__(kv_cache_spec, layer_names, vllm_config, device)
        self._kept: Any = None
        layers = vllm_config.compilation_config.static_forward_context
        impls = [layers[name].impl for name in layer_names]
        self._cascade = self._cascade_of(vllm_config) if any(i.cascades for i in impls) else None
        for impl in impls:
            # Queries are of another type than numbers that are quantised.
            element = vllm_config.model_config.dtype if impl.scales else kv_cache_spec.dtype
            impl.prepare(element, kv_cache_spec.block_size, device)
            if self._cascade and impl.cascades:
                impl.prepare(element, kv_cache_spec.block_size, device, cascade=True)

    def build(
        self, common_prefix_len: int, common_attn_metadata: Any, fast_build: bool = False
    ) -> BatchMetadata:
        """ArgumentError for a batch in which some sequences are causal only."""
        common = common_attn_metadata
        if not isinstance(common.causal, bool):
            raise ArgumentError("causal: expected one for the whole batch, got one a sequence")
        tokens = common.num_actual_tokens
        slots, where, shared = self._slots_of(common), self._where(common), self._shared(common)
        return BatchMetadata(tokens, common.causal, slots, where, shared, self._kept)

    def _cascade_of(self, vllm_config: Any) -> SharedPrefixes | None:
        """The steps that read once what is shared: none where nothing is read on the host."""
        return None

    def _shared(self, common: Any) -> dict[str, Any] | None:
        """Bounds, lengths and blocks in groups that share their first blocks, where that pays."""
        return None

    @abstractmethod
    def _slots_of(self, common: Any) -> Any:
        """The slots of new tokens."""

    @abstractmethod
    def _where(self, common: Any) -> dict[str, Any]:
        """The bounds of queries, the lengths of sequences and their blocks."""


class LayerAttention(attention.AttentionImpl):  # type: ignore[misc]
    """A layer's attention over vLLM's cache, which the kernels read and write where it lies."""

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
        check_kind(attn_type, kv_cache_dtype)
        self.num_heads, self.head_size, self.scale = num_heads, head_size, scale
        self.num_kv_heads = num_kv_heads or num_heads
        self.kv_cache_dtype = kv_cache_dtype
        self.kv_sharing_target_layer_name = kv_sharing_target_layer_name
        self.writes = kv_sharing_target_layer_name is None
        self.sinks, self.alibi_slopes = sinks, alibi_slopes
        # Whether the layer may read once what sequences share: its queries see all before them.
        self.cascades = sliding_window is None and alibi_slopes is None
        self._words: dict[str, Any] = {
            "num_heads": num_heads,
            "num_kv_heads": self.num_kv_heads,
            "head_size": head_size,
            "scale": scale,
            "sliding_window": sliding_window,
            "logits_soft_cap": logits_soft_cap,
            "has_alibi": alibi_slopes is not None,
            "has_sinks": sinks is not None,
            "writes": self.writes,
            "kv_cache_dtype": kv_cache_dtype,
        }
        # What a layer of vLLM calls the scales of a quantised cache, by our names.
        is_quantised = kv_cache_dtype in QUANTISED
        self.scales = {"key_scale": "_k_scale", "value_scale": "_v_scale"} if is_quantised else {}
        self._kernels: dict[tuple[Any, ...], Kernel] = {}
        # One number a head, and scales, in f32 on the device.
        self._of_heads: dict[str, Tensor] = {}

    def prepare(
        self,
        element: Any,
        block_size: int,
        device: Any,
        causal: bool = True,
        cascade: bool = False,
    ) -> Kernel:
        """The kernel for all batches over a cache of such elements, in blocks of such a size."""
        wanted = element, block_size, device, causal, cascade
        if (found := self._kernels.get(wanted)) is None:
            of_cache: dict[str, Any] = {"element": element, "block_size": block_size}
            spec = layer_spec(**of_cache, causal=causal, cascade=cascade, **self._words)
            found = self._kernels[wanted] = self._kernel(spec, device)
            numbers = {"alibi_slopes": self.alibi_slopes, "sinks": self.sinks}
            for name, given in numbers.items():
                if given is not None and name not in self._of_heads:
                    made = torch.empty(self.num_heads, dtype=torch.float32, device=device)
                    self._of_heads[name] = made.copy_(torch.as_tensor(given))
            for name in self.scales:
                one = torch.ones(1, dtype=torch.float32, device=device)
                self._of_heads.setdefault(name, one)
        return found

    def process_weights_after_loading(self, act_dtype: Any) -> None:
        """Take up the sinks, which are others now, where graphs that are captured read them."""
        if "sinks" in self._of_heads:
            self._of_heads["sinks"].copy_(self.sinks)

    @abstractmethod
    def _kernel(self, spec: Spec, device: Any) -> Kernel:
        """The kernel of a spec for a device."""

    @abstractmethod
    def _attend(
        self,
        kernel: Kernel,
        new: dict[str, Tensor],
        kv_cache: Tensor,
        batch: BatchMetadata,
        output: Tensor,
    ) -> None:
        """Call a kernel on the batch's new tokens, by name, and fill `output`.

        Those of a fused projection lie apart, and kernels take no strides.
        """

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

        query and output `[tokens, num_heads, head_size]`, key and value `[tokens, num_kv_heads,
        head_size]`, kv_cache `[num_blocks, num_kv_heads, block_size, 2 * head_size]`.
        """
        if output_scale is not None or output_block_scale is not None:
            raise ArgumentError("output_scale: expected none, as outputs are not quantised")
        batch = attn_metadata
        # There is none in a rehearsal, before there is a cache.
        if batch is not None:
            is_shared = batch.shared is not None and self.cascades
            of_cache = query.dtype, kv_cache.shape[2], query.device
            kernel = self.prepare(*of_cache, batch.causal, is_shared)
            new = {"query": query, "key": key, "value": value} if self.writes else {"query": query}
            # Where a graph is captured, there is padding behind them.
            if query.shape[0] != (tokens := batch.num_actual_tokens):
                new = {name: tensor[:tokens] for name, tensor in new.items()}
            for ours, theirs in self.scales.items():
                self._of_heads[ours].copy_(getattr(layer, theirs))
            self._attend(kernel, new, kv_cache, batch, output)
        return output

    def _blocks(self, kv_cache: Tensor) -> Tensor:
        """vLLM's cache as kernels take it: slots of keys before those of values in each block."""
        blocks = kv_cache.view(*kv_cache.shape[:2], 2 * kv_cache.shape[2], self.head_size)
        if self.kv_cache_dtype not in QUANTISED:
            return blocks
        is_wide = QUANTISED[self.kv_cache_dtype] == "fp8_e5m2"
        return blocks.view(torch.float8_e5m2 if is_wide else torch.float8_e4m3fn)

    def _beside(self, kernel: Kernel, batch: BatchMetadata) -> dict[str, Any]:
        """The integers that a kernel takes of a batch, by name."""
        spec: Any = kernel.spec
        where: Any = batch.shared if spec.cascade else batch.where
        return {**({"slot_mapping": batch.slots} if self.writes else {}), **where}


@cache
def loaded(spec: Spec, target: str, device: str, launcher: str | None = None) -> Kernel:
    """A kernel, compiled where the store has it not, with a line that says how long it took."""
    start = time.monotonic()
    kernels = KernelCache("exact", target=target, device=device, launcher=launcher)
    was_there = kernels.is_compiled(spec)
    kernel = kernels.kernel(spec)
    sizes: Any = spec
    _logger.info(
        "irattn: attention of %d/%d heads, head size %d, %s %s in %.1f s",
        sizes.num_q_heads,
        sizes.num_kv_heads,
        sizes.head_dim,
        sizes.io_dtype,
        "loaded" if was_there else "compiled",
        time.monotonic() - start,
    )
    return kernel
