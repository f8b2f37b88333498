"""A conversation with a model: messages, of which the cache keeps the tokens between turns."""

from collections.abc import Callable, Sequence
from contextlib import closing

from irattn.compiling.several import Built
from irattn.core.errors import ArgumentError, shown
from irattn.generation.choice import Sampling
from irattn.generation.generator import Generator, Pieces
from irattn.generation.requests import Request


class Conversation:
    """Turns of a user and a model, by the chat template of the model's folder.

    `system` is said to the model first. Each turn is read as a prompt of the whole conversation, of
    which the cache still has all but the last block of the turns before; where other requests have
    taken their blocks, it is computed again. `max_new_tokens` is for a turn, and fewer where the
    context has no room for as many.
    """

    def __init__(
        self,
        generator: Generator,
        *,
        system: str | None = None,
        max_new_tokens: int | None = None,
        sampling: Sampling | None = None,
        stop: Sequence[str] = (),
    ) -> None:
        self.messages = [{"role": "system", "content": system}] if system else []
        self._generator, self._sampling, self._stop = generator, sampling, stop
        self._most = generator.max_new_tokens if max_new_tokens is None else max_new_tokens
        self._request: Request | None = None

    def check(self) -> None:
        """Raise what `say` raises for a folder without a chat template that takes messages."""
        self._generator.chat_template.render([*self.messages, {"role": "user", "content": "?"}])

    def load(self, report: Callable[[Built], None] = lambda built: None) -> None:
        """Compile what turns take and put the model on its device, as `Generator.load` does."""
        self._generator.load(report)

    def cut_off(self) -> None:
        """Let the answer that is being given end with the token that is being computed."""
        if self._request:
            self._request.cancel()

    @property
    def is_cut_off(self) -> bool:
        """Whether the last answer was."""
        return self._request is not None and self._request.ended == "cancelled"

    def say(self, text: str) -> Pieces:
        """The model's answer, piece by piece; closing the iterator cuts it off there.

        The answer, or what came of it, is the next of `messages`. ArgumentError where the
        conversation has become longer than a context; it is then as it was before.
        """
        if not isinstance(text, str) or not text:
            raise ArgumentError(f"text: expected text, got {shown(text)}")
        messages = [*self.messages, {"role": "user", "content": text}]
        whole = self._generator.chat_template.render(messages)
        ids = self._generator.tokenizer.encode(whole, is_whole=True)
        # The last new token need not be in the cache.
        room = self._generator.sizes.context + 1 - len(ids)
        if room < 1:
            raise ArgumentError(
                f"conversation: expected at most {self._generator.sizes.context} tokens, got "
                f"{len(ids)}; begin another one, or raise context (--context)"
            )
        request = self._generator.request(
            ids, min(self._most, room), self._sampling, "conversation", stop=self._stop
        )
        request.keeps = True
        self._request = request
        self.messages = messages
        answer = {"role": "assistant", "content": ""}
        return self._answered(self._generator.pieces(request), answer)

    def _answered(self, pieces: Pieces, answer: dict[str, str]) -> Pieces:
        self.messages.append(answer)
        with closing(pieces):
            for piece in pieces:
                answer["content"] += piece
                yield piece
