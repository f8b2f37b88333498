"""Slots, blocks and contexts of new tokens in a cache of pages, in integers."""

import numpy as np

from irattn.reference.attention import Tensors
from irattn.specs.page_slots import PageSlotsSpec


def page_slots(spec: PageSlotsSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of PageSlotsSpec, token by token."""
    lens, table = tensors["cached_lens"].tolist(), tensors["page_table"].tolist()
    page_size = spec.blocks_per_page * spec.block_size
    num_new = spec.new_tokens if spec.writes else 0
    slots = np.full((spec.batch, spec.new_tokens), -1)
    for sequence, (length, pages) in enumerate(zip(lens, table, strict=True)):
        for token in range(num_new if length >= 0 else 0):
            number, offset = divmod(length + token, page_size)
            if number < len(pages) and 0 <= pages[number] < spec.num_pages:
                slots[sequence, token] = pages[number] * page_size + offset
    blocks = np.clip(table, 0, spec.num_pages - 1)[..., None] * spec.blocks_per_page
    contexts = np.clip(np.add(lens, num_new), 0, spec.max_pages * page_size)
    return slots, blocks + np.arange(spec.blocks_per_page), contexts
