"""Choose the steps that read once what their sequences share, and the graphs of these."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from irattn.generation.graphs import LayerSpec, Phase
from irattn.generation.sizes import Sizes
from irattn.kvcache.cascade import saved_tokens
from irattn.kvcache.sequence_tables import SequenceTables
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec


class Shared(NamedTuple):
    """Sequences in an order in which those that share blocks stand side by side.

    `order` has their places in the order before, `tokens` how many tokens need not be read again.
    """

    order: list[int]
    tokens: int


@dataclass(frozen=True)
class Cascade:
    """The graphs of steps whose sequences share their first blocks, and how much they must share.

    `phase` has a cascade in the place of each layer's attention that sees all tokens before its
    own, `number` is one of these layers, and so many `least_tokens` must not be read again.
    """

    phase: Phase
    number: int
    least_tokens: int

    @classmethod
    def of(cls, phase: Phase, sizes: Sizes, least_bytes: int) -> Self | None:
        """The cascade of steps of a phase; None where it never pays, however long contexts are."""
        layers = tuple(map(_cascading, phase.layers, phase.chunks))
        numbers = [n for n, one in enumerate(layers) if one != phase.layers[n]]
        if not numbers:
            return None
        attention = phase.attending[numbers[0]].attention
        slots = attention.num_blocks * attention.block_size
        of_token = sum(tensor.bytes for tensor in attention.stored) // slots
        least_tokens = -(-least_bytes // of_token)
        if (sizes.batch - 1) * sizes.context < least_tokens:
            return None
        return cls(replace(phase, layers=layers), numbers[0], least_tokens)

    def shared(self, cache: SequenceTables, sequences: Sequence[int], moves: bool) -> Shared | None:
        """The blocks that sequences of a decode share; None where that is too little to pay.

        Unless it `moves` them, they stay in their order.
        """
        step = cache.packed_step(sequences, 0, self.phase.cache_of(self.number))
        order = [*range(len(sequences))]
        if moves:
            order = _side_by_side(step.block_table[:, 0].tolist())
        ordered = step._replace(
            block_table=step.block_table[order], context_lens=step.context_lens[order]
        )
        tokens = saved_tokens(ordered, self.phase.attending[self.number].attention.block_size)
        return Shared(order, tokens) if tokens >= self.least_tokens else None


def _cascading(layer: LayerSpec, chunk: int | None) -> LayerSpec:
    """A layer with a cascade, where its tokens see all before them alike; others as they are."""
    if not isinstance(layer, DecoderLayerSpec) or chunk is not None:
        return layer
    attention = layer.attention
    if not isinstance(attention, PackedPagedAttentionSpec):
        return layer
    if attention.window is not None or attention.alibi:
        return layer
    return layer.replace(attention=attention.replace(cascade=True))


def _side_by_side(blocks: Sequence[int]) -> list[int]:
    """The places of sequences, those that begin with the same block behind the first of them."""
    places: dict[int, list[int]] = {}
    for place, block in enumerate(blocks):
        places.setdefault(block, []).append(place)
    return [place for alike in places.values() for place in alike]
