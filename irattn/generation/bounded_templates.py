"""Templates of a file that may be anyone's: in Jinja's sandbox, of so many steps and so long."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

# Turns of loops and calls, at most. A thousand messages, each of which looks through all others,
# take a million; Jinja bounds a single range alone, and loops within loops would run for days.
MOST_STEPS = 5_000_000
# Characters of a text, items of a list and bits of a number, at most: Jinja bounds none of them,
# and 'x' * 10**10 would take all memory. No context of a model is as long as such a text.
MOST_SIZE = 2**25


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


def _size(value: object) -> int:
    """The characters, items or bits of a value that operators make longer."""
    if isinstance(value, int):
        return value.bit_length()
    return len(value) if isinstance(value, str | list | tuple) else 0


def _size_of_result(operator: str, left: object, right: object) -> int:
    """How large what an operator gives is at most, before it is made."""
    if operator == "**":
        return _size(left) * right if isinstance(left, int) and isinstance(right, int) else 0
    if operator == "*":
        for many, count in ((left, right), (right, left)):
            if isinstance(many, str | list | tuple) and isinstance(count, int):
                return len(many) * count
    return _size(left) + _size(right)


def _check_size(size: int) -> None:
    from jinja2.exceptions import TemplateError

    if size > MOST_SIZE:
        raise TemplateError(f"makes a text, list or number of more than {MOST_SIZE:,} places")


def _joined(pieces: Iterable[str]) -> str:
    """The text of a template, a macro or a block, of pieces that come one by one."""
    kept, size = [], 0
    for piece in pieces:
        size += len(piece)
        _check_size(size)
        kept.append(piece)
    return "".join(kept)


def bounded_environment(**options: Any) -> Any:
    """A sandbox for one template: loops and calls are counted, and what operators make is bounded.

    Widths that a format or a filter is given are not.
    """
    from jinja2 import nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment
    from jinja2.visitor import NodeTransformer

    steps = _Steps()

    class Tildes(NodeTransformer):
        """Has what `~` joins, which is no operator of two to Jinja, joined by `_joined`."""

        def visit_Concat(self, node: Any) -> Any:  # noqa: N802
            self.generic_visit(node)
            pieces = nodes.List(node.nodes)
            return nodes.Filter(pieces, "joined", [], [], None, None).set_lineno(node.lineno)

    class Bounded(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"+", "*", "**"})
        concat = staticmethod(_joined)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            _check_size(_size_of_result(operator, left, right))
            return super().call_binop(context, operator, left, right)

        def _generate(self, source: Any, *given: Any, **named: Any) -> str:
            Tildes().visit(source)
            for loop in source.find_all(nodes.For):
                over = nodes.Filter(loop.iter, "counted", [], [], None, None)
                loop.iter = over.set_lineno(loop.lineno)
            return super()._generate(source, *given, **named)

        def call(self, *given: Any, **named: Any) -> Any:
            steps.count()
            return super().call(*given, **named)

    environment = Bounded(**options)
    environment.filters["joined"] = lambda given: _joined(map(str, given))
    environment.filters["counted"] = lambda given: _Counted(given, steps.count)
    return environment
