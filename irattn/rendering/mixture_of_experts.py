"""How the tokens of each expert come together: blocks of rows that have the same expert.

A token has a place for each of its experts. Places are counted by expert: those of expert 0 come
first, tokens in their order. A block is some places of one expert. How many blocks there are
depends on what the router chooses; there are as many as there may be, and some are empty.
"""

from collections.abc import Callable
from dataclasses import dataclass

from irattn.core.tensors import AnySize, DynamicSize
from irattn.rendering.depth_products import DepthProduct
from irattn.rendering.expert_products import ExpertProducts, rows_of_blocks
from irattn.rendering.product_choice import depth_product
from irattn.rendering.product_tiles import ProductTile, product_tile
from irattn.specs.experts import CLAMPED_SWIGLU
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.targets import Target

# Tokens that are counted together before chunks are.
_CHUNK = 64


@dataclass(frozen=True)
class MixtureOfExperts:
    """The numbers of the graph."""

    spec: MixtureOfExpertsSpec
    target: Target

    @property
    def rows(self) -> dict[str, AnySize]:
        """The dimension of all tokens."""
        return {"m": self.spec.rows}

    @property
    def row_groups(self) -> list[list[int]]:
        """Which dimensions of the hidden state are one dimension of the product."""
        return [[0, 1], [2]]

    @property
    def is_single(self) -> bool:
        """Whether there is one token, whose places are its experts' ranks."""
        return self.spec.rows == 1

    @property
    def block_rows(self) -> int:
        """The most rows of a block."""
        return rows_of_blocks(self.spec, self.target)

    @property
    def products(self) -> ExpertProducts:
        """The products with the experts' weights."""
        return ExpertProducts(self.spec, self.target, self.block_rows, self.places, self.blocks)

    @property
    def alignment(self) -> int:
        """The places of an expert begin at a multiple of this."""
        return self.block_rows if self.target.is_gpu else 1

    @property
    def groups(self) -> int:
        """Groups that are told apart: of one expert each, the best groups are the best experts."""
        return self.spec.num_groups if self.spec.group_size > 1 else 1

    @property
    def group_rows(self) -> AnySize:
        """Tokens with their groups."""
        return _sized(self.spec.rows, "group_rows", lambda rows: rows * self.spec.num_groups)

    @property
    def pairs(self) -> AnySize:
        """Tokens with their experts."""
        return _sized(self.spec.rows, "pairs", lambda rows: rows * self.spec.experts_per_token)

    @property
    def blocks(self) -> AnySize:
        """Blocks, the most that there may be."""
        return _sized(self.spec.rows, "blocks", self._most_blocks)

    def _most_blocks(self, rows: int) -> int:
        pairs = rows * self.spec.experts_per_token
        return pairs if self.is_single else pairs // self.block_rows + self.spec.num_experts

    @property
    def places(self) -> AnySize:
        """Places, the most that there may be."""
        if not self.target.is_gpu:
            return _sized(self.pairs, "places", lambda pairs: pairs)
        return _sized(self.blocks, "places", lambda blocks: blocks * self.block_rows)

    @property
    def chunks(self) -> AnySize:
        """Chunks of tokens that are counted together."""
        return _sized(self.spec.rows, "chunks", lambda rows: -(-rows // self.chunk))

    @property
    def chunk(self) -> int:
        """Tokens of a chunk."""
        return _CHUNK

    @property
    def padded_rows(self) -> AnySize:
        """Tokens of whole chunks."""
        return _sized(self.chunks, "padded", lambda chunks: chunks * _CHUNK)

    @property
    def counts(self) -> dict[str, str]:
        """Sizes that follow from a call's rows, by the names of their values: maps of n rows."""
        if not isinstance(self.spec.rows, DynamicSize):
            return {}
        each, block = self.spec.experts_per_token, self.block_rows
        blocks = f"(n * {each}) floordiv {block} + {self.spec.num_experts}"
        return {
            "group_rows": f"n * {self.spec.num_groups}",
            "pairs": f"n * {each}",
            "blocks": blocks,
            "places": f"({blocks}) * {block}" if self.target.is_gpu else f"n * {each}",
            "chunks": f"n ceildiv {_CHUNK}",
            "padded": f"n ceildiv {_CHUNK} * {_CHUNK}",
            "padding": f"n ceildiv {_CHUNK} * {_CHUNK} - n",
        }

    @property
    def padding(self) -> int | str:
        """Rows that make chunks whole."""
        rows = self.spec.rows
        return "%padding_dim" if isinstance(rows, DynamicSize) else -rows % _CHUNK

    @property
    def is_clamped(self) -> bool:
        """Whether gates are GPT-OSS's."""
        return self.spec.activation == CLAMPED_SWIGLU

    @property
    def first_sums(self) -> list[str]:
        """The sums of the first product that an activation reads: of gates, and of ups."""
        if self.spec.is_plain:
            return ["%up_sums"]
        return ["%gate_sums", "%up_sums"] if self.spec.gates_are_apart else ["%gate", "%up"]

    @property
    def depth(self) -> dict[str, DepthProduct]:
        """The product with the router as a kernel of its own, on CPUs that have one."""
        spec = self.spec
        router = depth_product(
            self.target,
            spec.io_dtype,
            (self.routed, spec.rows, spec.hidden_size),
            ("router_weight", spec.num_experts),
            ("products", spec.num_experts),
        )
        return {"products": router} if router else {}

    @property
    def router_tile(self) -> ProductTile | None:
        """The tile of the product with the router; with the compiler's own, RDNA 3 spills."""
        spec, sizes = self.spec, {**self.rows, "n": self.spec.num_experts}
        instruction = self.target.matrix.get(spec.io_dtype)
        if instruction is None or not instruction.repeats_operands:
            return None
        return product_tile(sizes, {"k": spec.hidden_size}, spec.io_dtype, self.target)

    @property
    def countings(self) -> list[tuple[str, list[int], list[int], list[int]]]:
        """How numbers are counted: an end of a name, and of each loop what a workgroup has, a lane
        has, and a step takes. A lane counts for one of them."""
        wave = self.target.wave_size or 1
        of_rows = ("", [1, wave, 0], [1, 1, 0], [0, 0, 1])
        of_row = ("_of_row", [wave, 0], [1, 0], [0, 1])
        return [of_rows, of_row] if self.is_single else [of_rows]

    @property
    def routed(self) -> str:
        """The rows that the router reads."""
        return "routed_tokens" if self.spec.has_router_input else "tokens"

    @property
    def shared_arguments(self) -> list[str]:
        """The arguments of what is shared after the hidden state."""
        inputs = self.spec.shared.inputs[1:] if self.spec.shared else ()
        return [f"shared_{tensor.name}" for tensor in inputs]


def _sized(size: AnySize, name: str, made: Callable[[int], int]) -> AnySize:
    """A size made of another: a number, or a size of that name where a call chooses."""
    if isinstance(size, DynamicSize):
        return DynamicSize(made(size.most), name)
    return made(size)


PLANS = {("mixture_of_experts", "linalg"): MixtureOfExperts}
