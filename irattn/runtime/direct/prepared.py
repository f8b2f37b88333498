"""A call of known shapes, types and device: what it makes, launches and gives back."""

from collections.abc import Sequence
from typing import Any

from irattn.runtime.direct.addresses import ALIGNMENT, ArrayMaker, check_aligned
from irattn.runtime.direct.call import StepLauncher
from irattn.runtime.direct.code import LoadedCode
from irattn.runtime.direct.laying import CallLayout

_MISALIGNED = ALIGNMENT - 1


class PreparedCall:
    """Calls of one layout with arrays of one library; `names` are the arrays', for messages."""

    def __init__(
        self,
        name: str,
        library: ArrayMaker,
        code: LoadedCode,
        layout: CallLayout,
        names: Sequence[str],
    ) -> None:
        self._addresses, self._empty = library.addresses, library.empty
        self._library, self._names, self.number = library, names, code.number
        self._made, self._scratch_bytes = layout.made, layout.scratch_bytes
        # Scratch that is not there has a place, too.
        self._rest, self._results = (0, *code.constants), layout.results
        self._launch = StepLauncher(name, code, layout.steps).launch
        first, *others = layout.results
        # By far most calls: one array is made, and it is the output.
        is_plain = not others and not self._scratch_bytes and first.offset is None
        self._only = layout.made[0] if is_plain and len(layout.made) == 1 else None
        if self._only and first.block != layout.num_given:
            self._only = None

    def run(self, arrays: Sequence[Any], stream: int) -> Any:
        """The output, or a tuple of several; `arrays` are inputs and then given outputs."""
        blocks = self._addresses(arrays)
        for address in blocks:
            if address & _MISALIGNED:
                check_aligned(self._names, blocks)
        if self._only:
            output = self._empty(*self._only, self.number, stream)
            blocks += self._addresses((output,))
            blocks += self._rest
            self._launch(blocks, stream)
            return output
        return self._run(arrays, blocks, stream)

    def _run(self, arrays: Sequence[Any], blocks: list[int], stream: int) -> Any:
        library, number = self._library, self.number
        made = [self._empty(shape, element, number, stream) for shape, element in self._made]
        blocks += self._addresses(made)
        rest = self._rest
        if num_bytes := self._scratch_bytes:
            # It must be there until all is launched.
            scratch = library.scratch(num_bytes, number, stream)
            rest = (*self._addresses((scratch,)), *rest[1:])
        blocks += rest
        self._launch(blocks, stream)
        every = [*arrays, *made]
        results = tuple(
            library.own(every[result.block])
            if result.offset is None
            else library.part(every[result.block], result.offset, result.shape, result.dtype)
            for result in self._results
        )
        return results if len(results) > 1 else results[0]
