"""Templates of a file that may be anyone's: in Jinja's sandbox, of so many steps and so long."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from irattn.generation.made_sizes import (
    FILTERS,
    size_of,
    size_of_filter,
    size_of_method,
    size_of_operator,
)

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


def check_size(size: int) -> None:
    """TemplateError for what would be larger than anything that a template may make."""
    from jinja2.exceptions import TemplateError

    if size > MOST_SIZE:
        raise TemplateError(f"makes a text, list or number of more than {MOST_SIZE:,} places")


def _joined(pieces: Iterable[str]) -> str:
    """The text of a template, a macro or a block, of pieces that come one by one."""
    kept, size = [], 0
    for piece in pieces:
        size += len(piece)
        check_size(size)
        kept.append(piece)
    return "".join(kept)


def _growing(items: Iterable[Any], between: int, each: Callable[[Any], Any]) -> Iterator[Any]:
    """The items of which one text or list is made, as long as that is no larger than it may be."""
    size = 0
    for item in items:
        one = each(item)
        size += between + (size_of(one) if isinstance(one, list | tuple) else len(str(one)))
        check_size(size)
        yield item


def _checked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is asked before how large what it makes will be."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        # Some are given their environment first.
        own = given[1:] if hasattr(function, "jinja_pass_arg") else given
        check_size(size_of_filter(name, *own, **named))
        return function(*given, **named)

    return call


def _summing(function: Callable[..., Any], *, is_text: bool) -> Callable[..., Any]:
    """The filters `join` and `sum`, which make one of many."""

    @wraps(function)
    def call(context: Any, items: Any, *given: Any, **named: Any) -> Any:
        from jinja2.filters import make_attrgetter

        words = ("d", "attribute") if is_text else ("attribute", "start")
        told = {**dict(zip(words, given, strict=False)), **named}
        environment = getattr(context, "environment", context)
        attribute = told.get("attribute")
        each = _same if attribute is None else make_attrgetter(environment, attribute)
        between = len(str(told.get("d", ""))) if is_text else 0
        return function(context, _growing(items, between, each), *given, **named)

    return call


def _same(item: Any) -> Any:
    return item


def bounded_environment(**options: Any) -> Any:
    """A sandbox for one template: loops and calls are counted, and what is made is bounded."""
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
        intercepted_binops = frozenset({"+", "*", "**", "%"})
        concat = staticmethod(_joined)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            check_size(size_of_operator(operator, left, right))
            return super().call_binop(context, operator, left, right)

        def _generate(self, source: Any, *given: Any, **named: Any) -> str:
            Tildes().visit(source)
            for loop in source.find_all(nodes.For):
                over = nodes.Filter(loop.iter, "counted", [], [], None, None)
                loop.iter = over.set_lineno(loop.lineno)
            return super()._generate(source, *given, **named)

        def call(self, context: Any, function: Any, *given: Any, **named: Any) -> Any:
            steps.count()
            # Jinja puts a function of its own around `format`.
            method = getattr(function, "__wrapped__", function)
            of, name = getattr(method, "__self__", None), getattr(method, "__name__", "")
            if name == "join" and isinstance(of, str | bytes) and len(given) == 1:
                given = (_growing(given[0], len(of), _same),)
            check_size(size_of_method(name, of, *given, **named))
            return super().call(context, function, *given, **named)

    environment = Bounded(**options)
    filters = environment.filters
    filters.update({name: _checked(name, filters[name]) for name in FILTERS})
    filters["join"] = _summing(filters["join"], is_text=True)
    filters["sum"] = _summing(filters["sum"], is_text=False)
    del environment.globals["lipsum"]
    filters["joined"] = lambda given: _joined(map(str, given))
    filters["counted"] = lambda given: _Counted(given, steps.count)
    return environment
