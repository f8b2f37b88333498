"""One test for all forms of an opcode: pytest takes longer for a test than most forms do."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def by_name(cases: Iterable[Any], name: Callable[[Any], str]) -> Callable[[Any], Any]:
    """A test that checks in turn what has the same name; what fails is noted by its id."""
    groups: dict[str, list[Any]] = {}
    for case in cases:
        groups.setdefault(name(case), []).append(case)

    def decorate(check: Callable[..., None]) -> Any:
        @pytest.mark.parametrize("cases", groups.values(), ids=groups)
        def test(cases: list[Any]) -> None:
            for case in cases:
                try:
                    check(*case.values)
                except BaseException as error:
                    error.add_note(f"in {case.id}")
                    raise

        # What pytest shows; with its signature, pytest would ask for its arguments.
        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorate
