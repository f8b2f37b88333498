"""The outputs of a call that has no query, or no key to see."""

from collections.abc import Sequence

import numpy as np

from irattn.core.dtypes import dtype
from irattn.functional.arrays import Taken, contents_of


def states_of_nothing(
    shape: Sequence[int],
    lse_shape: Sequence[int],
    io_dtype: str,
    *,
    sinks: Taken | None = None,
    return_lse: bool = False,
) -> tuple[np.ndarray, ...]:
    """The output where no key is seen, and the lse, if it is asked for: each head's sink, or -inf.

    Heads are the last axis but one of the lse.
    """
    output = np.zeros(shape, dtype(io_dtype).numpy)
    if not return_lse:
        return (output,)
    own = np.asarray([-np.inf]) if sinks is None else contents_of(sinks)
    return output, np.broadcast_to(own[:, None], lse_shape).astype(np.float32)
