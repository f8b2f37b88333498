"""The key and value caches of many sequences in blocks: who has which, and what is in them."""

from irattn.kvcache.allocator import BlockAllocator
from irattn.kvcache.cache import PagedCache
from irattn.kvcache.table import PageTable

__all__ = ["BlockAllocator", "PageTable", "PagedCache"]
