"""How the graph of a layer is put together from its parts."""

import re
from dataclasses import dataclass

from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.targets import Target

_ALIAS = re.compile(r"^([!#]\w+) = ", re.MULTILINE)
_NAME = re.compile(r"[!#]\w+")


@dataclass(frozen=True)
class DecoderLayer:
    """What the layer hands on to its parts."""

    spec: DecoderLayerSpec
    target: Target

    @property
    def attention_arguments(self) -> list[str]:
        """What attention takes after query, key and value."""
        return [f"%{tensor.name}" for tensor in self.spec.cached_attention.inputs[3:]]


def as_part(text: str, op: str, name: str) -> str:
    """A rendered graph as a private function called `name`, its aliases apart from all others."""
    aliases = set(_ALIAS.findall(text))
    text = _NAME.sub(
        lambda found: f"{found[0][0]}{name}__{found[0][1:]}" if found[0] in aliases else found[0],
        text,
    )
    # Whose memory may be overwritten is for the function that is called from outside to say.
    text = text.replace(" {iree.abi.consume}", "")
    return text.replace(f"func.func @{op}(", f"func.func private @{name}(")


# One template, whose parts differ.
PLANS = {
    ("decoder_layer", "linalg/blocked"): DecoderLayer,
    ("decoder_layer", "linalg/fused"): DecoderLayer,
}
