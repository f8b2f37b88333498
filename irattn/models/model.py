"""A model as specs: which there are, what they are called and which layers use them."""

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

from irattn.core.errors import SpecError
from irattn.core.tensors import largest
from irattn.specs import Spec
from irattn.specs.attention import AttentionSpec
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.paged_attention import PagedAttentionSpec
from irattn.specs.state_layer import StateLayer

AttentionOrLayer = AttentionSpec | PagedAttentionSpec | DecoderLayerSpec | StateLayer

# With the digest's twelve digits, names stay within 120 characters.
_LONGEST_MODEL = 40
_LONGEST_LABEL = 107


@dataclass(frozen=True)
class Part:
    """One spec of a model.

    `stack` is the model type, or one of two stacks of layers: `llama`, `clip_vision_model`. `kind`
    is `full` or `sliding` where layers differ in that, with `_nope` where positions do not rotate
    them, else None. `phase` is `prefill`,
    `paged_decode`, `layer_prefill`, `layer_decode` (a layer, or its attention half), `encode`,
    `cross_prefill` or `cross_decode`. `layers` are the numbers, from 0, of the layers that use the
    spec; None where the file does not say how many there are.
    """

    stack: str
    kind: str | None
    phase: str
    spec: AttentionOrLayer
    layers: tuple[int, ...] | None

    @property
    def name(self) -> str:
        """The name of the part, from its spec and a digest: the same for the same configuration.

        `llama_prefill_b1_h32x8_d128_q512_kv512_bf16-16ba32f2c5fb`: batch, query heads x KV heads,
        head_dim, queries, keys, dtype.
        """
        stack = re.sub(r"[^A-Za-z0-9]+", "-", self.stack).strip("-")[:_LONGEST_MODEL] or "model"
        words = [stack, *([self.kind] if self.kind else []), self.phase, *_sizes(self.spec)]
        return f"{'_'.join(words)[:_LONGEST_LABEL]}-{self.spec.digest}"

    def takes(self, name: str) -> bool:
        """Whether the spec has this field; `part.field` is one of a part of it."""
        return name.partition(".")[0] in self.spec.field_names()

    def replace(self, changes: dict[str, Any]) -> Self:
        """The part with those changes to its spec whose fields it has."""
        own = {name: value for name, value in changes.items() if self.takes(name)}
        try:
            return dataclasses.replace(self, spec=self.spec.replace(**own))
        except SpecError as error:
            raise SpecError(f"{error} (of {self.phase})") from error


@dataclass(frozen=True)
class Model:
    """The specs of a model and which of its layers use them.

    `notes` say, by key of the file, what is left out, such as layers, and why. `f32_because`
    quotes what the file says of the dtype where its specs are f32, else it is None.
    """

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    f32_because: str | None = None

    @property
    def specs(self) -> dict[str, Spec]:
        """The specs by name."""
        return {part.name: part.spec for part in self.parts}

    @property
    def layers(self) -> dict[str, tuple[int, ...] | None]:
        """The numbers of the layers that use each spec, by its name: Part.layers."""
        return {part.name: part.layers for part in self.parts}

    def replace(self, **changes: Any) -> Self:
        """A copy with fields changed in every spec that has them, validated anew.

        SpecError for a field that no spec has, and for a value that one of them refuses.
        """
        for name in changes:
            self.check_field(name)
        parts = merged(part.replace(changes) for part in self.parts)
        f32_because = None if "io_dtype" in changes else self.f32_because
        return dataclasses.replace(self, parts=parts, f32_because=f32_because)

    def check_field(self, name: str) -> None:
        """SpecError unless a spec has this field."""
        if not any(part.takes(name) for part in self.parts):
            known = dict.fromkeys(field for part in self.parts for field in part.spec.field_names())
            raise SpecError(
                f"{name}: not a field of any spec of this model; their fields are "
                f"{', '.join(known)}"
            )


def _sizes(spec: AttentionOrLayer) -> list[str]:
    """The sizes of a spec, in a word each."""
    if isinstance(spec, StateLayer):
        return [f"b{spec.batch}", *spec.size_words, f"q{spec.q_tokens}", spec.io_dtype]
    attention = spec.attention if isinstance(spec, DecoderLayerSpec) else spec
    return [
        f"b{attention.batch}",
        f"h{attention.num_q_heads}x{attention.num_kv_heads}",
        f"d{attention.head_dim}",
        f"q{largest(attention.num_queries)}",
        f"kv{largest(attention.num_keys)}",
        attention.io_dtype,
    ]


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts, with those of one spec joined; a part has no kind where all layers are joined."""
    groups: dict[tuple[str, str], dict[Spec, Part]] = {}
    for part in parts:
        same = groups.setdefault((part.stack, part.phase), {})
        same[part.spec] = _joined(same[part.spec], part) if part.spec in same else part
    return tuple(
        part if len(same) > 1 else dataclasses.replace(part, kind=None)
        for same in groups.values()
        for part in same.values()
    )


def _joined(one: Part, other: Part) -> Part:
    layers = one.layers and other.layers and tuple(sorted({*one.layers, *other.layers}))
    return dataclasses.replace(one, layers=layers)
