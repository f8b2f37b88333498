"""A model in a GGUF file, in the words of a model's folder."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from irattn.core.errors import ArgumentError, ConfigError, shown
from irattn.core.gguf_file import GgufFile, is_gguf
from irattn.generation.folder import ModelFolder
from irattn.generation.gguf_listed import listed_tensors
from irattn.models.families import LayerStyle
from irattn.models.gguf import architecture_of, config_of
from irattn.models.names import HEADS, HIDDEN, LAYERS
from irattn.models.values import Fields, whole

# Tokens that end what a model says, by their texts: many files name just one of them.
_ENDS = frozenset(
    {
        *("</s>", "<end_of_turn>", "<eos>", "<|call|>", "<|end_of_text|>", "<|endoftext|>"),
        *("<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<|return|>", "<turn|>"),
    }
)
# Ends a part of what GPT-OSS says, and all that Phi 3 does.
_END, _CALL = "<|end|>", "<|call|>"

_IDS = ("eos", "eot", "eom")

# Of a Sampling, by what the file calls it.
_SAMPLING = {
    "general.sampling.temp": "temperature",
    "general.sampling.top_k": "top_k",
    "general.sampling.top_p": "top_p",
    "general.sampling.min_p": "min_p",
    "general.sampling.penalty_repeat": "repetition_penalty",
}

# Of TensorNames: what depends on a model's fields, not on what files call its tensors.
_TOLD = ("first_blocks", "value_columns", "value_scale", "slopes")

# Kinds of tokens, by the numbers that the file has for them.
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


class GgufModel(ModelFolder):
    """A GGUF file, which has what a folder has: configuration, weights, tokenizer and template.

    `ignored` are keys of metadata that are read as if they were not there. All quantised
    weights become numbers where it `widens` them. `turns_neighbours` and `tiles_heads` are its
    architecture's.

    ModelError for a file that is none; ConfigError for a model that irattn does not generate with.
    """

    template_places = "tokenizer.chat_template"

    def __init__(self, path: Path, ignored: Collection[str] = (), *, widens: bool = False) -> None:
        self.path, self.widens = path, widens
        self.gguf = GgufFile(path)
        # They are gone already.
        self.ignored = ()
        architecture = architecture_of(self.gguf)
        self.turns_neighbours = architecture.turns_neighbours
        self.tiles_heads = architecture.tiles_heads
        self._config = config_of(self.gguf, ignored)
        self.fields = self._checked(self._config)
        self.listed = listed_tensors(self.gguf, architecture, self.num_blocks)
        names = architecture.tensors_in(self.gguf.tensors)
        are_keys = bool(self.fields.get("attention_k_eq_v"))
        # What fields tell is the same whatever files call their tensors.
        told = {key: getattr(self.tensors, key) for key in _TOLD}
        self.tensors = replace(names, values_are_keys=are_keys, **told)

    @property
    def config(self) -> Fields:
        """The fields of a config.json, made of metadata."""
        return self._config

    @property
    def num_blocks(self) -> int:
        """The number of blocks in the file, where irattn's layers may be of two, or halves."""
        return whole(self._config, *LAYERS) or 0

    @property
    def norm_offset(self) -> float:
        """The number that the file has added to weights of norms."""
        style = self.family.style_of(self.fields)
        return style.norm_offset if isinstance(style, LayerStyle) else 0.0

    @property
    def head_dim(self) -> int:
        """The columns of a head of queries, which fields name where their type reads it."""
        given = whole(self.fields, "head_dim")
        return given or self._whole(*HIDDEN) // self._whole(*HEADS)

    def json_object(self, name: str) -> Fields:
        """The part that irattn reads of a folder's file, made of metadata."""
        if name == "generation_config.json":
            return self._generation()
        return self._tokenizer_config() if name == "tokenizer_config.json" else {}

    @property
    def tokens(self) -> list[str]:
        """The texts of the vocabulary."""
        tokens = self.gguf.metadata.get("tokenizer.ggml.tokens")
        if not isinstance(tokens, list) or not tokens:
            raise ConfigError(f"tokenizer.ggml.tokens: expected texts, got {shown(tokens)}")
        return tokens

    def token_id(self, what: str) -> int | None:
        """A token by its part, such as `bos`; None where there is none."""
        key = f"tokenizer.ggml.{what}_token_id"
        number = self.gguf.metadata.get(key)
        if number is None:
            return None
        if type(number) is not int or not 0 <= number < len(self.tokens):
            raise ConfigError(
                f"{key}: expected one of the {len(self.tokens)} tokens, got {shown(number)}"
            )
        return number

    def _generation(self) -> dict[str, Any]:
        texts = self.tokens
        ends = {number for number in map(self.token_id, _IDS) if number is not None}
        ends |= {number for number, token in enumerate(texts) if token in _ENDS}
        if _CALL not in texts and _END in texts:
            ends.add(texts.index(_END))
        given = {
            theirs: self.gguf.metadata[ours]
            for ours, theirs in _SAMPLING.items()
            if ours in self.gguf.metadata
        }
        return {"eos_token_id": sorted(ends), "do_sample": "temperature" in given, **given}

    def _tokenizer_config(self) -> dict[str, Any]:
        ids = {name: self.token_id(name) for name in ("bos", "eos")}
        tokens = {f"{n}_token": self.tokens[one] for n, one in ids.items() if one is not None}
        return {"chat_template": self.gguf.metadata.get("tokenizer.chat_template"), **tokens}


def model_at(
    path: str | Path, ignored: Collection[str] = (), *, widens: bool = False
) -> ModelFolder:
    """The model in a folder or in a GGUF file, one with quantised weights if these are widened."""
    if is_gguf(path) and Path(path).is_file():
        return GgufModel(Path(path), ignored, widens=widens)
    folder = ModelFolder(path, ignored, widens=widens)
    if widens and folder.quantised is None:
        raise ArgumentError(
            "widen_weights (--widen-weights): goes with a GGUF file or a folder of quantised "
            f"weights, got {shown(str(path))}"
        )
    return folder
