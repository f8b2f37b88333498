"""How CPUs take the gated delta rule: a workgroup has a head of a sequence, and some tokens a turn.

The tokens of a turn read the state once, together: what it holds of their keys and gives their
queries is one product of few rows. Each then corrects what the ones before it have written, and the
state is written once. That is the rule's WY form (Yang et al. 2024, section 3) with chunks so short
that all of a chunk's sums are in registers. Longer chunks multiply more: of C tokens, 4 C numbers a
column besides the state's own 3 key_dim.

Where nothing is corrected the state is multiplied with queries alone, and what is written of a
token is its value times its share.
"""

from dataclasses import dataclass
from typing import Any

from irattn.core.dtypes import dtype
from irattn.core.tensors import largest
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.cpu.registers import registers_of
from irattn.rendering.dynamic import value_of
from irattn.rendering.values import Value
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.targets import Target

# Registers of columns that a row of a product has, where so many columns there are. Of fewer tokens
# it has more, up to twice as many, so that longer runs of memory are read: a step of one token,
# 4 x 32 heads of 128 x 128 that lie in memory, takes 0.89 of the processor time, with 8 registers
# 1.00 (bf16, a Zen 4 core beside others).
_ACROSS = 2


@dataclass(frozen=True)
class ReadingRow:
    """A row that the state is multiplied with: the `name`, key or query, of a token of the turn."""

    name: str
    token: int


@dataclass(frozen=True)
class TokenProduct:
    """The product of a token's `name`, query or key, with the key of a token not after it."""

    name: str
    token: int
    earlier: int

    @property
    def value(self) -> str:
        """The product's name in the graph."""
        return f"{self.name}{self.token}_{self.earlier}"


@dataclass(frozen=True)
class CpuDeltaRule:
    """The kernel: values named %b and %h count sequences and value heads, %t tokens."""

    spec: GatedDeltaRuleSpec
    target: Target

    template = "linalg/gated_delta_rule_cpu.mlir.j2"

    @property
    def lanes(self) -> int:
        """f32 of a register."""
        return registers_of(self.target).lanes

    @property
    def turn(self) -> int:
        """Tokens of a turn: the sums of their keys and queries fill the registers for sums."""
        most = registers_of(self.target).sums // (2 * _ACROSS)
        return min(most, largest(self.spec.size("q_len")))

    @property
    def tokens(self) -> range:
        """The tokens of a turn."""
        return range(self.turn)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Tokens of a turn, each with those before it."""
        return [(i, j) for i in self.tokens for j in range(i)]

    @property
    def products(self) -> list[TokenProduct]:
        """Products of keys with those before them, and of queries with their own, too.

        What keys have of others is asked for by corrections alone.
        """
        keys = [] if self.spec.uncorrected else [TokenProduct("key", i, j) for i, j in self.pairs]
        return [*keys, *(TokenProduct("query", i, j) for i in self.tokens for j in range(i + 1))]

    @property
    def reading(self) -> list[ReadingRow]:
        """The rows that the state is multiplied with, in their order."""
        names = ("query",) if self.spec.uncorrected else ("key", "query")
        return [ReadingRow(name, n) for name in names for n in self.tokens]

    @property
    def first_query(self) -> int:
        """The row of the first query among those that the state is multiplied with."""
        return len(self.reading) - self.turn

    @property
    def last(self) -> int:
        """The last token of a turn."""
        return self.turn - 1

    @property
    def by_channel(self) -> bool:
        """Whether each row of the state has a gate of its own."""
        return self.spec.gate == "channel"

    @property
    def columns(self) -> int:
        """Columns of the state that are in registers at once."""
        most = min(2 * _ACROSS, registers_of(self.target).sums // len(self.reading))
        counts = [1 << n for n in reversed(range(most.bit_length()))]
        return next(
            self.lanes * count
            for count in counts
            if count == 1 or self.spec.value_dim % (self.lanes * count) == 0
        )

    @property
    def cuts_columns(self) -> bool:
        """Whether the last columns are fewer."""
        return self.spec.value_dim % self.columns > 0

    @property
    def key_columns(self) -> int:
        """Columns of a key in whole registers."""
        return -(-self.spec.key_dim // self.lanes) * self.lanes

    @property
    def cuts_keys(self) -> bool:
        """Whether the last register of a key is not full."""
        return self.key_columns != self.spec.key_dim

    @property
    def element(self) -> str:
        """The type of what is stored."""
        return dtype(self.spec.io_dtype).mlir

    @property
    def has_lengths(self) -> bool:
        """Whether a call tells how many tokens are real."""
        return self.spec.ragged or self.spec.packed

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch; the state is written in its own memory."""
        *arguments, state = [whole(tensor) for tensor in self._inputs]
        output = whole(self.spec.outputs[0])
        sizes = sorted({size for value in (*arguments, state) for size in value.chosen})
        return CpuKernel(
            arguments=[*arguments, state],
            sources=[value.name for value in (*arguments, state)],
            results=[output],
            gives=["final_state", "output"],
            sizes=sizes,
            constants=self._constants,
            written=[state],
        )

    @property
    def state(self) -> Value:
        """The state of all heads."""
        return self.kernel.written[0]

    @property
    def output(self) -> Value:
        """The output."""
        return self.kernel.results[0]

    def count(self, name: str) -> str:
        """How many sequences (`batch`) or tokens (`q_len`): the name of a value of the kernel."""
        value = value_of(self.spec.size(name))
        return value if isinstance(value, str) else name

    @property
    def _constants(self) -> dict[str, int]:
        spec = self.spec
        known = {n: getattr(spec, n) for n in ("batch", "q_len") if n not in spec.dynamic}
        return {
            "none": 0,
            "one": 1,
            "turn": self.turn,
            "heads": spec.num_v_heads,
            "key_dim": spec.key_dim,
            "value_dim": spec.value_dim,
            "lanes": self.lanes,
            "columns": self.columns,
            **known,
        }

    @property
    def _inputs(self) -> list[Any]:
        """The inputs with the state at the end."""
        tensors = self.spec.inputs
        return [*(t for t in tensors if t.name != "initial_state"), tensors[5]]
