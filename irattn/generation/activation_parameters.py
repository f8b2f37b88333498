"""The parameters of an activation that is learned: Apertus's xIELU."""

import numpy as np

from irattn.core.tensors import TensorType
from irattn.generation.pieces import Pieces

# What the code has of its own where files leave out the slope and the edge.
_SLOPE, _EDGE = 0.5, -1e-6


def activation_pieces(before: str, tensor: TensorType, names: tuple[str, ...]) -> Pieces:
    """The pieces of MlpSpec's activation_weight: its factors have an axis, other numbers none."""
    shapes: dict[str, tuple[int, ...]] = {
        f"{before}{name}": (1,) if place < 2 else () for place, name in enumerate(names)
    }
    return Pieces(shapes, dtype=tensor.dtype, made=_learned)


def _learned(
    above: np.ndarray,
    below: np.ndarray,
    slope: np.ndarray | float = _SLOPE,
    edge: np.ndarray | float = _EDGE,
) -> np.ndarray:
    """The parameters, of factors that softplus makes positive."""
    factors = (_softplus(above), slope + _softplus(below), slope, edge)
    return np.concatenate([np.reshape(one, 1) for one in factors])


def _softplus(x: np.ndarray) -> np.ndarray:
    wide: np.ndarray = np.logaddexp(x.astype(np.float64), 0)
    return wide
