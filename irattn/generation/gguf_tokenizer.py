"""The tokenizer of a GGUF file: its vocabulary, with the rules that its metadata name."""

from typing import Any

import numpy as np

from irattn.core.errors import ConfigError, shown
from irattn.generation.gguf_model import CONTROL, NORMAL, UNKNOWN, USER_DEFINED, GgufModel
from irattn.generation.gguf_split_rules import SPLIT_RULES
from irattn.generation.packages import package

_SPACE = "\u2581"
_OF_BYTES = "gpt2"
# SentencePiece's, and what has its pieces and the merges of them.
_OF_PIECES = ("llama", "gemma4")

# Of Phi 3, which takes spaces behind its other marks away.
_SPACES_STAY = ("<unk>", "<s>", "<|endoftext|>")


def tokenizer_of(model: GgufModel) -> Any:
    """The `tokenizers.Tokenizer` of a file; ConfigError, naming the key, for what is not known."""
    kind = model.gguf.metadata.get("tokenizer.ggml.model")
    tokens = model.tokens
    vocab = {token: number for number, token in enumerate(tokens)}
    if len(vocab) != len(tokens):
        twice = next(token for number, token in enumerate(tokens) if vocab[token] != number)
        raise ConfigError(f"tokenizer.ggml.tokens: expected each once, got {twice!r:.60} twice")
    types = _numbers(model, "token_type", len(tokens))
    if not isinstance(kind, str) or kind not in (_OF_BYTES, *_OF_PIECES):
        raise ConfigError(
            f"tokenizer.ggml.model: expected {_OF_BYTES}, {' or '.join(_OF_PIECES)}, got "
            f"{shown(kind)}"
        )
    if kind == _OF_BYTES:
        tokenizer, begins = _of_bytes(model, vocab)
    else:
        tokenizer, begins = _of_pieces(model, vocab, types), True
    _add_tokens(tokenizer, model, types)
    _add_ends(tokenizer, model, begins)
    return tokenizer


def _of_bytes(model: GgufModel, vocab: dict[str, int]) -> tuple[Any, bool]:
    """A tokenizer that merges bytes, and whether texts begin with a token."""
    name = model.gguf.metadata.get("tokenizer.ggml.pre", "default")
    if not isinstance(name, str) or name not in SPLIT_RULES:
        raise ConfigError(
            f"tokenizer.ggml.pre: expected one of {', '.join(SPLIT_RULES)}, got {shown(name)}"
        )
    rules, own = SPLIT_RULES[name], package("tokenizers")
    tokenizer = own.Tokenizer(
        own.models.BPE(vocab=vocab, merges=_merges(model) or [], ignore_merges=rules.keeps_words)
    )
    if rules.composes:
        tokenizer.normalizer = own.normalizers.NFC()
    splits = [own.pre_tokenizers.Split(own.Regex(one), "isolated") for one in rules.splits]
    to_bytes = own.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = own.pre_tokenizers.Sequence([*splits, to_bytes])
    tokenizer.decoder = own.decoders.ByteLevel()
    return tokenizer, rules.begins


def _of_pieces(model: GgufModel, vocab: dict[str, int], types: np.ndarray | None) -> Any:
    """A tokenizer that merges letters, SentencePiece's: a letter that is no token becomes bytes."""
    own = package("tokenizers")
    merges = _merges(model)
    if merges is None:
        merges = _merges_by_score(model, vocab, types)
    unknown = model.token_id("unknown")
    tokenizer = own.Tokenizer(
        own.models.BPE(
            vocab=vocab,
            merges=merges,
            unk_token=None if unknown is None else model.tokens[unknown],
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    has_space = _flag(model, "add_space_prefix", True)
    before = [own.normalizers.Prepend(_SPACE)] if has_space else []
    after = [own.decoders.Strip(" ", 1, 0)] if has_space else []
    tokenizer.normalizer = own.normalizers.Sequence([*before, own.normalizers.Replace(" ", _SPACE)])
    tokenizer.decoder = own.decoders.Sequence(
        [
            own.decoders.Replace(_SPACE, " "),
            own.decoders.ByteFallback(),
            own.decoders.Fuse(),
            *after,
        ]
    )
    return tokenizer


def _merges(model: GgufModel) -> list[tuple[str, str]] | None:
    """The pairs that are merged, the first first, where the file has them."""
    given = model.gguf.metadata.get("tokenizer.ggml.merges")
    if given is None:
        return None
    pairs = [tuple(one.split(" ")) for one in given] if isinstance(given, list) else [()]
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise ConfigError(
                f"tokenizer.ggml.merges: expected pairs with a space between, got {shown(pair)} "
                f"as number {number}"
            )
    return pairs  # type: ignore[return-value]


def _merges_by_score(
    model: GgufModel, vocab: dict[str, int], types: np.ndarray | None
) -> list[tuple[str, str]]:
    """All pairs of tokens that make a token, that of the largest score first."""
    scores = _numbers(model, "scores", len(vocab))
    if scores is None:
        raise ConfigError("tokenizer.ggml.scores: missing, and so is tokenizer.ggml.merges")
    merges: list[tuple[str, str]] = []
    for number in np.argsort(-scores, kind="stable").tolist():
        if types is not None and types[number] != NORMAL:
            continue
        token = model.tokens[number]
        pairs = ((token[:end], token[end:]) for end in range(1, len(token)))
        merges += [pair for pair in pairs if pair[0] in vocab and pair[1] in vocab]
    return merges


def _add_tokens(tokenizer: Any, model: GgufModel, types: np.ndarray | None) -> None:
    """Tell the tokens that are found before anything is split; marks are no text."""
    if types is None:
        return
    token = package("tokenizers").AddedToken
    strips = model.fields["model_type"] == "phi3"
    added = []
    for number in np.flatnonzero(np.isin(types, (UNKNOWN, CONTROL, USER_DEFINED))).tolist():
        text, is_mark = model.tokens[number], types[number] != USER_DEFINED
        takes_spaces = strips and is_mark and text not in _SPACES_STAY
        added.append(token(text, special=is_mark, normalized=False, rstrip=takes_spaces))
    tokenizer.add_tokens(added)


def _add_ends(tokenizer: Any, model: GgufModel, begins: bool) -> None:
    """Put around a text what the file says."""
    ids = {
        what: model.token_id(what)
        for what, default in (("bos", begins), ("eos", False))
        if _flag(model, f"add_{what}_token", default)
    }
    if missing := [what for what, number in ids.items() if number is None]:
        raise ConfigError(f"tokenizer.ggml.{missing[0]}_token_id: missing, but it is to be added")
    if not ids:
        return
    tokenizer.post_processor = package("tokenizers").processors.TemplateProcessing(
        single=[*(["bos"] if "bos" in ids else []), "$A", *(["eos"] if "eos" in ids else [])],
        special_tokens=[
            {"id": what, "ids": [number], "tokens": [model.tokens[number or 0]]}
            for what, number in ids.items()
        ],
    )


def _flag(model: GgufModel, name: str, default: bool) -> bool:
    value = model.gguf.metadata.get(f"tokenizer.ggml.{name}", default)
    if not isinstance(value, bool):
        raise ConfigError(f"tokenizer.ggml.{name}: expected true or false, got {shown(value)}")
    return value


def _numbers(model: GgufModel, name: str, count: int) -> np.ndarray | None:
    """A number for each token, where the file has them."""
    values = model.gguf.metadata.get(f"tokenizer.ggml.{name}")
    if values is None:
        return None
    if not isinstance(values, np.ndarray) or len(values) != count or np.isnan(values).any():
        raise ConfigError(f"tokenizer.ggml.{name}: expected a number for each of {count} tokens")
    return values
