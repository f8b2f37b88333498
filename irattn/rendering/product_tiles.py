"""How GPUs cut products up for matrix instructions."""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.tensors import AnySize, largest
from irattn.targets import MatrixInstruction, Target

# Depth of one step of a workgroup, its rows and columns (the first that divide those of the
# product; RDNA 3, which keeps operands twice, has registers for fewer rows) and its subgroups along
# rows and columns. The compiler's own tile of these products is four times as deep: on RDNA, what
# it fetches ahead for the next step does not fit the registers of `decoder_layer`.
_DEPTH = 32
ROWS = (128, 64)
_COLUMNS = (128, 96, 64, 32)
_SUBGROUPS = (2, 2)

# Of 8 rows, IREE 3.13.0 takes instructions of CDNA that do not compile where the depth is no
# multiple of their step (`Yield operand #0 is not equivalent`); rows are padded instead.
_PADDED_ROWS, _PADDED_COLUMNS, _PADDED_DEPTH = 8, 64, 128
# Of 5 to 8 rows summed over heads of whole steps of this depth, where no tile of few tokens divides
# the columns, its own tile takes more LDS than gfx942 has, and on gfx950 it crashes.
_HEADS_DEPTH = 64
_CDNA_WAVE = 64


@dataclass(frozen=True)
class ProductTile:
    """How a product is cut up, one number for each of its dimensions (0: not cut).

    `workgroup` counts elements and `subgroup` matrix instructions; `reduction` elements, but of the
    innermost sum matrix instructions. `padding`, if any, is what elements are filled up to.
    """

    instruction: str
    workgroup: list[int]
    reduction: list[int]
    subgroup: list[int]
    workgroup_size: int
    subgroup_size: int
    padding: list[int] | None = None


def product_tile(
    sizes: Mapping[str, AnySize],
    sums: dict[str, int],
    io_dtype: str,
    target: Target,
    most_rows: int = 128,
) -> ProductTile | None:
    """The tile of a product over the dimensions `sizes` and then `sums`, its depth last.

    None leaves it to the compiler: other chips do well with its tile, rows of any number fill no
    tile, and from a product that has a dimension of size 1 it takes the dimension and the tile
    away.
    """
    instruction = target.matrix.get(io_dtype)
    depth, m, n = list(sums.values())[-1], sizes.get("m"), sizes["n"]
    if instruction is None or not isinstance(m, int) or not isinstance(n, int):
        return None
    if not instruction.name.startswith("WMMAR"):
        return padded_tile(sizes, sums, io_dtype, target)
    columns = next((count for count in _COLUMNS if n % count == 0), None)
    most_rows = 64 if instruction.repeats_operands else most_rows
    fitting = (count for count in ROWS if count <= most_rows and m % count == 0)
    rows = next(fitting, None)
    if columns is None or rows is None or depth % _DEPTH:
        return None
    if 1 in (*sizes.values(), *sums.values()):
        return None
    tiled = {**dict.fromkeys(sizes, 1), "m": rows, "n": columns}
    return _tile_of(instruction, tiled, len(sums), target.wave_size or 1)


def padded_tile(
    sizes: Mapping[str, AnySize], sums: dict[str, int], io_dtype: str, target: Target
) -> ProductTile | None:
    """On CDNA, the tile of up to 8 rows or of less than an instruction takes, filled up to that.

    Of few rows and columns IREE 3.13.0 makes what LLVM compiles without end: 6 by 5, 10 by 15.
    """
    instruction = target.matrix.get(io_dtype)
    if instruction is None or instruction.family != "MFMA":
        return None
    if largest(sizes["m"]) < instruction.m and largest(sizes["n"]) < instruction.n:
        return _filled_up(instruction, sizes, len(sums), instruction.n, instruction.k, 1)
    rows = largest(sizes["m"]) * largest(sizes.get("b", 1))
    if len(sums) > 1 and rows <= _PADDED_ROWS and list(sums.values())[-1] % _HEADS_DEPTH == 0:
        return _filled_up(instruction, sizes, len(sums), _PADDED_COLUMNS, _HEADS_DEPTH, 2)
    if sizes["m"] != _PADDED_ROWS or list(sums.values())[-1] % _PADDED_DEPTH:
        return None
    return _filled_up(instruction, sizes, len(sums), _PADDED_COLUMNS, _PADDED_DEPTH, 2)


def _filled_up(
    instruction: MatrixInstruction,
    sizes: Mapping[str, AnySize],
    num_sums: int,
    columns: int,
    depth: int,
    subgroups: int,
) -> ProductTile:
    """A tile of an instruction's rows and so many columns, which that many subgroups share."""
    padded = {"m": instruction.m, "n": columns}
    cut, outer = [padded.get(dim, 1) for dim in sizes], [1] * (num_sums - 1)
    instructions = {"n": columns // subgroups // instruction.n}
    uncut = [0] * num_sums
    return ProductTile(
        instruction=instruction.name,
        workgroup=[*cut, *uncut],
        reduction=[*(0 for _ in cut), *outer, depth // instruction.k],
        subgroup=[*(instructions.get(dim, 1) for dim in sizes), *uncut],
        workgroup_size=subgroups * _CDNA_WAVE,
        subgroup_size=_CDNA_WAVE,
        padding=[*cut, *outer, depth],
    )


def matrix_tile(
    instruction: MatrixInstruction, rows: int, columns: int, wave_size: int
) -> ProductTile:
    """The tile of x · weightᵀ whose workgroup has so many rows and columns."""
    return _tile_of(instruction, {"m": rows, "n": columns}, 1, wave_size)


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
