"""Lists of blocks of scores that are seen: which of them kernels can follow."""

from dataclasses import dataclass

from irattn.core.errors import RenderError
from irattn.core.tensors import Role
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.lanes_table import LanesTile
from irattn.rendering.attention.tensor_tile import TensorTile
from irattn.rendering.values import Value
from irattn.specs.features import AttentionFeatures


@dataclass(frozen=True, kw_only=True)
class ListedBlocks:
    """The listed blocks that a workgroup's steps lie in: how many queries and keys each has.

    A block has `steps`, and a row of the lists `columns` blocks, or `all_steps`; a head has `rows`.
    """

    queries: int
    keys: int
    steps: int
    rows: int
    columns: int
    all_steps: int


def listed_blocks(spec: AttentionFeatures, step_keys: int) -> ListedBlocks | None:
    """The listed blocks of a spec, for steps of so many keys; None where none are listed."""
    blocks, kinds = blocks_of(spec), block_kinds(spec)
    if blocks is None or kinds is None:
        return None
    _, _, rows, columns = map(int, kinds.shape)
    steps = blocks[1] // step_keys
    return ListedBlocks(
        queries=blocks[0],
        keys=blocks[1],
        steps=steps,
        rows=rows,
        columns=columns,
        all_steps=columns * steps,
    )


def blocks_of(spec: AttentionFeatures) -> tuple[int, int] | None:
    """How many queries and keys a listed block has; None where none are listed."""
    blocks: tuple[int, int] | None = getattr(spec, "mask_blocks", None)
    return blocks


def block_kinds(spec: AttentionFeatures) -> Value | None:
    """The kind of each block, where blocks are listed: 0 hidden, 1 seen as a mask says, 2 seen."""
    columns = next((one for one in spec.inputs if one.role == Role.BLOCK_COLUMNS), None)
    return Value("block_kinds", columns.largest_shape, "i32") if columns else None


def check_blocks(spec: AttentionFeatures, tile: BlockedTile) -> None:
    """Refuse blocks into which rows and keys of a step are not cut."""
    if blocks_of(spec) is None:
        return
    if tile.reads_rows or tile.mixes_heads:
        raise _few_queries()
    _check_sizes(spec, tile.block_rows, tile.keys)


def check_blocks_of_steps(
    spec: AttentionFeatures, grid: Grid, tile: LanesTile | TensorTile, rows: int
) -> None:
    """Refuse blocks in fused attention where rows are few, or steps are cut otherwise."""
    if blocks_of(spec) is None:
        return
    if grid.has_head_rows or grid.is_split:
        raise _few_queries()
    _check_sizes(spec, rows, tile.keys)


def _few_queries() -> RenderError:
    return RenderError(
        "mask_blocks: expected None where queries are few, whose keys are read once; give "
        "mask_mod alone"
    )


def _check_sizes(spec: AttentionFeatures, rows: int, keys: int) -> None:
    blocks = blocks_of(spec)
    if blocks and (blocks[0] % rows or blocks[1] % keys):
        raise RenderError(
            f"mask_blocks: expected blocks of multiples of {rows} queries and {keys} keys here, "
            f"got {list(blocks)}; (128, 128) go everywhere"
        )
