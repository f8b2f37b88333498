"""How a row's tokens are searched for the one that is drawn: each pass finds some bits of an order.

A workgroup has a row. A pass over its tokens adds up the weights of those that are at least as
likely as each of a few bounds; no token is moved.
"""

import math
from dataclasses import dataclass

from irattn.core.tensors import DynamicSize
from irattn.rendering.cpu.kernels import CpuKernel, whole
from irattn.rendering.cpu.registers import registers_of
from irattn.rendering.dynamic import value_of
from irattn.rendering.greedy_choice import GreedyChoice
from irattn.rendering.values import Value
from irattn.specs.drawn_choice import (
    DISTANCE_BITS,
    FAR,
    HALVING_TERMS,
    LEAST_TEMPERATURE,
    WEIGHT_BITS,
    DrawnChoiceSpec,
)
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.targets import Target

# The most lanes of a GPU that search a row, and the tokens that each reads at once.
_LANES, _OF_LANE = 512, 4

# Bits that a pass finds. On a GPU lanes tell each other their sums after each, and fewer passes are
# faster; a CPU compares with three bounds for two bits, and with one each for one bit twice.
_GPU_BITS, _CPU_BITS = 2, 1


@dataclass(frozen=True)
class DrawnChoice:
    """The numbers of the graph; values named %b and %m count rows."""

    spec: DrawnChoiceSpec
    target: Target

    halving_terms = HALVING_TERMS
    distance_bits = DISTANCE_BITS
    least_temperature = LEAST_TEMPERATURE

    @property
    def choice(self) -> GreedyChoice:
        """How the largest logit is found."""
        spec = self.spec
        sizes = {"batch": spec.batch, "q_len": spec.q_len, "vocab_size": spec.vocab_size}
        return GreedyChoice(
            GreedyChoiceSpec(**sizes, io_dtype=spec.io_dtype, dynamic=spec.dynamic), self.target
        )

    @property
    def sign_bits(self) -> int:
        """The sign of a logit's bits, and all bits above."""
        return -self.choice.magnitude_bits - 1

    @property
    def distance_scale(self) -> float:
        """A logit's distance at temperature 1."""
        return float(2**DISTANCE_BITS) * math.log2(math.e)

    @property
    def far(self) -> float:
        """The distance from which on weights are 0."""
        return float(FAR * 2**DISTANCE_BITS)

    @property
    def fraction_mask(self) -> int:
        """The bits of a distance below 1."""
        return (1 << DISTANCE_BITS) - 1

    @property
    def heaviest(self) -> int:
        """The weight of the likeliest token."""
        return 1 << WEIGHT_BITS

    @property
    def size(self) -> int:
        """Tokens of a row, with those that fill up the last part."""
        return self.choice.padded_size

    @property
    def width(self) -> int:
        """Tokens that are read at once."""
        return _OF_LANE if self.target.is_gpu else registers_of(self.target).lanes

    @property
    def lanes(self) -> int:
        """Lanes of a workgroup, whole waves."""
        wave = self.wave_size
        return min(_LANES, -(-self.size // (wave * _OF_LANE)) * wave)

    @property
    def wave_size(self) -> int:
        """Lanes of a wave."""
        return self.target.wave_size or 1

    @property
    def waves(self) -> int:
        """Waves of a workgroup."""
        return self.lanes // self.wave_size

    @property
    def distances(self) -> list[int]:
        """The distances between lanes that exchange sums: halfway across, and halfway again."""
        return [1 << n for n in range(self.wave_size.bit_length() - 1)]

    @property
    def stride(self) -> int:
        """Tokens that a workgroup reads at once."""
        return self.width * (self.lanes if self.target.is_gpu else 1)

    @property
    def bits(self) -> int:
        """Bits that a pass finds."""
        return _GPU_BITS if self.target.is_gpu else _CPU_BITS

    @property
    def bounds(self) -> range:
        """The bounds of a pass, counted from 1."""
        return range(1, 2**self.bits)

    @property
    def lowest_order(self) -> int:
        """The bits that are searched, added to this, make all orders of logits."""
        return 0 if self._order_bits == 32 else 2**31 - 2 ** (self._order_bits - 1)

    @property
    def order_steps(self) -> range:
        """Passes that find a logit."""
        return range(self._order_bits // self.bits)

    @property
    def first_order_shift(self) -> int:
        """The bits below those that the first pass finds."""
        return self._order_bits - self.bits

    @property
    def token_steps(self) -> range:
        """Passes that find a token among those with equal logits."""
        return range(-(-(self.size - 1).bit_length() // self.bits))

    @property
    def first_token_shift(self) -> int:
        """The bits below those that the first pass finds."""
        return self.bits * (len(self.token_steps) - 1)

    @property
    def _order_bits(self) -> int:
        return int(self.choice.bits.removeprefix("i"))

    @property
    def orders(self) -> Value:
        """Logits as integers, or weights."""
        batch, q_len = self.spec.inputs[1].shape
        return Value("orders", (value_of(batch), value_of(q_len), self.size), "i32")

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch of the searches."""
        rows = self.orders.shape[:2]
        weights = Value("weights", self.orders.shape, "i32")
        largest = Value("largest", rows, "i32")
        arguments = [self.orders, weights, largest, *map(whole, self.spec.inputs[1:])]
        return CpuKernel(
            arguments=arguments,
            sources=["row_largest" if one is largest else one.name for one in arguments],
            results=[whole(self.spec.outputs[0])],
            gives=["token_ids"],
            sizes=self.orders.chosen,
            constants={"none": 0, "one": 1, **self._known},
        )

    @property
    def _known(self) -> dict[str, int]:
        sizes = {name: self.spec.size(name) for name in ("batch", "q_len")}
        return {name: size for name, size in sizes.items() if isinstance(size, int)}

    @property
    def batch(self) -> str:
        """The number of sequences: a value of the kernel."""
        return "batch_dim" if isinstance(self.spec.size("batch"), DynamicSize) else "batch"


PLANS = {("drawn_choice", "linalg"): DrawnChoice}
