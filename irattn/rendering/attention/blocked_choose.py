"""Choose how a core's part of attention is cut up: registers, and what it keeps of its stack."""

from dataclasses import replace

from irattn.core.dtypes import dtype
from irattn.rendering.attention.arguments import is_quantised, keys_and_values
from irattn.rendering.attention.blocked_nibbles import PIECE
from irattn.rendering.attention.blocked_tile import BlockedTile, up
from irattn.rendering.cache_formats import TABLED
from irattn.rendering.cpu.registers import (
    Registers,
    byte_dots,
    has_bf16_dots,
    has_byte_tables,
    has_squares,
    has_wide_byte_dots,
    registers_of,
)
from irattn.specs.cache_elements import GROUP
from irattn.specs.features import AttentionFeatures
from irattn.targets import Target

# Keys of a step whose keys and values are read as they lie in memory, for each lane.
_READ_KEYS = 32

# Where rows are few, memory sets the pace, and is read along what lies in a row. Times of one busy
# core, over those of what is not taken, in turns, before `fetch`:
# - steps of 512 instead of 64 keys, AVX-512, contiguous keys: 0.50 to 0.75 (of 256: 0.58 to 0.76);
#   of 256 instead of 64, AVX2: 0.82 to 0.86.
# - pages of 16 keys, all KV heads of two pages instead of 512 keys of one head: 0.83 to 0.99.
# - values read whole, for fewer rows at a time: f16 0.78, pages 0.87 to 0.93, AVX2 0.74 to 0.89.
#   Not for f32 with AVX-512, where half of a value is 256 bytes (1.18 to 1.36), nor for pairs of
#   bf16, which are made anew for each pass (1.29).
_LEAST_RUN_BYTES = 256

# Of wider values a block of sums has one row, which reads from the second cache what each row does
# anew: with blocks of all rows 128 heads of 576 and 512 columns over 4 x 2048 keys take 0.55 of the
# processor time, 0.70 where values are columns of the keys, 16 heads 0.66 (f32, AVX-512), and 0.92
# (AVX2).
_MOST_WHOLE_VALUE = 256

# The values of a latent cache are columns of the keys, which a core's second cache still has after
# so many in f32, and as many bytes of others: 16 heads of 576 and 512 columns over 4 x 1024 and
# 1 x 4096 latents take 0.80 and 0.73 of the processor time of steps of 256 keys in f32 (AVX2).
# 128 heads over 4 x 2048 in steps of 128 in bf16 0.96 of steps of 64, in f16 0.98, of 256 in fp8
# 0.96; in f32 0.99 (AVX-512).
_LATENT_KEYS = 64

# Of weights with 16 bits each loses at most 2^-16 of the step's largest, and all of a step no more
# than f16 rounds off twice. Steps of 32 keys over pages of 16 take 1.10 of the processor time (one
# Zen 4 core that others used, too).
_WHOLE_KEYS = 64

# Products of 16 and 8 bits of so many columns add up to less than 2^31.
_MOST_WHOLE_COLUMNS = 512

# Widened values of a step stay in a core's first cache.
_PLACED_BYTES = 32 * 1024

# Workers have 128 KiB of stack, of which a part is not the kernel's.
_STACK_BYTES = 104 * 1024
_F32_BYTES = 4

# Squares go through the stack where rows are made of them.
_SQUARES_BYTES = 16 * 1024
# Keys of a step whose columns are more than these lanes' pairs are so many: beside them, more rows
# share what is turned. 32 heads of 128 columns over 1,024 keys take 0.97 of the processor time of
# 64 keys (one Sapphire Rapids core that others used, too).
_SQUARE_KEYS = {64: 64, 576: 32}

# More rows than this share keys that are turned once, and less and less is left to win.
_MOST_ROWS = 128

# Keys of a step, by the most columns of a head: turned, they stay within 32 KiB.
_STEP_KEYS = {128: 64, 256: 32, 576: 16}


def tile_for(
    target: Target, spec: AttentionFeatures, queries: int | None, block_size: int | None
) -> BlockedTile:
    """The tile of a spec's work; `queries` is None where a call chooses their number.

    `block_size` is None where keys and values lie in a row of memory.
    """
    registers = registers_of(target)
    block = registers.block_rows
    widest = max(spec.head_dim, spec.v_dim)
    keys = next(keys for most, keys in _STEP_KEYS.items() if widest <= most)
    pairs = "bf16" if _has_pairs(target, spec) else None
    if pairs:
        # Two registers of weights are one of pairs.
        keys = max(keys, 2 * registers.lanes)
    squares = pairs is not None and _has_squares(target, spec, queries, block_size)
    if squares:
        block, keys = registers.lanes, _square_keys(spec)
    ragged = spec.io_dtype != "f32" or spec.v_dim % registers.lanes != 0
    places = ragged or is_quantised(spec) or block_size is not None
    most = most_rows(spec, keys, registers, places, block, _MOST_ROWS, squares)
    few = queries is not None and queries < block
    if few:
        most = max(most, _most_read(spec, registers))
    least = queries if few and queries else block
    heads = max(n for n in range(1, spec.group_size + 1) if _fits(spec, n, least, most))
    if few:
        block = min(block, 1 << (heads * least - 1).bit_length())
    else:
        least = max(block, most // heads // block * block)
        least = least if queries is None else min(least, up(queries, block))
    sizes = (spec.head_dim, spec.v_dim)
    tile = BlockedTile(heads, least, keys, block, registers, *sizes, places, pairs, squares=squares)
    if not tile.reads_rows:
        return tile
    if _has_whole_pairs(target, spec):
        tile = replace(tile, pairs="i16")
    if _has_whole_nibbles(target, spec):
        tile = replace(tile, pairs="i16", value_piece=PIECE)
    if _has_pairs_of_tables(target, spec, tile):
        tile = replace(tile, pairs="bf16", splits_rows=spec.io_dtype == "f16")
    return _reading(tile, spec, block_size if few else None)


def _reading(tile: BlockedTile, spec: AttentionFeatures, block_size: int | None) -> BlockedTile:
    """The tile of few rows, which reads keys and values as memory has them: long runs at a time.

    The KV heads of a block of keys lie one after the other: its steps are no longer than a block,
    and take all heads of it before the next.
    """
    is_latent = getattr(spec, "latent_cache", False)
    itemsize = dtype(keys_and_values(spec)[1].dtype).numpy.itemsize
    keys, kv_heads = _READ_KEYS * tile.registers.lanes, 1
    if is_latent:
        keys = _LATENT_KEYS * _F32_BYTES // itemsize
    if block_size is not None and tile.heads == spec.group_size and tile.rows == tile.row_count:
        kv_heads = _kv_heads(tile, spec.num_kv_heads)
        least = _WHOLE_KEYS if tile.pairs == "i16" else 2 * tile.registers.lanes
        keys = min(keys, up(block_size, least)) if kv_heads > 1 else keys
    run = tile.value_block * itemsize
    # Quantised values that are multiplied in f32 are kept so where few columns are read at once.
    places = is_quantised(spec) and not tile.pairs and tile.value_block % GROUP != 0
    if places:
        most = _PLACED_BYTES // (_F32_BYTES * tile.value_columns)
        keys = min(keys, max(1, most // tile.registers.lanes) * tile.registers.lanes)
    if tile.pairs == "i16":
        keys = min(keys, _WHOLE_KEYS)
    is_wide = tile.value_columns > _MOST_WHOLE_VALUE
    is_apart = tile.pairs or is_quantised(spec) or is_wide
    whole = not is_apart and (kv_heads > 1 or run < _LEAST_RUN_BYTES)
    heads = tile.heads * kv_heads
    return replace(
        tile, heads=heads, keys=keys, places_values=places, kv_heads=kv_heads, whole_values=whole
    )


def _kv_heads(tile: BlockedTile, most: int) -> int:
    """The most KV heads that divide them all, and whose sums take half of the stack."""
    fit = _STACK_BYTES // 2 // (_F32_BYTES * tile.rows * tile.value_columns)
    return max(n for n in range(1, max(1, min(most, fit)) + 1) if most % n == 0)


def _has_pairs(target: Target, spec: AttentionFeatures) -> bool:
    """Whether the target multiplies pairs of bf16, and adds them up in f32."""
    return keys_and_values(spec)[0].dtype == "bf16" and has_bf16_dots(target)


def _has_squares(
    target: Target, spec: AttentionFeatures, queries: int | None, block_size: int | None
) -> bool:
    """Whether blocks of rows and of keys fill the target's squares, and one of rows the stack."""
    registers = registers_of(target)
    rows = registers.lanes
    fills = (queries is None or queries >= rows) and (block_size or 0) % rows == 0
    room = _room(spec, _square_keys(spec), registers, True, rows, squares=True)
    return has_squares(target) and fills and room >= rows


def _square_keys(spec: AttentionFeatures) -> int:
    widest = max(spec.head_dim, spec.v_dim)
    return next(keys for most, keys in _SQUARE_KEYS.items() if widest <= most)


def _has_whole_pairs(target: Target, spec: AttentionFeatures) -> bool:
    """Whether few rows multiply pairs of whole numbers: queries and weights have 16 bits.

    A query's error is at most 2^-16 of its largest number, and a weight's of the largest one of a
    step: less than what f16 and bf16 round.
    """
    registers = registers_of(target)
    columns = 2 * registers.lanes
    return (
        keys_and_values(spec)[0].dtype == "int8"
        and spec.io_dtype != "f32"
        and byte_dots(target) != "widened"
        and spec.head_dim <= _MOST_WHOLE_COLUMNS
        and spec.head_dim % columns == 0
        and spec.v_dim % columns == 0
    )


def _has_whole_nibbles(target: Target, spec: AttentionFeatures) -> bool:
    """Whether few rows multiply whole numbers, two in a byte, a register of bytes at a time.

    Rounding is that of other whole numbers, and weights have a factor for each group of columns.
    """
    return (
        keys_and_values(spec)[0].dtype == "int4"
        and spec.io_dtype != "f32"
        and has_wide_byte_dots(target)
        and spec.head_dim % PIECE == 0
        and spec.v_dim % PIECE == 0
    )


def _has_pairs_of_tables(target: Target, spec: AttentionFeatures, tile: BlockedTile) -> bool:
    """Whether few rows multiply pairs of bf16 that a table has for the bytes of an fp8 cache.

    A register of bytes becomes two of columns of a key, and of two values as many columns.
    """
    columns = 2 * tile.registers.lanes
    return (
        keys_and_values(spec)[0].dtype in TABLED
        and spec.io_dtype != "f32"
        and has_bf16_dots(target)
        and has_byte_tables(target)
        and spec.head_dim % (2 * columns) == 0
        and spec.v_dim == tile.value_columns
        and tile.value_block % columns == 0
    )


def _most_read(spec: AttentionFeatures, registers: Registers) -> int:
    """Rows that multiply keys and values as they lie in memory, if their sums take half a stack.

    128 heads of 576 and 512 columns, 16 at once instead of 8, take 0.95 of the processor time in
    bf16, and 0.97 in f16 (AVX-512).
    """
    fit = _STACK_BYTES // 2 // (_F32_BYTES * up(spec.v_dim, registers.lanes))
    return min(registers.lanes, fit)


def _fits(spec: AttentionFeatures, heads: int, queries: int, most: int) -> bool:
    return heads == 1 or (spec.group_size % heads == 0 and heads * queries <= most)


def most_rows(
    spec: AttentionFeatures,
    keys: int,
    registers: Registers,
    places: bool,
    block_rows: int,
    most: int,
    squares: bool,
) -> int:
    """Rows, up to `most`, whose sums fit the stack beside keys, values, and those of a block.

    There is always room for a block.
    """
    return max(block_rows, min(most, _room(spec, keys, registers, places, block_rows, squares)))


def _room(
    spec: AttentionFeatures,
    keys: int,
    registers: Registers,
    places: bool,
    block_rows: int,
    squares: bool,
) -> int:
    """Rows whose sums fit the stack beside keys, values, and those of a block.

    Where there are `squares`, two of keys, values and queries take a place.
    """
    at_once, kept = (2, _SQUARES_BYTES) if squares else (1, 0)
    head, value = up(spec.head_dim, registers.lanes), up(spec.v_dim, registers.lanes)
    placed = keys * (head + (value if places else 0)) // at_once
    block = block_rows * (head // at_once + keys)
    return ((_STACK_BYTES - kept) // _F32_BYTES - placed - block) // value
