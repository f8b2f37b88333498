"""The questions that vLLM asks a backend before it takes it, of CPUs and of GPUs alike."""

from collections.abc import Callable
from typing import Any

from irattn.core.errors import SpecError
from irattn.integrations.vllm.theirs import attention, cache, torch
from irattn.integrations.vllm.words import check_kind, layer_spec


class Backend(attention.AttentionBackend):  # type: ignore[misc]
    """The answers of both backends: whatever a layer's spec can say is supported.

    vLLM refuses the rest in its own words.
    """

    supported_dtypes = (torch.float32, torch.float16, torch.bfloat16)
    forward_includes_kv_cache_update = True

    @classmethod
    def supported_kv_cache_layouts(cls) -> tuple[Any, ...]:
        """Blocks of each head together: its keys, then its values."""
        return (cache.KVCacheLayout.LBHNC,)

    @classmethod
    def supports_head_size(cls, head_size: int) -> bool:
        """Whether irattn compiles such heads."""
        return not _refusal(layer_spec, element="f32", head_size=head_size)

    @classmethod
    def supports_kv_cache_dtype(cls, kv_cache_dtype: Any) -> bool:
        """Whether a cache of this element type can be read."""
        return not _refusal(check_kind, attn_type="decoder", kv_cache_dtype=kv_cache_dtype)

    @classmethod
    def supports_attn_type(cls, attn_type: str) -> bool:
        """Whether attention is a decoder's."""
        return not _refusal(check_kind, attn_type=attn_type, kv_cache_dtype=None)

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

    @classmethod
    def supports_combination(
        cls,
        head_size: int,
        dtype: Any,
        kv_cache_dtype: Any,
        block_size: int | None,
        use_mla: bool,
        has_sink: bool,
        use_sparse: bool,
        use_mm_prefix: bool,
        device_capability: Any,
    ) -> str | None:
        """Why there is no kernel for all of these together; None where there is one."""
        if reason := _refusal(
            check_kind, attn_type="decoder", kv_cache_dtype=kv_cache_dtype, element=dtype
        ):
            return reason
        return _refusal(
            layer_spec,
            element=dtype,
            head_size=head_size,
            block_size=block_size or 1,
            kv_cache_dtype=kv_cache_dtype or "auto",
            has_sinks=has_sink,
        )


def _refusal(ask: Callable[..., Any], **words: Any) -> str | None:
    """The words in which a question is refused; None where it is not."""
    try:
        ask(**words)
    except SpecError as error:
        return str(error)
    return None
