"""The rows of queries, keys and values in files that have them in another order than ours."""

from irattn.core.errors import ConfigError
from irattn.generation.pieces import Runs
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec

# Far beyond what any model has: the runs of rows of each may be listed.
_MOST_HEADS = 65_536


def order_of_heads(spec: DecoderLayerSpec, names: TensorNames) -> Runs | None:
    """The runs of rows of queries, keys and values, where files have them in another order."""
    heads = spec.attention.num_q_heads
    if heads > _MOST_HEADS:
        raise ConfigError(f"num_attention_heads: expected at most {_MOST_HEADS}, got {heads}")
    if names.has_gates:
        return _gates_apart(spec)
    if names.turns_back:
        return _halves_swapped(spec)
    return _shards_together(spec, names.qkv_shards) if names.qkv_shards > 1 else None


def _halves_swapped(spec: DecoderLayerSpec) -> Runs:
    """The rows of queries and keys, whose halves of heads change places, and of values."""
    attention = spec.attention
    half, turned = attention.head_dim // 2, attention.num_q_heads + attention.num_kv_heads
    firsts = [(2 * head + side) * half for head in range(turned) for side in (1, 0)]
    values = 2 * turned * half
    rest = (values, values + attention.num_kv_heads * attention.head_dim)
    return (*((first, first + half) for first in firsts), rest)


def _gates_apart(spec: DecoderLayerSpec) -> Runs:
    """The rows of queries, of keys and values, and of gates, which follow queries head by head."""
    size, heads = spec.attention.head_dim, spec.attention.num_q_heads
    queries, gates = queries_and_gates(spec)
    first = 2 * heads * size
    others = (first, first + 2 * spec.attention.num_kv_heads * size)
    return (*queries, others, *gates)


def _shards_together(spec: DecoderLayerSpec, shards: int) -> Runs:
    """The rows of queries, of keys and of values, which each shard has after its queries."""
    rows, left = divmod(spec.attention.num_q_heads * spec.attention.head_dim, shards)
    if left:
        raise ConfigError(
            f"n_embd: expected a multiple of the {shards} parts of qkv_proj, got "
            f"{rows * shards + left}"
        )
    firsts = [3 * shard * rows + place * rows for place in (0, 2, 1) for shard in range(shards)]
    return tuple((first, first + rows) for first in firsts)


def queries_and_gates(spec: DecoderLayerSpec) -> tuple[Runs, Runs]:
    """The rows of queries and those of gates in a tensor that has both head by head."""
    size, heads = spec.attention.head_dim, spec.attention.num_q_heads
    queries = tuple((2 * head * size, (2 * head + 1) * size) for head in range(heads))
    return queries, tuple((end, end + size) for _, end in queries)
