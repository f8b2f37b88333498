"""The kinds of layers of a model: which keys they see, and whether positions rotate them."""

from collections.abc import Sequence
from dataclasses import dataclass

from irattn.core.errors import ConfigError, shown
from irattn.models.families import LayerStyle
from irattn.models.names import LAYERS, LIGHTNING_HEADS, SCAN_RANK, STATE_SPACE_HEADS
from irattn.models.own_mlps import OwnMlp, own_mlps
from irattn.models.values import (
    MOST_LAYERS,
    Fields,
    check_layer_count,
    key_of,
    missing,
    texts,
    whole,
)

Window = tuple[int | None, int | None]

FULL, SLIDING, CHUNKED, LINEAR, CONVOLUTION, STATE_SPACE, SCAN, LIGHTNING = _KINDS = (
    *("full_attention", "sliding_attention", "chunked_attention"),
    # Gated delta nets, short convolutions, Mamba 2's and Mamba 1's steps, and lightning attention,
    # which have states instead of keys. The last three are no files' words: `mamba` may be either
    # step, and MiniMax says `linear_attention`.
    *("linear_attention", "conv", "state_space", "selective_scan", "lightning_attention"),
)
# The keys without which a model has no such layers: others have some of other kinds.
_SIZES_OF = {
    LINEAR: ("linear_num_value_heads",),
    CONVOLUTION: ("conv_L_cache",),
    STATE_SPACE: STATE_SPACE_HEADS,
    SCAN: SCAN_RANK,
    LIGHTNING: (LIGHTNING_HEADS,),
}
# The kinds of layers that have states.
STATEFUL = frozenset(_SIZES_OF)

_CHUNK = "attention_chunk_size"

# What tells layers of one kind from others: name, rotation, source, whether they are dense, MLP.
_Member = tuple[str, bool, int, bool, OwnMlp]

_PLAIN_MLP = OwnMlp()


@dataclass(frozen=True)
class LayerKind:
    """A kind of layers in one model: a name, as `layer_types` gives it, and what they see.

    Of a `chunk` of so many tokens, queries see the keys up to their own: to attention each chunk is
    a sequence of its own. Layers that have a `source` read the keys and values of that one, which
    is before them. `rotates` says whether positions rotate queries and keys, in layers that get
    any; `is_dense` whether they have an MLP where others have experts. `own` is what their MLP has
    of its own. `layers` are the numbers of those of this kind, from 0; None where the file does not
    tell.
    """

    name: str
    window: Window | None
    layers: tuple[int, ...] | None
    rotates: bool = True
    chunk: int | None = None
    source: int | None = None
    is_dense: bool = False
    own: OwnMlp = _PLAIN_MLP

    @property
    def label(self) -> str:
        """The kind in names of specs."""
        words = [self.name.removesuffix("_attention")]
        words += [] if self.rotates else ["nope"]
        words += ["dense"] if self.is_dense else []
        words += ["half"] if self.own.is_missing else []
        return "_".join(words if self.source is None else [*words, "shared"])

    def window_within(self, keys: int) -> Window | None:
        """The window among this many keys; None where it hides none of them."""
        if self.window and all(side is None or side >= keys - 1 for side in self.window):
            return None
        return self.window

    def tokens_within(self, tokens: int) -> int:
        """The most tokens that are a sequence to attention, of a sequence of so many."""
        return min(self.chunk or tokens, tokens)


def layer_kinds(fields: Fields, causal: bool, style: LayerStyle | None = None) -> list[LayerKind]:
    """The kinds of layers that a model has, full attention first.

    A window of W tokens shows a causal query at position i the keys j > i - W, and one that looks
    both ways those with |i - j| <= W // 2.
    """
    width, types = _width(fields, causal), _types(fields)
    count = whole(fields, *LAYERS) or len(types) or None
    check_layer_count(fields, count or 0)
    slides = [bool(width) and slide for slide in _slides(fields, types, count or MOST_LAYERS)]
    rotations = _rotations(fields, slides, style)
    chunks = _chunks(fields, types, rotations)
    with_states = _with_states(fields, types, len(slides))
    shared = whole(fields, "num_kv_shared_layers", least=0) or 0
    if shared and count and not shared < count:
        raise ConfigError(f"num_kv_shared_layers: expected less than {count} layers, got {shared}")
    first_shared = count - shared if count else MOST_LAYERS
    sources: dict[str, int] = {}
    dense = _dense(fields, style, len(slides))
    members: dict[_Member, list[int]] = {}
    for number, (slides_, rotates, is_cut, is_dense, own) in enumerate(
        zip(slides, rotations, chunks, dense, own_mlps(fields, len(slides)), strict=True)
    ):
        name = CHUNKED if is_cut else SLIDING if slides_ else FULL
        # Nothing is rotated there, and it says nothing of them.
        name, rotates = with_states.get(number, name), rotates or number in with_states
        if number < first_shared:
            sources[name] = number
        elif name not in sources:
            raise ConfigError(f"num_kv_shared_layers: no layer before {number} is {name}, too")
        source = -1 if number < first_shared else sources[name]
        members.setdefault((name, rotates, source, is_dense, own), []).append(number)
    return [
        LayerKind(
            name,
            _window(width, causal) if width and name == SLIDING else None,
            tuple(numbers) if count else None,
            rotates,
            whole(fields, _CHUNK) if name == CHUNKED else None,
            None if source < 0 else source,
            is_dense,
            own,
        )
        for (name, rotates, source, is_dense, own), numbers in sorted(members.items(), key=_place)
    ]


def _place(member: tuple[_Member, list[int]]) -> tuple[int, bool, int, bool, int]:
    """The place of a kind among others: what sees all keys first."""
    (name, rotates, source, is_dense, _), numbers = member
    return _KINDS.index(name), not rotates, source, is_dense, numbers[0]


def _with_states(fields: Fields, types: Sequence[str], count: int) -> dict[int, str]:
    """The kinds of layers with states: without a list, all but the last of every so many."""
    if types:
        return {number: kind for number, kind in enumerate(types) if kind in _SIZES_OF}
    every = whole(fields, "full_attention_interval")
    return {number: LINEAR for number in range(count) if every and (number + 1) % every}


def _dense(fields: Fields, style: LayerStyle | None, count: int) -> list[bool]:
    """For each layer whether it has an MLP where others have experts."""
    if not (style and style.experts and style.experts.dense):
        return [False] * count
    return style.experts.dense(fields, count)


def chunk_note(kinds: Sequence[LayerKind]) -> str | None:
    """The note that attention is given chunks, where layers see no more."""
    chunk = next((kind.chunk for kind in kinds if kind.chunk), None)
    if chunk is None:
        return None
    return f"{_CHUNK}: {chunk}: to attention each chunk is a sequence of its own"


def _chunks(fields: Fields, types: Sequence[str], rotations: Sequence[bool]) -> Sequence[bool]:
    """For each layer whether it sees its own chunk only: without a list, where it rotates."""
    if whole(fields, _CHUNK) is None:
        if CHUNKED in types:
            raise ConfigError(f"{_CHUNK}: missing, but layer_types has {CHUNKED}")
        return [False] * len(rotations)
    return [kind == CHUNKED for kind in types[: len(rotations)]] if types else rotations


def _rotations(fields: Fields, slides: Sequence[bool], style: LayerStyle | None) -> list[bool]:
    """For each layer whether positions rotate queries and keys, where they do in any."""
    if style is None or not style.rotates:
        return [True] * len(slides)
    if style.rotates_windows_alone:
        return list(slides)
    given = fields.get("no_rope_layers")
    if given not in (None, []):
        # 1 where there is a rotation, whatever the name says.
        if not isinstance(given, list) or len(given) < len(slides):
            raise ConfigError(
                f"no_rope_layers: expected 0 or 1 for each of the {len(slides)} layers, got "
                f"{shown(given)}"
            )
        return [bool(one) for one in given[: len(slides)]]
    every = whole(fields, "no_rope_layer_interval")
    return [every is None or (number + 1) % every != 0 for number in range(len(slides))]


def _window(width: int, causal: bool) -> Window:
    return (width - 1, None) if causal else (width // 2, width // 2)


def _width(fields: Fields, causal: bool) -> int | None:
    """Tokens of a window, if any layer can have one."""
    if fields.get("use_sliding_window") is False:
        return None
    if fields.get("attention_types") is not None:
        return whole(fields, "window_size") or 256
    width = whole(fields, "sliding_window")
    if width is None and (local := whole(fields, "local_attention")):
        # Keys on both sides, of which a causal model sees those on the left.
        width = max(local // 2, 1) if causal else local
    if width is None and "sliding_attention" in texts(fields, "layer_types"):
        raise ConfigError("sliding_window: missing, but layer_types has sliding_attention")
    return width


def _types(fields: Fields) -> list[str]:
    """The kind of each layer, where the file lists them."""
    # Granite 4 says `attention`, and has no windows.
    types = [FULL if kind == "attention" else kind for kind in texts(fields, "layer_types")]
    for kind in types:
        _check_kind(fields, kind)
    return types or _gpt_neo_types(fields)


def _check_kind(fields: Fields, kind: str) -> None:
    """ConfigError for a kind that a model's layers cannot have, or whose size it does not say."""
    sizes = _SIZES_OF.get(kind, ())
    if kind in _KINDS and (not sizes or any(fields.get(key) for key in sizes)):
        return
    there = [key for key in sizes if key in fields]
    if there and fields[there[0]] is None:
        raise missing(there[0])
    raise ConfigError(f"layer_types: {kind} is a kind of layer that irattn does not have")


def _slides(fields: Fields, types: list[str], count: int) -> list[bool]:
    """For each layer whether it has the window."""
    if types:
        if len(types) < count:
            raise ConfigError(
                f"{key_of(fields, 'layer_types', 'attention_types')}: expected a kind for each of "
                f"the {count} layers ({key_of(fields, *LAYERS)}), got {len(types)}"
            )
        return [kind in ("sliding_attention", "local") for kind in types[:count]]
    if every := whole(fields, "sliding_window_pattern", "_sliding_window_pattern"):
        # The last of every so many layers sees all keys.
        return [(number + 1) % every != 0 for number in range(count)]
    if every := whole(fields, "global_attn_every_n_layers"):
        return [number % every != 0 for number in range(count)]
    full = fields.get("max_window_layers")
    # The first ones see all keys.
    first = full if type(full) is int else 0
    return [number >= first for number in range(count)]


def _gpt_neo_types(fields: Fields) -> list[str]:
    """GPT-Neo's `[[["global", "local"], 12]]` as one list."""
    all_kinds: list[str] = []
    given = fields.get("attention_types") or []
    for entry in given if isinstance(given, list) else [given]:
        kinds, times = entry if isinstance(entry, list) and len(entry) == 2 else (None, None)
        if not isinstance(kinds, list) or type(times) is not int or times > MOST_LAYERS:
            raise ConfigError(
                "attention_types: expected a list of [kinds, how often], "
                f"got {shown(fields['attention_types'])}"
            )
        all_kinds += kinds * times
    for kind in all_kinds:
        if kind not in ("global", "local"):
            raise ConfigError(f"attention_types: expected global and local, got {shown(kind)}")
    return all_kinds
