"""Text to token ids and back."""

from collections.abc import Sequence
from typing import Any

from irattn.errors import ModelError, printable
from irattn.generation.folder import TOKENIZER, ModelFolder
from irattn.generation.packages import package

# What a decoder puts where bytes of a character are still to come.
_INCOMPLETE = "\ufffd"


class Tokenizer:
    """The tokenizer.json of a model."""

    def __init__(self, folder: ModelFolder) -> None:
        path = folder.file(TOKENIZER)
        try:
            self._tokenizer: Any = package("tokenizers").Tokenizer.from_file(str(path))
        except Exception as error:
            # The package raises nothing narrower.
            if type(error) is not Exception:
                raise
            raise ModelError(f"{path}: is no tokenizer: {printable(error)}") from error

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, with those that the model wants around it."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids, without those that are no text."""
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=True)
        return text


class TextStream:
    """The text of tokens that come one by one, as far as they are whole characters.

    What a token says depends on those before it, if only on a few: a space, say, is left out where
    a text begins.
    """

    def __init__(self, tokenizer: Tokenizer, prompt: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        # Tokens before `_known` are there for what comes after them; those up to `_said` are said.
        self._ids = list(prompt[-8:])
        self._known, self._said = 0, len(self._ids)

    def add(self, token: int) -> str:
        """The text that is new with a token; empty while a character is incomplete."""
        self._ids.append(token)
        new = self._new_text()
        if new.endswith(_INCOMPLETE):
            return ""
        self._known, self._said = self._said, len(self._ids)
        return new

    def rest(self) -> str:
        """What is left when no token is to come."""
        return self._new_text() if self._said < len(self._ids) else ""

    def _new_text(self) -> str:
        before = self._tokenizer.decode(self._ids[self._known : self._said])
        return self._tokenizer.decode(self._ids[self._known :])[len(before) :]
