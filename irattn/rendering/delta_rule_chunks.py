"""How GPUs take the gated delta rule with matrix instructions: 16 tokens at once, a chunk.

That is the rule's WY form (Yang et al. 2024, section 3): a triangular system of 16 equations says
what a chunk's tokens write. A kernel before multiplies keys and queries of each chunk with its
keys, all chunks at once, once for all value heads of a key head. Each wave then solves the
equations of a chunk of its own, in f32. Then all waves take one chunk after the other, each with 16
columns of the state in the sums of its matrix instructions. Of longer chunks more is multiplied:
with heads of 128, chunks of C tokens take 1 + C / 96 of the recurrence's own operations.

Of a chunk's 216 matrix instructions, where two value heads share a key head, 192 are the
recurrence's. 16 of both heads together multiply keys and queries with keys: all of a square of
tokens, though no more than half of it is asked for, as no instruction is smaller. Two more of each
wave take solution and weights to its columns. Of heads alone it is 16 each, 224 of 192: halves of
8 tokens, of which 6 of 8 blocks are asked for, fill two squares again, as what is left of them has
neither rows nor columns in common. Weights times solution, or keys times it, made once for all
waves, take as many as they save.

Where nothing is corrected there are no equations: what is written of a token is its value times its
share, keys are not multiplied with keys, and the state not with keys.
"""

from dataclasses import dataclass

from irattn.core.tensors import TensorType, largest
from irattn.rendering.attention.lane_layouts import LAYOUTS, LaneLayout
from irattn.rendering.delta_rule_gpu import GpuDeltaRule
from irattn.rendering.flat_tensors import FlatTensor
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.targets import Target

# Tokens of a chunk, columns of a wave, and depth of a matrix instruction.
SIDE = 16

# Waves of a workgroup, and columns of keys of all their chunks: 8 of 128 take all 64 KB of LDS.
_MOST_WAVES = 8
_MOST_KEYS = 1024

# From a row of 16 sums in f32 to the next, so that lanes read banks of their own.
_F32_PITCH = 20


# Rows of the state that a lane may keep. With keys of 256, twice as many on RDNA spilled 32 to 112
# registers.
_MOST_ROWS = 64

# Those whose matrix instructions are 16 deep and take denormal numbers for what they are.
_FAMILIES = ("cdna3", "cdna4", "rdna3", "rdna3.5", "rdna4")


def takes_chunks(spec: GatedDeltaRuleSpec, target: Target) -> bool:
    """Whether matrix instructions have chunks: of many tokens, in 16 bits, with gates of heads."""
    return (
        target.family is not None
        and target.family.name in _FAMILIES
        and spec.io_dtype in ("f16", "bf16")
        and spec.gate == "head"
        and largest(spec.size("q_len")) >= SIDE
        and spec.key_dim % SIDE == 0
        and spec.value_dim % SIDE == 0
        and ChunkedDeltaRule(spec, target).row_count <= _MOST_ROWS
    )


@dataclass(frozen=True)
class ChunkedDeltaRule(GpuDeltaRule):
    """The kernel, chunk by chunk: besides, %c counts chunks of a turn."""

    template = "linalg/gated_delta_rule_chunks.mlir.j2"

    @property
    def layout(self) -> LaneLayout:
        """Which lane holds what of a product."""
        return LAYOUTS[self.target.matrix[self.spec.io_dtype].family]

    @property
    def instruction(self) -> str:
        """IREE's name of the matrix instruction."""
        return self.target.matrix[self.spec.io_dtype].name

    @property
    def waves(self) -> int:
        """Waves of a workgroup, and chunks of a turn."""
        most = min(_MOST_WAVES, _MOST_KEYS // self.spec.key_dim)
        tiles = self.spec.value_dim // SIDE
        return max(waves for waves in range(1, most + 1) if tiles % waves == 0)

    @property
    def lanes(self) -> int:
        """The lanes of a workgroup."""
        return self.waves * self.wave_size

    @property
    def tokens_of_turn(self) -> int:
        """Tokens of all chunks of a turn."""
        return self.waves * SIDE

    @property
    def turns(self) -> int:
        """Turns of the longest sequence, where no call chooses how long it is."""
        return -(-self.spec.q_len // self.tokens_of_turn)

    @property
    def scored(self) -> list[str]:
        """The rows that keys are multiplied with: keys for corrections alone."""
        return ["query"] if self.spec.uncorrected else ["key", "query"]

    @property
    def squares(self) -> list[str]:
        """The squares of a chunk: solutions of equations, and weights of its tokens in outputs."""
        return ["weights"] if self.spec.uncorrected else ["solution", "weights"]

    @property
    def given_numbers(self) -> list[str]:
        """The numbers of tokens that other lanes of a wave read."""
        names = ["kept", "share", "key_factor", "query_factor"]
        return ["kept", "query_factor"] if self.spec.uncorrected else names

    @property
    def made_numbers(self) -> list[str]:
        """The numbers of a chunk's tokens that all waves read."""
        first = "beta" if self.spec.uncorrected else "reads_key"
        return [first, "reads_query", "writes_key", "until"]

    @property
    def scores(self) -> list[FlatTensor]:
        """The products of a token's key with the keys and queries of its chunk, 16 of each."""
        return [self._made(f"{name}_scores", SIDE) for name in self.scored]

    @property
    def factors(self) -> list[FlatTensor]:
        """The factors that bring a token's key and query to a length of 1, if they are to be."""
        return [self._made(f"{name}_factor") for name in ("key", "query") if self.spec.qk_l2_norm]

    @property
    def known(self) -> list[FlatTensor]:
        """The tensors that the kernel before reads."""
        of_heads = {"value", "g", "beta"}
        return [flat for flat in self.operands if flat.name not in of_heads]

    @property
    def made(self) -> list[FlatTensor]:
        """The tensors that the kernel before makes of keys and queries."""
        return [*self.scores, *self.factors]

    def _made(self, name: str, *columns: int) -> FlatTensor:
        key = next(tensor for tensor in self.spec.inputs if tensor.name == "key")
        return self._flat(TensorType(name, (*key.shape[:-1], *columns), "f32"))

    @property
    def key_columns(self) -> dict[str, int]:
        """The columns of a key head, by what has them."""
        return {**super().key_columns, "scores": SIDE}

    @property
    def columns(self) -> int:
        """Columns of a workgroup."""
        return self.waves * SIDE

    @property
    def own(self) -> int:
        """Tokens of a chunk whose sums a lane has, and rows of the state of each 16."""
        return SIDE // self.layout.groups

    @property
    def repeats(self) -> bool:
        """Whether each group needs what the others have as operands."""
        return self.layout.operand_groups < self.layout.groups

    @property
    def depth(self) -> int:
        """Elements of an operand that a lane has."""
        return SIDE // self.layout.operand_groups

    @property
    def steps(self) -> int:
        """Matrix instructions along a key."""
        return self.spec.key_dim // SIDE

    @property
    def row_count(self) -> int:
        """Rows of the state that a lane keeps."""
        return self.spec.key_dim // self.layout.groups

    @property
    def chunk_numbers(self) -> range:
        """Tokens of a chunk by number."""
        return range(SIDE)

    @property
    def own_numbers(self) -> range:
        """A lane's own tokens of a chunk by number."""
        return range(self.own)

    def pairs_of_groups(self, half: int) -> list[int]:
        """Pairs of two groups that have `half` each: the one's and the other's of a step."""
        of_step = self.own // 2
        return [
            group + step + n
            for step in range(0, half, of_step)
            for group in (0, half)
            for n in range(of_step)
        ]

    @property
    def distances(self) -> list[int]:
        """The distances between lanes that exchange what groups have."""
        return [SIDE << n for n in range(self.layout.groups.bit_length() - 1)]

    @property
    def scales(self) -> bool:
        """Whether what is multiplied has fewer powers of 2 than f32."""
        return self.element == "f16"

    @property
    def scales_keys(self) -> bool:
        """Whether keys are given that may be far from their length of 1."""
        return self.scales and self.spec.qk_l2_norm

    @property
    def cuts_chunks(self) -> bool:
        """Whether the last chunk may have fewer tokens."""
        return not isinstance(self.tokens, int) or self.tokens % SIDE > 0

    @property
    def f32_pitch(self) -> int:
        """From a row of sums in LDS to the next."""
        return _F32_PITCH
