"""Attention over contiguous keys and values, in float64."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from irattn.core.tensors import largest
from irattn.reference.expressions import evaluate
from irattn.reference.features import Head, attend
from irattn.reference.layouts import heads_first
from irattn.reference.philox import kept_weights
from irattn.reference.quantised_cache import dequantised
from irattn.specs.attention import AttentionSpec
from irattn.specs.expressions import Expression
from irattn.specs.features import AttentionFeatures

Tensors = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class FunctionOfHead:
    """A function of scores for one head of one sequence, whose query 0 is number `first`."""

    function: Expression
    tensors: Tensors
    batch: int
    head: int
    first: int
    last: int

    def __call__(self, query: np.ndarray, **names: Any) -> np.ndarray:
        return evaluate(self.function, self.tensors, self.names(query, **names))

    def names(self, query: np.ndarray, **names: Any) -> dict[str, Any]:
        """The arguments of the function, by name: queries past the last one are that one again."""
        at = np.clip(query + self.first, 0, self.last)
        return {"batch": self.batch, "head": self.head, "query": at, **names}


# A head, and where its rows are in the output and in the log-sum-exp.
PlacedHead: TypeAlias = tuple[Any, Any, Head]


def attention(spec: AttentionSpec, tensors: Tensors) -> tuple[np.ndarray, ...]:
    """The meaning of AttentionSpec, head by head."""
    output, lse = nothing_seen(spec, tensors)
    for at, lse_at, head in attention_heads(spec, tensors):
        output[at], lse[lse_at] = attend(spec, head)
    return (heads_first(spec.layout, output), lse)[: len(spec.outputs)]


def attention_heads(spec: AttentionSpec, tensors: Tensors) -> Iterator[PlacedHead]:
    """The inputs of each head of each sequence; places are those of heads before tokens."""
    query = heads_first(spec.layout, tensors["query"].astype(np.float64))
    key, value = (
        dequantised(spec, tensors[name], tensors.get(f"{name}_scale")).astype(np.float64)
        for name in ("key", "value")
    )
    q_lens = tensors.get("q_lens", [spec.q_len] * spec.batch)
    context_lens = tensors.get("context_lens", [spec.kv_len] * spec.batch)
    for b, head in np.ndindex(spec.batch, spec.num_q_heads):
        rows, tokens = int(q_lens[b]), int(context_lens[b])
        kv_head = head // spec.group_size
        at = (b, head, slice(rows))
        yield (
            at,
            at,
            Head(
                query[b, head, :rows],
                key[b, kv_head, :tokens],
                value[b, kv_head, :tokens],
                first_position(spec, tensors, b, rows, tokens),
                **_shown_blocks(spec, tensors, b, head),
                **head_features(spec, tensors, b, head, rows, tokens),
            ),
        )


def _shown_blocks(spec: AttentionSpec, tensors: Tensors, b: int, head: int) -> dict[str, Any]:
    """For each score of a head, whether its block is seen, and whether all of it is."""
    if spec.mask_blocks is None:
        return {}
    columns = tensors["block_columns"][b, head]
    shown = np.zeros((2, *columns.shape), bool)
    for row, (partial, full) in enumerate(tensors["block_counts"][b, head]):
        shown[0, row, columns[row, : partial + full]] = True
        shown[1, row, columns[row, partial : partial + full]] = True
    for axis, (block, size) in enumerate(
        zip(spec.mask_blocks, (spec.q_len, spec.kv_len), strict=True), 1
    ):
        shown = np.repeat(shown, block, axis).take(range(size), axis)
    return {"in_seen_block": shown[0], "in_full_block": shown[1]}


def first_position(
    spec: AttentionFeatures, tensors: Tensors, b: int, rows: int, tokens: int
) -> int:
    """The position of query 0 of a sequence among its keys."""
    if spec.alignment == "offsets":
        return int(tensors["offsets"][b])
    return 0 if spec.alignment == "top_left" else tokens - rows


def nothing_seen(spec: AttentionFeatures, tensors: Tensors) -> tuple[np.ndarray, np.ndarray]:
    """The output and the log-sum-exp of queries that see no key."""
    rows = (spec.batch, spec.num_q_heads, largest(spec.num_queries))
    sinks = sink_logits(spec, tensors)
    return np.zeros((*rows, spec.v_dim)), np.broadcast_to(sinks[None, :, None], rows).copy()


def sink_logits(spec: AttentionFeatures, tensors: Tensors) -> np.ndarray:
    """The logit of each head's sink; -inf where it has none."""
    if not spec.sinks:
        return np.full(spec.num_q_heads, -np.inf)
    return tensors["sinks"].astype(np.float64)


def head_features(
    spec: AttentionFeatures, tensors: Tensors, b: int, head: int, rows: int, tokens: int
) -> dict[str, Any]:
    """The features of one head of one sequence, from their tensors."""
    features: dict[str, Any] = {}
    if spec.alibi:
        features["slope"] = float(tensors["alibi_slopes"][head])
    if spec.sinks:
        features["sink"] = float(tensors["sinks"][head])
    for name in ("bias", "keep_mask"):
        if name in tensors:
            rows_and_keys = (largest(spec.num_queries), largest(spec.num_keys))
            shape = (spec.batch, spec.num_q_heads, *rows_and_keys)
            whole = np.broadcast_to(tensors[name], shape)[b, head, :rows, :tokens]
            features[name] = whole.astype(np.float64) if name == "bias" else whole
    return features | head_functions(spec, tensors, b, head, rows, tokens)


def head_functions(
    spec: AttentionFeatures, tensors: Tensors, b: int, head: int, rows: int, tokens: int
) -> dict[str, Any]:
    """The functions of scores of one head of one sequence."""
    place = (b, head, rows, tokens)
    given = {name: one for name, one in spec.functions.items() if name != "dropout_p"}
    made: dict[str, Any] = {
        name: _of_head(spec, function, tensors, place) for name, function in given.items()
    }
    if spec.dropout_p is not None:
        made["kept"] = _kept(spec.dropout_p, tensors, b * spec.num_q_heads + head)
    return made


def _kept(dropout_p: float, tensors: Tensors, head: int) -> Callable[..., Any]:
    """Which weights of a head dropout keeps."""
    seed = tensors["dropout_seed"]
    return lambda query, key: kept_weights(dropout_p, seed, head, query, key)


def _of_head(
    spec: AttentionFeatures,
    function: Expression,
    tensors: Tensors,
    place: tuple[int, int, int, int],
) -> FunctionOfHead:
    """A function of scores for one head of one sequence."""
    b, head, rows, tokens = place
    first = first_position(spec, tensors, b, rows, tokens) if spec.asks_positions else 0
    return FunctionOfHead(function, tensors, b, head, first, spec.function_sizes["query"] - 1)
