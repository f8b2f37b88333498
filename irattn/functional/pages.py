"""The checks and the call that functions of arrays over a cache kept in blocks share."""

from collections.abc import Callable
from typing import Any

from irattn.core.dtypes import any_name
from irattn.core.errors import ArgumentError
from irattn.functional.arrays import Taken, check_is_array, contents_of, taken
from irattn.functional.calls import run, spec_of
from irattn.functional.head_numbers import HEAD_FIELDS, numbers_of_heads
from irattn.functional.nothing import (
    shapes_of_nothing,
    states_of_nothing,
    with_columns,
    without_columns,
)
from irattn.functional.places import place_of
from irattn.functional.score_functions import functions_of
from irattn.functional.shapes import check_axes_of, check_floats
from irattn.specs import Spec


def attend(
    make: Callable[..., Spec],
    sizes_of: Callable[..., dict[str, int]],
    arrays: tuple[dict[str, Any], dict[str, Any], dict[str, Any]],
    where: dict[str, Any],
    functions: dict[str, Callable[..., Any] | None],
    **fields: Any,
) -> tuple[Taken, ...]:
    """The outputs of a call, by a kernel that runs where its arrays are.

    `arrays` are floats, the query first, integers, and those with a number for each head, by name;
    `sizes_of` checks the axes of the first two and gives the sizes of the spec that `make` makes.
    `functions` are those of scores, by field, None for none.
    """
    floats, integers, of_heads = arrays
    given_of_heads = {name: array for name, array in of_heads.items() if array is not None}
    for name, array in (floats | integers | given_of_heads).items():
        check_is_array(name, array)
    check_floats(**floats)
    has_values = floats["value_cache"].shape[-1:] != (0,)
    floats = with_columns(floats)
    function_fields, captured = functions_of(**functions)
    sizes = sizes_of(**floats, **integers)
    call: Any = spec_of(
        make,
        **{name: max(size, 1) for name, size in sizes.items()},
        io_dtype=any_name(floats["query"].dtype),
        **{field: name in given_of_heads for name, field in HEAD_FIELDS.items()},
        **function_fields,
        **fields,
    )
    numbers = numbers_of_heads(sizes["num_q_heads"], **given_of_heads)
    if 0 in sizes.values():
        results = _of_nothing(call, floats, integers["context_lens"], numbers.get("sinks"))
    else:
        tensors = {name: taken(name, array) for name, array in (floats | integers).items()}
        results = run(call, tensors | captured | numbers, **where)
    return results if has_values else (without_columns(results[0]), *results[1:])


def _of_nothing(
    call: Any, floats: dict[str, Any], context_lens: Any, sinks: Taken | None
) -> tuple[Taken, ...]:
    """The outputs of a call without queries, or without blocks: then no sequence has a token."""
    shape, lse_shape = shapes_of_nothing(**floats)
    if 0 not in (*shape, *floats["query"].shape):
        check_no_tokens(context_lens)
    how: dict[str, Any] = {"sinks": sinks, "return_lse": call.return_lse}
    return states_of_nothing(shape, lse_shape, call.io_dtype, **how)


def check_no_tokens(context_lens: Any) -> None:
    """Refuse contexts with tokens where no block has any; what lies on a GPU is not looked at."""
    lengths = taken("context_lens", context_lens)
    if place_of(lengths):
        return
    for sequence, length in enumerate(contents_of(lengths).tolist()):
        if length:
            raise ArgumentError(f"context_lens[{sequence}]: expected 0, got {length}")


def sizes_of_pages(key_cache: Any, value_cache: Any, block_table: Any) -> dict[str, int]:
    """The sizes of a cache and its table; ArgumentError for other axes.

    Whether arrays agree with each other the kernel says, array by array.
    """
    check_axes_of("key_cache", key_cache, "num_blocks, num_kv_heads, block_size, head_dim")
    check_axes_of("value_cache", value_cache, "num_blocks, num_kv_heads, block_size, value_dim")
    check_axes_of("block_table", block_table, "batch, max_blocks")
    num_blocks, num_kv_heads, block_size, _ = key_cache.shape
    return {
        "batch": block_table.shape[0],
        "num_kv_heads": num_kv_heads,
        "value_dim": value_cache.shape[3],
        "num_blocks": num_blocks,
        "block_size": block_size,
        "max_blocks": block_table.shape[1],
    }
