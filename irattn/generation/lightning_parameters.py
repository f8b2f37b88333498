"""The parameters of layers with lightning attention, by the names of tensors in a model's files."""

from functools import partial

import numpy as np

from irattn.generation.pieces import Pieces, Runs
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import LightningNames
from irattn.specs.lightning_layer import LightningLayerSpec

# Keeps the slopes of the last layer above zero.
_GUARD = 1e-5


def lightning_pieces(
    before: str, spec: LightningLayerSpec, names: TensorNames, number: int, layers: int
) -> dict[str, Pieces]:
    """The tensors of what is the own of a layer with this number among so many."""
    theirs, size, inner = names.lightning or LightningNames(), spec.hidden_size, spec.inner_size
    kept = partial(log_kept, spec.num_heads, number, layers)
    return {
        "qkv_weight": Pieces({f"{before}{theirs.qkv}.weight": (3 * inner, size)}, order=_by(spec)),
        "gate_weight": Pieces({f"{before}{theirs.gate}.weight": (inner, size)}),
        "log_kept": Pieces({}, dtype="f32", made=kept),
        "gated_norm_weight": Pieces({f"{before}{theirs.norm}.weight": (inner,)}),
        "output_weight": Pieces({f"{before}{theirs.output}.weight": (size, inner)}),
    }


def log_kept(heads: int, number: int, layers: int) -> np.ndarray:
    """The logs of what heads of a layer keep of their states, as the code has them.

    The slopes of ALiBi, of as many heads, less and less of them from layer to layer. Files have
    them, too, rounded to the type of the weights.
    """
    slopes = 2.0 ** (-8 / heads * np.arange(1, heads + 1))
    return np.asarray(-slopes * (1 - number / (layers - 1 + _GUARD) + _GUARD))


def _by(spec: LightningLayerSpec) -> Runs:
    """The rows of all queries, of all keys and of all values, which files have head by head."""
    size, heads = spec.head_dim, range(spec.num_heads)
    firsts = [(3 * head + part) * size for part in range(3) for head in heads]
    return tuple((first, first + size) for first in firsts)
