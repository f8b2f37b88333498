"""How lanes of GPUs make two f16 of two bytes of a word: an instruction puts bytes side by side."""

from dataclasses import dataclass, replace

from irattn.targets import Target


@dataclass(frozen=True)
class BytePairs:
    """The intrinsic that joins bytes of a word and of a second one, `beside`.

    `places` say which, for the first two bytes of a word and for the last two. A whole number is
    the lower byte of an f16 whose upper one says 1024; a float is the upper byte, above zeros.
    """

    intrinsic: str
    beside: int
    places: tuple[int, int]
    # Whether the word comes before the second one.
    has_word_first: bool
    # The intrinsic that makes the two f16 of two such floats at once, where a chip has one.
    conversion: str | None = None

    @property
    def operands(self) -> tuple[str, str]:
        """The two words by name, in their order."""
        return ("word", "beside") if self.has_word_first else ("beside", "word")


# The bytes of 1024 in f16, four times.
_WHOLE = 0x64646464

_PAIRS = {
    (False, False): BytePairs("llvm.amdgcn.perm", _WHOLE, (0x04010400, 0x04030402), False),
    (False, True): BytePairs("llvm.amdgcn.perm", 0, (0x01040004, 0x03040204), False),
    (True, False): BytePairs("llvm.nvvm.prmt", _WHOLE, (0x4140, 0x4342), True),
    (True, True): BytePairs("llvm.nvvm.prmt", 0, (0x1404, 0x3424), True),
}

# By family and format. Of fp8_e5m2 a byte is the upper one of its f16 as it is.
_CONVERSIONS = {("ada", "fp8_e4m3"): "llvm.nvvm.e4m3x2.to.f16x2.rn"}


def byte_pairs(target: Target, floats: str | None) -> BytePairs:
    """The pairs of bytes of a GPU: of floats of the format of that name, or of whole numbers."""
    pairs = _PAIRS[target.driver == "cuda", floats is not None]
    family = target.family.name if target.family else ""
    return replace(pairs, conversion=_CONVERSIONS.get((family, floats or "")))
