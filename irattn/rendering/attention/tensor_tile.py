"""A tile of attention at the level of tensors, and what it takes of lanes and of shared memory."""

import math
from dataclasses import dataclass

from irattn.rendering.attention.columns import HEAD_LETTERS, VALUE_LETTERS, Columns, columns_of
from irattn.specs.features import AttentionFeatures
from irattn.targets import MatrixInstruction, Target

# Bytes that a lane moves at once.
ACCESS_BYTES = 16

# Rows, and summed columns, that a core takes at once.
CPU_BLOCK = 4

# Without matrix instructions a few lanes take a row, by its most columns and the lanes of a wave:
# with fewer, a decode of 256 in f32 spilled 26 registers on gfx942, one of 576 in f16 82 and one of
# 512 in bf16 117 on gfx1100; with more, a prompt of 256 in f32 spilled 10 on gfx1151.
_LANES_OF_ROW = {32: {256: 4, 576: 32}, 64: {255: 4, 256: 8, 576: 16}}


@dataclass(frozen=True)
class TensorTile:
    """Rows and keys of one step of a workgroup, and its waves along rows and along columns.

    `instruction` is the matrix instruction, if any; `wave_size` None stands for a CPU. `access`
    counts the elements that a lane moves at once, `logit_bytes` the bytes of what rules are given
    for each logit, `cpu_block` the rows, and summed columns, that a core takes at once.
    """

    rows: int
    keys: int
    row_waves: int
    column_waves: int
    instruction: MatrixInstruction | None
    wave_size: int | None
    head: Columns
    value: Columns
    access: int
    logit_bytes: int = 0
    cpu_block: int = CPU_BLOCK

    @property
    def workgroup_size(self) -> int:
        """Lanes of a workgroup."""
        return self.row_waves * self.column_waves * (self.wave_size or 1)

    @property
    def least_columns(self) -> int:
        """The fewest columns that products take at once."""
        return fewest_columns(self.instruction) if self.instruction else 1


def fewest_columns(instruction: MatrixInstruction) -> int:
    """The fewest columns that matrix instructions take."""
    return max(instruction.m, instruction.n, instruction.k)


def tile_columns(
    spec: AttentionFeatures, access: int, instruction: MatrixInstruction | None
) -> tuple[Columns, Columns]:
    """The head and value columns of a GPU's tile: in chunks where lanes could not share them.

    Elements are read one by one where there are no whole accesses.
    """
    unit = fewest_columns(instruction) if instruction else access
    if getattr(spec, "latent_cache", False):
        return _latent_columns(spec, access, instruction, unit)
    head, value = (
        columns_of(real, letters, _chunk(real, access, instruction), real % unit != 0)
        for real, letters in ((spec.head_dim, HEAD_LETTERS), (spec.v_dim, VALUE_LETTERS))
    )
    return head, value


def _latent_columns(
    spec: AttentionFeatures, access: int, instruction: MatrixInstruction | None, unit: int
) -> tuple[Columns, Columns]:
    """Columns of keys whose first ones are the values: both are read from rows of one width."""
    shared = math.gcd(spec.head_dim, spec.v_dim)
    # A power of two, and so narrow that values are several.
    width = min(shared & -shared, 1 << (spec.v_dim - 1).bit_length() - 1)
    by_element = width < unit
    head, value = (
        columns_of(
            real,
            letters,
            _chunk(real, access, instruction) if by_element else unit if instruction else width,
            by_element,
            in_memory=spec.head_dim,
        )
        for real, letters in ((spec.head_dim, HEAD_LETTERS), (spec.v_dim, VALUE_LETTERS))
    )
    return head, value


def _chunk(real: int, access: int, instruction: MatrixInstruction | None) -> int | None:
    """Columns of a chunk; None where lanes share all columns evenly."""
    if real & (real - 1) == 0:
        return None
    if instruction:
        return fewest_columns(instruction)
    # Lanes could not move whole accesses.
    return 1 << min(real, access).bit_length() - 1 if real % access else None


def power_within(number: int, most: int) -> int:
    """The largest power of two that divides a number, up to `most`."""
    return min(number & -number, most)


def lanes_of_row(head: Columns, value: Columns, wave: int) -> int:
    """Lanes that share a row where there are no matrix instructions."""
    by_columns = _LANES_OF_ROW[64 if wave == 64 else 32]
    # Chunks take registers, too: a latent of 256 in f32 spilled 392 on gfx1100 with 4 lanes.
    widest = min(max(head.real, value.real) + (head.chunks > 1), max(by_columns))
    most = next(lanes for columns, lanes in by_columns.items() if widest <= columns)
    return min(power_within(columns.width, most) for columns in (head, value))


def reading_lanes(columns: Columns, access: int, keys: int) -> int:
    """The fewest lanes that read a step's keys such that none has parts of several rows.

    IREE 3.13.0 does not read rows by number where a lane has several rows and parts of a row, but
    single elements.
    """
    if columns.real % access:
        return 1
    parts = columns.real // access
    shared = power_within(parts, parts)
    return parts if shared == parts else shared * keys


def has_reading_lanes(tile: TensorTile) -> bool:
    """Whether as many lanes as it takes read a step's keys."""
    both = (tile.head, tile.value)
    if tile.instruction:
        return max(columns.width for columns in both) <= tile.workgroup_size * tile.access
    lanes = max(reading_lanes(columns, tile.access, tile.keys) for columns in both)
    return lanes <= tile.workgroup_size


def shares_columns(tile: TensorTile) -> bool:
    """Whether waves share the value columns evenly."""
    units = tile.value.chunks if tile.value.chunks > 1 else tile.value.width // tile.least_columns
    return units % tile.column_waves == 0


def places_query(tile: TensorTile) -> bool:
    """Whether queries too go through shared memory.

    IREE 3.13.0 does not read rows by number where a lane has parts of several: single elements,
    chunks of which it has several parts each, and the instructions of NVIDIA.
    """
    instruction, head = tile.instruction, tile.head
    if instruction is None:
        at_once = tile.access * lanes_of_row(head, tile.value, tile.wave_size or 1)
        return head.by_element or (head.chunks > 1 and head.width > at_once)
    is_cut = head.chunks > 1 and instruction.k < head.width
    is_turned = instruction.m == instruction.n
    return head.by_element or is_cut or not is_turned


def fits_shared_memory(tile: TensorTile, target: Target) -> bool:
    """Whether a step fits the memory that a workgroup shares, if it shares any."""
    return not target.lds_bytes or _shared_bytes(tile) <= target.lds_bytes


def _shared_bytes(tile: TensorTile) -> int:
    """Shared memory that a step takes, with 8 bytes after each row against bank conflicts."""
    size, pad = ACCESS_BYTES // tile.access, 8
    head, value = math.prod(tile.head.sizes), math.prod(tile.value.sizes)
    keys = tile.keys * (head * size + pad)
    values = value * (tile.keys * size + pad)
    weights = tile.rows * (tile.keys * size + pad)
    query = tile.rows * (head * size + pad) if places_query(tile) else 0
    # The numbers of single elements, and logits beside them.
    numbers = 4 * tile.keys * head if tile.head.by_element else 0
    numbers += 4 * tile.keys * value if tile.value.by_element else 0
    numbers += 4 * tile.rows * tile.keys if numbers else 0
    given = tile.rows * (tile.keys + pad) * tile.logit_bytes
    total = keys + values + weights + query + numbers + given
    # Chunks are padded, too: at most an eighth more (f32 with 160 columns on gfx942).
    is_cut = tile.head.chunks > 1 or tile.value.chunks > 1
    return total * 9 // 8 if is_cut else total
