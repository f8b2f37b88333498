"""A sequence's blocks to the host and back."""

from collections.abc import Sequence

import numpy as np

from irattn.core.errors import OutOfBlocksError
from irattn.kvcache.group import LayerGroup
from irattn.kvcache.state import SequenceState
from irattn.kvcache.storage import Storage
from irattn.kvcache.table import PageTable


def blocks_to_host(state: SequenceState, groups: Sequence[LayerGroup], storage: Storage) -> None:
    """Copy the blocks of a sequence to the host, and free them."""
    state.swapped = {
        layer: storage.read_blocks(layer, table.held)
        for group, table in zip(groups, state.tables, strict=True)
        for layer in group.layers
    }
    _leave_blocks(state, groups)


def blocks_from_host(state: SequenceState, groups: Sequence[LayerGroup], storage: Storage) -> None:
    """Give a sequence blocks with its contents: those kept for reuse that have them, or new ones.

    OutOfBlocksError where a group has too few. Where the contents do not get there, as a device
    that is full has no memory for the way, the sequence stays on the host.
    """
    assert state.swapped is not None
    kept = [_kept_blocks(state, index, group) for index, group in enumerate(groups)]
    for group, blocks in zip(groups, kept, strict=True):
        idle = {block for block in blocks if block is not None and not group.pool.users(block)}
        missing = blocks.count(None) - (group.pool.num_available - len(idle))
        if missing > 0:
            raise OutOfBlocksError(group.shortage(missing))
    try:
        for table, group, blocks in zip(state.tables, groups, kept, strict=True):
            _restore(table, group, blocks, state, storage)
    except BaseException:
        _leave_blocks(state, groups)
        raise
    state.swapped = None
    # What was evicted meanwhile can be kept anew.
    state.kept = [0] * len(groups)


def _leave_blocks(state: SequenceState, groups: Sequence[LayerGroup]) -> None:
    """Free the blocks of a sequence, whose tables are empty then."""
    for group, table in zip(groups, state.tables, strict=True):
        group.drop(table)
    state.tables = [PageTable(table.block_size, first=table.first) for table in state.tables]


def _kept_blocks(state: SequenceState, index: int, group: LayerGroup) -> list[int | None]:
    """For each page of a swapped sequence: the block kept with the same tokens, or None."""
    assert state.swapped is not None
    first = state.tables[index].first
    count = len(state.swapped[group.layers[0]][0])
    # Only full pages are kept.
    hashes = state.hashes.of_blocks[first : state.kept[index]]
    blocks = [group.pool.index.find(block_hash) for block_hash in hashes]
    return blocks + [None] * (count - len(blocks))


def _restore(
    table: PageTable,
    group: LayerGroup,
    blocks: Sequence[int | None],
    state: SequenceState,
    storage: Storage,
) -> None:
    """Fill a group's empty table, and write what no kept block has."""
    assert state.swapped is not None
    # All that are found are taken first: what is allocated evicts none of them then.
    for block in blocks:
        if block is not None:
            group.pool.share(block)
    for block in blocks:
        table.append(group.pool.allocate() if block is None else block)
    is_new = np.array([block is None for block in blocks], bool)
    for layer in group.layers:
        parts = state.swapped[layer]
        new = np.array(table.held, int)[is_new].tolist()
        storage.write_blocks(layer, new, tuple(part[is_new] for part in parts))
