"""How the products around attention are cut up on GPUs.

Templates read these numbers and compute none themselves.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from irattn.core.tensors import AnySize, DynamicSize, largest
from irattn.rendering.depth_products import DepthProduct, depth_product
from irattn.rendering.few_rows import FewRowsTile, few_rows_tile
from irattn.rendering.few_tokens import MOST_TOKENS, VectorTile, vector_tile
from irattn.rendering.whole_tiles import in_tiles
from irattn.specs.head_projection import HeadProjectionSpec
from irattn.specs.linear import LinearSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.stages import AttentionScoresSpec, WeightedValuesSpec
from irattn.specs.weight_formats import format_of
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

# The compiler unrolls so few steps of heads: of 128 rows, it spilled 71 registers on gfx1201.
_SHORT_DEPTH = 128

# Of 8 rows, IREE 3.13.0 takes instructions of CDNA that do not compile where the depth is no
# multiple of their step (`Yield operand #0 is not equivalent`); rows are padded instead.
_PADDED_ROWS, _PADDED_COLUMNS, _PADDED_DEPTH = 8, 64, 128
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


@dataclass(frozen=True)
class _WithTokens:
    """The base of products with tokens: the hidden state, of `rows` tokens.

    From a product that has a dimension of size 1 the compiler takes the dimension away, and with it
    the tile; so on GPUs the text has no dimension of one token.
    """

    spec: (
        OutputProjectionSpec
        | QkvProjectionSpec
        | MlpSpec
        | LmHeadSpec
        | LinearSpec
        | HeadProjectionSpec
    )
    target: Target

    @property
    def is_cut_for_gpu(self) -> bool:
        """Whether the compiler makes the product on a GPU, by a tile; not one of packed weights."""
        packed = getattr(self.spec, "weight_format", None)
        return self.target.is_gpu and packed is None

    @property
    def rows(self) -> dict[str, AnySize]:
        """The dimension of all tokens, m, where it is one; on GPUs b and m where only b is unknown.

        A GPU's code has matrix instructions where the compiler knows that rows come in whole steps,
        as those of 64 tokens a sequence do.
        """
        if not self.is_cut_for_gpu:
            return {"m": self.spec.rows}
        batch, q_len = self.spec.size("batch"), self.spec.size("q_len")
        if isinstance(batch, DynamicSize) and isinstance(q_len, int) and q_len > 1:
            return {"b": batch, "m": q_len}
        return {} if self.spec.rows == 1 else {"m": self.spec.rows}

    @property
    def row_groups(self) -> list[list[int]] | None:
        """Which dimensions of the hidden state are one dimension of the product; None: each."""
        if len(self.rows) == 2:
            return None
        return [[0, 1], [2]] if self.rows else [[0, 1, 2]]

    def _depth(
        self,
        tokens: str,
        weight: tuple[str, int],
        sums: tuple[str, int],
        depth: int,
        first: int = 0,
        packed: str | None = None,
    ) -> DepthProduct | None:
        """The product as a CPU's own kernel makes it; arguments as `depth_product` takes them."""
        return depth_product(
            self.target,
            self.spec.io_dtype,
            (tokens, self.spec.rows, depth),
            weight,
            sums,
            first,
            packed=packed,
            rounds=getattr(self.spec, "activation_format", None) is not None,
        )

    def _tile_of_rows(
        self, columns: int, depth: int, most_rows: int = 128
    ) -> ProductTile | VectorTile | None:
        """The tile of x · weightᵀ of all tokens, with a weight of `columns` rows of `depth`."""
        return self._tile({**self.rows, "n": columns}, {"k": depth}, most_rows)

    def _tile(
        self, sizes: Mapping[str, AnySize], sums: dict[str, int], most_rows: int = 128
    ) -> ProductTile | VectorTile | None:
        """The tile of a product over the dimensions `sizes` and then `sums`."""
        spec = self.spec
        if not self.is_cut_for_gpu:
            return None
        if not spec.dynamic and largest(spec.rows) <= MOST_TOKENS:
            known = {dim: largest(size) for dim, size in sizes.items()}
            if tile := vector_tile(known, sums, spec.io_dtype, self.target):
                return tile
        return product_tile(sizes, sums, spec.io_dtype, self.target, most_rows)


@dataclass(frozen=True)
class _WithHeads(_WithTokens):
    """The base of products with heads: those of a decoded token lie side by side in memory."""

    spec: OutputProjectionSpec | QkvProjectionSpec

    @property
    def is_decode(self) -> bool:
        """Whether a product needs no dimension of heads; CPUs do well with one."""
        return self.is_cut_for_gpu and not self.spec.dynamic and self.spec.q_len == 1

    @property
    def tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens; b only where it is one."""
        if self.is_decode:
            return self.rows
        return {**_unless_one(b=self.spec.size("batch")), "m": self.spec.size("q_len")}

    @property
    def decoded_groups(self) -> list[list[int]]:
        """Which dimensions of the heads of decoded tokens are one dimension of the product."""
        return [[0], [1, 2, 3]] if self.rows else [[0, 1, 2, 3]]


@dataclass(frozen=True)
class OutputProjection(_WithHeads):
    """The sum over heads h and their columns k; m tokens by n hidden columns.

    Where heads lie side by side, k runs over the columns of all of them.
    """

    spec: OutputProjectionSpec

    @property
    def is_plain(self) -> bool:
        """Whether they do."""
        return self.is_decode or self.moves_heads

    @property
    def moves_heads(self) -> bool:
        """Whether a token's heads are put side by side first, so that the rest is a plain product.

        For CPUs, where the compiler packs plain products alone: 512 tokens of 32 heads take 0.21 s
        instead of 0.95 (f32, hidden size 4096, one core with AVX-512). Tiles of GPUs gather heads.
        """
        return not self.is_cut_for_gpu

    @property
    def tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens; b only where it is one."""
        return self.rows if self.is_plain else super().tokens

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.hidden_size), ("acc", spec.hidden_size)
        packed = format_of(spec.weight_format, "")
        return _by_sums(self._depth("sequences", weight, sums, spec.attended_size, packed=packed))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        spec = self.spec
        if self.is_plain:
            return self._tile_of_rows(spec.hidden_size, spec.attended_size)
        sizes = {**self.tokens, "n": spec.hidden_size}
        return self._tile(sizes, {"h": spec.num_q_heads, "k": spec.head_dim})


@dataclass(frozen=True)
class QkvProjection(_WithHeads):
    """The sums over hidden columns k; m tokens by n head columns of each head h.

    Of decoded tokens, n runs over the columns of all heads.
    """

    spec: QkvProjectionSpec

    def columns(self, heads: int) -> dict[str, AnySize]:
        """The dimensions of what so many heads make of a token."""
        columns = self.spec.head_dim
        return {"n": heads * columns} if self.is_decode else {"h": heads, "n": columns}

    def sums(self, heads: int) -> dict[str, AnySize]:
        """The dimensions of what so many heads make of all tokens."""
        sizes = {**self.tokens, **self.columns(heads)}
        return {dim: sizes[dim] for dim in "bhmn" if dim in sizes}

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The products of the outputs as kernels, on CPUs that have such."""
        spec, products, rows = self.spec, [], self.spec.weight_rows
        for name, count in spec.heads.items():
            own = name if name in rows else ""
            weight = (f"{own}_weight" if own else "weight", rows[own])
            first = 0 if own else spec.first_heads[name] * spec.head_dim
            sums = (f"{name}_sums", count * spec.head_dim)
            packed = format_of(spec.weight_format, own)
            products.append(self._depth("tokens", weight, sums, spec.hidden_size, first, packed))
        return _by_sums(*products)

    def sums_sizes(self, heads: int) -> list[AnySize]:
        """The sizes of the sums of those kernels, for so many heads: heads come after tokens."""
        return [*self.tokens.values(), heads, self.spec.head_dim]

    @property
    def sums_order(self) -> str:
        """The dimensions of the sums, by letter."""
        return ", ".join([*self.tokens, "h", "n"])

    @property
    def sums_groups(self) -> list[list[int]]:
        """Which dimensions of the sums are rows, and which columns."""
        tokens = len(self.tokens)
        return [list(range(tokens)), [tokens, tokens + 1]]

    def first(self, name: str) -> list[int]:
        """Where the columns of an output begin among those of all heads."""
        head = self.spec.first_heads[name]
        return [head * self.spec.head_dim] if self.is_decode else [head, 0]

    @property
    def strides(self) -> list[int]:
        """The strides of an output's columns."""
        return [1 for _ in self.columns(1)]

    @property
    def head_groups(self) -> list[list[int]]:
        """Which dimensions of an output without b are one dimension of the product."""
        return self.decoded_groups if self.is_decode else [[0, 1], [2], [3]]

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        """The tile of each of the products, which differ in their heads alone."""
        fewest = min(self.spec.heads.values())
        return self._tile(self.sums(fewest), {"k": self.spec.hidden_size})


@dataclass(frozen=True)
class Mlp(_WithTokens):
    """The sums over columns k of what goes in; m tokens by n columns of what comes out."""

    spec: MlpSpec

    @property
    def up_tile(self) -> ProductTile | VectorTile | None:
        """The tile of gate and up: beside more rows, an activation has no registers."""
        spec = self.spec
        return self._tile_of_rows(spec.intermediate_size, spec.hidden_size, most_rows=64)

    @property
    def firsts(self) -> dict[str, int]:
        """Where gate and up begin among the rows of their weight."""
        return {"gate": 0, "up": self.spec.intermediate_size} if self.spec.gated else {"up": 0}

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The products of gate, if there is one, up and down as kernels, on CPUs that have such."""
        spec, inner, names = self.spec, self.spec.intermediate_size, self.spec.up_names
        given = []
        for name, first in self.firsts.items():
            own = name if name in names else spec.up_name
            weight = (f"{own}_weight", spec.up_rows // len(names))
            place, packed = (0 if own == name else first), format_of(spec.weight_format, own)
            sums = (name, inner)
            given.append(self._depth("tokens", weight, sums, spec.hidden_size, place, packed))
        down = ("down_weight", spec.hidden_size), ("down", spec.hidden_size)
        packed = format_of(spec.weight_format, "down")
        return _by_sums(*given, self._depth("inner", *down, inner, packed=packed))

    @property
    def down_tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.hidden_size, self.spec.intermediate_size)


@dataclass(frozen=True)
class LmHead(_WithTokens):
    """The sums over hidden columns k; m tokens by n tokens of the vocabulary."""

    spec: LmHeadSpec

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.vocab_size), ("acc", spec.vocab_size)
        packed = spec.weight_format
        return _by_sums(self._depth("tokens", weight, sums, spec.hidden_size, packed=packed))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.vocab_size, self.spec.hidden_size)


@dataclass(frozen=True)
class Linear(_WithTokens):
    """The sums over columns k of what goes in; m tokens by n columns of what comes out."""

    spec: LinearSpec

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        weight, sums = ("weight", spec.out_columns), ("acc", spec.out_columns)
        packed = spec.weight_format
        return _by_sums(self._depth("tokens", weight, sums, spec.in_columns, packed=packed))

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        return self._tile_of_rows(self.spec.out_columns, self.spec.in_columns)


@dataclass(frozen=True)
class HeadProjection(_WithTokens):
    """The sums over columns k of what goes into each head h; m tokens by n columns that come out.

    Sequences of one token are the tokens of one sequence.
    """

    spec: HeadProjectionSpec

    @property
    def _tokens(self) -> dict[str, AnySize]:
        """The dimensions of tokens, none of size 1."""
        batch, q_len = self.spec.size("batch"), self.spec.size("q_len")
        return _unless_one(m=batch) if self.has_one_token else {**_unless_one(b=batch), "m": q_len}

    @property
    def has_one_token(self) -> bool:
        """Whether each sequence has one token, so that heads come after tokens."""
        return self.spec.q_len == 1

    @property
    def dims(self) -> list[str]:
        """The dimensions of heads and tokens, in the order of the product's loops."""
        return [dim for dim in "bhm" if dim in {*self._tokens, "h"}]

    @property
    def order(self) -> list[str]:
        """The dimensions in the order of memory."""
        return [*self._tokens, "h"] if self.has_one_token else self.dims

    def sizes(self, columns: int) -> list[AnySize]:
        """The sizes in that order, and columns."""
        all_sizes = {**self._tokens, "h": self.spec.num_heads}
        return [*(all_sizes[dim] for dim in self.order), columns]

    @property
    def groups(self) -> list[list[int]] | None:
        """Which dimensions of the heads are one of the product; None: each."""
        if self.has_one_token:
            return [[0], [1, 2], [3]] if self._tokens else [[0, 1, 2], [3]]
        return None if "b" in self._tokens else [[0, 1], [2], [3]]

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product as a kernel of its own, on CPUs that have one, of tokens with heads."""
        spec = self.spec
        if not (self.has_one_token and self._tokens):
            return {}
        columns = spec.num_heads * spec.out_columns
        tokens = ("rows_of_heads", spec.size("batch"), spec.in_columns)
        weight, sums = ("weight_rows", columns), ("sums", columns)
        product = depth_product(
            self.target, spec.io_dtype, tokens, weight, sums, heads=spec.num_heads
        )
        return _by_sums(product)

    @property
    def tile(self) -> ProductTile | VectorTile | None:
        sizes = {**self._tokens, "h": self.spec.num_heads}
        loops, depth = {dim: sizes[dim] for dim in self.dims}, self.spec.in_columns
        most_rows = _ROWS[-1] if depth <= _SHORT_DEPTH else _ROWS[0]
        return self._tile({**loops, "n": self.spec.out_columns}, {"k": depth}, most_rows)


@dataclass(frozen=True)
class GroupedRows:
    """Rows by the KV head that they share: heads of all sequences, rows of each, rows of all."""

    heads: int
    of_group: int
    of_all: int


def _grouped_rows(spec: AttentionScoresSpec | WeightedValuesSpec) -> GroupedRows:
    heads, of_group = spec.batch * spec.num_kv_heads, spec.group_size * spec.q_len
    return GroupedRows(heads, of_group, heads * of_group)


@dataclass(frozen=True)
class AttentionScores:
    """The sums over head columns k; m rows of a group by n tokens of each KV head c."""

    spec: AttentionScoresSpec
    target: Target

    @property
    def rows(self) -> GroupedRows:
        """The rows of queries."""
        return _grouped_rows(self.spec)

    @property
    def tile(self) -> ProductTile | None:
        """A tile where the compiler's own does not do."""
        spec = self.spec
        sizes = {"c": self.rows.heads, "m": self.rows.of_group, "n": spec.kv_len}
        return _padded_tile(sizes, {"k": spec.head_dim}, spec.io_dtype, self.target)


@dataclass(frozen=True)
class WeightedValues:
    """The sums over tokens t; m rows of a group by n value columns of each KV head c."""

    spec: WeightedValuesSpec
    target: Target

    @property
    def rows(self) -> GroupedRows:
        """The rows of weights."""
        return _grouped_rows(self.spec)

    @property
    def tokens(self) -> int:
        """The tokens of the product; on GPUs with zeros up to a whole tile."""
        return in_tiles(self.spec.kv_len, self.target)

    @property
    def tile(self) -> ProductTile | FewRowsTile | None:
        """A tile where the compiler's own does not do."""
        spec, heads, rows = self.spec, self.rows.heads, self.rows.of_group
        sizes = {"c": heads, "m": rows, "n": spec.head_dim}
        return few_rows_tile(heads, rows, spec.head_dim, self.tokens, self.target) or product_tile(
            sizes, {"t": self.tokens}, spec.io_dtype, self.target
        )


def _by_sums(*products: DepthProduct | None) -> dict[str, DepthProduct]:
    """All products by their sums, or none where one of them is the compiler's."""
    by_sums = {product.sums.name: product for product in products if product}
    return by_sums if len(by_sums) == len(products) else {}


def _unless_one(**sizes: AnySize) -> dict[str, AnySize]:
    return {dim: size for dim, size in sizes.items() if largest(size) > 1}


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
        return _padded_tile(sizes, sums, io_dtype, target)
    columns = next((count for count in _COLUMNS if n % count == 0), None)
    most_rows = 64 if instruction.repeats_operands else most_rows
    fitting = (count for count in _ROWS if count <= most_rows and m % count == 0)
    rows = next(fitting, None)
    if columns is None or rows is None or depth % _DEPTH:
        return None
    if 1 in (*sizes.values(), *sums.values()):
        return None
    tiled = {**dict.fromkeys(sizes, 1), "m": rows, "n": columns}
    return _tile_of(instruction, tiled, len(sums), target.wave_size or 1)


def _padded_tile(
    sizes: Mapping[str, AnySize], sums: dict[str, int], io_dtype: str, target: Target
) -> ProductTile | None:
    """On CDNA, the tile of 8 rows or of less than an instruction takes, filled up to that.

    Of few rows and columns IREE 3.13.0 makes what LLVM compiles without end: 6 by 5, 10 by 15.
    """
    instruction = target.matrix.get(io_dtype)
    if instruction is None or instruction.family != "MFMA":
        return None
    if largest(sizes["m"]) < instruction.m and largest(sizes["n"]) < instruction.n:
        return _filled_up(instruction, sizes, len(sums), instruction.n, instruction.k, 1)
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


PLANS = {
    ("attention_scores", "linalg"): AttentionScores,
    ("head_projection", "linalg"): HeadProjection,
    ("linear", "linalg"): Linear,
    ("lm_head", "linalg"): LmHead,
    ("mlp", "linalg"): Mlp,
    ("output_projection", "linalg"): OutputProjection,
    ("qkv_projection", "linalg"): QkvProjection,
    ("weighted_values", "linalg"): WeightedValues,
}
