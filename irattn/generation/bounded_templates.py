"""Templates of a file that may be anyone's: in Jinja's sandbox, and of so many steps."""

from collections.abc import Callable, Iterator
from typing import Any

# Turns of loops and calls, at most. A thousand messages, each of which looks through all others,
# take a million; Jinja bounds a single range alone, and loops within loops would run for days.
MOST_STEPS = 5_000_000


class _Steps:
    """Counts the steps of a template; TemplateError beyond the most that it may take."""

    def __init__(self) -> None:
        self.taken = 0

    def count(self) -> None:
        from jinja2.exceptions import TemplateError

        self.taken += 1
        if self.taken > MOST_STEPS:
            raise TemplateError(f"takes more than {MOST_STEPS:,} turns of its loops")


class _Counted:
    """The values that a loop goes over, whose turns are counted."""

    def __init__(self, given: Any, count: Callable[[], None]) -> None:
        self._given, self._count = given, count

    def __iter__(self) -> Iterator[Any]:
        for one in self._given:
            self._count()
            yield one

    def __len__(self) -> int:
        return len(self._given)


def bounded_environment(**options: Any) -> Any:
    """A sandbox for one template, whose loops and calls are counted."""
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    steps = _Steps()

    class Bounded(ImmutableSandboxedEnvironment):
        def _generate(self, source: Any, *given: Any, **named: Any) -> str:
            for loop in source.find_all(nodes.For):
                over = nodes.Filter(loop.iter, "counted", [], [], None, None)
                loop.iter = over.set_lineno(loop.lineno)
            return super()._generate(source, *given, **named)

        def call(self, *given: Any, **named: Any) -> Any:
            steps.count()
            return super().call(*given, **named)

    environment = Bounded(**options)
    environment.filters["counted"] = lambda given: _Counted(given, steps.count)
    return environment
