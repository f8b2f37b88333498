"""A model on a device: its weights are there, and hidden states stay there."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence

from irattn import targets
from irattn.compiling.artifact import Artifact
from irattn.core.progress import steps
from irattn.generation.choice import Draw, drawn_inputs
from irattn.generation.graphs import Graphs, LayerSpec, Phase
from irattn.generation.parameters import Parameters
from irattn.generation.pieces import Pieces
from irattn.generation.requests import Request
from irattn.generation.sizes import Sizes
from irattn.generation.steps import BatchStep
from irattn.generation.uploads import Uploads
from irattn.generation.weights import Weights
from irattn.kvcache import PagedCache
from irattn.kvcache.counted import CountedSequences
from irattn.kvcache.sequence_states import SequenceStates
from irattn.runtime import DeviceArray, Kernel, load_artifact
from irattn.specs import Spec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.state_layer import StateLayer
from irattn.specs.state_space_layer import StateSpaceLayerSpec


class DeviceModel:
    """The kernels of a model with their weights bound, one paged cache for all layers, and states.

    Where no layer attends, the cache only counts the tokens of sequences.

    `build` gives the artifacts of specs, which come with what each is for. Those of the `phases`
    are there from the start; another phase follows when a step first needs it.
    """

    def __init__(
        self,
        graphs: Graphs,
        sizes: Sizes,
        build: Callable[[Mapping[Spec, str]], Mapping[Spec, Artifact]],
        device: str,
        phases: Collection[Phase],
    ) -> None:
        self.graphs = graphs
        self._build, self._device_name = build, device
        self.kernels: dict[Spec, Kernel] = {}
        self._begin_with = [*phases]
        self._load(self._begin_with)
        self._layer = self.kernels[self._begin_with[0].layers[0]]
        self.device = self._layer.device
        self._waits_for_parts = not targets.get(self._layer.artifact.target).is_gpu
        self.uploads = Uploads(self.device)
        self.states = SequenceStates(self._begin_with[0].remembering, self.device)
        self.cache = self._cache(sizes)
        # Whose tokens the cache has, or will have, in whatever batch.
        self.served: list[Request] = []

    @property
    def has_states(self) -> bool:
        """Whether layers keep states of sequences."""
        return bool(self.graphs.phases[0].remembering)

    def bind(self, parameters: Parameters, weights: Weights) -> None:
        """Put the weights on the device, one layer after the other; what is shared goes once."""
        self._table = table = self._there(weights, parameters.embedding)
        positions = parameters.positions
        self._positions = None if positions is None else self._there(weights, positions)
        around = (parameters.split, parameters.join)
        self._split_weight, join = (one and self._there(weights, one) for one in around)
        self._of_layers = []
        for number in steps(range(len(parameters.layers)), "weights of layer {}".format):
            inputs = parameters.layers[number].items()
            self._of_layers.append({name: self._there(weights, pieces) for name, pieces in inputs})
        of_norm = parameters.embedding_norm.items()
        self._embedding_norm = {name: self._there(weights, pieces) for name, pieces in of_norm}
        self._embed: dict[Phase, Kernel] = {}
        self._normed: dict[Phase, Kernel] = {}
        self._place: dict[Phase, Kernel] = {}
        self._split: dict[Phase, Kernel] = {}
        self._layers: dict[Phase, list[Kernel]] = {}
        for phase in self._begin_with:
            self._bind(phase)
        self._join = self.graphs.join and self.kernels[self.graphs.join].bind(weight=join)
        norm = {name: self._there(weights, pieces) for name, pieces in parameters.norm.items()}
        self._norm = self.graphs.norm and self.kernels[self.graphs.norm].bind(**norm)
        is_shared = parameters.head == parameters.embedding
        head = table if is_shared else self._there(weights, parameters.head)
        bias = parameters.head_bias
        biased = {} if bias is None else {"bias": self._there(weights, bias)}
        self._head = self.kernels[self.graphs.head].bind(weight=head, **biased)
        self._choose = self.kernels[self.graphs.choice]

    def prepare(self, phases: Collection[Phase]) -> None:
        """Compile, load and bind what steps of these phases take, where it is not there yet."""
        missing = [phase for phase in phases if phase not in self._layers]
        if missing:
            self._load(missing)
            for phase in missing:
                self._bind(phase)

    def run(self, step: BatchStep) -> DeviceArray:
        """The hidden states of a step's tokens; their keys and values go into the cache."""
        embedded: DeviceArray = self._embed[step.phase](token_ids=step.token_ids)
        if norm := self._normed.get(step.phase):
            rows = embedded._reshaped((embedded.shape[0], embedded.shape[2]))
            embedded = norm(x=rows)._reshaped(embedded.shape)
        if place := self._place.get(step.phase):
            positions = step.positions._reshaped((embedded.shape[0], 1))
            embedded = place(hidden=embedded, positions=positions)
        hidden = embedded._reshaped((embedded.shape[0], embedded.shape[2]))
        of_tokens = {"token_ids": step.token_ids._reshaped(hidden.shape[:1]), "embedded": hidden}
        if split := self._split.get(step.phase):
            hidden = split(hidden=hidden)
        before = hidden
        for number, kernel in enumerate(self._layers[step.phase]):
            inputs = {"hidden": hidden, **step.of_layer(number)}
            layer = step.phase.layers[number]
            if isinstance(layer, StateSpaceLayerSpec) and layer.has_residual_input:
                inputs |= _beside(step.phase.layers[:number], before, hidden)
            before = hidden
            if isinstance(layer, StateLayer):
                states = self.states.of_layer(number)
                hidden, *updated = kernel(**inputs, **states, donate=tuple(layer.updates.values()))
                self.states.replace(number, updated)
                if self._waits_for_parts:
                    # Hidden state and tokens of the convolution lie in one buffer, and IREE's CPU
                    # devices take no part of one that is still to come.
                    hidden.synchronize()
                continue
            assert isinstance(self.cache, PagedCache)
            own = step.phase.cache_of(number)
            # The cache of keys alone where they are latents; scales follow where it is quantised.
            names = (tensor.name for tensor in layer.attention.stored)
            caches = dict(zip(names, self.cache.caches(own), strict=True))
            if layer.layer_input:
                inputs |= of_tokens
            if layer.reads_embedded:
                inputs["embedded"] = of_tokens["embedded"]
            if layer.shares_kv:
                hidden = kernel(**inputs, **caches)
                continue
            hidden, *updated = kernel(**inputs, **caches, donate=tuple(caches))
            self.cache.replace(own, *updated)
        return hidden

    def logits(self, hidden: DeviceArray, rows: Sequence[int]) -> DeviceArray:
        """Logits of the token after some rows of hidden states: `[rows, 1, vocab_size]`."""
        count, size = self.graphs.rows(len(rows)), self.graphs.head.hidden_size
        last = _rows_of(hidden, rows, (count, *hidden.shape[1:]))
        if self._join:
            last = self._join(streams=last)
        if self._norm:
            last = self._norm(x=last)
        logits: DeviceArray = self._head(hidden=last._reshaped((count, 1, size)))
        return logits

    def choose(self, logits: DeviceArray, draws: Sequence[Draw]) -> DeviceArray:
        """The next token of each row: `[rows, 1]`. Rows past the draws have any."""
        if all(draw.sampling.is_greedy for draw in draws):
            likeliest: DeviceArray = self._choose(logits=logits)
            return likeliest
        if self.graphs.drawn not in self.kernels:
            self.prepare_draws()
        inputs = drawn_inputs(draws, logits.shape[0])
        there = {name: self.uploads.there(name, array) for name, array in inputs.items()}
        drawn: DeviceArray = self.kernels[self.graphs.drawn](logits=logits, **there)
        return drawn

    def prepare_draws(self) -> None:
        """Compile and load what draws tokens, where it is not there yet."""
        self._load((), draws=True)

    def _load(self, phases: Collection[Phase], draws: bool = False) -> None:
        named = self.graphs.named(phases, draws)
        new = {spec: what for spec, what in named.items() if spec not in self.kernels}
        for spec, artifact in self._build(new).items():
            self.kernels[spec] = load_artifact(artifact, self._device_name)

    def _bind(self, phase: Phase) -> None:
        self._embed[phase] = self.kernels[phase.embedding].bind(weight=self._table)
        if phase.normed:
            self._normed[phase] = self.kernels[phase.normed].bind(**self._embedding_norm)
        if phase.places:
            place = self.kernels[phase.places]
            self._place[phase] = place.bind(position_table=self._positions)
        if phase.split:
            self._split[phase] = self.kernels[phase.split].bind(weight=self._split_weight)
        pairs = zip(phase.layers, self._of_layers, strict=True)
        self._layers[phase] = [self.kernels[layer].bind(**weights) for layer, weights in pairs]

    def _cache(self, sizes: Sizes) -> PagedCache | CountedSequences:
        phase = self.graphs.phases[0]
        if not phase.cached:
            return CountedSequences(sizes.num_blocks, sizes.block_size, self.graphs.max_blocks)
        attentions = [phase.attending[number].attention for number in phase.cached]
        one = attentions[0]
        return PagedCache(
            num_layers=len(attentions),
            num_kv_heads=[attention.num_kv_heads for attention in attentions],
            head_dim=[attention.head_dim for attention in attentions],
            num_blocks=one.num_blocks,
            block_size=one.block_size,
            max_blocks=self.graphs.max_blocks,
            io_dtype=one.io_dtype,
            cache_dtype=one.cache_dtype,
            latent_cache=one.latent_cache,
            windows=[attention.window for attention in attentions],
            chunks=[phase.chunks[number] for number in phase.cached],
            device=self.device,
            target=self._layer.artifact.target,
        )

    def _there(self, weights: Weights, pieces: Pieces) -> DeviceArray:
        array = pieces.read(weights, self.graphs.head.io_dtype)
        return DeviceArray.from_numpy(array, self.device)


def _beside(
    behind: Sequence[LayerSpec], before: DeviceArray, hidden: DeviceArray
) -> dict[str, DeviceArray]:
    """The inputs of a state-space step behind some layers: what it reads and what it is added to.

    `before` is what the last of these read, and `hidden` what it made. Beside attention (Falcon-H1)
    the step reads what attention did. Behind attention that reads the embedding (Zamba 2) it reads
    what that made, and is added to what was before. Behind no attention both are the same.
    """
    last = behind[-1] if behind else None
    if not isinstance(last, DecoderLayerSpec):
        return {"hidden": hidden, "residual_hidden": hidden}
    if last.reads_embedded:
        return {"hidden": hidden, "residual_hidden": before}
    return {"hidden": before, "residual_hidden": hidden}


def _rows_of(array: DeviceArray, rows: Sequence[int], shape: tuple[int, ...]) -> DeviceArray:
    """An array of this shape: these rows of another first, and zeros behind them."""
    if math.prod(array.shape) == math.prod(shape) and list(rows) == list(range(len(rows))):
        return array._reshaped(shape)
    taken = DeviceArray.zeros(shape, array.dtype, array.device)
    size = math.prod(shape[1:]) * array.dtype.itemsize
    parts = [(row * size, place * size, size) for place, row in enumerate(rows)]
    taken._copy_parts(array, parts)
    return taken
