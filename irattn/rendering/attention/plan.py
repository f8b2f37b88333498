"""The plan of the fused graphs: a kernel that does the work as it is cut."""

from collections.abc import Mapping

from irattn.core.dtypes import dtype
from irattn.core.errors import RenderError
from irattn.core.tensors import AnySize, DynamicSize, largest
from irattn.rendering.attention.block_lists import blocks_of, check_blocks_of_steps, listed_blocks
from irattn.rendering.attention.choose import choose
from irattn.rendering.attention.fused_plan import FusedPlan
from irattn.rendering.attention.grid import Grid
from irattn.rendering.attention.grid_order import MOST_OF_AXIS, heads_first, sequences_inside
from irattn.rendering.attention.kernel import (
    chosen,
    interface_of,
    known,
    named_sizes,
    reading_of,
    told_lengths,
)
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.loops import loops_of, step_limits
from irattn.rendering.attention.merge import MergePlan, plan_merge
from irattn.rendering.attention.merge_few import FewMergePlan, plan_merge_few
from irattn.rendering.attention.packed_levels import packed_levels
from irattn.rendering.attention.packed_parts import FewQueriesSpec, most_few
from irattn.rendering.attention.results import results_of
from irattn.rendering.attention.rules import RuleRow, rules_of
from irattn.rendering.attention.second_round import second_round
from irattn.rendering.attention.step import Step, step_of
from irattn.rendering.attention.tile_functions import TileRead, tile_functions
from irattn.rendering.attention.turns import TurnsPlan, plan_turns
from irattn.rendering.cache_formats import quantised_cache
from irattn.rendering.dynamic import has_dynamic
from irattn.rendering.limits import check_quantised
from irattn.rendering.logits import logit_rules
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.targets import Target


def plan_attention(
    spec: AttentionFeatures, target: Target, tile: Mapping[str, int] | None = None
) -> FusedPlan:
    """The plan of a spec on a target, with some of `allowed_tiles` in place of the tables' tile."""
    choice = choose(spec, target, tile)
    grid, step = choice.grid, step_of(spec, target, choice)
    check_quantised(spec, target, is_of_lanes=step.lanes is not None and step.wide is None)
    lanes, rows, keys = step.lanes, step.tile.rows, step.tile.keys
    check_blocks_of_steps(spec, grid, choice.tile, rows)
    _check_dropout(spec, target, step)
    cuts_keys = _cuts_keys(spec, target, keys)
    ruled = _with_positive_scale(spec) if lanes else spec
    rules = rules_of(ruled, target, cuts_keys, grid.has_head_rows, is_of_lanes=lanes is not None)
    functions = {} if lanes else tile_functions(spec, target, grid.has_head_rows)
    of_functions = [one for each in functions.values() for one in each.reads]
    read: list[RuleRow | TileRead] = [*rules.operands, *of_functions]
    reading = reading_of(spec, step.head, step.value_columns, reads_bytes=lanes is not None)
    brought = step.lds or step.own
    tile_rows = step.own.rows if grid.is_of_few and step.own else rows
    most_tiles = -(-grid.most_rows // tile_rows)
    sizes, results = named_sizes(spec, grid, tile_rows), results_of(spec, grid, step)
    halvings = spec.batch.bit_length()
    first_value_slot = getattr(spec, "first_value_slot", 0)
    key_stride = spec.num_kv_heads if spec.has_tokens_first else 1
    are_first = heads_first(spec, target, step, grid, most_tiles)
    are_inside = are_first and sequences_inside(spec, target, grid)
    return FusedPlan(
        template=_template(step),
        spec=spec,
        target=target,
        tile_numbers=choice.numbers,
        grid=grid,
        tile=step.tile,
        tile_rows=tile_rows,
        most_tiles=most_tiles,
        head=step.head,
        value_columns=step.value_columns,
        rules=rules,
        cuts_keys=cuts_keys,
        functions=functions,
        lanes=lanes,
        lds=step.lds,
        turns=_turns(spec, step),
        copied=step.copied,
        direct=step.direct,
        own=step.own,
        wide=step.wide,
        query_again=brought.query_again if brought else [],
        lane_loops=loops_of(rules, cuts_keys, lanes, blocks_of(spec)) if lanes else [],
        listed=listed_blocks(spec, keys),
        step_limits=step_limits(rules, lanes, grid.has_head_rows) if lanes else None,
        wave_keys=grid.part_keys // lanes.waves if lanes else 0,
        writes_one_row=lanes is not None and (lanes.splits_keys or len(lanes.queries) == 1),
        has_whole_pieces=lanes is not None and _has_whole_pieces(spec, lanes, reading.has_table),
        flats=reading.flats,
        cache=quantised_cache(spec),
        key_argument=reading.key,
        value_argument=reading.value,
        elements=reading.elements | {"output": dtype(spec.outputs[0].dtype).mlir},
        has_table=reading.has_table,
        block_size=getattr(spec, "block_size", 1),
        first_value_slot=first_value_slot,
        first_value_row=first_value_slot * key_stride,
        query_stride=spec.num_q_heads if grid.has_token_rows or grid.is_of_few else 1,
        few_queries=most_few(spec) if isinstance(spec, PackedPagedAttentionSpec) else None,
        key_stride=key_stride,
        heads_of_kv_head=grid.heads // spec.num_kv_heads,
        skips_pages=reading.has_table and rules.most_behind is not None,
        laid_out=[one for one in read if "t" in one.dims and target.is_gpu],
        known_sizes=known(sizes),
        chosen_sizes=chosen(sizes),
        lens=told_lengths(spec),
        halvings=halvings,
        widest_half=1 << (halvings - 1),
        levels=packed_levels(spec, target, grid, tile_rows),
        heads_first=are_first,
        sequences_inside=are_inside,
        second_round=second_round(spec, target, step, grid, are_inside) if are_first else None,
        asks_for_ids=lanes is not None and _asks_for_ids(spec, grid, sizes),
        results=results,
        kernel=interface_of(spec, reading.flats, results),
        is_packed=grid.is_packed,
        merge=_plan_merge(spec, target, grid, step) if grid.is_split else None,
    )


def _plan_merge(
    spec: AttentionFeatures, target: Target, grid: Grid, step: Step
) -> MergePlan | FewMergePlan:
    if isinstance(spec, FewQueriesSpec):
        return plan_merge_few(spec, target, grid)
    return plan_merge(spec, target, grid, is_of_lanes=step.lanes is not None)


def _has_whole_pieces(spec: AttentionFeatures, lanes: LanesPlan, has_table: bool) -> bool:
    keys = spec.num_keys
    # Those of a packed sequence begin anywhere in a row.
    begins_anywhere = isinstance(spec, PackedSequences) and not has_table
    return not (begins_anywhere or isinstance(keys, DynamicSize)) and keys % lanes.own == 0


def _with_positive_scale(spec: AttentionFeatures) -> AttentionFeatures:
    """The spec of what lanes make logits of: a negative scale has negated queries."""
    return spec if spec.scale > 0 else spec.replace(softmax_scale=-spec.scale)


def _check_dropout(spec: AttentionFeatures, target: Target, step: Step) -> None:
    """RenderError for dropout where no kernel drops weights."""
    if spec.dropout_p is not None and step.wide:
        raise RenderError(
            f"dropout_p: on {target.name}, fused attention expected values of at most 256 columns, "
            f"got {spec.v_dim}; leave it out, or choose a CPU as target"
        )


def _turns(spec: AttentionFeatures, step: Step) -> TurnsPlan | None:
    """The turns of lanes with registers for a step's keys and values at once, and no dropout."""
    if step.lanes is None or not (step.lds or step.direct) or spec.dropout_p is not None:
        return None
    has_all_values = step.lds is None or step.lds.values_early == step.lanes.value_tiles
    return plan_turns(step.lanes, step.lds) if has_all_values else None


def _template(step: Step) -> str:
    """The kernel that does such steps."""
    if step.lanes is None:
        return "attention/gpu_tiles.mlir.j2"
    if step.wide:
        return "attention/gpu_lanes_wide.mlir.j2"
    if step.copied or step.direct:
        return "attention/gpu_lanes_copied.mlir.j2"
    return f"attention/{'gpu_lanes_decode' if step.own else 'gpu_lanes'}.mlir.j2"


def _cuts_keys(spec: AttentionFeatures, target: Target, keys: int) -> bool:
    """Whether the last tile of keys may not be full.

    On a CPU the select that hides keys is always there: without it, the compiler makes scaling and
    the maximum's subtraction one rounding where weights are made, and two where they are summed.
    """
    # Listed blocks may reach beyond the last key by whole steps.
    keys = (blocks_of(spec) or (0, keys))[1]
    is_full = logit_rules(spec).is_static and largest(spec.num_keys) % keys == 0
    return not (target.is_gpu and is_full)


def _asks_for_ids(spec: AttentionFeatures, grid: Grid, sizes: Mapping[str, AnySize]) -> bool:
    """Whether workgroups of lanes ask for their place, where a call chooses how many there are.

    IREE 3.13.0 makes a loop of them there, across which lanes have no registers to keep what is the
    same for all workgroups.
    """
    if grid.is_packed:
        return "tiles" not in sizes
    sequences = spec.size("batch")
    return has_dynamic((sequences, grid.rows_of_head)) and largest(sequences) <= MOST_OF_AXIS
