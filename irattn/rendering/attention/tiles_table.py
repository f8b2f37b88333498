"""The table of tiles for attention at the level of tensors, and which tile a spec has of it."""

from dataclasses import replace

from irattn.core.dtypes import dtype
from irattn.core.tensors import Role
from irattn.rendering.attention.arguments import storage_of
from irattn.rendering.attention.columns import HEAD_LETTERS, VALUE_LETTERS, columns_of
from irattn.rendering.attention.tensor_tile import (
    ACCESS_BYTES,
    CPU_BLOCK,
    TensorTile,
    fewest_columns,
    fits_shared_memory,
    has_reading_lanes,
    lanes_of_row,
    reading_lanes,
    shares_columns,
    tile_columns,
)
from irattn.rendering.attention.tile_functions import tile_functions
from irattn.specs.base import MAX_HEAD_DIM
from irattn.specs.features import AttentionFeatures
from irattn.targets import MatrixInstruction, Target

# Rows and keys of a step, and waves along the rows and along the columns.
_Cut = tuple[int, int, int, int]

# By family, then by the most columns of a head. Each is the one with the fewest instructions
# besides each matrix instruction of those that spill no registers.
_CUTS: dict[str, dict[int, _Cut]] = {
    "WMMAR3": {64: (128, 64, 8, 1), 128: (128, 32, 8, 1), 256: (32, 32, 2, 2)},
    "WMMAR4": {64: (64, 64, 4, 1), 128: (64, 32, 4, 1), 256: (64, 32, 4, 2)},
    "WMMA": {64: (64, 64, 4, 1), 128: (64, 32, 4, 1), 256: (64, 32, 4, 1)},
    "MFMA": {64: (128, 64, 8, 1), 128: (128, 64, 8, 1), 256: (64, 32, 4, 1)},
    "NV": {64: (64, 64, 4, 1), 128: (64, 32, 4, 1), 256: (64, 32, 4, 2)},
}

# Where registers are short and rules take some for each logit: waves that share the columns of
# a row spill nothing, for a few more instructions.
_CUTS_OF_MANY_RULES: dict[str, dict[int, _Cut]] = {
    "WMMAR3": {64: (128, 64, 8, 1), 128: (64, 32, 4, 2), 256: (32, 32, 2, 2)},
}

# Few rows are taken in one go; waves share the keys and the value columns.
_FEW_ROWS = 16
_FEW: _Cut = (_FEW_ROWS, 32, 1, 2)

# On CDNA few rows of heads without whole tiles of columns take the waves of many: three have no
# rows, but read a quarter each, on SIMDs that had nothing to do. By the model 4 queries of 2
# sequences of 256 keys with 8/2 heads in f16 take on gfx942 8.7 us, not 22.6, with 136 columns, and
# 5.5, not 9.6, with 40.
_FEW_UNEVEN: dict[str, _Cut] = {"MFMA": (64, 32, 4, 1)}

# Wider heads than those of the table: steps of few keys, so that they fit the memory that a
# workgroup shares. Waves of 32 lanes have no registers for the sums of so many columns. On gfx942
# one wave for few rows of 512 took 74 us by the model, four take 22, and of packed pages with a
# window it spilled 173 registers. Latents keep one, with which the catalogue's were measured.
_WIDE: dict[str, _Cut] = {"MFMA": (64, 16, 4, 1)}
_FEW_WIDE_LATENTS: dict[str, _Cut] = {"MFMA": (_FEW_ROWS, 16, 1, 1)}

# Without matrix instructions. With more lanes in a workgroup, each has half as many registers on
# CDNA.
_LEAST_LANE_ROWS, _LANE_ROWS, _LANE_KEYS, _MOST_LANES = 2, 32, 8, 256
# bf16 of many columns is widened early, for all keys of a step: with 8, heads of 512 spilled 40
# registers on gfx1201.
_LANE_KEYS_OF_WIDE_BF16 = 4

# Heads of no whole tiles of columns are read element by element for matrix instructions, by one
# wave where rows are few. Without these, in rows, by the model 4 queries of 2 sequences with 8/2
# heads take 0.46 of the time with 200 columns in f16 on gfx1100 (98 spilled registers there, none
# here) and 0.40 on gfx1201, with 136 0.50 and 0.44, with 40 0.70 and 0.65, with 100 0.50, with 63
# 0.89; in bf16, where 8 keys of 200 columns spilled 280, 0.61 and 0.51 with 200. On CDNA they take
# twice as long. 32 rows take 0.73 on gfx1100 and 1.03 on gfx1201, prompts of 256 tokens 1.2 and
# 1.7.
_BY_LANES_OF_FEW = frozenset({"WMMAR3", "WMMAR4"})

# Where heads of more bytes are read by element, which any lanes can, queries are in LDS, 2 KB each:
# with 32 rows and 8 keys, latents of 576 in f32 with values of 115 asked for 96 KB.
_MOST_ELEMENT_BYTES, _WIDE_ELEMENT_ROWS, _WIDE_ELEMENT_KEYS = 1280, 16, 4

# On a CPU a step stays within a core's stack.
_CPU_COLUMNS, _CPU_CELLS, _CPU_KEYS = 64, 1024, 16
# A core's block of rows, and columns that are summed, runs 4.5 times as fast as one of each does,
# but compiles 1.6 times as long: less than this much work is done before the compiler would be.
_CPU_FEW_FLOPS = 1 << 25


def table_tile(spec: AttentionFeatures, target: Target, rows: int) -> TensorTile:
    """The table's tile of a spec's work, which has so many rows of queries for each head."""
    storage = storage_of(spec, Role.QUERY)
    access = ACCESS_BYTES // dtype(storage).numpy.itemsize
    if not target.is_gpu:
        return _by_core(spec, access)
    instruction = target.matrix.get(storage)
    if instruction and _has_few_elements(spec, rows, instruction):
        keys = _LANE_KEYS_OF_WIDE_BF16 if storage == "bf16" else _LANE_KEYS
        # Waves of one alone would have all keys to read.
        return _by_lanes(spec, target, _FEW_ROWS, access, keys)
    return _by_matrix(spec, target, rows, access, instruction) or _by_lanes(
        spec, target, rows, access, _lane_keys(spec, target, storage)
    )


def _has_few_elements(spec: AttentionFeatures, rows: int, instruction: MatrixInstruction) -> bool:
    """Whether rows are few, of heads that RDNA's matrix instructions would read by element."""
    is_few = instruction.family in _BY_LANES_OF_FEW and rows <= _FEW_ROWS
    return is_few and _is_uneven(spec, instruction)


def _is_uneven(spec: AttentionFeatures, instruction: MatrixInstruction) -> bool:
    """Whether heads have no whole tiles of columns; latents are read in chunks of their own."""
    unit = fewest_columns(instruction)
    is_latent = getattr(spec, "latent_cache", False)
    return not is_latent and bool(spec.head_dim % unit or spec.v_dim % unit)


def _by_matrix(
    spec: AttentionFeatures,
    target: Target,
    rows: int,
    access: int,
    instruction: MatrixInstruction | None,
) -> TensorTile | None:
    """A tile of matrix instructions; None where heads are no columns for these."""
    least, most = sorted((spec.head_dim, spec.v_dim))
    if instruction is None or least < fewest_columns(instruction):
        return None
    cut = _cut_of(spec, instruction, most, is_few=rows <= _FEW_ROWS)
    if cut is None:
        return None
    columns = tile_columns(spec, access, instruction)
    tile = TensorTile(
        *cut, instruction, target.wave_size, *columns, access, _logit_bytes(spec, target)
    )
    return _fitting(tile, target)


def _cut_of(
    spec: AttentionFeatures, instruction: MatrixInstruction, columns: int, is_few: bool
) -> _Cut | None:
    """A row of the tables; None where there is none for heads so wide."""
    family = instruction.family
    if columns > MAX_HEAD_DIM:
        is_latent = getattr(spec, "latent_cache", False)
        return (_FEW_WIDE_LATENTS if is_few and is_latent else _WIDE).get(family)
    if is_few:
        return _FEW_UNEVEN.get(family, _FEW) if _is_uneven(spec, instruction) else _FEW
    cuts = _CUTS_OF_MANY_RULES.get(family, {}) if _has_many_rules(spec) else {}
    return next(cut for most, cut in (cuts or _CUTS[family]).items() if columns <= most)


def _by_core(spec: AttentionFeatures, access: int) -> TensorTile:
    # Powers of two: a part of the keys is made of whole steps.
    cells = _CPU_CELLS // max(spec.head_dim, spec.v_dim, _CPU_COLUMNS)
    rows = 1 << max(cells.bit_length(), 3) - 1
    keys = min(rows, _CPU_KEYS)
    block = CPU_BLOCK if spec.flops > _CPU_FEW_FLOPS else 1
    # One by one, two widths of columns are read from the same rows.
    is_latent = getattr(spec, "latent_cache", False)
    head = columns_of(spec.head_dim, HEAD_LETTERS, by_element=is_latent)
    in_memory = spec.head_dim if is_latent else None
    value = columns_of(spec.v_dim, VALUE_LETTERS, by_element=is_latent, in_memory=in_memory)
    return TensorTile(rows, keys, 1, 1, None, None, head, value, access, cpu_block=block)


def _has_many_rules(spec: AttentionFeatures) -> bool:
    ragged = getattr(spec, "ragged", False)
    return bool(spec.window or spec.alibi or spec.logits_soft_cap or ragged)


def _logit_bytes(spec: AttentionFeatures, target: Target) -> int:
    """Bytes of the tensors that have a number for each logit, and of one such number in f32.

    The compiler may lay a logit out anew to add what it was given.
    """
    letters = {Role.BIAS: spec.bias or "", Role.KEEP_MASK: spec.keep_mask or ""}
    given_bytes = sum(
        dtype(tensor.dtype).numpy.itemsize
        for tensor in spec.inputs
        if "k" in letters.get(tensor.role, "")
    )
    given_bytes += _read_bytes(spec, target)
    return given_bytes + 4 if given_bytes else 0


def _read_bytes(spec: AttentionFeatures, target: Target) -> int:
    """Bytes of what functions of scores read for each logit, of the widest type that they may."""
    functions = tile_functions(spec, target, has_head_rows=True).values()
    return 4 * sum(read.dims == ("m", "t") for function in functions for read in function.reads)


def _fitting(tile: TensorTile, target: Target) -> TensorTile | None:
    """The tile with as many keys, and then rows, as fit the memory that a workgroup shares, if any.

    Waves share the value columns only where they share them evenly. None where nothing fits, or
    lanes are too few.
    """
    if not shares_columns(tile):
        tile = replace(tile, column_waves=1)
    while not fits_shared_memory(tile, target):
        if tile.keys > tile.least_columns * tile.column_waves:
            tile = replace(tile, keys=tile.keys // 2)
        elif tile.row_waves > 1:
            tile = replace(tile, rows=tile.rows // 2, row_waves=tile.row_waves // 2)
        else:
            return None
    return tile if has_reading_lanes(tile) else None


def _lane_keys(spec: AttentionFeatures, target: Target, storage: str) -> int:
    is_wide = max(spec.head_dim, spec.v_dim) > MAX_HEAD_DIM
    is_short = target.wave_size == 32 and storage == "bf16" and is_wide
    return _LANE_KEYS_OF_WIDE_BF16 if is_short else _LANE_KEYS


def _by_lanes(
    spec: AttentionFeatures, target: Target, rows: int, access: int, keys: int
) -> TensorTile:
    """A tile without matrix instructions."""
    wave = target.wave_size or 1
    head, value = tile_columns(spec, access, None)
    lanes = max(reading_lanes(columns, access, keys) for columns in (head, value))
    lane_rows = _LANE_ROWS
    if head.by_element and head.real * ACCESS_BYTES // access > _MOST_ELEMENT_BYTES:
        lanes, lane_rows, keys = 1, _WIDE_ELEMENT_ROWS, _WIDE_ELEMENT_KEYS
    rows_of_wave = wave // lanes_of_row(head, value, wave)
    most = min(_MOST_LANES // wave, lane_rows // rows_of_wave)
    waves = 1 if rows <= rows_of_wave else max(1, most)
    # IREE 3.13.0 gives up on the sums of one row in four or five chunks of columns.
    waves = max(waves, -(-lanes // wave), -(-_LEAST_LANE_ROWS // rows_of_wave))
    rows = rows_of_wave * waves
    return TensorTile(
        rows, keys, waves, 1, None, wave, head, value, access, _logit_bytes(spec, target)
    )
