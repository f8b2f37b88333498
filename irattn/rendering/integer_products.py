"""Products of whole numbers on CPUs: tokens in int8, and blocks of quantised weights.

Each 32 numbers of a token have a scale; they are rounded once, before all rows of the weight. A
part of a block is multiplied and added up in 32 bits, exactly, and scaled as one number. Scales are
made for 8 parts at a time, a lane for each, and so is what the numbers of a weight have too much.
"""

from dataclasses import dataclass, replace

from irattn.rendering.cpu.kernels import CpuKernel
from irattn.rendering.cpu.registers import byte_dots
from irattn.rendering.packed_blocks import LANES, PART_ELEMENTS, PackedBlocks
from irattn.rendering.values import Value, vector_type
from irattn.targets import Target


@dataclass(frozen=True)
class RoundedTokens:
    """The tokens of a product in int8, `numbers`, made of what is `given`.

    `dots` is what `byte_dots` says of the processor. Products `in_panels` begin with whole numbers,
    where the weight's numbers have too much.
    """

    given: Value
    numbers: Value
    packed: PackedBlocks
    dots: str
    in_panels: bool = False

    @property
    def too_much(self) -> int:
        """How much each number of the weight has too much; 1 of formats that have minima."""
        if self.packed.name == "q8_0":
            # Only instructions that add up four products at once need numbers without signs.
            return 128 if self.dots == "vnni" else 0
        return 1 if self.packed.has_minimum else self.packed.too_much[0]

    @property
    def has_scales_of_parts(self) -> bool:
        """Whether each part of a weight has one scale; Q6_K has two."""
        return self.packed.name != "q6_k"

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Parts that are multiplied two at once: the low halves of both, and then the high ones."""
        if self.packed.name != "q4_0" or self.packed.count < 2 or self.dots == "widened":
            return []
        return [(part, part + 1) for part in self.packed.parts[::2]]

    @property
    def sum_elements(self) -> int:
        """Numbers that have a scale in common."""
        return PART_ELEMENTS if self.has_scales_of_parts else PART_ELEMENTS // 2

    @property
    def sums_of_part(self) -> range:
        """The sums of a part."""
        return range(PART_ELEMENTS // self.sum_elements)

    @property
    def sums_of_step(self) -> range:
        """Where the sums of a step along the depth begin, by registers of them."""
        return range(0, self.packed.elements // self.sum_elements, LANES)

    @property
    def step_sums(self) -> int:
        """Sums of a step."""
        return self.packed.elements // self.sum_elements

    @property
    def register_sums(self) -> int:
        """Sums in a register of them."""
        return min(LANES, self.step_sums)

    def of_step(self, element: str) -> str:
        """The type of a number for each sum of a step, of those that fit in a register."""
        return vector_type([self.register_sums], element)

    @property
    def parts(self) -> int:
        """Parts of a row."""
        return int(self.numbers.shape[1]) // PART_ELEMENTS

    @property
    def scales(self) -> Value:
        """The scale of each part of a row."""
        return Value(f"{self.numbers.name}_scales", (self.numbers.shape[0], self.parts), "f32")

    @property
    def sums(self) -> Value | None:
        """The sums of tokens that numbers of the weight have too much, by their scales."""
        if not self.too_much:
            return None
        count = self.parts * len(self.sums_of_part)
        element = "i32" if self.has_whole_sums else "f32"
        return Value(f"{self.numbers.name}_sums", (self.numbers.shape[0], count), element)

    @property
    def has_whole_sums(self) -> bool:
        """Whether these sums have no scale; that of minima is not the one of numbers."""
        return self.in_panels and not self.packed.has_minimum

    def begin_of(self, place: int) -> str:
        """The value that a whole sum of that number begins with, of columns that lanes have."""
        return f"%token_sum{place}" if self.sums and self.has_whole_sums else "%no_words"

    @property
    def rows_value(self) -> str:
        """The name of the number of rows in the kernel."""
        rows = self.given.shape[0]
        return rows if isinstance(rows, str) else "rows"

    @property
    def made(self) -> list[Value]:
        """The values that products read of tokens."""
        return [self.numbers, self.scales, *([self.sums] if self.sums else [])]

    @property
    def kernel(self) -> CpuKernel:
        """The dispatch that makes them."""
        numbers = {"none": 0, "one": 1, "parts": self.parts}
        if not isinstance(self.given.shape[0], str):
            numbers["rows"] = self.given.shape[0]
        return CpuKernel(
            arguments=[self.given],
            sources=[self.given.name],
            results=self.made,
            gives=[value.name for value in self.made],
            sizes=self.given.chosen,
            constants=numbers,
        )


def rounded_tokens(target: Target, given: Value, sums: str, packed: PackedBlocks) -> RoundedTokens:
    """The tokens `given` for the product that is called `sums`."""
    numbers = Value(f"{given.name}_of_{sums}", given.shape, "i8")
    packed = step_of(packed, int(given.shape[1]))
    return RoundedTokens(given, numbers, packed, byte_dots(target))


def step_of(packed: PackedBlocks, depth: int) -> PackedBlocks:
    """A step along a row: as many blocks as have 8 parts, or as leave no rest of the depth."""
    if len(packed.parts) > 1:
        return packed
    blocks = depth // packed.elements
    return replace(packed, count=next(count for count in (8, 4, 2, 1) if blocks % count == 0))
