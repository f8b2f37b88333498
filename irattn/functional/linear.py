"""Linear attention and the convolution before it, as functions of arrays."""

from functools import lru_cache
from typing import Any

import numpy as np

from irattn.core.dtypes import any_name, dtype
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, check_is_array, contents_of, taken
from irattn.functional.calls import given_back, run, spec_of
from irattn.functional.graphs import between_graphs
from irattn.functional.shapes import check_axes_of, check_floats, said
from irattn.runtime.size_policies import Policy
from irattn.specs import Spec
from irattn.specs.gated_delta_rule import GatedDeltaRuleSpec
from irattn.specs.layouts import check_layout
from irattn.specs.short_convolution import ShortConvolutionSpec

_delta_rule_spec = lru_cache(maxsize=1024)(GatedDeltaRuleSpec)
_convolution_spec = lru_cache(maxsize=1024)(ShortConvolutionSpec)


@between_graphs
def gated_delta_rule(
    query: Any,
    key: Any,
    value: Any,
    g: Any,
    beta: Any,
    initial_state: Any = None,
    *,
    scale: float | None = None,
    qk_l2_norm: bool = False,
    uncorrected: bool = False,
    q_lens: Any = None,
    layout: str = "HND",
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> tuple[Any, Any]:
    """Linear attention over a state that forgets and corrects itself: output and final state.

    With `uncorrected` it does not correct itself: gated linear attention, as of Mamba 2.

    query and key `[batch, num_k_heads, q_len, key_dim]` and value
    `[batch, num_v_heads, q_len, value_dim]` are f32, f16 or bf16; consecutive value heads share a
    key head. g, f32 `[batch, num_v_heads, q_len]`, is the log of what is kept of the state before a
    token, or with a last axis of key_dim of each of its rows; beta `[batch, num_v_heads, q_len]`,
    of the query's type, how much of a value is written. With `layout` `NHD` tokens come before
    heads in all of these. initial_state, f32 `[batch, num_v_heads, key_dim, value_dim]`, is zeros
    where none is given, and stays what it was.

    `scale` is `key_dim ** -0.5` unless given; `qk_l2_norm` divides queries and keys by their
    length. `q_lens`, int32 or int64 `[batch]`, says how many tokens of each sequence are real:
    others give zeros and change no state. GatedDeltaRuleSpec has the formula and its source.

    Gives both, as arrays of the query's kind; there may be no tokens. Where it runs,
    `irattn.attention` says. ArgumentError or SpecError name the argument that is wrong.
    """
    arrays = {"query": query, "key": key, "value": value, "beta": beta}
    for name, array in {**arrays, "g": g}.items():
        check_is_array(name, array)
    check_floats(**arrays)
    check_layout(layout)
    before = "num_{0}_heads, q_len" if layout == "HND" else "q_len, num_{0}_heads"
    of_keys, of_values = (f"batch, {before.format(heads)}" for heads in "kv")
    check_axes_of("query", query, f"{of_keys}, key_dim")
    check_axes_of("value", value, f"{of_values}, value_dim")
    by_channel = len(g.shape) == len(value.shape)
    check_axes_of("g", g, f"{of_values}, key_dim" if by_channel else of_values)
    heads, tokens = (1, 2) if layout == "HND" else (2, 1)
    call = spec_of(
        _delta_rule_spec,
        io_dtype=any_name(query.dtype),
        batch=max(query.shape[0], 1),
        num_k_heads=max(query.shape[heads], 1),
        num_v_heads=max(value.shape[heads], 1),
        q_len=max(query.shape[tokens], 1),
        key_dim=query.shape[3],
        value_dim=value.shape[3],
        gate="channel" if by_channel else "head",
        scale=scale,
        qk_l2_norm=qk_l2_norm,
        uncorrected=uncorrected,
        layout=layout,
        ragged=q_lens is not None,
    )
    if 0 in (*query.shape, *value.shape):
        state = (value.shape[0], value.shape[heads], query.shape[3], value.shape[3])
        return _unchanged(query, value.shape, (state, "f32"), initial_state)
    given = {**arrays, "g": g, "initial_state": initial_state, "q_lens": q_lens}
    where: dict[str, Any] = {"policy": policy, "target": target, "device": device}
    made: tuple[Any, Any] = given_back(query, *run(call, _tensors(call, given), **where))
    return made


@between_graphs
def short_convolution(
    x: Any,
    weight: Any,
    bias: Any = None,
    initial_state: Any = None,
    *,
    silu: bool = False,
    q_lens: Any = None,
    policy: Policy = "power_of_two",
    target: str | None = None,
    device: str = "auto",
) -> tuple[Any, Any]:
    """A causal convolution of each channel, and the last tokens for the next call to go on from.

    x `[batch, q_len, channels]`, weight `[channels, kernel]` with 2 to 8 columns, the last one for
    the token itself, and bias `[channels]` are f32, f16 or bf16, all of one type. initial_state
    `[batch, kernel - 1, channels]`, of that type, are the tokens before the first one, zeros where
    none are given; it stays what it was. `silu` is taken of the output. `q_lens`, int32 or int64
    `[batch]`, says how many tokens of each sequence are real: others give zeros and are in no
    state.

    Gives the output, shaped as x, and the final state, shaped as initial_state, as arrays of x's
    kind; there may be no tokens. Where it runs, `irattn.attention` says. ArgumentError or SpecError
    name the argument that is wrong.
    """
    arrays = {"x": x, "weight": weight} | ({} if bias is None else {"bias": bias})
    for name, array in arrays.items():
        check_is_array(name, array)
    check_floats(**arrays)
    check_axes_of("x", x, "batch, q_len, channels")
    check_axes_of("weight", weight, "channels, kernel")
    call = spec_of(
        _convolution_spec,
        io_dtype=any_name(x.dtype),
        batch=max(x.shape[0], 1),
        q_len=max(x.shape[1], 1),
        channels=max(x.shape[2], 1),
        kernel=weight.shape[1],
        use_bias=bias is not None,
        silu=silu,
        ragged=q_lens is not None,
    )
    if 0 in x.shape:
        state = (x.shape[0], weight.shape[1] - 1, x.shape[2])
        return _unchanged(x, x.shape, (state, call.io_dtype), initial_state)
    given = {**arrays, "initial_state": initial_state, "q_lens": q_lens}
    where: dict[str, Any] = {"policy": policy, "target": target, "device": device}
    made: tuple[Any, Any] = given_back(x, *run(call, _tensors(call, given), **where))
    return made


def _unchanged(
    first: Any, shape: tuple[int, ...], state: tuple[tuple[int, ...], str], initial: Any
) -> tuple[Any, Any]:
    """The output and the state of no tokens: a copy of the state that is given, else zeros."""
    state_shape, element = state
    output = np.zeros(shape, dtype(any_name(first.dtype) or "").numpy)
    if initial is None:
        final = np.zeros(state_shape, dtype(element).numpy)
    else:
        check_is_array("initial_state", initial)
        if tuple(initial.shape) != state_shape or any_name(initial.dtype) != element:
            raise ArgumentError(
                f"initial_state: expected {element} {list(state_shape)}, got {said(initial)}"
            )
        final = contents_of(taken("initial_state", initial)).copy()
    made: tuple[Any, Any] = given_back(first, output, final)
    return made


def _tensors(call: Spec, given: dict[str, Any]) -> dict[str, Taken]:
    """The inputs of a call: zeros for a state that is not given; ArgumentError for other shapes."""
    tensors: dict[str, Taken] = {}
    for tensor in call.inputs:
        array = given[tensor.name]
        if array is None:
            tensors[tensor.name] = np.zeros(tensor.largest_shape, dtype(tensor.dtype).numpy)
            continue
        check_is_array(tensor.name, array)
        if tuple(array.shape) != tensor.largest_shape:
            raise ArgumentError(
                f"{tensor.name}: expected {list(tensor.largest_shape)}, got {said(array)}"
            )
        tensors[tensor.name] = taken(tensor.name, array)
    return tensors
