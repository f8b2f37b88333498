"""Caches in pages as kernels take them: in blocks of their own size, with tables and slots."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from irattn.core.errors import ArgumentError
from irattn.runtime.hub.variants import Variant

torch: Any = import_module("torch")

Tensor: TypeAlias = Any


@dataclass(frozen=True)
class HubPages:
    """The pages of a batch; `lengths` are the tokens in them before the call, int32 `[batch]`.

    `pages` is int32 `[batch, max_pages]`, and each of the cache's `num_pages` pages has `page_size`
    tokens, a multiple of the kernel's `block_size`. Numbers out of range name no page.
    """

    pages: Tensor
    lengths: Tensor
    num_pages: int
    page_size: int
    block_size: int

    @classmethod
    def of(
        cls,
        cache: Tensor,
        lengths: Tensor | int | None,
        rows: Tensor | None,
        table: Tensor | None,
        batch: int,
        variant: Variant,
    ) -> "HubPages":
        """Pages as a caller names them: by a table, else sequences are pages, those of `rows`."""
        num_pages, page_size = cache.shape[:2]
        block_size = variant.block_size or 1
        if page_size % block_size:
            raise ArgumentError(
                f"k_cache: expected pages of a multiple of {block_size} tokens, got {page_size}"
            )
        ints = {"dtype": torch.int32, "device": cache.device}
        if table is None:
            table = (torch.arange(batch, **ints) if rows is None else rows)[:, None]
        if lengths is None:
            lengths = page_size * table.shape[1]
        counts = torch.as_tensor(lengths, **ints).expand(batch)
        return cls(table.to(torch.int32), counts, num_pages, page_size, block_size)

    @property
    def table(self) -> Tensor:
        """The blocks of each sequence, int32 `[batch, max_blocks]`, those of a page in a row.

        Kernels load ahead, past a context too: what names no page names one that is there.
        """
        per_page = self.page_size // self.block_size
        pages = self.pages.clamp(0, self.num_pages - 1)
        if per_page == 1:
            return pages.contiguous()
        within = torch.arange(per_page, dtype=torch.int32, device=pages.device)
        return (pages[..., None] * per_page + within).flatten(1)

    def blocks(self, name: str, cache: Tensor) -> Tensor:
        """A cache in blocks, where it lies."""
        if not cache.is_contiguous():
            raise ArgumentError(
                f"{name}: expected elements that lie row by row, as it is written in place"
            )
        return cache.view(-1, self.block_size, *cache.shape[2:])

    def context_lens(self, num_new: int) -> Tensor:
        """The tokens of each sequence, new ones included; at most what its pages hold."""
        return (self.lengths + num_new).clamp(0, self.pages.shape[1] * self.page_size)

    def slots(self, num_new: int, *, writes: bool) -> Tensor:
        """The slots of new tokens, sequence after sequence; -1 for what is not written."""
        if not writes:
            shape = (len(self.pages) * num_new,)
            return torch.full(shape, -1, dtype=torch.int32, device=self.pages.device)
        new = torch.arange(num_new, dtype=torch.int32, device=self.pages.device)
        places = self.lengths[:, None] + new
        numbers = places.div(self.page_size, rounding_mode="floor")
        most = self.pages.shape[1] - 1
        pages = self.pages.gather(1, numbers.clamp(0, most).long())
        slots = pages * self.page_size + places % self.page_size
        names_page = (pages >= 0) & (pages < self.num_pages)
        is_there = (self.lengths[:, None] >= 0) & (numbers <= most) & names_page
        return torch.where(is_there, slots, -1).flatten().to(torch.int32)
