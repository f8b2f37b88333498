"""The folder of a model as Hugging Face keeps it: its files, and what its config.json says."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from irattn.core.errors import ArgumentError, ConfigError, ModelError, shown
from irattn.core.strict_json import loads
from irattn.generation.choice import Sampling
from irattn.generation.remedies import EXPECTED, lacking, not_a_folder
from irattn.models.attention import is_causal
from irattn.models.config import CONFIG, load, part_types, read
from irattn.models.families import FAMILIES, WRAPPERS
from irattn.models.kinds import FULL, LayerKind, layer_kinds
from irattn.models.missing import MISSING, lacking_layers
from irattn.models.names import HIDDEN, LAYERS, POSITIONS
from irattn.models.quantised import KEY, quantised_weights
from irattn.models.values import Fields, missing, positive, text, whole

TOKENIZER = "tokenizer.json"

# What generation_config.json has of a Sampling.
_SAMPLING = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
# What transformers takes where it says do_sample, and not these.
_DRAWN = {"temperature": 1.0, "top_k": 50}
# What else it may have that changes the tokens in transformers, by the values that do not.
_NOT_DONE: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("epsilon_cutoff", "eta_cutoff", "no_repeat_ngram_size", "min_length"), (0,)),
    **dict.fromkeys(("encoder_no_repeat_ngram_size", "min_new_tokens"), (0,)),
    **dict.fromkeys(("encoder_repetition_penalty", "guidance_scale", "num_beams"), (1,)),
    **dict.fromkeys(("num_beam_groups", "typical_p"), (1,)),
    **dict.fromkeys(("bad_words_ids", "begin_suppress_tokens", "suppress_tokens"), ([],)),
    **dict.fromkeys(("sequence_bias", "stop_strings"), ([], {})),
    **dict.fromkeys(("exponential_decay_length_penalty", "forced_bos_token_id"), ()),
    **dict.fromkeys(("forced_eos_token_id", "penalty_alpha", "top_h"), ()),
}


class ModelFolder:
    """A folder with config.json, tokenizer.json and *.safetensors; the first's path names it, too.

    `ignored` are keys of config.json that are read as if they were not there. `quantised` says how
    its weights are, None where they are plain; all of them become numbers where it `widens` them.

    ModelError where a file is missing; ConfigError for a model that irattn does not generate with.
    """

    # Where a chat template may be, in messages.
    template_places = "chat_template.jinja, and its tokenizer_config.json has none"

    def __init__(
        self, path: str | Path, ignored: Collection[str] = (), *, widens: bool = False
    ) -> None:
        self.path, self.widens = Path(path), widens
        self.ignored = ignored
        if self.path.name == CONFIG and self.path.is_file():
            self.path = self.path.parent
        if not self.path.is_dir():
            raise ModelError(f"model folder: expected {EXPECTED}, got {not_a_folder(self.path)}")
        self.fields = self._checked(load(self.config))

    def file(self, name: str) -> Path:
        """A file of the folder; ModelError where it is not there."""
        path = self.path / name
        if not path.is_file():
            raise ModelError(f"model folder: {lacking(self.path, name)}")
        return path

    @property
    def config(self) -> Path | Fields:
        """The file that says what the model is, or its fields."""
        return self.file(CONFIG)

    @property
    def kinds(self) -> list[LayerKind]:
        """The kinds of layers."""
        return layer_kinds(self.fields, True, self.family.style_of(self.fields))

    @property
    def full_layers(self) -> set[int]:
        """The numbers of the layers that see all keys."""
        full = [kind.layers or () for kind in self.kinds if kind.name == FULL]
        return {number for layers in full for number in layers}

    @property
    def num_layers(self) -> int:
        """The number of layers."""
        return self._whole(*LAYERS)

    @property
    def vocab_size(self) -> int:
        """The number of tokens that the model knows."""
        return self._whole("vocab_size")

    @property
    def head_vocab_size(self) -> int:
        """The number of tokens that the model may say: the first of those that it knows."""
        return whole(self.fields, "output_vocab_size") or self.vocab_size

    @property
    def positions(self) -> int | None:
        """The most tokens that the model has positions for, where the file says it."""
        return whole(self.fields, *POSITIONS)

    @property
    def shares_embedding(self) -> bool:
        """Whether the weight of the embedding is that of the head, too."""
        return bool(self.fields.get("tie_word_embeddings"))

    @property
    def embedding_scale(self) -> float:
        """The factor of embeddings."""
        scales = self.fields.get("mup_enabled") or self.fields.get("scale_embedding")
        if self.family.scales_by_width or scales:
            return float(self._whole(*HIDDEN) ** 0.5)
        return positive(self.fields, "embedding_multiplier") or 1.0

    @property
    def logit_scale(self) -> float:
        """The factor of logits."""
        by, divisor = (positive(self.fields, key) for key in ("logit_scale", "logits_scaling"))
        return (by or 1.0) / (divisor or 1.0)

    @property
    def logit_cap(self) -> float | None:
        """The soft cap of logits."""
        return positive(self.fields, "final_logit_softcapping")

    @property
    def end_tokens(self) -> frozenset[int]:
        """The tokens that end a text: those of generation_config.json, else of config.json."""
        given = {**self.fields, **self.generation}.get("eos_token_id")
        ids = given if isinstance(given, list) else [] if given is None else [given]
        if any(type(one) is not int for one in ids):
            raise ConfigError(
                f"eos_token_id: expected a token id or a list of them, got {shown(given)}"
            )
        return frozenset(ids)

    @property
    def generation(self) -> Fields:
        """The fields of generation_config.json, where there is one."""
        return self.json_object("generation_config.json")

    @property
    def max_new_tokens(self) -> int | None:
        """The most new tokens of a text, where generation_config.json says it."""
        return whole(self.generation, "max_new_tokens")

    @property
    def sampling(self) -> Sampling:
        """The way to draw tokens that generation_config.json asks for: greedy without one.

        ConfigError for values that a Sampling does not take.
        """
        said = self.generation
        given = {name: said[name] for name in _SAMPLING if said.get(name) is not None}
        if not said.get("do_sample"):
            given = {name: v for name, v in given.items() if name == "repetition_penalty"}
        else:
            given = _DRAWN | given
        # No limit, in the words of transformers.
        if given.get("top_k") == 0:
            del given["top_k"]
        try:
            return Sampling(**given)
        except ArgumentError as error:
            raise ConfigError(f"generation_config.json: {error}") from error

    @property
    def not_done(self) -> list[str]:
        """The keys of generation_config.json that ask for what irattn does not do to tokens."""
        said = self.generation
        return [
            key
            for key, values in _NOT_DONE.items()
            if said.get(key) is not None and said[key] not in values
        ]

    def json_object(self, name: str) -> Fields:
        """A file of the folder that has a JSON object; empty where it is not there."""
        path = self.path / name
        return _json_object(path) if path.is_file() else {}

    def _checked(self, fields: Fields) -> Fields:
        """The fields that the family reads; ConfigError for a model that irattn does not run."""
        said = text(fields, "model_type")
        if said not in WRAPPERS and (said not in FAMILIES or not FAMILIES[said].tensors):
            raise _not_generated(said, *part_types(fields))
        stack, *_ = read(fields, self.ignored)
        self.family, tensors = stack.family, stack.family.tensors_of(stack.fields)
        if tensors is None:
            raise _not_generated(stack.name)
        if not is_causal(stack.fields, stack.family):
            raise ConfigError(
                "use_bidirectional_attention: expected none, as text is generated token by token"
            )
        self.tensors = tensors
        self.quantised = quantised_weights(stack.fields)
        if self.quantised and self.quantised.misfit and not self.widens:
            raise ConfigError(
                f"{KEY}: weights have {self.quantised.misfit}, which no graph takes; give "
                "--widen-weights (widen_weights) to have numbers of io_dtype of them, or a GGUF "
                "file"
            )
        return stack.fields

    def _whole(self, *keys: str) -> int:
        value = whole(self.fields, *keys)
        if value is None:
            raise missing(keys[0])
        return value


def _not_generated(model_type: str | None, *of_parts: str) -> ConfigError:
    for said in (model_type, *of_parts):
        if said in MISSING:
            return ConfigError(lacking_layers(said))
    known = [name for name, family in FAMILIES.items() if family.tensors]
    return ConfigError(
        f"model_type: expected one of {', '.join(known)} to generate with, got {model_type}"
    )


def _json_object(path: Path) -> Mapping[str, Any]:
    try:
        value = loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: expected JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path}: expected a JSON object, got {type(value).__name__}")
    return value
