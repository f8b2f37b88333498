"""The kinds of layers of a model: those that see all keys and those that see a window."""

from dataclasses import dataclass

from irattn.errors import ConfigError
from irattn.models.values import Fields, text, texts, whole

Window = tuple[int | None, int | None]

# Every second layer slides, which their files may leave to the code.
_ALTERNATING = ("gemma2", "gpt_oss")


@dataclass(frozen=True)
class LayerKind:
    """What tells layers of one model apart: a name, as `layer_types` says it, and the window."""

    name: str
    window: Window | None = None

    def window_within(self, keys: int) -> Window | None:
        """The window among this many keys; None where it hides none of them."""
        if self.window and all(side is None or side >= keys - 1 for side in self.window):
            return None
        return self.window


def layer_kinds(fields: Fields, causal: bool) -> list[LayerKind]:
    """The kinds of layers that a model has, full attention first.

    A window of W tokens shows a causal query at position i the keys j > i - W, and one that looks
    both ways those with |i - j| <= W // 2.
    """
    width = _width(fields)
    slides, is_full = _mixture(fields) if width else (False, True)
    kinds = [LayerKind("full_attention")] if is_full else []
    if slides and width:
        window = (width - 1, None) if causal else (width // 2, width // 2)
        kinds.append(LayerKind("sliding_attention", window))
    return kinds


def _width(fields: Fields) -> int | None:
    """Tokens of a window, if any layer can have one."""
    if fields.get("use_sliding_window") is False:
        return None
    if fields.get("attention_types") is not None:
        return whole(fields, "window_size") or 256
    width = whole(fields, "local_attention", "sliding_window")
    if width is None and "sliding_attention" in texts(fields, "layer_types"):
        raise ConfigError("sliding_window: missing, but layer_types has sliding_attention")
    return width


def _mixture(fields: Fields) -> tuple[bool, bool]:
    """Whether there are layers that slide, and layers that do not."""
    types = texts(fields, "layer_types") or _gpt_neo_types(fields)
    if types:
        return any(kind in ("sliding_attention", "local") for kind in types), any(
            kind in ("full_attention", "global") for kind in types
        )
    if text(fields, "model_type") in _ALTERNATING:
        return True, True
    layers = whole(fields, "num_hidden_layers", "n_layer", "num_layers")
    every = whole(
        fields, "sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"
    )
    if every:
        return every > 1, True
    full = fields.get("max_window_layers")
    if type(full) is int and full >= 0:
        # The first ones see all keys.
        return layers is None or full < layers, full > 0
    return True, False


def _gpt_neo_types(fields: Fields) -> list[str]:
    """GPT-Neo's `[[["global", "local"], 12]]` as one list."""
    found: list[str] = []
    for entry in fields.get("attention_types") or []:
        if not isinstance(entry, list) or not entry or not isinstance(entry[0], list):
            raise ConfigError(
                "attention_types: expected a list of [kinds, how often], "
                f"got {fields['attention_types']!r}"
            )
        found += entry[0]
    if unknown := set(found) - {"global", "local"}:
        raise ConfigError(f"attention_types: expected global and local, got {unknown.pop()!r}")
    return found
