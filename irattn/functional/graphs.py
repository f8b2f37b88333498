"""Functions of arrays under torch.compile: run as they are, between the graphs around them."""

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def between_graphs(function: Callable[P, R]) -> Callable[P, R]:
    """A function that Dynamo does not look into, which knows neither NumPy's bf16 nor DLPack."""
    name = getattr(function, "__name__", "function")
    reason = (
        f"irattn.{name} runs between graphs, as it takes arrays of every library; for one graph "
        "call the operators of irattn.integrations.torch and torch_ops"
    )

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        torch: Any = sys.modules.get("torch")
        if torch is None or not torch.compiler.is_dynamo_compiling():
            return function(*given, **named)
        torch._dynamo.graph_break(msg=reason)
        result: R = torch.compiler.disable(function)(*given, **named)
        return result

    return call
