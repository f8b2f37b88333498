"""A smaller spec whose kernels are the same, so that each of many can be executed."""

from dataclasses import dataclass, fields
from math import lcm

from irattn.core.tensors import largest
from irattn.rendering import GraphRequest, tile_numbers
from irattn.specs.features import AttentionFeatures
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.targets import Target

# Lengths are cut by multiples of this, so that the last tile is as full as it was.
_STEP = 256

# With fewer, queries would share tiles as few do, or keys would not be cut into several parts.
LEAST_TOKENS, _LEAST_OF_PARTS = 512, 2048

# Fewer share a tile, and cut their keys into parts.
_FEW_QUERIES = 64

# Queries and keys by the names of their fields.
_LENGTHS = (("q_len", "kv_len"), ("q_tokens", "kv_tokens"))


@dataclass(frozen=True)
class Cut:
    """The part of a spec that is executed, of which it has so many `copies` side by side.

    Each of them does so many times the `work`, as it has more keys.
    """

    spec: AttentionFeatures
    copies: int
    work: float


def _least(spec: AttentionFeatures, target: Target) -> int:
    is_few = largest(spec.num_queries) < _FEW_QUERIES
    return _LEAST_OF_PARTS if is_few or not target.is_gpu else LEAST_TOKENS


def cut(spec: AttentionFeatures, target: Target, tokens: int) -> Cut:
    """The spec with at most so many queries, and keys, of one sequence and a workgroup's heads.

    Heads and full sequences do equal work. The sequences of a packed spec, whose lengths a call
    chooses, stay together. Copies are counted for GPUs, whose workgroups work at the same time.
    """
    lengths = _lengths(spec, max(tokens, _least(spec, target)))
    sequences = 1 if isinstance(spec, PackedAttentionSpec) else spec.batch
    # Those of a KV head, or on CPUs of several.
    kv_heads = max(1, tile_numbers(GraphRequest(spec, target)).get("heads", 1) // spec.group_size)
    heads = {"num_kv_heads": kv_heads, "num_q_heads": kv_heads * spec.group_size}
    small = spec.replace(**heads, batch=spec.batch // sequences, **lengths)
    if not target.is_gpu:
        return Cut(small, 1, 1.0)
    copies = round(sequences * spec.num_kv_heads * _workgroups(spec, small))
    return Cut(small, copies, spec.least_flops / (copies * small.least_flops))


def _workgroups(spec: AttentionFeatures, small: AttentionFeatures) -> float:
    """How many times the workgroups of a head and sequence: tiles of queries, or parts of keys."""
    queries, keys = (
        largest(getattr(spec, name)) / largest(getattr(small, name))
        for name in ("num_queries", "num_keys")
    )
    return keys if largest(spec.num_queries) < _FEW_QUERIES else queries


def _lengths(spec: AttentionFeatures, tokens: int) -> dict[str, int]:
    """The fields that count tokens, cut."""
    given = {field.name: getattr(spec, field.name) for field in fields(spec)}
    names = [name for pair in _LENGTHS for name in pair if name in given]
    lengths = {name: _fewer(given[name], tokens, _STEP) for name in names}
    for queries, keys in _LENGTHS:
        # Where there are as many keys as queries, or more, there still are.
        if keys in lengths and lengths[keys] < lengths[queries] and given[queries] <= given[keys]:
            lengths[keys] += _STEP
    if "max_blocks" in given:
        size = given["block_size"]
        lengths["max_blocks"] = _fewer(given["max_blocks"] * size, tokens, lcm(_STEP, size)) // size
    return lengths


def _fewer(length: int, most: int, step: int) -> int:
    """So many less by whole steps that there are at most `most`, but at least one."""
    steps = max(0, -(-(length - most) // step))
    return length - min(steps, (length - 1) // step) * step
