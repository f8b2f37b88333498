"""Blocks of scores whose kinds a call tells: which of them kernels can follow."""

from irattn.core.errors import RenderError
from irattn.rendering.attention.blocked_tile import BlockedTile
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target


def check_blocks(spec: AttentionFeatures, tile: BlockedTile) -> None:
    """Refuse blocks into which rows and keys of a step are not cut."""
    blocks = getattr(spec, "mask_blocks", None)
    if blocks is None:
        return
    if tile.reads_rows or tile.mixes_heads:
        raise RenderError(
            "mask_blocks: expected None where queries are few, whose keys are read once; give "
            "mask_mod alone"
        )
    if blocks[0] % tile.block_rows or blocks[1] % tile.keys:
        raise RenderError(
            f"mask_blocks: expected multiples of {tile.block_rows} queries and {tile.keys} keys, "
            f"got {list(blocks)}"
        )


def refuse_blocks(spec: AttentionFeatures, target: Target) -> None:
    """Refuse blocks of known kinds in fused attention."""
    if getattr(spec, "mask_blocks", None):
        raise RenderError(
            f"mask_blocks: fused attention, as for {target.name}, takes none yet; give mask_mod "
            "alone"
        )
