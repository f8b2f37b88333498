"""The tables of embedding and head, where files have them of fewer columns than hidden states."""

import numpy as np

from irattn.core.tensors import TensorType
from irattn.generation.part_pieces import dtype_of
from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames


def embedding_pieces(name: str, tensor: TensorType, base: str, names: TensorNames) -> Pieces:
    """The tensors of the embedding, whose rows OPT 350M multiplies with a weight."""
    if names.table_columns is None:
        return whole_pieces(name, tensor)
    rows, size = tensor.largest_shape
    widening = {f"{base}{names.project_in}.weight": (size, names.table_columns)}
    return Pieces({name: (rows, names.table_columns), **widening}, made=_into_hidden)


def head_pieces(name: str, tensor: TensorType, base: str, names: TensorNames) -> Pieces:
    """The tensors of the head, of hidden states that OPT 350M multiplies with a weight first."""
    if names.table_columns is None:
        return whole_pieces(name, tensor)
    rows, size = tensor.largest_shape
    narrowing = {f"{base}{names.project_out}.weight": (names.table_columns, size)}
    return Pieces({name: (rows, names.table_columns), **narrowing}, made=np.matmul)


def whole_pieces(name: str, tensor: TensorType) -> Pieces:
    """A parameter that is one tensor of the files."""
    return Pieces({name: tensor.largest_shape}, dtype=dtype_of(tensor))


def _into_hidden(table: np.ndarray, weight: np.ndarray) -> np.ndarray:
    made: np.ndarray = table @ weight.T
    return made
