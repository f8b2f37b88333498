"""The specs behind a package's functions, of the attention that a user names."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from irattn.core.errors import UsageError
from irattn.runtime.hub.variants import PAGE_SLOTS, HubAsked, HubFeatures, PageSlots
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.packed_paged_update_attention import PackedPagedUpdateAttentionSpec
from irattn.specs.page_slots import PageSlotsSpec
from irattn.specs.sizes import ANY_STEP, ANY_STEP_OVER_KEYS, ANY_STEP_OVER_PAGES

Window: TypeAlias = tuple[int | None, int | None] | None

# A cache that is written to has its rows counted in 32 bits.
_ANY_PAGES: dict[str, Any] = {**ANY_STEP_OVER_PAGES, "num_blocks": 2**20}
_ANY_KEYS_IN_BLOCKS: dict[str, Any] = {**ANY_STEP_OVER_PAGES, "max_blocks": 2**20}
_ANY_SLOTS: dict[str, Any] = {
    "batch": ANY_STEP["batch"],
    "new_tokens": ANY_STEP["q_tokens"],
    "max_pages": ANY_STEP_OVER_PAGES["max_blocks"],
    "num_pages": 2**20,
    "blocks_per_page": 2**16,
}

# What FlashAttention's functions cannot say, and the value without it.
_WITHOUT: dict[str, Any] = {
    "alignment": "bottom_right",
    "alibi": False,
    "bias": None,
    "keep_mask": None,
    "return_lse": False,
}
_SHARED = (
    "io_dtype",
    "num_q_heads",
    "num_kv_heads",
    "head_dim",
    "value_dim",
    "softmax_scale",
    "logits_soft_cap",
    "sinks",
)
_BLOCK_SIZE = 16


@dataclass(frozen=True)
class HubSpec:
    """A spec of a package, and what calls ask for to get its kernel."""

    takes: HubAsked
    spec: Spec

    @property
    def block_size(self) -> int | None:
        """The tokens in a block of the spec's cache, None where it has no cache."""
        return getattr(self.spec, "block_size", None)


def hub_specs(name: str, spec: Spec) -> dict[str, HubSpec]:
    """By name, the specs of all functions with the heads and features of one.

    With a window there are those without it too: transformers asks for it where keys go beyond.
    UsageError for a spec that is no attention, or has what no function can ask for.
    """
    if not isinstance(spec, AttentionFeatures):
        raise UsageError(f"{name}: expected attention, which --torch is for, got {spec.op}")
    for field, without in _WITHOUT.items():
        if (value := getattr(spec, field)) != without:
            raise UsageError(
                f"{name}: expected {field} {without} with --torch, as FlashAttention's functions "
                f"have no argument for it, got {value}"
            )
    made = {}
    for op, causal, window in _masks(spec):
        words = [op, "causal" if causal else "full", *(["window"] if window else [])]
        made["_".join([name, *words])] = _hub_spec(spec, op, causal, window)
    return made | _of_pages(name, getattr(spec, "block_size", _BLOCK_SIZE))


def _masks(spec: AttentionFeatures) -> Iterator[tuple[str, bool, Window]]:
    yield "packed", True, None
    yield "packed", False, None
    yield "paged", True, None
    yield "few", True, None
    if not spec.sinks:
        # A sink is a head's, of which this knows one.
        yield "by_head", True, None
    if spec.window is not None:
        yield "packed", spec.causal, spec.window
        if spec.causal:
            yield "paged", True, spec.window


def _hub_spec(spec: AttentionFeatures, op: str, causal: bool, window: Window) -> HubSpec:
    fields = {name: getattr(spec, name) for name in _SHARED}
    made: PackedAttentionSpec | PackedPagedAttentionSpec
    if op == "packed":
        made = PackedAttentionSpec(
            **fields,
            **ANY_STEP_OVER_KEYS,
            causal=causal,
            window=window,
            dynamic=tuple(ANY_STEP_OVER_KEYS),
        )
    elif op in ("few", "by_head"):
        if op == "by_head":
            fields |= {"num_q_heads": spec.group_size, "num_kv_heads": 1}
        # Keys that lie one after the other are blocks of one token.
        made = PackedPagedAttentionSpec(
            **fields,
            **_ANY_KEYS_IN_BLOCKS,
            causal=causal,
            window=window,
            layout="NHD",
            block_size=1,
            dynamic=tuple(_ANY_KEYS_IN_BLOCKS),
        )
    else:
        made = PackedPagedUpdateAttentionSpec(
            **fields,
            **_ANY_PAGES,
            causal=causal,
            window=window,
            layout="NHD",
            block_size=getattr(spec, "block_size", _BLOCK_SIZE),
            dynamic=tuple(_ANY_PAGES),
        )
    return HubSpec(_takes(spec, made, op), made)


def _of_pages(name: str, block_size: int) -> dict[str, HubSpec]:
    """Specs that find slots in pages, for calls with new tokens and for those without."""
    made = {}
    for writes in (True, False):
        spec = PageSlotsSpec(
            **_ANY_SLOTS, block_size=block_size, writes=writes, dynamic=tuple(_ANY_SLOTS)
        )
        word = "slots_written" if writes else "slots_read"
        made[f"{name}_{word}"] = HubSpec(PageSlots(PAGE_SLOTS, block_size, writes), spec)
    return made


def _takes(asked: AttentionFeatures, spec: AttentionFeatures, op: str) -> HubFeatures:
    """The key by which calls get a spec's kernel: by the heads that they have."""
    scale = spec.softmax_scale
    return HubFeatures(
        op=op,
        io_dtype=spec.io_dtype,
        num_q_heads=asked.num_q_heads,
        num_kv_heads=asked.num_kv_heads,
        head_dim=spec.head_dim,
        causal=spec.causal,
        softmax_scale=spec.head_dim**-0.5 if scale is None else scale,
        window=spec.window,
        logits_soft_cap=spec.logits_soft_cap,
        sinks=spec.sinks,
    )
