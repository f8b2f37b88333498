"""How the products around attention are cut up on GPUs.

Templates read these numbers and compute none themselves.
"""

from dataclasses import dataclass

from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.stages import WeightedValuesSpec
from irattn.targets import MatrixInstruction, Target

# Depth of one step of a workgroup, its rows and columns (the first that divide those of the
# product; RDNA 3, which keeps operands twice, has registers for fewer rows) and its subgroups along
# rows and columns. The compiler's own tile of these products is
# four times as deep: on RDNA, what it fetches ahead for the next step does not fit the registers
# of `decoder_layer`.
_DEPTH = 32
_ROWS = (128, 64)
_COLUMNS = (128, 96, 64, 32)
_SUBGROUPS = (2, 2)


@dataclass(frozen=True)
class ProductTile:
    """How a product is cut up, one number for each of its dimensions (0: not cut).

    `workgroup` counts elements and `subgroup` matrix instructions; `reduction` elements, but of the
    innermost sum matrix instructions.
    """

    instruction: str
    workgroup: list[int]
    reduction: list[int]
    subgroup: list[int]
    workgroup_size: int
    subgroup_size: int


@dataclass(frozen=True)
class OutputProjection:
    """The sum over heads h and their columns k; m tokens by n hidden columns."""

    spec: OutputProjectionSpec
    target: Target

    @property
    def batch(self) -> dict[str, int]:
        """The dimension b, where it is one."""
        return _unless_one(b=self.spec.batch)

    @property
    def moves_heads(self) -> bool:
        """Whether a token's heads are put side by side first, so that the rest is a plain product.

        For CPUs, where the compiler packs plain products alone: 512 tokens of 32 heads take 0.21 s
        instead of 0.95 (f32, hidden size 4096, one core with AVX-512). Tiles of GPUs gather heads.
        """
        return not self.target.is_gpu

    @property
    def tile(self) -> ProductTile | None:
        spec = self.spec
        sizes = {**self.batch, "m": spec.q_len, "n": spec.hidden_size}
        return _tile(sizes, {"h": spec.num_q_heads, "k": spec.head_dim}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class QkvProjection:
    """The sums over hidden columns k; m tokens by n head columns of each head h."""

    spec: QkvProjectionSpec
    target: Target

    @property
    def batch(self) -> dict[str, int]:
        """The dimension b, where it is one."""
        return _unless_one(b=self.spec.batch)

    @property
    def tile(self) -> ProductTile | None:
        """The tile of each of the three products, which differ in their heads alone."""
        spec = self.spec
        sizes = {**self.batch, "h": spec.num_kv_heads, "m": spec.q_len, "n": spec.head_dim}
        return _tile(sizes, {"k": spec.hidden_size}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class Mlp:
    """The sums over columns k of what goes in; m tokens by n columns of what comes out."""

    spec: MlpSpec
    target: Target

    @property
    def up_tile(self) -> ProductTile | None:
        """The tile of gate and up: beside more rows, an activation has no registers."""
        spec = self.spec
        sizes, sums = {"m": spec.rows, "n": spec.intermediate_size}, {"k": spec.hidden_size}
        return _tile(sizes, sums, spec.io_dtype, self.target, most_rows=64)

    @property
    def down_tile(self) -> ProductTile | None:
        spec = self.spec
        sizes = {"m": spec.rows, "n": spec.hidden_size}
        return _tile(sizes, {"k": spec.intermediate_size}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class LmHead:
    """The sums over hidden columns k; m tokens by n tokens of the vocabulary."""

    spec: LmHeadSpec
    target: Target

    @property
    def tile(self) -> ProductTile | None:
        spec = self.spec
        sizes = {"m": spec.rows, "n": spec.vocab_size}
        return _tile(sizes, {"k": spec.hidden_size}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class WeightedValues:
    """The sums over tokens t; m rows of a group by n value columns of each KV head c."""

    spec: WeightedValuesSpec
    target: Target

    @property
    def tile(self) -> ProductTile | None:
        spec = self.spec
        heads, rows = spec.batch * spec.num_kv_heads, spec.group_size * spec.q_len
        sizes = {"c": heads, "m": rows, "n": spec.head_dim}
        return _tile(sizes, {"t": spec.kv_len}, spec.io_dtype, self.target)


def _unless_one(**sizes: int) -> dict[str, int]:
    return {dim: size for dim, size in sizes.items() if size > 1}


def _tile(
    sizes: dict[str, int],
    sums: dict[str, int],
    io_dtype: str,
    target: Target,
    most_rows: int = 128,
) -> ProductTile | None:
    """The tile of a product over the dimensions `sizes` and then `sums`, its depth last.

    None leaves it to the compiler: other chips do well with its tile, and from a product that has a
    dimension of size 1 it takes the dimension and the tile away.
    """
    instruction = target.matrix.get(io_dtype)
    if instruction is None or not instruction.name.startswith("WMMAR"):
        return None
    depth = list(sums.values())[-1]
    columns = next((count for count in _COLUMNS if sizes["n"] % count == 0), None)
    most_rows = 64 if instruction.repeats_operands else most_rows
    fitting = (count for count in _ROWS if count <= most_rows and sizes["m"] % count == 0)
    rows = next(fitting, None)
    if columns is None or rows is None or depth % _DEPTH:
        return None
    if 1 in (*sizes.values(), *sums.values()):
        return None
    tiled = {**dict.fromkeys(sizes, 1), "m": rows, "n": columns}
    return _tile_of(instruction, tiled, len(sums), target.wave_size or 1)


def _tile_of(
    instruction: MatrixInstruction, tiled: dict[str, int], num_sums: int, wave_size: int
) -> ProductTile:
    m, n = _SUBGROUPS
    instructions = {"m": tiled["m"] // m // instruction.m, "n": tiled["n"] // n // instruction.n}
    uncut = [0] * num_sums
    return ProductTile(
        instruction=instruction.name,
        workgroup=[*tiled.values(), *uncut],
        reduction=[*(0 for _ in tiled), *(1 for _ in uncut[1:]), _DEPTH // instruction.k],
        subgroup=[*(instructions.get(dim, 1) for dim in tiled), *uncut],
        workgroup_size=m * n * wave_size,
        subgroup_size=wave_size,
    )


PLANS = {
    ("lm_head", "linalg"): LmHead,
    ("mlp", "linalg"): Mlp,
    ("output_projection", "linalg"): OutputProjection,
    ("qkv_projection", "linalg"): QkvProjection,
    ("weighted_values", "linalg"): WeightedValues,
}
