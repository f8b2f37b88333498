"""Places of inputs that must not count, and calls in which a sequence has other sequences.

What a changed place may change is not said here: the float64 reference is asked. Where its outputs
stay what they were, those of compiled code must stay, bit for bit.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from irattn.core.tensors import Role, TensorType
from irattn.lab.inputs import Tensors
from irattn.reference.layouts import heads_first
from irattn.specs import Spec

Places = dict[str, np.ndarray]
Place = tuple[slice, ...]

# Inputs that all sequences of a batch share.
_SHARED = {
    *(Role.KEY_CACHE, Role.VALUE_CACHE, Role.KEY_SCALE, Role.VALUE_SCALE),
    *(Role.WEIGHT, Role.WEIGHT_BIAS, Role.WEIGHT_SCALE),
    *(Role.ROTATION, Role.SLOPES, Role.SINKS),
}
_NEW_TOKENS = (Role.KEY, Role.VALUE)
# What a call gives of each of its tokens, of those of its queries first.
_OF_QUERIES = (Role.QUERY, Role.ATTENDED, Role.GRADIENT, Role.LSE)
_OF_TOKENS = (*_OF_QUERIES, *_NEW_TOKENS, Role.UNIT_KEY, Role.LOG_DECAY, Role.SHARE)
# Of packed calls: their first axis counts heads.
_HEADS_FIRST = (Role.LSE, Role.BIAS, Role.KEEP_MASK)
_CACHES = (Role.KEY_CACHE, Role.VALUE_CACHE)
_SCALES = (Role.KEY_SCALE, Role.VALUE_SCALE)


def poisoned(tensors: Tensors, places: Places, poison: float) -> Tensors:
    """The inputs, with other numbers in places."""
    changed = dict(tensors)
    for name, mask in places.items():
        # Integers have neither NaN nor infinities: their largest number takes the place.
        is_float = tensors[name].dtype.kind not in "iub"
        wrong = poison if is_float else np.iinfo(tensors[name].dtype).max
        changed[name] = np.where(mask, np.asarray(wrong, tensors[name].dtype), tensors[name])
    return changed


def hidden_places(spec: Spec, tensors: Tensors) -> Places:
    """The places beyond lengths, in slots that nobody uses, or beside a state that saw nothing.

    Masks by input's name, without those that are empty; `spec` is that of the call.
    """
    roles = {tensor.role: tensors[tensor.name] for tensor in spec.inputs}
    places = {}
    for tensor in spec.inputs:
        array = tensors[tensor.name]
        if array.dtype.kind in "iub" and tensor.role not in (*_CACHES, *_NEW_TOKENS):
            continue
        mask = _hidden(spec, tensor.name, tensor.role, array, roles, tensors)
        if mask is not None and mask.any():
            places[tensor.name] = mask
    return places


def late_keys(spec: Spec, tensors: Tensors) -> Places:
    """The last quarter of contiguous keys, which a causal query may not see."""
    return _quarter_of_keys(spec, tensors, slice(-1, None))


def early_keys(spec: Spec, tensors: Tensors) -> Places:
    """The first quarter of contiguous keys, where there is a window that may hide them."""
    return _quarter_of_keys(spec, tensors, slice(1)) if getattr(spec, "window", None) else {}


def _quarter_of_keys(spec: Spec, tensors: Tensors, quarters: slice) -> Places:
    key = tensors.get("key")
    if key is None or "kv_len" not in spec.field_names() or spec.updates:
        return {}
    mask = np.zeros(key.shape, bool)
    tokens = heads_first(getattr(spec, "layout", "HND"), mask)
    for part in np.array_split(np.arange(tokens.shape[2]), 4)[quarters]:
        tokens[:, :, part] = True
    return {"key": mask}


def _hidden(
    spec: Any,
    name: str,
    role: Role,
    array: np.ndarray,
    roles: Mapping[Role, np.ndarray],
    tensors: Tensors,
) -> np.ndarray | None:
    """The places of one input; None where all of it may count."""
    attention = getattr(spec, "attention", spec)
    layout = getattr(attention, "layout", "HND")
    if role in _CACHES and Role.BLOCK_IDS in roles:
        first = attention.first_value_slot if role == Role.VALUE_CACHE else 0
        return _unused_slots(attention, array, roles, layout, first)
    if role in _SCALES and Role.BLOCK_IDS in roles:
        is_by_slot = attention.makes_scales
        return _unused_slots(attention, array, roles, layout, 0) if is_by_slot else None
    if role in _NEW_TOKENS and Role.SLOTS in roles:
        return _skipped(spec, array, roles[Role.SLOTS], layout)
    # Tokens of a recurrence are those of its queries.
    is_of_queries = role in _OF_QUERIES or Role.STATE in roles
    lengths = Role.QUERY_LENGTHS if is_of_queries else Role.KEY_LENGTHS
    bounds = Role.QUERY_BOUNDS if is_of_queries else Role.KEY_BOUNDS
    if role in _OF_TOKENS and bounds in roles:
        mask = np.zeros(array.shape, bool)
        mask[_tokens(role, slice(int(roles[bounds][-1]), None))] = True
        return mask
    if (role in _OF_TOKENS or (role in _SCALES and array.ndim > 1)) and lengths in roles:
        mask = np.zeros(array.shape, bool)
        by_token = heads_first(layout, mask).swapaxes(1, 2)
        by_token[np.arange(by_token.shape[1]) >= roles[lengths][:, None]] = True
        return mask
    if f"lse_{name.removeprefix('out_')}" in tensors:
        unseen = tensors[f"lse_{name.removeprefix('out_')}"] == -np.inf
        return np.broadcast_to(unseen[..., None], array.shape).copy()
    return None


def _unused_slots(
    attention: Any, cache: np.ndarray, roles: Mapping[Role, np.ndarray], layout: str, first: int
) -> np.ndarray:
    """Slots of a block cache that no context reaches, or that come before its `first` one."""
    mask = np.zeros(cache.shape, bool)
    by_slot = heads_first(layout, mask).swapaxes(1, 2)
    free = np.ones(by_slot.shape[:2], bool)
    for table, length in zip(roles[Role.BLOCK_IDS], roles[Role.KEY_LENGTHS], strict=True):
        tokens = np.arange(length)
        slots = first + tokens % attention.block_size
        free[table[tokens // attention.block_size], slots] = False
    by_slot[free] = True
    return mask


def _skipped(spec: Any, new: np.ndarray, slots: np.ndarray, layout: str) -> np.ndarray:
    """New tokens that are not written."""
    mask = np.zeros(new.shape, bool)
    by_token = mask if slots.ndim == 1 else heads_first(layout, mask).swapaxes(1, 2)
    by_token[slots == -1] = True
    return mask


def of_other_sequences(spec: Spec, tensors: Tensors, kept: int) -> Places:
    """All that belongs to other sequences of the batch than `kept`, and to nobody."""
    places = hidden_places(spec, _alone(spec, tensors, kept))
    for tensor in spec.inputs:
        array = tensors[tensor.name]
        if array.dtype.kind in "iub" or not _is_by_sequence(spec, tensor.role, array):
            continue
        mask = places.setdefault(tensor.name, np.zeros(array.shape, bool))
        mask[np.arange(len(array)) != kept] = True
    if Role.QUERY_BOUNDS in {tensor.role for tensor in spec.inputs}:
        places |= _other_segments(spec, tensors, kept)
    return {name: mask for name, mask in places.items() if mask.any()}


def _alone(spec: Spec, tensors: Tensors, kept: int) -> Tensors:
    """The lengths of the others as 0: what their contexts reach is nobody's then."""
    changed = dict(tensors)
    for tensor in spec.inputs:
        if tensor.role == Role.KEY_LENGTHS:
            lengths = tensors[tensor.name]
            changed[tensor.name] = np.where(np.arange(len(lengths)) == kept, lengths, 0)
    return changed


def _other_segments(spec: Spec, tensors: Tensors, kept: int) -> Places:
    places = {}
    for tensor in spec.inputs:
        if tensor.role not in _OF_TOKENS:
            continue
        # New tokens for a cache are those of the queries.
        is_of_queries = tensor.role in _OF_QUERIES or "cu_seqlens_k" not in tensors
        bounds = tensors["cu_seqlens_q" if is_of_queries else "cu_seqlens_k"]
        mask = np.ones(tensors[tensor.name].shape, bool)
        mask[_tokens(tensor.role, slice(*map(int, bounds[kept : kept + 2])))] = False
        places[tensor.name] = mask
    return places


def _tokens(role: Role, rows: slice) -> Place:
    """The place of packed tokens, which come before heads, but in the log-sum-exp."""
    return (slice(None), rows) if role == Role.LSE else (rows,)


def places_of(spec: Spec, tensors: Tensors, kept: int) -> list[Place]:
    """Where each output has what it says of one sequence."""
    if "cu_seqlens_q" not in tensors:
        return [(slice(kept, kept + 1),) for _ in spec.outputs]
    return [_packed_place(spec, tensors, tensor, kept) for tensor in spec.outputs]


def _packed_place(spec: Spec, tensors: Tensors, output: TensorType, kept: int) -> Place:
    """Where an output has what it says of one packed sequence: a gradient where its input has it.

    Of states each sequence has one, and nothing that all sequences add to is of one alone.
    """
    if output.role == Role.STATE:
        return (slice(kept, kept + 1),)
    of_gradients = {f"{tensor.name}_gradient": tensor.role for tensor in spec.inputs}
    role = of_gradients.get(output.name, output.role)
    if role in _SHARED:
        return (slice(0),)
    is_of_keys = output.name in of_gradients and role in _NEW_TOKENS
    bounds = tensors["cu_seqlens_k" if is_of_keys else "cu_seqlens_q"]
    return _tokens(role, slice(*map(int, bounds[kept : kept + 2])))


def outputs_of(spec: Spec, tensors: Tensors, kept: int) -> list[np.ndarray]:
    """Masks of what each output says of one sequence; nothing of caches, which all share."""
    masks = [np.zeros(tensor.largest_shape, bool) for tensor in spec.outputs]
    places = places_of(spec, tensors, kept)
    for mask, place, tensor in zip(masks, places, spec.outputs, strict=True):
        if tensor.name not in spec.updates or tensor.role == Role.STATE:
            mask[place] = True
    return masks


def moved(spec: Spec, tensors: Tensors) -> Tensors:
    """A call's tensors with each sequence in the place of the one before it."""
    return {
        tensor.name: np.roll(tensors[tensor.name], -1, axis=0)
        if _is_by_sequence(spec, tensor.role, tensors[tensor.name])
        else tensors[tensor.name]
        for tensor in spec.inputs
    }


def alone(spec: Spec, tensors: Tensors, kept: int) -> Tensors:
    """A call with one sequence only, for code that takes any number of them."""
    one = slice(kept, kept + 1)
    if "cu_seqlens_q" in tensors:
        return _alone_of_packed(spec, tensors, kept)
    return {
        tensor.name: tensors[tensor.name][one]
        if _is_by_sequence(spec, tensor.role, tensors[tensor.name])
        else tensors[tensor.name]
        for tensor in spec.inputs
    }


def _alone_of_packed(spec: Spec, tensors: Tensors, kept: int) -> Tensors:
    """A call with one packed sequence only: at least one token, as a call must have."""
    changed = {}
    for tensor in spec.inputs:
        array = tensors[tensor.name]
        if tensor.role in (Role.QUERY_BOUNDS, Role.KEY_BOUNDS):
            changed[tensor.name] = array[kept : kept + 2] - array[kept]
        elif tensor.role in (*_OF_TOKENS, Role.SLOTS):
            rows = _tokens_of(tensors, tensor.role, kept)
            changed[tensor.name] = array[_tokens(tensor.role, rows)]
        elif _is_by_sequence(spec, tensor.role, array):
            changed[tensor.name] = array[kept : kept + 1]
        else:
            changed[tensor.name] = array
    return changed


def _tokens_of(tensors: Tensors, role: Role, kept: int) -> slice:
    """Where a packed sequence's tokens lie; of one without any, a token that is nobody's."""
    is_of_queries = role in (*_OF_QUERIES, Role.SLOTS) or "cu_seqlens_k" not in tensors
    first, end = tensors["cu_seqlens_q" if is_of_queries else "cu_seqlens_k"][kept : kept + 2]
    return slice(int(first), max(int(end), int(first) + 1))


def sequences(spec: Spec) -> int:
    """How many sequences a call has; 1 where it knows none."""
    return int(getattr(getattr(spec, "attention", spec), "batch", 1))


def _is_by_sequence(spec: Spec, role: Role, array: np.ndarray) -> bool:
    """Whether the first axis of an input counts sequences."""
    # Vectors of floats are weights. Scales of tokens without blocks are with their tokens.
    is_shared = role in _SHARED and not (role in _SCALES and spec.op == "attention")
    is_weight = is_shared or (array.ndim == 1 and array.dtype.kind not in "iub")
    is_packed = Role.QUERY_BOUNDS in {tensor.role for tensor in spec.inputs}
    counts_heads = is_packed and role in _HEADS_FIRST
    return not (is_weight or counts_heads) and len(array) == sequences(spec)
