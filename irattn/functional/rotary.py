"""Rotary positions of queries and keys, as a function of arrays."""

from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, check_is_array, in_full, taken
from irattn.functional.calls import given_back, run, spec_of
from irattn.functional.graphs import between_graphs
from irattn.functional.shapes import check_axes_of, check_floats, said
from irattn.runtime.size_policies import Policy
from irattn.specs.rope import RopeSpec
from irattn.specs.rope_scaling import RopeScaling

# Computed rotations cost the same for any position: all calls share a kernel.
_MOST_POSITIONS = 2**31

_rope_spec = lru_cache(maxsize=1024)(RopeSpec)


@between_graphs
def apply_rope(
    query: Any,
    key: Any,
    positions: Any = None,
    *,
    theta: float = 10000.0,
    scaling: RopeScaling | None = None,
    rope_style: str = "rotate_half",
    rotary_dim: int | None = None,
    cos: Any = None,
    sin: Any = None,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> tuple[Any, Any]:
    """Query and key, each pair of columns turned by an angle that grows with the position.

    query `[batch, num_q_heads, q_len, head_dim]` and key `[batch, num_kv_heads, q_len, head_dim]`
    are f32, f16 or bf16; positions, int32 or int64, broadcast to `[batch, q_len]`, and are 0, 1, …
    where none are given. Pairs are columns `i` and `i + rotary_dim / 2` (`rope_style`
    `rotate_half`: GPT-NeoX, Llama) or `2 i` and `2 i + 1` (`interleaved`: GPT-J, GLM); columns from
    `rotary_dim` on (None: head_dim) stay. Angles are those of `theta` and `scaling`, as RopeSpec
    has them, unless `cos` and `sin`, f32 `[positions, rotary_dim / 2]`, are given.

    Gives both, as arrays of the query's kind; any size may be 0. Where it runs, `irattn.attention`
    says. ArgumentError or SpecError name the argument that is wrong.
    """
    if (cos is None) != (sin is None):
        raise ArgumentError("cos, sin: expected both or none, got one")
    tables = {} if cos is None else {"cos": cos, "sin": sin}
    for name, array in {"query": query, "key": key, **tables}.items():
        check_is_array(name, array)
    _check_fit(query, key)
    # A kernel has heads of both: those of one stand in where there are none of the other.
    there = query if 0 in key.shape else key
    whole = tuple(one if 0 not in one.shape else there for one in (query, key))
    call = rope_spec_of(
        *whole,
        max_positions=_MOST_POSITIONS if cos is None else cos.shape[0],
        rope_style=rope_style,
        rotary_dim=rotary_dim,
        given_tables=cos is not None,
        theta=theta,
        scaling=scaling,
    )
    tensors: dict[str, Taken] = {
        name: taken(name, one) for name, one in zip(("query", "key"), whole, strict=True)
    }
    tensors["positions"] = _positions(positions, (query.shape[0], query.shape[2]))
    tensors |= {name: taken(name, array) for name, array in tables.items()}
    rotated = [taken("query", query), taken("key", key)]
    if 0 not in there.shape:
        results = run(call, tensors, policy=policy, target=target, device=device)
        pairs = zip(rotated, results, strict=True)
        rotated = [own if 0 in own.shape else result for own, result in pairs]
    back: tuple[Any, Any] = given_back(query, *rotated)
    return back


def rope_spec_of(
    query: Any, key: Any, *, max_positions: int = _MOST_POSITIONS, **fields: Any
) -> RopeSpec:
    """The static spec of a call with such a query and key; `fields` are more of RopeSpec's.

    It is one of something where there is nothing.
    """
    return spec_of(
        _rope_spec,
        io_dtype=any_name(query.dtype),
        batch=max(query.shape[0], 1),
        num_q_heads=max(query.shape[1], 1),
        num_kv_heads=max(key.shape[1], 1),
        q_len=max(query.shape[2], 1),
        # Columns are pairs.
        head_dim=query.shape[3] or 2,
        max_positions=max_positions,
        **fields,
    )


def _check_fit(query: Any, key: Any) -> None:
    check_floats(query=query, key=key)
    check_axes_of("query", query, "batch, num_q_heads, q_len, head_dim")
    check_axes_of("key", key, "batch, num_kv_heads, q_len, head_dim")
    if (key.shape[0], *key.shape[2:]) != (query.shape[0], *query.shape[2:]):
        raise ArgumentError(
            f"key: expected batch, tokens and head_dim of query {said(query)}, got {said(key)}"
        )


def _positions(given: Any, shape: tuple[int, int]) -> Taken:
    """A position for each token."""
    if given is None:
        return np.broadcast_to(np.arange(shape[1], dtype=np.int32), shape)
    check_is_array("positions", given)
    array = taken("positions", given)
    if array.shape not in (shape, shape[1:], (1, shape[1]), (shape[0], 1)):
        raise ArgumentError(
            f"positions: expected a shape that broadcasts to {list(shape)} (batch, q_len), got "
            f"{said(array)}"
        )
    return in_full(array, shape)
