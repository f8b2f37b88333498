"""The base of every spec: value semantics, JSON, and the checks made at birth."""

import dataclasses
import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np

from irattn.core.dtypes import FLOAT_NAMES, float_name
from irattn.core.errors import SpecError, shown
from irattn.core.numbers import real, whole
from irattn.core.tensors import Role, TensorType

MAX_HEAD_DIM = 256

_Part = TypeVar("_Part")

# What attention takes besides: heads of 384 and 512, and those of models whose keys and values are
# compressed (DeepSeek's latent attention has keys of 512 + 64 columns, of which the first 512 are
# the values, Mistral 4's of 256 + 64, and MiniCPM 3's of 256 + 32).
WIDE_HEAD_DIMS = (288, 320, 384, 512, 576)


@dataclass(frozen=True, kw_only=True)
class Spec:
    """Frozen description of one graph; subclasses list their fields and tensors.

    Fields take NumPy's numbers as well as Python's, and `io_dtype` also takes `float16`,
    `np.float16`, `torch.float16` and so on; all are stored in one form.
    """

    op: ClassVar[str]
    # Whether code for CPUs has a second function in a queue, which writes its new outputs where the
    # caller says: of specs whose outputs are large beside what they take to make.
    fills_memory: ClassVar[bool] = False
    # Fields that came late to the op, though others have had them for long: see _LATE.
    late: ClassVar[tuple[str, ...]] = ()

    @property
    def io_dtype(self) -> str:
        """Storage type of what flows through the graph; the field of that name in most specs."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        store_plain(self)
        if any(field.name == "io_dtype" for field in dataclasses.fields(self)):
            object.__setattr__(self, "io_dtype", _stored_dtype(self.io_dtype))

    @property
    def inputs(self) -> tuple[TensorType, ...]:
        """The tensors that a call takes, in call order."""
        raise NotImplementedError

    @property
    def outputs(self) -> tuple[TensorType, ...]:
        """The tensors that a call returns, in order."""
        raise NotImplementedError

    @property
    def compiled(self) -> Self:
        """The spec of the compiled function, where that takes other tensors than a call."""
        return self

    def of_call(self, tensors: Mapping[str, np.ndarray]) -> Self:
        """The spec with the sizes that a call's tensors have, where every call chooses its own."""
        return self

    @property
    def calls(self) -> tuple[Self, ...]:
        """Specs of the sizes that verifying calls the function in."""
        return (self,)

    @property
    def updates(self) -> dict[str, str]:
        """Outputs that take over the memory of an input on the device, by name."""
        return {}

    @property
    def new_outputs(self) -> tuple[TensorType, ...]:
        """The outputs that have memory of their own."""
        return tuple(tensor for tensor in self.outputs if tensor.name not in self.updates)

    @property
    def written_tokens(self) -> tuple[TensorType, ...]:
        """The inputs that go into updated caches."""
        roles = (Role.KEY, Role.VALUE) if self.updates else ()
        return tuple(tensor for tensor in self.inputs if tensor.role in roles)

    @property
    def flops(self) -> int:
        """Floating-point operations of the matrix products, hidden positions included."""
        raise NotImplementedError

    @property
    def least_flops(self) -> int:
        """`flops` without what the spec itself hides: a causal mask, a window."""
        return self.flops

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, validated anew; SpecError for an unknown field.

        `part.field` is a field of a part that is a spec itself.
        """
        changes = self._made_to_parts(changes)
        self._refuse_unknown(changes)
        return dataclasses.replace(self, **changes)

    @classmethod
    def field_names(cls) -> list[str]:
        """The fields that `replace` takes."""
        return [field.name for field in dataclasses.fields(cls)]

    def first_beyond(self, sayable: Collection[str]) -> str | None:
        """The first feature that differs from its default and is not among the `sayable`.

        A feature is a field with a default. What says attention in other words names those that it
        has words for, so that one which comes later is refused until it is named there.
        """
        features = (f for f in dataclasses.fields(self) if f.default is not dataclasses.MISSING)
        changed = (f.name for f in features if getattr(self, f.name) != f.default)
        return next((name for name in changed if name not in sayable), None)

    def _made_to_parts(self, changes: dict[str, Any]) -> dict[str, Any]:
        """The changes, with `part.field` made to the part."""
        made = {name: value for name, value in changes.items() if "." not in name}
        of_parts: dict[str, dict[str, Any]] = {}
        for path in changes.keys() - made.keys():
            name, _, field = path.partition(".")
            of_parts.setdefault(name, {})[field] = changes[path]
        for name, fields in of_parts.items():
            part = getattr(self, name, None)
            if name in made or not isinstance(part, Spec):
                why = "is given as a whole, too" if name in made else f"is no part of {self.op}"
                raise SpecError(f"{name}.{min(fields)}: {name} {why}")
            made[name] = part.replace(**fields)
        return made

    def to_dict(self) -> dict[str, Any]:
        """JSON form: `op` and every field, but for late ones that are None or off."""
        told = dataclasses.asdict(self, dict_factory=_json_object)
        untold = {name for name in self.late if told[name] is None or told[name] is False}
        return {"op": self.op, **{name: told[name] for name in told if name not in untold}}

    def to_json(self) -> str:
        """Canonical JSON text: the same text for equal specs."""
        return json.dumps(self.to_dict(), sort_keys=True)

    def to_short_json(self) -> str:
        """JSON text without fields that have their default, which `spec_from_json` reads too."""
        fields = self.to_dict()
        for field in dataclasses.fields(self):
            if getattr(self, field.name) == field.default:
                fields.pop(field.name, None)
        return json.dumps(fields)

    @property
    def digest(self) -> str:
        """Twelve hex digits that tell specs apart by value."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]

    @classmethod
    def from_fields(cls, fields: dict[str, Any]) -> Self:
        """Build from JSON fields; SpecError for unknown or missing ones."""
        cls._refuse_unknown(fields)
        required = [f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING]
        missing = [name for name in required if name not in fields]
        if missing:
            raise SpecError(
                f"{cls.op}: missing {', '.join(missing)}; required: {', '.join(required)}"
            )
        return cls(**fields)

    @classmethod
    def _refuse_unknown(cls, fields: dict[str, Any]) -> None:
        known = [f.name for f in dataclasses.fields(cls)]
        for name in fields:
            if name not in known:
                called = name if isinstance(name, str) else shown(name)
                raise SpecError(
                    f"{called}: not a field of {cls.op}; its fields are {', '.join(known)}"
                )


# Fields that came late: not told while they are None, so that what was made before keeps its key.
_LATE = (
    *("weight_format", "activation_format", "score_mod", "mask_mod", "mask_blocks", "dropout_p"),
    *("has_router_input", "has_expert_scales", "few_queries", "sum_eps", "is_plain", "plain_mlp"),
    *("has_residual_input", "skips_group_norm"),
    *("gated_norm_eps", "doubles_shares", "norms_after_rope"),
    *("sparsity", "laurel_rank", "streams", "known_tokens", "cascade", "jitter", "qkv_clip"),
    *("mlp_post_norm", "biases_logits", "softplus_gate", "layer_qk_norm", "norms_residual"),
    *("reads_embedded", "subtracts_heads"),
)


def _json_object(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON knows lists only: what is written must equal what is read back."""
    told = (
        (name, value)
        for name, value in fields
        if name not in _LATE or not (value is None or value is False)
    )
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told}


def of_json(kind: type[_Part], name: str, given: dict[str, Any]) -> _Part:
    """A part of a spec, which is a dataclass, from the JSON of the field `name`; SpecError else."""
    fields = dataclasses.fields(cast(Any, kind))
    known = {field.name: field for field in fields if field.init}
    for key in given:
        if key not in known:
            called = key if isinstance(key, str) else shown(key)
            raise SpecError(f"{name}.{called}: not a field; the fields are {', '.join(known)}")
    needed = (key for key, field in known.items() if field.default is dataclasses.MISSING)
    if missing := [key for key in needed if key not in given]:
        raise SpecError(f"{name}: missing {', '.join(missing)}")
    return kind(**given)


def stored_part(kind: type[_Part], name: str, given: object, has: str) -> _Part | None:
    """A part as the field `name` stores it, from itself or its JSON form; SpecError otherwise.

    `has` says what an object of it has.
    """
    if given is None or isinstance(given, kind):
        return given
    if not isinstance(given, dict):
        raise SpecError(f"{name}: expected an object with {has}, got {shown(given)}")
    return of_json(kind, name, given)


def store_plain(fields: Any) -> None:
    """Store the numbers of a dataclass as Python's own: equal values are equal text."""
    for field in dataclasses.fields(fields):
        object.__setattr__(fields, field.name, plain(getattr(fields, field.name)))


def plain(value: Any) -> Any:
    """NumPy's numbers, alone or in a sequence, as Python's; anything else as it is."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.longdouble):
        # Python has no number so wide, and item() gives back NumPy's.
        return float(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):
        return tuple(map(plain, value))
    return value


def check_positive(spec: Spec, *names: str) -> None:
    """Refuse fields that are not whole numbers of at least 1, or that are no size of anything."""
    for name in names:
        whole(name, getattr(spec, name))


def check_head_dim(spec: Spec, *names: str, also: tuple[int, ...] = ()) -> None:
    """Refuse head sizes beyond what irattn compiles and verifies; some take a few more."""
    check_positive(spec, *names)
    for name in names:
        value = getattr(spec, name)
        if value > MAX_HEAD_DIM and value not in also:
            more = f", or {' or '.join(map(str, also))}" if also else ""
            raise SpecError(f"{name}: expected at most {MAX_HEAD_DIM}{more}, got {value}")


def check_heads(num_q_heads: int, num_kv_heads: int) -> None:
    """Refuse query heads that cannot be shared evenly among the KV heads."""
    if num_q_heads % num_kv_heads:
        raise SpecError(
            f"num_kv_heads: expected a divisor of num_q_heads = {num_q_heads}, got {num_kv_heads}"
        )


def _stored_dtype(io_dtype: object) -> str:
    """The name of a storage type that has an attention kernel."""
    name = float_name(io_dtype)
    if name is None:
        raise SpecError(
            f"io_dtype: expected one of {', '.join(FLOAT_NAMES)}, got {shown(io_dtype)}"
        )
    return name


def check_flag(name: str, value: object) -> None:
    """Refuse anything but a bool."""
    if not isinstance(value, bool):
        raise SpecError(f"{name}: expected true or false, got {shown(value)}")


def check_scale(softmax_scale: object) -> None:
    """Refuse a softmax scale that is not a finite number, or too small a one."""
    if softmax_scale is None:
        return
    # Beyond this the logits leave the range of f32.
    expected = "0, or a magnitude between 1e-30 and 1e30"
    if 0 < abs(real("softmax_scale", softmax_scale, -1e30, 1e30, expected=expected)) < 1e-30:
        raise SpecError(f"softmax_scale: expected {expected}, got {softmax_scale}")


def stored_scale(softmax_scale: float | None, head_dim: int) -> float | None:
    """The scale as a spec stores it: equal scales are equal text, and the default is None."""
    if softmax_scale is None or softmax_scale == head_dim**-0.5:
        return None
    # There is a zero with a sign.
    return float(softmax_scale) or 0.0
