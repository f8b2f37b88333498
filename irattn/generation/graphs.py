"""The specs that a model consists of: those of steps of packed tokens, and of what follows."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from irattn.specs import Spec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.decoder_layer_parts import NormSpec
from irattn.specs.drawn_choice import DrawnChoiceSpec
from irattn.specs.embedding import EmbeddingSpec
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.specs.join_streams import JoinStreamsSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.position_embedding import PositionEmbeddingSpec
from irattn.specs.split_streams import SplitStreamsSpec
from irattn.specs.state_layer import StateLayer

LayerSpec: TypeAlias = DecoderLayerSpec | StateLayer


@dataclass(frozen=True)
class Phase:
    """The graphs of steps of some tokens, up to the hidden state that the last layer gives.

    `normed` is a norm of the embedding and `places` adds a table of positions, where there are any,
    and `split` makes several hidden states, where layers take such. `layers` has the spec of each
    layer; those of the same kind are equal. `chunks` has the tokens of the chunks that a layer is
    cut into, or None: to its attention each chunk is a sequence. `sources` has for each layer the
    one whose keys and values it reads, mostly itself. Steps have as many tokens as the graphs, or
    any number up to that where it is dynamic.
    """

    embedding: EmbeddingSpec
    normed: NormSpec | None
    places: PositionEmbeddingSpec | None
    split: SplitStreamsSpec | None
    layers: tuple[LayerSpec, ...]
    chunks: tuple[int | None, ...]
    sources: tuple[int, ...]

    # Every layer of every step asks for these.
    @cached_property
    def attending(self) -> dict[int, DecoderLayerSpec]:
        """The layers that read keys and values, by their numbers."""
        layers = enumerate(self.layers)
        return {number: one for number, one in layers if isinstance(one, DecoderLayerSpec)}

    @cached_property
    def cached(self) -> list[int]:
        """The numbers of the layers that have caches of their own, in the order of these."""
        return [number for number in self.attending if self.sources[number] == number]

    def cache_of(self, number: int) -> int:
        """The cache that a layer reads."""
        return self.cached.index(self.sources[number])

    @cached_property
    def remembering(self) -> dict[int, StateLayer]:
        """The layers that have states, by their numbers."""
        layers = enumerate(self.layers)
        return {number: one for number, one in layers if isinstance(one, StateLayer)}

    @property
    def tokens(self) -> int:
        """The most tokens of a step."""
        return self.embedding.batch

    def rows(self, tokens: int) -> int:
        """The rows that the graphs have in a step of so many tokens."""
        return tokens if self.embedding.dynamic else self.tokens

    @property
    def sizes(self) -> str:
        """The size of steps, as messages name it."""
        tokens = f"{self.tokens} token{'s' if self.tokens > 1 else ''}"
        return f"up to {tokens}" if self.embedding.dynamic else tokens


@dataclass(frozen=True)
class Graphs:
    """All graphs of a model.

    `phases` are the steps, from those of the fewest tokens on: one for any number of tokens, or one
    for each of a few. `join` makes one hidden state of several, where layers give such, `norm`,
    where there is one behind the layers, and `head` make logits of the last token of `batch` rows,
    or of up to so many, and `choice` takes the likeliest token of each, or `drawn` also draws
    tokens. A sequence has up to `max_blocks`.
    """

    phases: tuple[Phase, ...]
    join: JoinStreamsSpec | None
    norm: NormSpec | None
    head: LmHeadSpec
    choice: GreedyChoiceSpec
    drawn: DrawnChoiceSpec
    max_blocks: int

    def phase_of(self, tokens: int) -> Phase:
        """The step for so many tokens: the smallest that has room for them."""
        return next(phase for phase in self.phases if phase.tokens >= tokens)

    def phases_for(self, prompts: Iterable[int]) -> list[Phase]:
        """The phases of the first and the last steps of prompts of so many tokens."""
        every = min(sum(prompts), self.phases[-1].tokens)
        return list(dict.fromkeys([self.phase_of(max(every, 1)), self.phases[0]]))

    def rows(self, sequences: int) -> int:
        """The rows of logits of so many sequences."""
        return sequences if self.head.dynamic else self.head.batch

    @property
    def bytes(self) -> int:
        """Bytes of weights, caches and states, where embedding and head have a weight each.

        As many states are kept as sequences of a batch have.
        """
        first = self.phases[0]
        before = (first.embedding, first.normed, first.places, first.split)
        specs = (*first.layers, *before, self.join, self.norm, self.head)
        tensors = [tensor for spec in specs if spec for tensor in spec.inputs]
        kept = [state for one in first.remembering.values() for state in one.states.values()]
        return sum(tensor.bytes for tensor in (*tensors, *kept))

    def named(self, phases: Collection[Phase], draws: bool = False) -> dict[Spec, str]:
        """Each spec of some phases, and those of all steps, once, with what it is for.

        What draws tokens is there only where `draws` are asked for.
        """
        names: dict[Spec, str] = {}
        for phase in phases:
            for layer, kind in zip(phase.layers, _kinds(phase), strict=True):
                names.setdefault(layer, f"{kind}layer of {phase.sizes}")
            names.setdefault(phase.embedding, f"embedding of {phase.sizes}")
            if phase.normed:
                names.setdefault(phase.normed, f"norm of embeddings of {phase.sizes}")
            if phase.places:
                names.setdefault(phase.places, f"positions of {phase.sizes}")
            if phase.split:
                names.setdefault(phase.split, f"split of {phase.sizes}")
        if self.join:
            names[self.join] = "join"
        if self.norm:
            names[self.norm] = "last norm"
        names[self.head] = "head"
        names[self.choice] = "greedy choice"
        if draws:
            names[self.drawn] = "drawn choice"
        return names


def _kinds(phase: Phase) -> Iterator[str]:
    """The words that tell the layers of a phase apart; empty where all are alike."""
    differ = len(set(phase.layers)) > 1
    dense = "dense " if any(one.experts for one in phase.layers) else ""
    for layer, chunk in zip(phase.layers, phase.chunks, strict=True):
        of_mlp = "" if layer.experts else dense if layer.mlp else "half "
        if isinstance(layer, StateLayer):
            yield f"{of_mlp}{layer.op.removesuffix('_layer').replace('_', ' ')} "
            continue
        window = "windowed " if layer.attention.window else "chunked " if chunk else "full "
        of_mlp += "sparse " if layer.sparsity else ""
        shared = "shared " if layer.shares_kv else ""
        rotated = "" if layer.use_rope else "unrotated "
        kind = window + shared + of_mlp + rotated if differ else ""
        yield ("cascade " if layer.is_cascade else "") + kind
