"""Calls in which numbers of one sequence are junk that nobody checked, and what that may change.

Numbers are the integers among a spec's inputs: ids, lengths and places. Which of them, and which
parts of outputs, are a sequence's, is told by the tensor's role.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from irattn.compiling import catalog
from irattn.core.tensors import Role, TensorType
from irattn.lab.certificates.hidden import outputs_of
from irattn.lab.inputs import Tensors, random_tensors, slots_of_queries
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures

Masks = list[np.ndarray]

_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1

# Calls of a spec with junk in the same numbers, each time other junk: as many as there are kinds.
TURNS = range(6)

# Entries whose numbers others are told, too, which keep these in range by the same lines of a
# template: other norms, experts, lengths of prompts and ways to turn do not come near them.
_TOLD_ELSEWHERE = {
    "layer_prefill_tiny",
    "layer_norms_tiny",
    "whole_layer_experts_tiny",
    "delta_layer_experts_tiny",
    "convolution_experts_tiny",
    "drawn_choice_f16_tiny",
    "rope_interleaved_tiny",
    "rope_llama3_tiny",
    "paged_soft_cap_lse_tiny",
}
# What features need of numbers is the same in both kernels of GPUs: these are seen in lanes, and
# those in the kernel of tensors.
_IN_LANES_ALONE = {
    "dynamic_packed_paged_tiny",
    "packed_update_int4_tiny",
    "paged_window_sinks_tiny",
    "dynamic_paged_decode_tiny",
    "paged_tokens_first_tiny",
    "paged_update_prefill_tiny",
    "paged_update_mixed_tiny",
}
_IN_TENSORS_ALONE = {"paged_mixed_tiny", "paged_update_decode_tiny"}


@dataclass(frozen=True)
class Junk:
    """One call with junk, and masks of what it may change in each output.

    `kept` are masks of what outputs must have of the inputs that they update: their old contents.
    `overlaps` says that rows may be those of two sequences: which of them stays is chance.
    """

    name: str
    tensors: Tensors
    may_change: Masks
    kept: Masks
    overlaps: bool = False


def numbers_of(spec: Spec) -> list[TensorType]:
    """The inputs of a spec that are ids, lengths or places."""
    return [tensor for tensor in spec.inputs if tensor.dtype == "i32"]


def specs() -> dict[str, Spec]:
    """Tiny entries of the catalogue that are told numbers, and what no entry has of these.

    Layers are those without an MLP, which is told none and takes minutes.
    """
    entries = {name: catalog.get(name) for name in catalog.names(["tiny"])}
    told = {
        name: spec
        for name, spec in entries.items()
        if name not in _TOLD_ELSEWHERE
        and numbers_of(spec)
        and not getattr(spec, "intermediate_size", None)
    }
    tensors = {name: spec for name, spec in told.items() if name not in _IN_LANES_ALONE}
    lanes = {
        f"{name} in lanes": _in_lanes(spec)
        for name, spec in told.items()
        if name not in _IN_TENSORS_ALONE and _has_lanes(spec)
    }
    return tensors | lanes | _beyond_entries()


def _has_lanes(spec: Spec) -> bool:
    return isinstance(spec, AttentionFeatures) and spec.value_dim is None


def _in_lanes(spec: Spec) -> Spec:
    """A spec's attention by matrix instructions, which kernels of their own do."""
    return spec.replace(io_dtype="f16", head_dim=64)


def _beyond_entries() -> dict[str, Spec]:
    """Numbers that only fields beside the defaults ask for, and other ways to take them."""
    paged, packed = (catalog.get(f"{n}_tiny") for n in ("gqa_paged_prefill", "packed_paged"))
    write, rope = catalog.get("cache_write_tiny"), catalog.get("rope_tiny")
    layer = catalog.get("packed_layer_tiny")
    offsets = {"alignment": "offsets", "window": (7, None)}
    long = {"block_size": 64, "num_blocks": 24, "max_blocks": 12}
    return {
        "offsets": paged.replace(**offsets),
        "offsets in lanes": _in_lanes(paged).replace(**offsets, layout="NHD"),
        "parts of keys": _in_lanes(paged).replace(**long, q_len=1),
        "bias": paged.replace(q_len=40, bias="bqk"),
        "joint cache": packed.replace(keep_mask="hqk", joint_cache=True),
        "packed layer": layer.replace(intermediate_size=None),
        "delta layer": catalog.get("delta_layer_tiny").replace(intermediate_size=None),
        "state-space layer": catalog.get("state_space_layer_tiny").replace(intermediate_size=None),
        "lightning layer": catalog.get("lightning_layer_tiny").replace(intermediate_size=None),
        "convolution layer": catalog.get("convolution_layer_tiny").replace(intermediate_size=None),
        "cache of tokens": write.replace(layout="NHD", io_dtype="f16"),
        "packed tiles": _in_lanes(catalog.get("packed_causal_tiny")).replace(
            q_tokens=256, kv_tokens=256
        ),
        "joint cache of tokens": write.replace(joint_cache=True),
        "cache of any size": write.replace(dynamic=("num_tokens", "num_blocks")),
        "tables": rope.replace(given_tables=True),
        "interleaved tables": rope.replace(
            given_tables=True, rope_style="interleaved", rotary_dim=16
        ),
    }


def call_of(spec: Spec) -> Spec:
    """A call of a spec: where it chooses sizes, some smaller than the largest."""
    attention: Any = getattr(spec, "attention", spec)
    chosen = getattr(attention, "dynamic", ())
    sizes = {name: getattr(attention, name) for name in chosen}
    smaller = {name: size - (name != "batch") for name, size in sizes.items()}
    return spec.of_sizes(smaller) if smaller else spec


def clean(call: Spec) -> Tensors:
    """Inputs of a call in which no two sequences share a block, and no table has junk."""
    tensors = random_tensors(call)
    by_role = {tensor.role: tensors[tensor.name] for tensor in call.inputs}
    if Role.BLOCK_IDS not in by_role:
        return tensors
    attention: Any = getattr(call, "attention", call)
    table, lengths = by_role[Role.BLOCK_IDS], by_role[Role.KEY_LENGTHS]
    pages = min(attention.max_blocks, attention.num_blocks // len(table))
    blocks = np.random.default_rng(5).permutation(attention.num_blocks)
    table[:, :pages] = blocks[: len(table) * pages].reshape(len(table), pages)
    lengths[...] = np.minimum(lengths, pages * attention.block_size)
    table[_unused(attention, table, lengths)] = 0
    if Role.SLOTS in by_role:
        by_role[Role.SLOTS][...] = slots_of_queries(attention, by_role)
    return tensors


def times_longer(call: Spec, tensors: Tensors) -> int:
    """How many times as long as this call the longest takes at most: one of as many keys as a
    sequence may have, where some have fewer.
    """
    lengths = _lengths(call).items()
    return max((-(-most // max(1, tensors[name].min())) for name, most in lengths), default=1)


def _lengths(call: Spec) -> dict[str, int]:
    """The largest that numbers of keys may be, by the name of the input that tells them."""
    return {
        tensor.name: tensor.limits[1]
        for tensor in call.inputs
        if tensor.role == Role.KEY_LENGTHS and tensor.limits
    }


def junk_calls(call: Spec, tensors: Tensors, turns: Iterable[int] = TURNS) -> Iterator[Junk]:
    """Calls with junk in all numbers of a sequence, and one where a table names no block of any.

    Bounds of queries become junk by themselves. The calls are those of some `TURNS`.
    """
    sequence = _sequence(call, tensors)
    bounds = [one for one in numbers_of(call) if one.role == Role.QUERY_BOUNDS]
    others = [one for one in numbers_of(call) if one.role != Role.QUERY_BOUNDS]
    for junked in filter(None, (others, bounds)):
        for turn in turns:
            yield _junk_call(call, tensors, junked, sequence, turn)
    yield from (_unused_junk(call, one, tensors) for one in others if one.role == Role.BLOCK_IDS)


def _junk_call(
    call: Spec, tensors: Tensors, junked: list[TensorType], sequence: int, turn: int
) -> Junk:
    changed, said = dict(tensors), []
    may_change, kept = _nothing(call), _nothing(call)
    for n, tensor in enumerate(junked):
        numbers = tensors[tensor.name].copy()
        places = _PLACES[tensor.role](tensor, tensors, sequence)
        # Beside each other, numbers are different junk.
        numbers[places] = np.resize(np.roll(junk_of(tensor), -turn - n), places.sum())
        changed[tensor.name] = numbers
        said.append(f"{tensor.name} {numbers[places][:3]}")
        may_change = _either(may_change, _outputs(call, tensor, tensors, sequence))
        if tensor.role == Role.SLOTS:
            kept = _either(kept, _slots_in_caches(call, tensors[tensor.name][places]))
    overlaps = any(tensor.role == Role.QUERY_BOUNDS for tensor in junked)
    overlaps |= "cu_seqlens_k" in changed and any(map(_lies_by_keys, call.outputs))
    return Junk(", ".join(said), changed, may_change, kept, overlaps)


def junk_of(tensor: TensorType) -> list[int]:
    """Numbers that are none of the tensor's, one of them just so; of lengths 0 as well.

    Among bounds some of the tensor's own: there they fall.
    """
    _, most = tensor.limits or (0, 0)
    low, high = np.random.default_rng(11).integers([-(2**31), 2**30], [-(2**30), 2**31]).tolist()
    last = [high, low]
    if tensor.role in (Role.KEY_LENGTHS, Role.QUERY_LENGTHS):
        last = [high, 0]
    if tensor.role in (Role.KEY_BOUNDS, Role.QUERY_BOUNDS):
        last = [most // 2, 1]
    return [_INT_MIN, min(most + 1, _INT_MAX), _INT_MAX, -1, *last]


def _unused_junk(call: Spec, tensor: TensorType, tensors: Tensors) -> Junk:
    """Junk where a table names no block of any context: it changes nothing."""
    table, attention = tensors[tensor.name].copy(), getattr(call, "attention", call)
    lengths = next(tensors[one.name] for one in call.inputs if one.role == Role.KEY_LENGTHS)
    unused = _unused(attention, table, lengths)
    table[unused] = np.resize(junk_of(tensor), unused.sum())
    changed = {**tensors, tensor.name: table}
    return Junk("unused blocks", changed, _nothing(call), _nothing(call))


def _unused(attention: Any, table: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    pages = -(-lengths // attention.block_size)
    unused: np.ndarray = np.arange(table.shape[1]) >= pages[:, None]
    return unused


def _sequence(call: Spec, tensors: Tensors) -> int:
    """The sequence whose numbers become junk: the first that has any queries."""
    bounds = tensors.get("cu_seqlens_q")
    return 0 if bounds is None else int(np.flatnonzero(np.diff(bounds))[0])


# ---- Which numbers are a sequence's.

Places = Callable[[TensorType, Tensors, int], np.ndarray]


def _first_axis(tensor: TensorType, tensors: Tensors, sequence: int) -> np.ndarray:
    mask = np.zeros(tensor.largest_shape, bool)
    mask[sequence] = True
    return mask


def _all(tensor: TensorType, tensors: Tensors, sequence: int) -> np.ndarray:
    return np.ones(tensor.largest_shape, bool)


def _end(tensor: TensorType, tensors: Tensors, sequence: int) -> np.ndarray:
    return _first_axis(tensor, tensors, sequence + 1)


def _tokens(tensor: TensorType, tensors: Tensors, sequence: int) -> np.ndarray:
    """A sequence's tokens; of slots that belong to none, every third."""
    mask = np.zeros(tensor.largest_shape, bool)
    if "cu_seqlens_q" in tensors:
        mask[slice(*tensors["cu_seqlens_q"][sequence : sequence + 2])] = True
    elif tensor.role == Role.SLOTS and mask.ndim == 1:
        mask[::3] = True
    else:
        mask[sequence] = True
    return mask


_PLACES: dict[Role, Places] = {
    Role.QUERY_LENGTHS: _first_axis,
    Role.KEY_LENGTHS: _first_axis,
    Role.OFFSETS: _first_axis,
    Role.BLOCK_IDS: _first_axis,
    Role.QUERY_BOUNDS: _all,
    Role.KEY_BOUNDS: _end,
    Role.SLOTS: _tokens,
    Role.POSITIONS: _tokens,
    Role.TOKEN_IDS: _tokens,
    Role.TOP_K: _first_axis,
    Role.SEEDS: _first_axis,
    Role.CAPTURED: _all,
}


def roles() -> frozenset[Role]:
    """The roles of numbers that become junk."""
    return frozenset(_PLACES)


# ---- What they may change.


def _outputs(call: Spec, tensor: TensorType, tensors: Tensors, sequence: int) -> Masks:
    """What numbers of a sequence may change in each output."""
    if tensor.role == Role.CAPTURED:
        # A function reads of an array what it likes.
        return [np.ones(out.largest_shape, bool) for out in call.outputs]
    own = outputs_of(call, tensors, sequence)
    if tensor.role == Role.QUERY_BOUNDS:
        # They say of all sequences where these lie, and so what becomes of states.
        return [
            np.full(mask.shape, out.name not in call.updates or out.role == Role.STATE)
            for mask, out in zip(own, call.outputs, strict=True)
        ]
    if tensor.role == Role.KEY_BOUNDS:
        of_both = _either(own, outputs_of(call, tensors, sequence + 1))
        return [
            np.full(mask.shape, True) if _lies_by_keys(out) else mask
            for mask, out in zip(of_both, call.outputs, strict=True)
        ]
    if tensor.role not in (Role.SLOTS, Role.POSITIONS) or not call.updates:
        return own
    slots = next((one for one in call.inputs if one.role == Role.SLOTS), None)
    if slots is None:
        # Each sequence has a cache of its own.
        return [_first_axis(out, tensors, sequence) for out in call.outputs]
    of_tokens = tensors[slots.name][_tokens(slots, tensors, sequence)]
    return _either(own, _slots_in_caches(call, of_tokens))


def _lies_by_keys(output: TensorType) -> bool:
    """Whether bounds of keys say of all sequences where an output lies, or what is in its sums."""
    return output.role == Role.GRADIENT and output.name != "query_gradient"


def _slots_in_caches(call: Spec, slots: np.ndarray) -> Masks:
    """Slots as masks of the caches among the outputs."""
    attention: Any = getattr(call, "attention", call)
    block, slot = np.divmod(slots[slots >= 0], attention.block_size)
    masks = _nothing(call)
    for mask, out in zip(masks, call.outputs, strict=True):
        if out.name in call.updates:
            by_slot = mask if attention.layout == "NHD" else mask.swapaxes(1, 2)
            first = getattr(attention, "first_value_slot", 0) if "value" in out.name else 0
            by_slot[block, first + slot] = True
    return masks


def _nothing(call: Spec) -> Masks:
    return [np.zeros(out.largest_shape, bool) for out in call.outputs]


def _either(one: Masks, two: Masks) -> Masks:
    return [mask | other for mask, other in zip(one, two, strict=True)]
