"""ONNX's Attention and RotaryEmbedding: as functions, and as ops of its ReferenceEvaluator."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from irattn.core.errors import ArgumentError, shown
from irattn.integrations.extras import need
from irattn.integrations.onnx.attention import attention
from irattn.integrations.onnx.rotary_embedding import rotary_embedding

__all__ = ["OPS", "Attention", "RotaryEmbedding", "attention", "rotary_embedding"]

need("onnx")
_OpRun = import_module("onnx.reference.op_run").OpRun


class Attention(_OpRun):  # type: ignore[misc, valid-type]
    """Attention nodes of opset 23 and later; what irattn cannot compute is refused by name."""

    op_domain = ""

    def _run(self, *inputs: Any, **attributes: Any) -> tuple[Any, ...]:
        names = self.onnx_node.output
        wanted = len(names) > 3 and bool(names[3])
        given = _known(attention, attributes)
        return attention(*inputs, **given, with_scores=wanted)[: len(names)]


class RotaryEmbedding(_OpRun):  # type: ignore[misc, valid-type]
    """RotaryEmbedding nodes of opset 23 and later."""

    op_domain = ""

    def _run(self, *inputs: Any, **attributes: Any) -> tuple[Any, ...]:
        return (rotary_embedding(*inputs, **_known(rotary_embedding, attributes)),)


# For ReferenceEvaluator(model, new_ops=OPS).
OPS = [Attention, RotaryEmbedding]


def _known(function: Callable[..., Any], attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that a node has; ArgumentError for one that a later opset has added."""
    given = {name: value for name, value in attributes.items() if value is not None}
    known = function.__kwdefaults__ or {}
    for name in given:
        if name not in known:
            raise ArgumentError(f"{name}: irattn knows no such attribute, got {shown(given[name])}")
    return given
