"""Sequences that share steps: they join, are read in chunks beside others' decodes, and leave."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from irattn.core.errors import ArgumentError, OutOfBlocksError, shown
from irattn.generation.cascades import Cascade
from irattn.generation.figures import Figures
from irattn.generation.graphs import Phase
from irattn.generation.model import DeviceModel
from irattn.generation.requests import Request, check_size
from irattn.generation.sizes import Sizes
from irattn.generation.steps import BatchStep
from irattn.runtime import DeviceArray

# Tokens that delta nets take at once: 16 on GPUs, and on CPUs as many as divide them.
_AT_ONCE = 16


class Batch:
    """Requests that a model works on: `add` some at any time, and `step` until `is_idle`.

    A step computes one token of every sequence whose prompt is read, and chunks of the first
    prompts that are not, as many tokens together as a step may have. A request waits until there is
    a place in the batch, and blocks for all tokens that it may get: none runs out of them on the
    way. Its tokens are those that it would get alone; with a `cascade`, which reads once what
    sequences share where that pays, but for rounding. Batches of one generator share its blocks:
    where others have so many that no request can begin, a step is an OutOfBlocksError, until they
    are stepped or closed. A batch that is dropped is closed, and so is one whose step fails on its
    way: what it has computed of its tokens is not known then.
    """

    def __init__(
        self,
        model: DeviceModel,
        sizes: Sizes,
        end_tokens: frozenset[int],
        cascade: Cascade | None = None,
    ) -> None:
        self.figures = Figures()
        self._cascade = cascade
        self._model, self._sizes, self._end_tokens = model, sizes, end_tokens
        self._waiting: deque[Request] = deque()
        self._running: list[Request] = []
        # The last tokens, on the device, by the requests that they are for.
        self._chosen: dict[tuple[Request, ...], DeviceArray] = {}

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self._waiting and not self._running

    def add(self, request: Request) -> None:
        """Have tokens generated for a request.

        ArgumentError for what is no new one, and what `Generator.request` refuses of its length.
        """
        if (
            not isinstance(request, Request)
            or request.tokens
            or request in (*self._waiting, *self._running)
        ):
            raise ArgumentError(
                f"request: expected a new one of Generator.request, got {shown(request)}"
            )
        check_size(request, "request", self._sizes)
        self._waiting.append(request)

    def step(self) -> list[Request]:
        """Take one step; gives the requests that got a token. Cancelled ones leave before."""
        self._drop_ended()
        self._admit()
        try:
            got = self._compute() if self._running else []
        except BaseException:
            self.close()
            raise
        for request in got:
            if request.ended:
                self._leave(request)
        return got

    def close(self) -> None:
        """Let all requests leave, whether they have ended or not."""
        self._waiting.clear()
        for request in list(self._running):
            self._leave(request)

    def __del__(self) -> None:
        self.close()

    def _drop_ended(self) -> None:
        """Let those go that others have ended since the last step."""
        self._waiting = deque(one for one in self._waiting if not one.ended)
        for request in [one for one in self._running if one.ended]:
            self._leave(request)

    def _admit(self) -> None:
        while self._waiting and len(self._running) < self._sizes.batch:
            blocks, sizes = self._blocks_of([self._waiting[0]]), self._sizes
            others = self._blocks_of(self._model.served)
            if blocks + others > sizes.num_blocks:
                if self._running:
                    return
                raise OutOfBlocksError(
                    f"num_blocks: expected {blocks} free blocks for the next request, got "
                    f"{sizes.num_blocks - others}: other batches have {others}; step them to their "
                    "end or close them, or raise num_blocks"
                )
            states = self._model.states if self._model.has_states else None
            if states and not states.num_free:
                if self._running:
                    return
                raise OutOfBlocksError(
                    f"batch: expected a free place among the states of {sizes.batch} sequences, "
                    "got none: other batches have them; step them to their end or close them, or "
                    "raise batch"
                )
            request = self._waiting.popleft()
            self._running.append(request)
            self._model.served.append(request)
            if states:
                self._begin(request)
                self._keep_or_put_back(request, True)

    def _begin(self, request: Request) -> None:
        """Give a request its sequence, with what the cache has of its prompt.

        That is done when its first tokens are to be computed: those before it have theirs then.
        """
        states, cache = self._model.states if self._model.has_states else None, self._model.cache
        # What others have in common serves where states at its end are kept, too.
        # Sums of states are cut at blocks' ends, whatever is left.
        left = 1 if states else self._sizes.least_left(len(request.prompt))
        request.sequence = cache.begin(request.prompt, ends=states, least_left=left)
        request.place = states.begin(cache.end_of(request.sequence)) if states else 0
        request.computed = cache.current_length(request.sequence)

    def _keep_or_put_back(self, request: Request, is_kept: bool) -> None:
        """Let a request that has begun go on, or begin later: others may have its tokens then."""
        if is_kept:
            self.figures.reused_tokens += request.computed
        elif request.sequence is not None:
            self._model.cache.free(request.sequence)
            request.sequence, request.computed = None, 0

    def _blocks_of(self, requests: Iterable[Request]) -> int:
        """Blocks for all tokens that requests may get."""
        return sum([self._sizes.blocks_of(request.most_tokens) for request in requests])

    def _compute(self) -> list[Request]:
        """Compute what a step has room for; gives the requests that got a token."""
        # The next tokens by request: decodes first, for which there is always room.
        tokens = _in_places({one: one.tokens[-1:] for one in self._running if one.is_read})
        decoded, chunks = len(tokens), self._chunks(self._sizes.step_tokens - len(tokens))
        tokens = _in_places(tokens | chunks)
        phase = self._model.graphs.phase_of(sum(map(len, tokens.values())))
        if not chunks:
            tokens, phase = self._shared(tokens, phase)
        # What was chosen for the same rows is on the device already.
        chosen = None if chunks else self._chosen.get(tuple(tokens))
        self._model.prepare([phase])
        with self.figures.timed("prefill" if chunks else "decode"):
            step, hidden = self._run(phase, tokens, chosen)
            self.figures.decoded_tokens += 0 if chunks else decoded
            rows = dict(zip(tokens, step.last_rows, strict=True))
            read = [request for request in tokens if request.is_read]
            return self._go_on(read, hidden, [rows[one] for one in read]) if read else []

    def _shared(
        self, tokens: dict[Request, list[int]], phase: Phase
    ) -> tuple[dict[Request, list[int]], Phase]:
        """The tokens and the phase of a step of decoding, a cascade's where that pays."""
        sequences = [one.sequence for one in tokens if one.sequence is not None]
        if self._cascade is None or len(sequences) < 2:
            return tokens, phase
        moves = not self._model.has_states
        shared = self._cascade.shared(self._model.cache, sequences, moves)
        if shared is None:
            return tokens, phase
        self.figures.cascade_steps += 1
        self.figures.saved_tokens += shared.tokens
        requests = [*tokens]
        return {one: tokens[one] for one in map(requests.__getitem__, shared.order)}, (
            self._cascade.phase
        )

    def _chunks(self, room: int) -> dict[Request, list[int]]:
        """The next tokens of the first prompts that are not read, which count as computed."""
        chunks = {}
        for request in self._running:
            begins = request.sequence is None
            if begins and room:
                self._begin(request)
            left = len(request.prompt) - request.computed
            count = self._up_to_end(request, self._sizes.chunk_of(left, room))
            if begins:
                self._keep_or_put_back(request, bool(count))
            if count:
                chunk = list(request.prompt[request.computed : request.computed + count])
                request.computed += count
                room -= count
                chunks[request] = chunk
        self.figures.prompt_tokens += sum(map(len, chunks.values()))
        return chunks

    def _up_to_end(self, request: Request, count: int) -> int:
        """So many next tokens of a prompt, or those up to its last block's end, to keep states.

        Delta nets take some tokens at once, from a step's first on. For a prompt to have the same
        bits in company, none is cut within them, where steps have room enough for that.
        """
        if not self._model.has_states:
            return count
        sizes, done, total = self._sizes, request.computed, len(request.prompt)
        left = (total - 1) // sizes.block_size * sizes.block_size - done
        if 0 < left <= count:
            return left
        if done + count < total and sizes.step_tokens >= sizes.batch + 2 * _AT_ONCE:
            return max((done + count) // _AT_ONCE * _AT_ONCE - done, 0)
        return count

    def _run(
        self,
        phase: Phase,
        tokens: Mapping[Request, Sequence[int]],
        token_ids: DeviceArray | None = None,
    ) -> tuple[BatchStep, DeviceArray]:
        model, new = self._model, list(tokens.values())
        sequences = [request.sequence for request in tokens if request.sequence is not None]
        model.cache.extend(sequences, list(map(len, new)))
        places = [request.place for request in tokens] if model.has_states else []
        step = BatchStep(phase, model.cache, sequences, new, model.uploads, token_ids, places)
        hidden = model.run(step)
        model.cache.commit(sequences)
        for request in tokens:
            # Those of the prompt are known since it began.
            if request.keeps and request.tokens and request.sequence is not None:
                model.cache.add_tokens(request.sequence, tokens[request])
            if model.has_states and (request.keeps or not request.is_read):
                self._keep_states(request)
        return step, hidden

    def _keep_states(self, request: Request) -> None:
        """Keep the states of a request for prompts that begin so, at the end of a block."""
        if request.sequence is not None and (end := self._model.cache.end_of(request.sequence)):
            self._model.states.keep(end, request.place)

    def _go_on(
        self, requests: list[Request], hidden: DeviceArray, rows: Sequence[int]
    ) -> list[Request]:
        """Give each request its next token, by the hidden state in its row."""
        for request, token in zip(requests, self._next(requests, hidden, rows), strict=True):
            request.take(token, self._end_tokens)
        self.figures.new_tokens += len(requests)
        return requests

    def _next(self, requests: list[Request], hidden: DeviceArray, rows: Sequence[int]) -> list[int]:
        """The next token of each request; logits come to the host only where one asks for them."""
        logits = self._model.logits(hidden, rows)
        of_each = None
        if any(request.needs_logits for request in requests):
            of_each = logits.to_numpy()
            logits = self._penalised(requests, logits, of_each)
        tokens = self._model.choose(logits, [request.draw for request in requests])
        self._chosen = {tuple(requests): tokens}
        next_tokens: list[int] = tokens.to_numpy()[: len(requests), 0].tolist()
        if of_each is not None:
            for request, token, row in zip(requests, next_tokens, of_each[:, 0], strict=False):
                request.note(token, row)
        return next_tokens

    def _penalised(
        self, requests: list[Request], logits: DeviceArray, of_each: np.ndarray
    ) -> DeviceArray:
        """The logits on the device with the penalties of requests."""
        if all(request.penalty is None for request in requests):
            return logits
        changed = of_each.copy()
        for row, request in enumerate(requests):
            changed[row, 0] = request.penalised(of_each[row, 0])
        return DeviceArray.from_numpy(changed, self._model.device)

    def _leave(self, request: Request) -> None:
        self._running.remove(request)
        self._model.served.remove(request)
        if request.sequence is not None:
            self._model.cache.free(request.sequence)
            if self._model.has_states:
                self._model.states.end(request.place)
            request.sequence = None


def _in_places(tokens: dict[Request, list[int]]) -> dict[Request, list[int]]:
    """The tokens of requests in the order of the places that these have among states."""
    return dict(sorted(tokens.items(), key=lambda one: one[0].place))
