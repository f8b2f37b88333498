"""The parameters of layers that share weights, with what each layer adds to them."""

import numpy as np

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.state_layer import StateLayer


def shared_pieces(
    base: str, number: int, spec: DecoderLayerSpec | StateLayer, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of each parameter that differs from the shared one; `base` stands before all."""
    own = names.shared[number] if names.shared else None
    if own is None or isinstance(spec, StateLayer):
        return {}
    before, size, inner = f"{base}{names.before(number)}", spec.hidden_size, spec.intermediate_size
    assert inner is not None

    def adapted(weight: str, adapter: str, rows: int, columns: int) -> dict[str, tuple[int, ...]]:
        """A weight, and the two that its adapter is the product of."""
        down, up = (f"{before}{adapter.format(use=own.use, part=part)}.weight" for part in (0, 1))
        shapes = ((rows, columns), (own.rank, columns), (rows, own.rank))
        return dict(zip((f"{before}{weight}.weight", down, up), shapes, strict=True))

    (gate_up,) = names.gate_up
    pieces = {
        "gate_up_weight": Pieces(adapted(gate_up, own.gate_up, 2 * inner, size), made=_adapted),
        "down_weight": Pieces(
            {
                f"{base}{own.output}.weight": (size, size),
                f"{before}{names.down}.weight": (size, inner),
            },
            made=np.matmul,
        ),
    }
    if own.adapts_attention:
        heads = (spec.attention.num_q_heads, *2 * (spec.attention.num_kv_heads,))
        shapes: dict[str, tuple[int, ...]] = {}
        for weight, adapter, count in zip(names.qkv, own.qkv, heads, strict=True):
            rows = count * spec.attention.head_dim
            shapes |= adapted(weight, adapter, rows, spec.read_size)
        pieces["qkv_weight"] = Pieces(shapes, made=_adapted)
    return pieces


def _adapted(*given: np.ndarray) -> np.ndarray:
    """Weights one below the other, of each itself and the two that are its adapter."""
    weights = zip(given[::3], given[1::3], given[2::3], strict=True)
    return np.concatenate([weight + up @ down for weight, down, up in weights])
