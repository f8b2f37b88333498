"""The tokens that files beside tokenizer.json add to it, read as transformers reads them."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.generation.folder import ModelFolder
from irattn.models.values import Fields

CONFIG, ADDED = "tokenizer_config.json", "added_tokens_decoder"
_OLDER, _MAP = "added_tokens.json", "special_tokens_map.json"
_NAMED = tuple(f"{one}_token" for one in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
_OTHERS = ("additional_special_tokens", "extra_special_tokens")


def numbered_tokens(folder: ModelFolder, there: Collection[str]) -> tuple[str, dict[str, Any]]:
    """The name of what says which tokens are added, and these by their ids as texts.

    Older files tell less of those that are `there` already than tokenizer.json. ConfigError for
    what is no token.
    """
    said = folder.json_object(CONFIG)
    if ADDED not in said:
        older = _older_tokens(folder)
        return _OLDER, {n: token for n, token in older.items() if token["content"] not in there}
    added = said[ADDED] or {}
    tokens: dict[str, Any] = added if isinstance(added, dict) else {"": added}
    for number, token in tokens.items():
        if not _is_added(number, token):
            raise ConfigError(
                f"{CONFIG}: {ADDED}: expected tokens with their content by id, got "
                f"{shown({number: token})}"
            )
    return f"{CONFIG}: {ADDED}", tokens


def named_tokens(folder: ModelFolder) -> list[Fields]:
    """The tokens that files name by their parts, such as the one that ends a text."""
    said: dict[str, Any] = dict(folder.json_object(CONFIG))
    if ADDED not in said:
        said |= folder.json_object(_MAP)
    named = {token["content"]: token for token in _named_in(said)}
    return [{**token, "special": True} for token in named.values() if token["content"]]


def _older_tokens(folder: ModelFolder) -> dict[str, Any]:
    """The tokens of a file that has nothing but their ids."""
    special = {token["content"] for token in named_tokens(folder)}
    tokens = {}
    for text, number in folder.json_object(_OLDER).items():
        if type(number) is not int or number < 0:
            raise ConfigError(f"{_OLDER}: expected the id of {text!r:.80}, got {shown(number)}")
        is_special = text in special
        tokens[str(number)] = {
            "content": text,
            "special": is_special,
            "normalized": not is_special,
        }
    return tokens


def _named_in(said: Fields) -> Iterator[Mapping[str, Any]]:
    others = [said.get(key) or [] for key in _OTHERS]
    lists = [list(one.values()) if isinstance(one, dict) else one for one in others]
    values = [said.get(key) for key in _NAMED]
    for value in (*values, *(token for one in lists if isinstance(one, list) for token in one)):
        token = {"content": value} if isinstance(value, str) else value
        if isinstance(token, Mapping) and isinstance(token.get("content"), str):
            yield token


def _is_added(number: str, token: object) -> bool:
    """Whether a token is one that is added, and its number an id."""
    content = token.get("content") if isinstance(token, dict) else None
    # None of more digits is an id.
    is_id = number.isascii() and number.isdigit() and len(number) < 10
    return is_id and isinstance(content, str)
