"""Sequences that share steps: they join, are read in chunks, decode together, and leave."""

from collections import deque
from collections.abc import Iterable, Sequence

from irattn.core.errors import ArgumentError, OutOfBlocksError, shown
from irattn.generation.figures import Figures
from irattn.generation.graphs import Phase
from irattn.generation.model import DeviceModel
from irattn.generation.requests import Request, check_size
from irattn.generation.sizes import Sizes
from irattn.generation.steps import BatchStep
from irattn.runtime import DeviceArray


class Batch:
    """Requests that a model works on: `add` some at any time, and `step` until `is_idle`.

    A step computes a chunk of some prompts, and then one token of every sequence whose prompt is
    read. A request waits until there is a place in the batch, and blocks for all tokens that it may
    get: none runs out of them on the way. Its tokens are those that it would get alone. Batches of
    one generator share its blocks: where others have so many that no request can begin, a step is
    an OutOfBlocksError, until they are stepped or closed. A batch that is dropped is closed, and so
    is one whose step fails on its way: what it has computed of its tokens is not known then.
    """

    def __init__(self, model: DeviceModel, sizes: Sizes, end_tokens: frozenset[int]) -> None:
        self.figures = Figures()
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
        """Take one step; gives the requests that got a token."""
        self._admit()
        try:
            decoding = [request for request in self._running if request.is_read]
            got = self._prefill() + (self._decode(decoding) if decoding else [])
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
            request = self._waiting.popleft()
            request.sequence = self._model.cache.begin(request.prompt)
            request.computed = self._model.cache.current_length(request.sequence)
            self.figures.reused_tokens += request.computed
            self._running.append(request)
            self._model.served.append(request)

    def _blocks_of(self, requests: Iterable[Request]) -> int:
        """Blocks for all tokens that requests may get."""
        return sum([self._sizes.blocks_of(request.most_tokens) for request in requests])

    def _prefill(self) -> list[Request]:
        """Compute a chunk of each of the first prompts that are not read."""
        unread = [one for one in self._running if not one.is_read]
        if not unread:
            return []
        # A prompt goes through the same graphs in company as alone.
        phase = self._phase(unread[0])
        alike = [request for request in unread if self._phase(request) is phase]
        requests = alike[: self._sizes.prompts_at_once]
        self._model.prepare([phase])
        chunks = [self._chunk(request, phase.q_len) for request in requests]
        with self.figures.timed("prefill"):
            step, hidden = self._run(phase, requests, chunks)
            rows = dict(zip(requests, step.last_rows, strict=True))
            read = [request for request in requests if request.is_read]
            return self._go_on(read, hidden, [rows[one] for one in read]) if read else []

    def _phase(self, request: Request) -> Phase:
        """The step that the next chunk of a prompt is computed in."""
        return self._model.graphs.prefill_of(len(request.prompt) - request.computed)

    def _chunk(self, request: Request, most: int) -> Sequence[int]:
        """The next tokens of a prompt, which count as computed."""
        chunk = request.prompt[request.computed : request.computed + most]
        self.figures.prompt_tokens += len(chunk)
        request.computed += len(chunk)
        return chunk

    def _decode(self, requests: list[Request]) -> list[Request]:
        with self.figures.timed("decode"):
            last = [request.tokens[-1:] for request in requests]
            # What was chosen for the same rows is on the device already.
            chosen = self._chosen.get(tuple(requests))
            step, hidden = self._run(self._model.graphs.decode, requests, last, chosen)
            self.figures.decoded_tokens += len(requests)
            return self._go_on(requests, hidden, step.last_rows)

    def _run(
        self,
        phase: Phase,
        requests: Sequence[Request],
        tokens: Sequence[Sequence[int]],
        token_ids: DeviceArray | None = None,
    ) -> tuple[BatchStep, DeviceArray]:
        model = self._model
        sequences = [request.sequence for request in requests if request.sequence is not None]
        model.cache.extend(sequences, list(map(len, tokens)))
        step = BatchStep(phase, model.cache, sequences, tokens, model.uploads, token_ids)
        hidden = model.run(step)
        model.cache.commit(sequences)
        return step, hidden

    def _go_on(
        self, requests: list[Request], hidden: DeviceArray, rows: Sequence[int]
    ) -> list[Request]:
        """Give each request its next token, by the hidden state in its row."""
        for request, token in zip(requests, self._next(requests, hidden, rows), strict=True):
            request.take(token, self._end_tokens)
        self.figures.new_tokens += len(requests)
        return requests

    def _next(self, requests: list[Request], hidden: DeviceArray, rows: Sequence[int]) -> list[int]:
        """The next token of each request: greedy ones alone come to the host, not their logits."""
        logits = self._model.logits(hidden, rows)
        if all(request.sampling.is_greedy for request in requests):
            tokens = self._model.likeliest(logits)
            self._chosen = {tuple(requests): tokens}
            next_tokens: list[int] = tokens.to_numpy()[: len(requests), 0].tolist()
            return next_tokens
        self._chosen = {}
        every = logits.to_numpy()[:, 0]
        return [request.choose(row) for request, row in zip(requests, every, strict=False)]

    def _leave(self, request: Request) -> None:
        self._running.remove(request)
        if request.sequence is not None:
            self._model.cache.free(request.sequence)
            self._model.served.remove(request)
            request.sequence = None
