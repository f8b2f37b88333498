"""The checks and the call that functions of arrays over a cache kept in blocks share."""

from collections.abc import Callable
from typing import Any

from irattn.core.dtypes import any_name
from irattn.functional.arrays import Taken, check_is_array, taken
from irattn.functional.calls import run, spec_of
from irattn.functional.head_numbers import HEAD_FIELDS, numbers_of_heads
from irattn.functional.score_functions import functions_of
from irattn.functional.shapes import check_axes_of, check_floats, check_sizes
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
    function_fields, captured = functions_of(**functions)
    call: Any = spec_of(
        make,
        **sizes_of(**floats, **integers),
        io_dtype=any_name(floats["query"].dtype),
        **{field: name in given_of_heads for name, field in HEAD_FIELDS.items()},
        **function_fields,
        **fields,
    )
    tensors = {name: taken(name, array) for name, array in (floats | integers).items()}
    tensors |= captured | numbers_of_heads(call.num_q_heads, **given_of_heads)
    return run(call, tensors, **where)


def sizes_of_pages(
    query: Any, key_cache: Any, value_cache: Any, block_table: Any
) -> dict[str, int]:
    """The sizes of a cache and its table; ArgumentError where these, or queries, lack any.

    Whether arrays agree with each other the kernel says, array by array.
    """
    check_axes_of("key_cache", key_cache, "num_blocks, num_kv_heads, block_size, head_dim")
    check_axes_of("value_cache", value_cache, "num_blocks, num_kv_heads, block_size, value_dim")
    check_axes_of("block_table", block_table, "batch, max_blocks")
    check_sizes(query=query, key_cache=key_cache, value_cache=value_cache, block_table=block_table)
    num_blocks, num_kv_heads, block_size, _ = key_cache.shape
    return {
        "batch": block_table.shape[0],
        "num_kv_heads": num_kv_heads,
        "value_dim": value_cache.shape[3],
        "num_blocks": num_blocks,
        "block_size": block_size,
        "max_blocks": block_table.shape[1],
    }
