"""How a core cuts its part of attention up: registers, and what it keeps of its stack."""

import platform
from dataclasses import dataclass

from irattn.specs.features import AttentionFeatures
from irattn.targets import Target, host_cpu_flags


@dataclass(frozen=True)
class Registers:
    """The vector registers of a core: f32 lanes of each, and how many there are.

    `sums` of them hold the sums of a product; the others hold what is multiplied.
    """

    lanes: int
    count: int

    @property
    def sums(self) -> int:
        """Half of them: measured best on AVX-512, where 8 x 32 sums reach the peak rate."""
        return self.count // 2

    @property
    def block_rows(self) -> int:
        """Rows of a block, each with two registers of columns."""
        return self.sums // 2

    @property
    def read_keys(self) -> int:
        """Keys of a step whose keys and values are read as they lie in memory."""
        return 32 * self.lanes


# Measured on one Zen 4 core with AVX-512 (peak 114 GFLOP/s in f32, 228 with pairs of bf16): blocks
# of 8 x 32 multiply at 111 GFLOP/s, four fifths of causal attention's time. Few rows with sums of
# 4 x 64, half of a value's columns at a time, read 12.7 GB/s of keys and values; 2 x 128 read 10.
# Where memory sets the pace, long runs of keys, then of values, let it fetch ahead: by the time of
# steps of 64 keys, decode over 4096 to 16384 keys takes 0.75 with steps of 256, 0.65 to 0.75 with
# 512; on AVX2 0.95 and 0.82 to 0.86 with 128 and 256.
# NEON has the same shares of its registers, not measured.
_REGISTERS = {
    "AVX-512": Registers(lanes=16, count=32),
    "AVX2": Registers(lanes=8, count=16),
    "NEON": Registers(lanes=4, count=32),
}

# Workers have 128 KiB of stack, of which a part is not the kernel's.
_STACK_BYTES = 104 * 1024
_F32_BYTES = 4

# More rows than this share keys that are turned once, and less and less is left to win.
_MOST_ROWS = 128

# Keys of a step, by the most columns of a head: turned, they stay within 32 KiB.
_STEP_KEYS = {128: 64, 256: 32}


def registers_of(target: Target) -> Registers:
    """The registers that a target's code uses; for `cpu`, those of this machine."""
    features = _features(target)
    if "asimd" in features:
        return _REGISTERS["NEON"]
    return _REGISTERS["AVX-512" if "avx512f" in features else "AVX2"]


def _features(target: Target) -> frozenset[str]:
    """What a target's code uses, as Linux names it; not every system tells."""
    if target.name != "cpu":
        return frozenset(target.cpu_features)
    is_arm = platform.machine().lower() in ("aarch64", "arm64")
    return host_cpu_flags() | ({"asimd"} if is_arm else set())


@dataclass(frozen=True)
class Tile:
    """Rows and keys of a step: the rows of `queries` queries of each of `heads` query heads.

    A block of registers has `block_rows` rows. `places_values` says that values are copied, as
    f32 in whole registers, before they are multiplied. `pairs` says that products take two bf16
    neighbours at once, where other products take one f32.
    """

    heads: int
    queries: int
    keys: int
    block_rows: int
    registers: Registers
    head_dim: int
    value_dim: int
    places_values: bool
    pairs: bool

    @property
    def rows(self) -> int:
        """Rows of all heads, in whole blocks."""
        return _up(self.heads * self.queries, self.block_rows)

    @property
    def mixes_heads(self) -> bool:
        """Whether a block may have rows of several heads."""
        return self.queries % self.block_rows != 0

    @property
    def at_once(self) -> int:
        """Neighbours that a product takes at once."""
        return 2 if self.pairs else 1

    @property
    def head_steps(self) -> int:
        """Steps of a product over the head columns."""
        return -(-self.head_dim // self.at_once)

    @property
    def key_columns(self) -> int:
        """Those steps in whole registers."""
        return _up(self.head_steps, self.registers.lanes)

    @property
    def query_columns(self) -> int:
        """Columns that are kept of a query: where lanes are columns, whole registers."""
        return self.key_columns if self.pairs or self.reads_rows else self.head_dim

    @property
    def cuts_query(self) -> bool:
        """Whether they are more than the query has."""
        return self.cuts_head and (self.pairs or self.reads_rows)

    @property
    def cuts_head(self) -> bool:
        """Whether the last register of head columns is not full."""
        return self.key_columns * self.at_once != self.head_dim

    @property
    def cuts_values(self) -> bool:
        """Whether the last register of value columns is not full."""
        return self.value_columns != self.value_dim

    @property
    def value_columns(self) -> int:
        """Value columns in whole registers."""
        return _up(self.value_dim, self.registers.lanes)

    @property
    def score_block(self) -> int:
        """Keys of a block of scores."""
        return self._block_of(self.keys)

    @property
    def value_block(self) -> int:
        """Columns of a block of weighted values."""
        return self._block_of(self.value_columns)

    @property
    def read_columns(self) -> int:
        """Columns of a value that are read at once."""
        return self.value_columns if self.places_values else self.value_block

    @property
    def reads_rows(self) -> bool:
        """Whether rows are so few that keys and values are multiplied as they lie in memory."""
        return self.rows <= self.registers.lanes

    @property
    def scored_keys(self) -> int:
        """Keys whose scores with all rows of a block fill a register."""
        return self.registers.lanes // self.block_rows

    @property
    def step_registers(self) -> list[int]:
        """Where registers of a row of scores begin."""
        return list(range(0, self.keys, self.registers.lanes))

    @property
    def pair_registers(self) -> list[tuple[int, int, int]]:
        """Where registers of a row of pairs of weights begin, and which two they are made of."""
        starts = range(0, self.keys // 2, self.registers.lanes)
        return [(start, 2 * n, 2 * n + 1) for n, start in enumerate(starts)]

    def _block_of(self, columns: int) -> int:
        lanes = self.registers.lanes
        most = min(columns, self.registers.sums // self.block_rows * lanes)
        return next(size for size in range(most, 0, -lanes) if columns % size == 0)


def tile_for(target: Target, spec: AttentionFeatures, queries: int | None, places: bool) -> Tile:
    """The tile of a spec's work; `queries` is None where a call chooses their number.

    `places` says that values do not lie in a row of memory.
    """
    registers = registers_of(target)
    block = registers.block_rows
    widest = max(spec.head_dim, spec.v_dim)
    keys = next(keys for most, keys in _STEP_KEYS.items() if widest <= most)
    places = places or spec.io_dtype != "f32" or spec.v_dim % registers.lanes != 0
    most = _most_rows(spec, keys, registers, places)
    few = queries is not None and queries < block
    least = queries if few and queries else block
    heads = max(n for n in range(1, spec.group_size + 1) if _fits(spec, n, least, most))
    if few:
        block = min(block, 1 << (heads * least - 1).bit_length())
    else:
        least = max(block, most // heads // block * block)
        least = least if queries is None else min(least, _up(queries, block))
    reads_rows = _up(heads * least, block) <= registers.lanes
    keys = registers.read_keys if reads_rows else keys
    places = places and not reads_rows
    sizes = (spec.head_dim, spec.v_dim)
    return Tile(heads, least, keys, block, registers, *sizes, places, _has_pairs(target, spec))


def _has_pairs(target: Target, spec: AttentionFeatures) -> bool:
    """Whether the target multiplies pairs of bf16, and adds them up in f32."""
    return spec.io_dtype == "bf16" and "avx512_bf16" in _features(target)


def _fits(spec: AttentionFeatures, heads: int, queries: int, most: int) -> bool:
    return heads == 1 or (spec.group_size % heads == 0 and heads * queries <= most)


def _most_rows(spec: AttentionFeatures, keys: int, registers: Registers, places: bool) -> int:
    """Rows whose sums fit the stack beside keys, values, and a block's queries and scores."""
    head, value = _up(spec.head_dim, registers.lanes), _up(spec.v_dim, registers.lanes)
    placed = keys * (head + (value if places else 0))
    block = registers.block_rows * (head + keys)
    left = _STACK_BYTES // _F32_BYTES - placed - block
    return max(registers.block_rows, min(_MOST_ROWS, left // value))


def _up(number: int, step: int) -> int:
    return -(-number // step) * step
