"""The graphs that a model folder asks for."""

from dataclasses import fields, replace
from typing import Any

from irattn.core.dtypes import dtype
from irattn.core.errors import ConfigError
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_formats import format_of_table, with_formats
from irattn.generation.gguf_model import GgufModel
from irattn.generation.graphs import Graphs, LayerSpec, Phase
from irattn.generation.sizes import Sizes
from irattn.models import Model, model_from_config
from irattn.models.kinds import STATEFUL
from irattn.models.quantised_layers import with_quantised_weights
from irattn.specs.cache_elements import made_scale
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.decoder_layer_parts import NormSpec
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.drawn_choice import DrawnChoiceSpec
from irattn.specs.embedding import EmbeddingSpec
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.specs.join_streams import JoinStreamsSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.position_embedding import PositionEmbeddingSpec
from irattn.specs.rope_scaling import LongRopeScaling
from irattn.specs.split_streams import SplitStreamsSpec
from irattn.specs.state_layer import StateLayer
from irattn.specs.state_space_layer import StateSpaceLayerSpec

# Batches of up to so many sequences have the same graphs around the layers.
_BATCH_STEP = 8


def graphs_of(
    folder: ModelFolder,
    sizes: Sizes,
    io_dtype: str | None,
    cache_dtype: str | None = None,
    activation_format: str | None = None,
) -> Graphs:
    """The graphs of a model; `io_dtype` None is the file's own, `cache_dtype` None is `io_dtype`.

    `activation_format` is that of all products with quantised weights.
    ConfigError, naming the key, for what irattn does not have.
    """
    attends = any(kind.name not in STATEFUL for kind in folder.kinds)
    model = model_from_config(
        folder.config,
        batch=sizes.batch,
        q_len=1,
        kv_len=sizes.context,
        block_size=sizes.block_size if attends else None,
        ignore_keys=folder.ignored,
    )
    # A pool may be too small for a whole context.
    changes: dict[str, Any] = {"num_blocks": sizes.num_blocks}
    if io_dtype is not None:
        changes["io_dtype"] = io_dtype
    layers = _layers(folder, model, changes)
    if cache_dtype is not None:
        layers = tuple(_with_quantised_cache(layer, cache_dtype) for layer in layers)
    if activation_format is not None:
        layers = _with_rounded_activations(layers, activation_format)
    chunks, sources = _chunks(folder, sizes), _sources(folder)
    layer = layers[0]
    for one in layers:
        _refuse_two_rotations(one, sizes)
    dynamic = ("batch",) if sizes.any_tokens else ()
    batch = -(-sizes.batch // _BATCH_STEP) * _BATCH_STEP if dynamic else sizes.batch
    rows: dict[str, Any] = {"batch": batch, "q_len": 1, "vocab_size": folder.head_vocab_size}
    rows |= {"io_dtype": layer.io_dtype, "dynamic": dynamic}
    head_format = format_of_table(folder, of_head=True)
    streams = _streams(layer, batch, dynamic)
    return Graphs(
        tuple(
            _phase(layers, chunks, sources, sizes, tokens, folder) for tokens in sizes.token_counts
        ),
        None if streams is None else JoinStreamsSpec(**streams),
        _last_norm(folder, layer, batch, dynamic),
        LmHeadSpec(
            **rows,
            hidden_size=layer.hidden_size,
            scale=folder.logit_scale,
            logits_soft_cap=folder.logit_cap,
            weight_format=head_format,
            activation_format=activation_format if head_format else None,
            has_bias=folder.tensors.has_head_bias,
        ),
        GreedyChoiceSpec(**rows),
        DrawnChoiceSpec(**rows),
        sizes.blocks_of(sizes.context),
    )


def _last_norm(
    folder: ModelFolder, layer: LayerSpec, rows: int, dynamic: tuple[str, ...]
) -> NormSpec | None:
    """The norm of hidden states behind the last layer, where a model has one."""
    if not folder.tensors.norm:
        return None
    return layer.norm.replace(rows=rows, dynamic=("rows",) if dynamic else ())


def _streams(layer: LayerSpec, rows: int, dynamic: tuple[str, ...]) -> dict[str, Any] | None:
    """The fields of ops that make several hidden states or one again; None where it stays one."""
    if isinstance(layer, StateLayer) or layer.streams is None:
        return None
    return {
        "rows": rows,
        "num_streams": layer.streams.num_streams,
        "hidden_size": layer.hidden_size,
        "io_dtype": layer.io_dtype,
        "dynamic": ("rows",) if dynamic else (),
    }


def _refuse_two_rotations(layer: LayerSpec, sizes: Sizes) -> None:
    """LongRoPE rotates by other factors as soon as a sequence is longer than the first training's.

    The cache keeps keys that are rotated, and short sequences stand beside long ones.
    """
    if isinstance(layer, StateLayer) or not isinstance(layer.scaling, LongRopeScaling):
        return
    trained = layer.scaling.original_max_position
    if layer.max_positions > trained:
        blocks = trained // sizes.block_size
        what_to_do = (
            f"give a context of at most {blocks * sizes.block_size} tokens (--context)"
            if blocks
            else f"give blocks of at most {trained} tokens (--block-size, --context)"
        )
        raise ConfigError(
            f"rope_scaling: longrope has short_factor up to original_max_position_embeddings = "
            f"{trained} tokens and long_factor for longer sequences, and irattn has one of the two "
            f"at a time: got contexts of {layer.max_positions} tokens; {what_to_do}"
        )


def _layers(folder: ModelFolder, model: Model, changes: dict[str, Any]) -> tuple[LayerSpec, ...]:
    """The layers as they decode, one token of each sequence."""
    kinds: dict[int, LayerSpec] = {}
    for part in model.parts:
        spec = part.replace(changes).spec if part.phase == "layer_decode" else None
        if isinstance(spec, LayerSpec):
            kinds |= dict.fromkeys(part.layers or (), spec)
    halves = {n for kind in folder.kinds if kind.own.is_missing for n in kind.layers or ()}
    lacking = any(spec.mlp is None for number, spec in kinds.items() if number not in halves)
    if len(kinds) != folder.num_layers or lacking:
        raise ConfigError("; ".join(model.notes) or f"num_hidden_layers: got {folder.num_layers}")
    attentions = [one.attention for one in kinds.values() if isinstance(one, DecoderLayerSpec)]
    if any(one.alibi for one in attentions) and folder.tensors.slopes is None:
        raise ConfigError("alibi: expected none, as generate has no slopes of its model_type")
    return tuple(_stored(folder, number, kinds[number]) for number in range(folder.num_layers))


def _stored(folder: ModelFolder, number: int, layer: LayerSpec) -> LayerSpec:
    """A layer whose weights are in the blocks that the file has."""
    if isinstance(layer, DeltaLayerSpec | StateSpaceLayerSpec):
        return with_formats(folder, number, layer)
    if not isinstance(layer, DecoderLayerSpec | ConvolutionLayerSpec):
        return layer
    if folder.quantised and not folder.widens:
        return with_quantised_weights(layer, folder.quantised, folder.tensors, number)
    if not isinstance(folder, GgufModel):
        experts = layer.experts and replace(layer.experts, weight_format=None)
        return layer.replace(weight_format=None, experts=experts)
    return with_formats(folder, number, layer)


def _with_quantised_cache(layer: LayerSpec, cache_dtype: str) -> LayerSpec:
    """The layer with scales of its tokens: nothing need be known of a model for them.

    ConfigError for layers that have something else than a cache of keys.
    """
    if isinstance(layer, StateLayer):
        raise ConfigError(
            "cache_dtype: expected none for a model with states in place of keys, got "
            f"{cache_dtype}; leave it out"
        )
    scale = made_scale(cache_dtype, layer.io_dtype)
    return layer.replace(cache_dtype=cache_dtype, cache_scale=scale)


def _with_rounded_activations(
    layers: tuple[LayerSpec, ...], activation_format: str
) -> tuple[LayerSpec, ...]:
    """Layers whose products with quantised weights round what they multiply."""
    rounded = tuple(_rounded(layer, activation_format) for layer in layers)
    if rounded == layers:
        raise ConfigError(
            f"activation_format: {activation_format} is for a GGUF file with quantised weights, "
            "not widened; leave it out"
        )
    return rounded


def _rounded(layer: LayerSpec, activation_format: str) -> LayerSpec:
    """The layer, whose products with quantised weights round what they multiply."""
    if not isinstance(layer, DecoderLayerSpec | ConvolutionLayerSpec):
        return layer
    if layer.experts and layer.experts.weight_format:
        experts = replace(layer.experts, activation_format=activation_format)
        layer = layer.replace(experts=experts)
    return layer.replace(activation_format=activation_format) if layer.weight_format else layer


def _chunks(folder: ModelFolder, sizes: Sizes) -> tuple[int | None, ...]:
    """For each layer the tokens of a chunk, where it sees less than a whole context."""
    chunks: dict[int, int | None] = {}
    for kind in folder.kinds:
        chunk = kind.chunk if kind.chunk and kind.chunk < sizes.context else None
        if chunk and chunk % sizes.block_size:
            raise ConfigError(
                f"attention_chunk_size: expected a multiple of block_size = {sizes.block_size}, "
                f"got {chunk}; give another block_size"
            )
        chunks |= dict.fromkeys(kind.layers or (), chunk)
    return tuple(chunks[number] for number in range(folder.num_layers))


def _sources(folder: ModelFolder) -> tuple[int, ...]:
    """For each layer the one whose keys and values it reads."""
    sources = list(range(folder.num_layers))
    for kind in folder.kinds:
        for number in kind.layers or ():
            sources[number] = number if kind.source is None else kind.source
    return tuple(sources)


def _phase(
    layers: tuple[LayerSpec, ...],
    chunks: tuple[int | None, ...],
    sources: tuple[int, ...],
    sizes: Sizes,
    tokens: int,
    folder: ModelFolder,
) -> Phase:
    """The layers for steps of so many packed tokens."""
    rows: dict[str, Any] = {
        "batch": tokens,
        "q_len": 1,
        "hidden_size": layers[0].hidden_size,
        "io_dtype": layers[0].io_dtype,
        "dynamic": ("batch",) if sizes.any_tokens else (),
    }
    normed = None
    if folder.tensors.embedding_norm:
        normed = layers[0].norm.replace(rows=tokens, dynamic=("rows",) if rows["dynamic"] else ())
    places = None
    if folder.tensors.positions or folder.tensors.position_table:
        if folder.positions is None:
            raise ConfigError("n_positions: missing")
        first = folder.tensors.first_position
        places = PositionEmbeddingSpec(**rows, max_positions=first + folder.positions, offset=first)
    scale = _as_stored(folder.embedding_scale, layers[0].io_dtype)
    streams = _streams(layers[0], tokens, rows["dynamic"])
    return Phase(
        EmbeddingSpec(
            **rows,
            vocab_size=folder.vocab_size,
            scale=scale,
            weight_format=format_of_table(folder, of_head=False),
        ),
        normed,
        places,
        None if streams is None else SplitStreamsSpec(**streams),
        tuple(
            _packed(layer, sizes, tokens, chunk)
            for layer, chunk in zip(layers, chunks, strict=True)
        ),
        chunks,
        sources,
    )


def _as_stored(scale: float, io_dtype: str) -> float:
    """A factor in the element type, as transformers has that of embeddings."""
    return float(dtype(io_dtype).numpy.type(scale))


def _packed(layer: LayerSpec, sizes: Sizes, tokens: int, chunk: int | None) -> LayerSpec:
    """A layer over so many packed tokens of as many sequences as its own has, or chunks of them."""
    dynamic = ("q_tokens",) if sizes.any_tokens else ()
    if isinstance(layer, StateLayer):
        return layer.replace(q_tokens=tokens, dynamic=dynamic)
    of_both = (
        {field.name for field in fields(spec)}
        for spec in (layer.attention, PackedPagedAttentionSpec)
    )
    names = set.intersection(*of_both) - {"dynamic"}
    own = {name: getattr(layer.attention, name) for name in names}
    if chunk is not None:
        # Each sequence may begin and end within a chunk.
        own["batch"] = min(2 * sizes.batch + tokens // chunk, tokens)
    attention = PackedPagedAttentionSpec(**own, q_tokens=tokens, dynamic=dynamic)
    return layer.replace(attention=attention)
