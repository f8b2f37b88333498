"""The table of tiles for attention at the level of lanes, and what has a row there."""

from dataclasses import dataclass
from math import prod

from irattn.core.tensors import largest
from irattn.rendering.attention.arguments import has_table
from irattn.rendering.attention.lanes_few_rows import (
    MOST_OF_FEW_ROWS,
    Cut,
    cut_of_few_rows,
    most_of_few_rows,
)
from irattn.rendering.attention.tensor_tile import ACCESS_BYTES
from irattn.rendering.dynamic import has_dynamic
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences
from irattn.targets import MatrixInstruction, Target


@dataclass(frozen=True)
class LanesTile:
    """Waves of a workgroup, keys of a step, and a wave's tiles of queries.

    Waves share a step's keys or, where each has all queries, `splits_keys`, those of a part;
    `column_waves` have the same queries, and share the value columns. Waves have the queries of so
    many `heads` of a group in turn: the same rows of each.
    """

    waves: int
    keys: int
    query_tiles: int
    splits_keys: bool = False
    column_waves: int = 1
    heads: int = 1


# By family and columns of a head. Each is the one with the fewest instructions besides each matrix
# instruction of those that spill no registers and multiply at most a tenth too much of a causal
# prompt of 2048 tokens. With 128 on MFMA, steps of 32 keys take half of the LDS that those of 64
# do, and leave room for twice the waves. With 128 on WMMAR4, with steps of 16 each lane brings
# values of one key, and turns none: by the model needed products take 80.2 % of the lanes' time of
# a causal prompt of 1024, not 78.3 as with (8, 32, 1), and one more wave has room. With 128 on
# WMMAR3, tiles of 64 queries, not 128, multiply less of what is hidden: of a causal prompt of 1024
# with 8 heads the busiest unit of gfx1100 has 21.3 us of work, not 21.7, and one launch takes 25.9
# us, not 34.5; on gfx1151 44.1 and 50.2, not 44.9 and 58.1. With 128 on MFMA, 8 waves execute a
# little less than 4, but are fewer workgroups: by the model prompts of 512 and 2048 tokens gain
# 1.10 to 1.23 times by 4 (irattn/lab/tuning/README.md). With 256 on WMMAR3, queries take LDS too,
# which leaves keys no more than 16. For NVIDIA it is the fastest on an H200: for causal prompts of
# 4096 with 128, (4, 64, 1) took 1.23 times as long, (4, 32, 1) 1.14, and on an H100 (8, 64, 1) more
# than either; with 64, (4, 32, 2) took 1.21 and (4, 64, 1) 1.12; with 256, of 2048, (8, 16, 1) took
# 1.04 and (4, 32, 1) 1.21.
_CUTS: dict[str, dict[int, Cut]] = {
    "WMMAR3": {64: (4, 32, 2), 128: (4, 32, 1), 192: (8, 32, 1), 256: (8, 16, 1)},
    "WMMAR4": {64: (4, 32, 2), 128: (8, 16, 1), 192: (8, 32, 1), 256: (16, 32, 1)},
    "MFMA": {64: (4, 64, 2), 128: (4, 32, 2), 192: (4, 32, 2), 256: (4, 32, 2)},
    "NV": {64: (4, 64, 2), 128: (4, 32, 2), 256: (4, 16, 1)},
}

# What lanes share evenly: head columns by so many, and values of as many columns as a power of two.
_LEAST_COLUMNS, _VALUE_COLUMNS = 64, (64, 128, 256)

# Where a query sees few keys, in narrow windows and packed sequences, steps of fewer multiply less
# of what it does not see: 1.12 times what is needed for a window of 256 and for sequences of 256,
# not 1.25, with as many instructions or fewer. On NVIDIA a step has as many keys, but a wave fewer
# queries, which leave more workgroups: on an H200 windows of 256 in 2048 tokens take 0.98 of the
# time with heads of 128, 0.96 with 64, and sequences of 1024 0.98. So do few queries, which have
# the bits of many: causal prompts of 512 and 1024 take 0.83 and 0.91 with 128, 0.88 and 0.93 with
# 64, and four of 1024 in pages 0.93, but one of 2048 1.13.
_FEW_KEYS, _FEW_QUERIES = 256, 1024
_CUTS_OF_FEW_KEYS: dict[str, dict[int, Cut]] = {
    "WMMAR3": {128: (4, 32, 1)},
    "WMMAR4": {128: (4, 32, 1)},
    "MFMA": {64: (4, 32, 2)},
    "NV": {64: (4, 64, 1), 128: (4, 32, 1)},
}

# With two tiles of queries a wave reads each piece of keys and values from LDS for two products: a
# causal prompt of 2048 tokens with 32 heads executes 1.52 LDS instructions for each matrix
# instruction on gfx1100, not 2.25, and asks for 0.61 of the lines; of the lanes' time needed
# products take 85.7 %, not 85.1. Bits are the same. Fewer rows leave work-group processors idle: by
# the model a launch of 1024 tokens and 32 heads takes 88.2 us, not 86.4 (149 and 163 with units one
# after the other; 0.96 and 1.00 of the time on gfx1101 and gfx1151), which 0.68 of the LDS
# instructions and 0.67 of the lines are worth, but with 8 heads 1.25 times as long. Tiles that are
# alike, of what is not causal, take 1.08 times as long with 32 heads: a turn more is one of twice
# the rows. Other features would have registers spill.
_MANY_ROWS, _MANY_ROWS_ALIKE = 32768, 65536
_CUTS_OF_MANY_ROWS: dict[str, dict[int, Cut]] = {"WMMAR3": {128: (4, 32, 2)}}

# On MFMA fewer rows have one tile of queries, and so twice the workgroups, some 256 at most: as
# many as gfx950 has compute units. Bits are the same. By the model a launch of causal prompts in
# bf16, of 256 to 1024 tokens and 8 heads, takes 0.65 to 0.73 of the time of two on gfx942 and
# gfx950 (0.59 to 0.71 with heads of 256), and 0.52 to 0.58 on gfx90a, where 1024 tokens take as
# long. So do 16,384 rows: of 512 tokens and 32 heads, with units one after the other too, 0.71 on
# gfx942, 0.69 on gfx950 and 0.76 on gfx90a, for 1.46 to 1.68 times the lines, all of which an L2
# has. But of 2048 tokens and 8 heads each of many launches at once takes 8.4 us, not 6.7, on
# gfx942, as LDS is what all wait for then. Heads of 64 would take 0.66 to 0.79, but ask for lines
# that are not whole: for 1.12 times their bytes on gfx942. Causal tiles gain up to 40,960 rows, as
# those of fewest keys begin beside those of most: of 1024 tokens and 32 heads in bf16 12.2 us, not
# 17.6, on gfx942, 6.6, not 9.7, on gfx950 and 97.8, not 110.5, on gfx90a; of 40 heads 14.1, not
# 18.1, on gfx942; of 32 heads of 256, of which a compute unit of gfx942 has one at once, 21.5, not
# 33.2, there, and 14.8, not 15.7, on gfx950.
_SHORT_ROWS, _SHORT_ROWS_THAT_DIFFER, _SHORT_QUERIES = 16384, 40960, 1024
_CUTS_OF_SHORT_ROWS: dict[str, dict[int, Cut]] = {"MFMA": {128: (4, 32, 1), 256: (4, 32, 1)}}
_PLAIN = frozenset(
    {
        *("io_dtype", "batch", "softmax_scale", "causal", "alignment", "window", "layout"),
        *("logits_soft_cap", "sinks", "return_lse"),
    }
)

# Where a tensor has a number for each key, fewer scores of a lane leave scalar registers for what
# hides keys: with (4, 64, 2), heads of 64 spilled 7 to 9 of these on gfx942 and gfx950, and with
# (4, 32, 2) and a bias, a mask and slopes at once 3 vector registers on gfx1100, and with windows
# of packed sequences 13. On gfx942 these take 0.94 of the time in smaller steps: two sequences in
# 512 tokens with 8/2 heads 3.20 us by the model behind a window of 20, not 3.43, of 255 4.00, not
# 4.22.
_CUTS_OF_GIVEN: dict[str, dict[int, Cut]] = {
    "WMMAR3": {64: (4, 32, 1)},
    "MFMA": {64: (4, 32, 2)},
}

# What cuts of listed blocks have at least.
_LEAST_WAVES, _LEAST_KEYS = 2, 16

# Wider heads than a wave has registers for the sums of: so many waves share the value columns, each
# of which makes the scores of a tile of keys. Waves, of few rows and of many.
_COLUMN_WAVES = 4
_WAVES_OF_WIDE: dict[str, tuple[int, int]] = {"WMMAR3": (4, 8), "WMMAR4": (4, 8)}
_WIDE_VALUES = (384, 512)

# Of 16 bits: what multiplies weights and values is narrowed on the way between the products.
_DTYPES, _BYTES = ("f16", "bf16"), 2

# The features that are written out for lanes; any other must have its default.
_SAYABLE = frozenset(
    {
        *("io_dtype", "batch", "value_dim", "softmax_scale", "causal", "alignment", "window"),
        *("logits_soft_cap", "alibi", "bias", "keep_mask", "sinks", "return_lse"),
        *("score_mod", "mask_mod", "mask_blocks", "dropout_p"),
        *("dynamic", "ragged", "layout", "block_size", "joint_cache", "latent_cache"),
        *("cache_dtype", "cache_scale", "few_queries"),
    }
)


def table_tile(
    spec: AttentionFeatures, target: Target, element: str, few_rows: int | None
) -> LanesTile | None:
    """The table's tile of a spec; None where lanes are not written out for it.

    `few_rows` are those of all queries of a group, where one tile has these.
    """
    instruction = target.lane_matrix.get(element) if element in _DTYPES else None
    if instruction is None or spec.first_beyond(_SAYABLE):
        return None
    if not _has_lane_operands(spec, instruction.family):
        return None
    if spec.v_dim in _WIDE_VALUES:
        return None if spec.head_dim % _LEAST_COLUMNS else _wide_tile(instruction, few_rows)
    cut = _cut_of(instruction.family, spec, few_rows)
    is_few = few_rows is not None and few_rows <= most_of_few_rows(instruction.family, spec)
    if cut and (blocks := getattr(spec, "mask_blocks", None)):
        cut = _cut_of_blocks(cut, blocks, instruction.m)
    if cut and not is_few:
        cut = _cut_of_values(cut, spec.v_dim, target.wave_size or 1)
    return LanesTile(*cut, splits_keys=is_few) if cut else None


def _has_lane_operands(spec: AttentionFeatures, family: str) -> bool:
    """Whether lanes read what the rules are given: on NVIDIA none of it has been measured."""
    return family != "NV" or not (spec.bias or spec.keep_mask or spec.alibi)


def _wide_tile(instruction: MatrixInstruction, few_rows: int | None) -> LanesTile | None:
    """Each of the waves that share value columns has a tile of the keys."""
    waves = _WAVES_OF_WIDE.get(instruction.family)
    if waves is None:
        return None
    is_few = few_rows is not None and few_rows <= MOST_OF_FEW_ROWS
    keys = _COLUMN_WAVES * instruction.m
    return LanesTile(waves[0 if is_few else 1], keys, 1, column_waves=_COLUMN_WAVES)


def _cut_of(family: str, spec: AttentionFeatures, few_rows: int | None) -> Cut | None:
    columns = _columns(family, spec)
    if columns is None:
        return None
    if few_rows is not None:
        return cut_of_few_rows(family, spec, columns, few_rows)
    cut = _CUTS[family][columns]
    is_packed = isinstance(spec, PackedSequences) and not has_table(spec)
    if spec.bias or spec.keep_mask or (is_packed and spec.window):
        cut = _CUTS_OF_GIVEN.get(family, {}).get(columns, cut)
    is_short = family == "NV" and largest(spec.num_queries) <= _FEW_QUERIES
    if _sees_few(spec) or is_short:
        return _CUTS_OF_FEW_KEYS.get(family, {}).get(columns, cut)
    rows = _plain_rows(spec)
    return cut if rows is None else _cut_of_rows(family, spec, columns, rows, cut)


def _cut_of_rows(family: str, spec: AttentionFeatures, columns: int, rows: int, other: Cut) -> Cut:
    """The cut for so many rows of all heads, by families that ask; else the other one."""
    differ = spec.causal and spec.window_left is None
    if rows >= (_MANY_ROWS if differ else _MANY_ROWS_ALIKE):
        other = _CUTS_OF_MANY_ROWS.get(family, {}).get(columns, other)
    has_short = largest(spec.num_queries) <= _SHORT_QUERIES
    most = _SHORT_ROWS_THAT_DIFFER if differ else _SHORT_ROWS
    if rows < _SHORT_ROWS or (rows <= most and has_short):
        other = _CUTS_OF_SHORT_ROWS.get(family, {}).get(columns, other)
    return other


def _cut_of_blocks(cut: Cut, blocks: tuple[int, int], rows: int) -> Cut:
    """A cut with fewer queries of a wave, waves or keys, where listed blocks are smaller."""
    waves, keys, tiles = cut
    while tiles > 1 and blocks[0] % (waves * tiles * rows):
        tiles //= 2
    while waves > _LEAST_WAVES and blocks[0] % (waves * tiles * rows):
        waves //= 2
    while keys > _LEAST_KEYS and blocks[1] % keys:
        keys //= 2
    return waves, keys, tiles


def _cut_of_values(cut: Cut, value_dim: int, wave_size: int) -> Cut:
    """A cut with fewer waves, where a step's values are too few for all lanes to bring some."""
    waves, keys, tiles = cut
    while waves > 1 and keys * value_dim * _BYTES < ACCESS_BYTES * waves * wave_size:
        waves //= 2
    return waves, keys, tiles


def _columns(family: str, spec: AttentionFeatures) -> int | None:
    """The columns of the table's heads that a spec's fit into, if lanes share keys and values.

    Wider values than keys leave some tiles fewer keys than lanes that bring them; on NVIDIA
    narrower ones have not been measured.
    """
    if spec.head_dim % _LEAST_COLUMNS or spec.v_dim not in _VALUE_COLUMNS:
        return None
    if spec.v_dim > spec.head_dim or (family == "NV" and spec.v_dim < spec.head_dim):
        return None
    cuts = _CUTS.get(family, {})
    return next((columns for columns in cuts if spec.head_dim <= columns), None)


def _plain_rows(spec: AttentionFeatures) -> int | None:
    """The rows of all heads; None where a call says how many, or lanes keep much besides."""
    sizes = [spec.size("batch"), spec.num_queries]
    if spec.first_beyond(_PLAIN) or has_table(spec) or has_dynamic(sizes) or spec.scale < 0:
        return None
    # Rounding to bf16 by bits beside an lse takes registers.
    is_lean = not (spec.return_lse and spec.io_dtype == "bf16") and spec.v_dim == spec.head_dim
    return prod(map(largest, sizes)) * spec.num_q_heads if is_lean else None


def _sees_few(spec: AttentionFeatures) -> bool:
    """Whether a query sees few keys, whatever the lengths: bits do not depend on the longest."""
    if isinstance(spec, PackedSequences):
        return True
    ahead = 0 if spec.causal else spec.window_right
    if spec.window_left is None or ahead is None:
        return False
    return spec.window_left + 1 + ahead <= _FEW_KEYS
