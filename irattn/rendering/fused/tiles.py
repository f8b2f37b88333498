"""How a workgroup cuts its part of attention up: the table of tiles, and what a tile is made of."""

import math
from dataclasses import dataclass, replace

from irattn.core.dtypes import dtype
from irattn.rendering.fused.layouts import (
    CpuProduct,
    Held,
    Layout,
    Product,
    as_rows,
    columns_of,
    held_by_matrix,
    power_within,
    turned,
)
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

# Wider heads than those of the table: steps of few keys, so that they fit the memory that a
# workgroup shares. Waves of 32 lanes have no registers for the sums of so many columns.
_WIDE: dict[str, _Cut] = {"MFMA": (64, 16, 4, 1)}
_FEW_WIDE: dict[str, _Cut] = {"MFMA": (_FEW_ROWS, 16, 1, 1)}

# Without matrix instructions a few lanes take a row, by its most columns and the lanes of a wave:
# with fewer, a decode of 256 in f32 spilled 26 registers on gfx942, one of 576 in f16 82 and one of
# 512 in bf16 117 on gfx1100; with more, a prompt of 256 in f32 spilled 10 on gfx1151. With more
# lanes in a workgroup, each has half as many registers on CDNA.
_LANES_OF_ROW = {32: {256: 4, 576: 32}, 64: {255: 4, 256: 8, 576: 16}}
_LANE_ROWS, _LANE_KEYS, _MOST_LANES = 32, 8, 256
# bf16 of many columns is widened early, for all keys of a step: with 8, heads of 512 spilled 40
# registers on gfx1201.
_LANE_KEYS_OF_WIDE_BF16 = 4

# On a CPU a step stays within a core's stack.
_CPU_COLUMNS, _CPU_CELLS, _CPU_KEYS = 64, 1024, 16
# So many rows at once, and columns that are summed, run 4.5 times as fast as one of each does, but
# compile 1.6 times as long: less than this much work is done before the compiler would be.
_CPU_BLOCK, _CPU_FEW_FLOPS = 4, 1 << 25

# Bytes that a lane moves at once.
_ACCESS = 16


@dataclass(frozen=True)
class Tile:
    """Rows and keys of one step of a workgroup, and its waves along rows and along columns.

    `instruction` is the matrix instruction, if any; `wave_size` None stands for a CPU. `access`
    counts the elements that a lane moves at once, `cpu_block` the rows, and summed columns, that a
    core takes at once.
    """

    rows: int
    keys: int
    row_waves: int
    column_waves: int
    instruction: MatrixInstruction | None
    wave_size: int | None
    head_dim: int
    value_dim: int
    access: int
    logit_bytes: int
    cpu_block: int = _CPU_BLOCK

    @property
    def workgroup_size(self) -> int:
        """Lanes of a workgroup."""
        return self.row_waves * self.column_waves * (self.wave_size or 1)

    @property
    def chunk(self) -> int | None:
        """The fewest columns that matrix instructions take."""
        return _fewest_columns(self.instruction) if self.instruction else None

    @property
    def is_cpu(self) -> bool:
        """Whether a core, not a workgroup, does the work.

        Workgroups put keys and values into the memory that they share first.
        """
        return self.wave_size is None

    @property
    def turns_values(self) -> bool:
        """Whether values are turned on their way to the product.

        Matrix instructions take neighbours along the keys.
        """
        return self.instruction is not None

    def reads_elements(self, columns: int) -> bool:
        """Whether rows of so many columns are read element by element: no whole accesses."""
        return not self.is_cpu and columns % (self.chunk or self.access) != 0

    @property
    def key_columns(self) -> tuple[int, ...]:
        """The head columns; chunks, and those of one, where lanes could not share them evenly."""
        return self._columns(self.head_dim)

    @property
    def value_columns(self) -> tuple[int, ...]:
        """The value columns likewise."""
        return self._columns(self.value_dim)

    def _columns(self, size: int) -> tuple[int, ...]:
        if self.instruction is None and not self.is_cpu:
            return _lane_columns(size, self.access)
        return columns_of(size, self.chunk)

    @property
    def places_query(self) -> bool:
        """Whether queries too go through shared memory.

        IREE 3.13.0 does not read rows by number where a lane has parts of several: single elements,
        and the instructions of NVIDIA.
        """
        instruction = self.instruction
        if instruction is None:
            return self.reads_elements(self.head_dim)
        is_cut = len(self.key_columns) > 1 and instruction.k < self.key_columns[-1]
        is_turned = instruction.m == instruction.n
        return self.reads_elements(self.head_dim) or is_cut or not is_turned

    @property
    def shared_bytes(self) -> int:
        """Shared memory that a step takes, with 8 bytes after each row against bank conflicts."""
        size, pad = _ACCESS // self.access, 8
        head, value = math.prod(self.key_columns), math.prod(self.value_columns)
        keys = self.keys * (head * size + pad)
        values = value * (self.keys * size + pad)
        weights = self.rows * (self.keys * size + pad)
        query = self.rows * (head * size + pad) if self.places_query else 0
        # The numbers of single elements, and logits beside them.
        numbers = 4 * self.keys * head if self.reads_elements(self.head_dim) else 0
        numbers += 4 * self.keys * value if self.reads_elements(self.value_dim) else 0
        numbers += 4 * self.rows * self.keys if numbers else 0
        given = self.rows * (self.keys + pad) * self.logit_bytes
        total = keys + values + weights + query + numbers + given
        # Chunks are padded, too: at most an eighth more (f32 with 160 columns on gfx942).
        is_cut = len(self.key_columns) > 1 or len(self.value_columns) > 1
        return total * 9 // 8 if is_cut else total

    @property
    def query_layout(self) -> Layout:
        """How queries come from memory."""
        shape = (self.rows, *self.key_columns)
        return as_rows(shape, self._at_once(self.head_dim), self.workgroup_size)

    @property
    def key_layout(self) -> Layout:
        """How keys come from memory."""
        shape = (self.keys, *self.key_columns)
        return as_rows(shape, self._at_once(self.head_dim), self.workgroup_size)

    @property
    def value_layout(self) -> Layout:
        """How values come from memory."""
        shape, access = (self.keys, *self.value_columns), self._at_once(self.value_dim)
        if not self.turns_values:
            return as_rows(shape, access, self.workgroup_size)
        return turned(shape, access, self.wave_size or 1, self.workgroup_size)

    @property
    def shares_columns(self) -> bool:
        """Whether waves share the value columns evenly."""
        units = self.value_columns[0] // (1 if len(self.value_columns) > 1 else self.chunk or 1)
        return units % self.column_waves == 0

    @property
    def has_reading_lanes(self) -> bool:
        """Whether as many lanes as it takes read a step's keys."""
        if self.instruction:
            width = max(self.key_columns[-1], self.value_columns[-1])
            return width <= self.workgroup_size * self.access
        sizes = (self.head_dim, self.value_dim)
        lanes = (_reading_lanes(columns, self.access, self.keys) for columns in sizes)
        return max(lanes) <= self.workgroup_size

    def operand_layout(self, dims: tuple[str, ...]) -> Layout:
        """How single elements for rows m and keys t come from memory."""
        shape = tuple({"m": self.rows, "t": self.keys}[dim] for dim in dims)
        return as_rows(shape, 1, self.workgroup_size)

    def score_layout(self, dims: tuple[str, ...]) -> Layout:
        """How the first product leaves its result, along rows m, keys t or both."""
        held = self._held()
        parts = [held[dim] for dim in dims]
        subgroups = [part.subgroups for part in parts]
        strides = [part.subgroup_stride if part.subgroups > 1 else 0 for part in parts]
        return Layout(
            subgroups,
            [part.batch for part in parts],
            [part.lanes for part in parts],
            [part.elements for part in parts],
            strides,
            [part.lane_stride if part.lanes > 1 else 0 for part in parts],
            [part.outer for part in parts],
        )

    def _held(self) -> dict[str, Held]:
        if self.instruction is None:
            rows = self.rows // self.row_waves // self._lane_rows
            return {
                "m": Held(self.row_waves, 1, rows, 1, self._lane_rows, self._row_lanes, 1),
                "t": Held(1, 0, self.keys, 1, 1, 0, 1),
            }
        return held_by_matrix(
            self.instruction, self.rows, self.keys, self.row_waves, self.column_waves
        )

    def _at_once(self, columns: int) -> int:
        return 1 if self.reads_elements(columns) else self.access

    @property
    def query_key(self) -> Product:
        """The first product: rows, keys, head columns."""
        ones = [1] * len(self.key_columns)
        subgroups = [self.row_waves, self.column_waves, *ones]
        if self.instruction:
            return Product(subgroups, self.instruction)
        lanes, wide = self._of_lanes(self.key_columns)
        return Product(subgroups, None, [self._lane_rows, 1, *lanes], [1, 1, *wide])

    @property
    def weights_value(self) -> Product:
        """The second one: rows, value columns, keys."""
        chunked = len(self.value_columns) > 1
        columns = [self.column_waves, 1] if chunked else [self.column_waves]
        subgroups = [self.row_waves, *columns, 1]
        if self.instruction:
            return Product(subgroups, self.instruction)
        lanes, wide = self._of_lanes(self.value_columns)
        return Product(subgroups, None, [self._lane_rows, *lanes, 1], [1, *wide, 1])

    @property
    def _row_lanes(self) -> int:
        return _lanes_of_row(self.head_dim, self.value_dim, self.access, self.wave_size or 1)

    @property
    def _lane_rows(self) -> int:
        return (self.wave_size or 1) // self._row_lanes

    def _of_lanes(self, columns: tuple[int, ...]) -> tuple[list[int], list[int]]:
        """Lanes along chunks of columns, if any, and along those of one; what each takes."""
        chunks = [1] * (len(columns) - 1)
        wide = power_within(columns[-1] // self._row_lanes, self.access)
        return [*chunks, self._row_lanes], [*chunks, wide]

    @property
    def cpu_product(self) -> CpuProduct:
        """Either product on a CPU: rows, columns, and what is summed."""
        return CpuProduct([0, 0, 0], [self.cpu_block, 16, 0], [0, 0, self.cpu_block])


def _fewest_columns(instruction: MatrixInstruction) -> int:
    return max(instruction.m, instruction.n, instruction.k)


def _lane_columns(size: int, access: int) -> tuple[int, ...]:
    """Columns without matrix instructions: in chunks where lanes could not move whole accesses."""
    return columns_of(size, 1 << min(size, access).bit_length() - 1 if size % access else None)


def _lanes_of_row(head_dim: int, value_dim: int, access: int, wave: int) -> int:
    """Lanes that share a row where there are no matrix instructions."""
    by_columns = _LANES_OF_ROW[64 if wave == 64 else 32].items()
    sizes = (head_dim, value_dim)
    most = next(lanes for columns, lanes in by_columns if max(sizes) <= columns)
    return min(power_within(_lane_columns(size, access)[-1], most) for size in sizes)


def tile_for(target: Target, spec: AttentionFeatures, rows: int) -> Tile:
    """The tile of a spec's work, which has so many rows of queries for each head."""
    access = _ACCESS // dtype(spec.io_dtype).numpy.itemsize
    if not target.is_gpu:
        return _by_core(spec, access)
    instruction = target.matrix.get(spec.io_dtype)
    head_dim, value_dim = spec.head_dim, spec.v_dim
    sizes = (head_dim, value_dim, access, _logit_bytes(spec))
    least, most = sorted((head_dim, value_dim))
    keys = _lane_keys(target, spec)
    if instruction is None or least < _fewest_columns(instruction):
        return _by_lanes(target, sizes, rows, keys)
    cut = _cut_of(instruction.family, most, _has_many_rules(spec), rows <= _FEW_ROWS)
    if cut is None:
        return _by_lanes(target, sizes, rows, keys)
    tile = _fitting(Tile(*cut, instruction, target.wave_size, *sizes), target)
    return tile or _by_lanes(target, sizes, rows, keys)


def _cut_of(family: str, columns: int, has_many_rules: bool, is_few: bool) -> _Cut | None:
    """A row of the tables; None where there is none for heads so wide."""
    if columns > MAX_HEAD_DIM:
        return (_FEW_WIDE if is_few else _WIDE).get(family)
    cuts = _CUTS_OF_MANY_RULES.get(family, _CUTS[family]) if has_many_rules else _CUTS[family]
    return _FEW if is_few else next(cut for most, cut in cuts.items() if columns <= most)


def _by_core(spec: AttentionFeatures, access: int) -> Tile:
    # Powers of two: a part of the keys is made of whole steps.
    cells = _CPU_CELLS // max(spec.head_dim, spec.v_dim, _CPU_COLUMNS)
    rows = 1 << max(cells.bit_length(), 3) - 1
    keys = min(rows, _CPU_KEYS)
    block = _CPU_BLOCK if spec.flops > _CPU_FEW_FLOPS else 1
    sizes = (spec.head_dim, spec.v_dim, access, 0)
    return Tile(rows, keys, 1, 1, None, None, *sizes, cpu_block=block)


def _has_many_rules(spec: AttentionFeatures) -> bool:
    ragged = getattr(spec, "ragged", False)
    return bool(spec.window or spec.alibi or spec.logits_soft_cap or ragged)


def _logit_bytes(spec: AttentionFeatures) -> int:
    """Bytes of the tensors that have a number for each logit, and of one such number in f32.

    The compiler may lay a logit out anew to add what it was given.
    """
    size = dtype(spec.io_dtype).numpy.itemsize
    given = {"bias": (spec.bias, size), "keep_mask": (spec.keep_mask, 1)}
    given_bytes = sum(size for letters, size in given.values() if letters and "k" in letters)
    return given_bytes + 4 if given_bytes else 0


def _fitting(tile: Tile, target: Target) -> Tile | None:
    """As many keys at once, and then rows, as fit the memory that a workgroup shares, if any.

    Waves share the value columns only where they share them evenly. None where nothing fits, or
    lanes are too few.
    """
    if not tile.shares_columns:
        tile = replace(tile, column_waves=1)
    while not fits_shared_memory(tile, target):
        if tile.keys > (tile.chunk or 1) * tile.column_waves:
            tile = replace(tile, keys=tile.keys // 2)
        elif tile.row_waves > 1:
            tile = replace(tile, rows=tile.rows // 2, row_waves=tile.row_waves // 2)
        else:
            return None
    return tile if tile.has_reading_lanes else None


def fits_shared_memory(tile: Tile, target: Target) -> bool:
    """Whether a step fits the memory that a workgroup shares, if it shares any."""
    return not target.lds_bytes or tile.shared_bytes <= target.lds_bytes


def _lane_keys(target: Target, spec: AttentionFeatures) -> int:
    is_wide = max(spec.head_dim, spec.v_dim) > MAX_HEAD_DIM
    is_short = target.wave_size == 32 and spec.io_dtype == "bf16" and is_wide
    return _LANE_KEYS_OF_WIDE_BF16 if is_short else _LANE_KEYS


def _by_lanes(target: Target, sizes: tuple[int, int, int, int], rows: int, keys: int) -> Tile:
    wave = target.wave_size or 1
    rows_of_wave = wave // _lanes_of_row(*sizes[:3], wave)
    most = min(_MOST_LANES // wave, _LANE_ROWS // rows_of_wave)
    waves = 1 if rows <= rows_of_wave else max(1, most)
    lanes = max(_reading_lanes(columns, sizes[2], keys) for columns in sizes[:2])
    waves = max(waves, -(-lanes // wave))
    return Tile(rows_of_wave * waves, keys, waves, 1, None, wave, *sizes)


def _reading_lanes(columns: int, access: int, keys: int) -> int:
    """The fewest lanes that read a step's keys such that none has parts of several rows.

    IREE 3.13.0 does not read rows by number where a lane has several rows and parts of a row, but
    single elements.
    """
    if columns % access:
        return 1
    parts = columns // access
    shared = power_within(parts, parts)
    return parts if shared == parts else shared * keys
