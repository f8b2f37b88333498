"""The specs that a model consists of: for chunks of prompts, and for steps of decoding."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from irattn.core.errors import ConfigError
from irattn.core.tensors import largest
from irattn.generation.folder import ModelFolder
from irattn.generation.sizes import Sizes
from irattn.models import Model, model_from_config
from irattn.specs import Spec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.embedding import EmbeddingSpec
from irattn.specs.greedy_choice import GreedyChoiceSpec
from irattn.specs.lm_head import LmHeadSpec
from irattn.specs.rms_norm import RmsNormSpec
from irattn.specs.rope_scaling import LongRopeScaling


@dataclass(frozen=True)
class Phase:
    """The graphs of one kind of step, up to the hidden state that the last layer gives.

    `layers` has the spec of each layer; those of the same kind are equal.
    """

    embedding: EmbeddingSpec
    layers: tuple[DecoderLayerSpec, ...]

    def rows(self, sequences: int) -> int:
        """The batch of a step of so many sequences."""
        return sequences if "batch" in self.embedding.dynamic else self.embedding.batch

    @property
    def q_len(self) -> int:
        """Tokens that a sequence has in a step, at most."""
        return self.embedding.q_len


@dataclass(frozen=True)
class Graphs:
    """All graphs of a model.

    `prefills` are the steps for chunks of prompts, from the shortest chunk on; `norm` and `head`
    make logits of the last token of `batch` rows, and `choice` takes the likeliest token of each.
    """

    prefills: tuple[Phase, ...]
    decode: Phase
    norm: RmsNormSpec
    head: LmHeadSpec
    choice: GreedyChoiceSpec

    def prefill_of(self, tokens: int) -> Phase:
        """The step for a prompt of which so many tokens are left.

        The longest one than which the next shorter ones would compute as many tokens or more.
        """
        pairs = list(zip(self.prefills, self.prefills[1:], strict=False))
        for shorter, longer in reversed(pairs):
            if -(-tokens // shorter.q_len) * shorter.q_len >= longer.q_len:
                return longer
        return self.prefills[0]

    def phases_for(self, prompts: Iterable[int]) -> list[Phase]:
        """The phases that prompts of so many tokens go through where the cache has none of them."""
        phases: dict[Phase, None] = {}
        for tokens in prompts:
            left = tokens
            while left > 0:
                phase = self.prefill_of(left)
                phases[phase] = None
                left -= phase.q_len
        return [*phases, self.decode]

    @property
    def bytes(self) -> int:
        """Bytes of weights and caches, where embedding and head have a weight each."""
        specs = (*self.decode.layers, self.decode.embedding, self.norm, self.head)
        return sum(tensor.bytes for spec in specs for tensor in spec.inputs)

    def named(self, phases: Collection[Phase]) -> dict[Spec, str]:
        """Each spec of some phases, and those of all steps, once, with what it is for."""
        names: dict[Spec, str] = {}
        for phase in phases:
            name = "decode" if phase is self.decode else "prefill"
            most = "up to " if "batch" in phase.embedding.dynamic else ""
            sizes = f"{name}, {most}{phase.embedding.batch} x {phase.q_len} tokens"
            for layer, kind in zip(phase.layers, _kinds(phase), strict=True):
                names.setdefault(layer, f"{kind}layer of {sizes}")
            names.setdefault(phase.embedding, f"embedding of {sizes}")
        names[self.norm] = "last norm"
        names[self.head] = "head"
        names[self.choice] = "greedy choice"
        return names


def graphs_of(folder: ModelFolder, sizes: Sizes, io_dtype: str | None) -> Graphs:
    """The graphs of a model; `io_dtype` None is the file's own.

    ConfigError, naming the key, for what irattn does not have.
    """
    model = model_from_config(
        folder.config,
        batch=sizes.batch,
        q_len=sizes.chunk,
        kv_len=sizes.context,
        block_size=sizes.block_size,
        ignore_keys=folder.ignored,
    )
    # A pool may be too small for a whole context.
    changes: dict[str, Any] = {"num_blocks": sizes.num_blocks}
    if io_dtype is not None:
        changes["io_dtype"] = io_dtype
    chunks: dict[str, Any] = {"batch": sizes.prompts_at_once, "ragged": True}
    if sizes.prompts_at_once > 1:
        # A step costs what its prompts do, not what the most would.
        chunks["dynamic"] = ("batch",)
    prefills = [
        _phase(folder, model, "layer_prefill", changes | chunks | {"q_len": chunk})
        for chunk in sizes.chunks
    ]
    decode = _phase(folder, model, "layer_decode", changes)
    layer = decode.layers[0]
    _refuse_two_rotations(layer, sizes)
    rows: dict[str, Any] = {"batch": sizes.batch, "q_len": 1, "vocab_size": folder.vocab_size}
    return Graphs(
        tuple(prefills),
        decode,
        RmsNormSpec(
            rows=sizes.batch,
            columns=layer.hidden_size,
            eps=layer.norm_eps,
            offset=layer.norm_offset,
            io_dtype=layer.io_dtype,
        ),
        LmHeadSpec(**rows, hidden_size=layer.hidden_size, io_dtype=layer.io_dtype),
        GreedyChoiceSpec(**rows, io_dtype=layer.io_dtype),
    )


def _refuse_two_rotations(layer: DecoderLayerSpec, sizes: Sizes) -> None:
    """LongRoPE rotates by other factors as soon as a sequence is longer than the first training's.

    The cache keeps keys that are rotated, and short sequences stand beside long ones.
    """
    if not isinstance(layer.scaling, LongRopeScaling):
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


def _phase(folder: ModelFolder, model: Model, name: str, changes: dict[str, Any]) -> Phase:
    kinds: dict[int, DecoderLayerSpec] = {}
    for part in model.parts:
        if part.phase == name and isinstance(part.spec, DecoderLayerSpec):
            spec = part.spec.replace(**changes)
            kinds |= {number: spec for number in part.layers or ()}
    if len(kinds) != folder.num_layers or any(spec.mlp is None for spec in kinds.values()):
        raise ConfigError("; ".join(model.notes) or f"num_hidden_layers: got {folder.num_layers}")
    layers = tuple(kinds[number] for number in range(folder.num_layers))
    attention = layers[0].attention
    return Phase(
        EmbeddingSpec(
            batch=attention.batch,
            q_len=largest(attention.num_queries),
            vocab_size=folder.vocab_size,
            hidden_size=layers[0].hidden_size,
            io_dtype=layers[0].io_dtype,
            dynamic=attention.dynamic,
        ),
        layers,
    )


def _kinds(phase: Phase) -> Iterator[str]:
    """The words that tell the layers of a phase apart; empty where all are alike."""
    differ = len(set(phase.layers)) > 1
    for layer in phase.layers:
        yield ("windowed " if layer.attention.window else "full ") if differ else ""
