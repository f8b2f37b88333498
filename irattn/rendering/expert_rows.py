"""Which rows of a weight in blocks tokens are multiplied with, where each expert has its own."""

from dataclasses import dataclass

from irattn.rendering.values import Value


@dataclass(frozen=True)
class ExpertRows:
    """The `experts` of blocks of tokens, of `count` rows of the weight each.

    `ends` are 0 of a block without tokens; None where no block is empty.
    """

    experts: Value
    ends: Value | None
    count: int

    @property
    def arguments(self) -> list[Value]:
        """The tensors that a kernel reads to know."""
        return [self.experts, *([self.ends] if self.ends else [])]
