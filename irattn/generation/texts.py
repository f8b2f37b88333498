"""Text to token ids and back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from irattn.core.errors import ArgumentError, ConfigError, ModelError, printable, shown
from irattn.generation.added_tokens import named_tokens, numbered_tokens
from irattn.generation.folder import TOKENIZER, ModelFolder
from irattn.generation.gguf_model import GgufModel
from irattn.generation.gguf_tokenizer import tokenizer_of
from irattn.generation.packages import package

_FLAGS = ("lstrip", "normalized", "rstrip", "single_word", "special")
# What a decoder puts where bytes of a character are still to come.
_INCOMPLETE = "\ufffd"


class Tokenizer:
    """The tokenizer of a model, its tokenizer.json or what a GGUF file has of one.

    ModelError where it cannot do its work.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self._path = folder.path if isinstance(folder, GgufModel) else folder.file(TOKENIZER)
        with self._failing_as("is no tokenizer"):
            self._tokenizer: Any = (
                tokenizer_of(folder)
                if isinstance(folder, GgufModel)
                else package("tokenizers").Tokenizer.from_file(str(self._path))
            )
            # How texts of training were brought to one length, which files keep.
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
        if not isinstance(folder, GgufModel):
            self._add_tokens(folder)

    def encode(self, text: str, *, is_whole: bool = False) -> list[int]:
        """The token ids of a text, and of what stands around it unless it `is_whole`."""
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            raise ArgumentError(f"prompt: expected text in UTF-8, got {shown(text)}")
        with self._failing_as("encodes no text"):
            ids: list[int] = self._tokenizer.encode(text, add_special_tokens=not is_whole).ids
        return ids

    def decode(self, ids: Sequence[int]) -> str:
        """The text of token ids, without those that are no text."""
        with self._failing_as("decodes no tokens"):
            text: str = self._tokenizer.decode(list(ids), skip_special_tokens=True)
        return text

    def _add_tokens(self, folder: ModelFolder) -> None:
        """Find the tokens that other files add, by their ids, as transformers does.

        Most are in tokenizer.json, too, whose ids count; what is said elsewhere of the spaces
        around them counts. One that is not there is refused unless it is the next: by another id it
        would be read as a token that it is not.
        """
        place, tokens = numbered_tokens(folder, self._added)
        numbers = sorted((number for number in tokens if tokens[number]["content"]), key=int)
        id_of = self._tokenizer.token_to_id
        new = [number for number in numbers if id_of(tokens[number]["content"]) is None]
        # At once: each call makes what finds them anew.
        self._tokenizer.add_tokens([_added_token(tokens[number]) for number in numbers])
        for number in new:
            text = tokens[number]["content"]
            if (own := id_of(text)) != int(number):
                raise ConfigError(
                    f"{place}: expected {text!r:.80}, which {TOKENIZER} lacks, to be "
                    f"the next token, {own}, got {number}"
                )
        there = self._added
        named = [token for token in named_tokens(folder) if token["content"] not in there]
        self._tokenizer.add_tokens([_added_token(token) for token in named])

    @property
    def _added(self) -> set[str]:
        """The texts of the tokens that are found before anything is split."""
        return {token.content for token in self._tokenizer.get_added_tokens_decoder().values()}

    @contextmanager
    def _failing_as(self, what: str) -> Iterator[None]:
        """Say what the file cannot do; the package raises nothing narrower, or panics."""
        try:
            yield
        except BaseException as error:
            if type(error) is not Exception and type(error).__name__ != "PanicException":
                raise
            raise ModelError(f"{self._path}: {what}: {printable(error)}") from error


def _added_token(token: Mapping[str, Any]) -> Any:
    """A token of such a file as the package has it."""
    flags = {name: bool(token[name]) for name in _FLAGS if name in token}
    return package("tokenizers").AddedToken(token["content"], **flags)


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
        """The text that is left when no token is to come."""
        return self._new_text() if self._said < len(self._ids) else ""

    def _new_text(self) -> str:
        before = self._tokenizer.decode(self._ids[self._known : self._said])
        return self._tokenizer.decode(self._ids[self._known :])[len(before) :]


class StopTexts:
    """Ends a text that comes in pieces before the first of some texts.

    What may be the beginning of one of them is held back until more is known.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = tuple(stop)
        self._held = ""

    def add(self, text: str) -> tuple[str, bool]:
        """The text to be said with the next piece, and whether it ends there."""
        self._held += text
        places = [place for one in self._stop if (place := self._held.find(one)) >= 0]
        if places:
            return self._said(min(places)), True
        return self._said(len(self._held) - self._begun()), False

    def rest(self) -> str:
        """The text that is left when no piece is to come."""
        return self._said(len(self._held))

    def _said(self, end: int) -> str:
        said, self._held = self._held[:end], self._held[end:]
        return said

    def _begun(self) -> int:
        """How many letters at the end may begin one of the texts."""
        most = max(map(len, self._stop), default=1) - 1
        counts = range(min(most, len(self._held)), 0, -1)
        ends = (
            count for count in counts if any(o.startswith(self._held[-count:]) for o in self._stop)
        )
        return next(ends, 0)
