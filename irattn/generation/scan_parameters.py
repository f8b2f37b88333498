"""The parameters of layers with selective scans, by the names of tensors in a model's files."""

import numpy as np

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import ScanNames
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec


def scan_pieces(before: str, spec: SelectiveScanLayerSpec, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of what is a layer's own, whose names begin like that in the files."""
    theirs, channels, size = names.scan or ScanNames(), spec.channels, spec.hidden_size
    into = {f"{before}{theirs.into}.weight": (2 * channels, size)}
    own = {
        "channels_weight": Pieces(into, order=((0, channels),)),
        "gate_weight": Pieces(into, order=((channels, 2 * channels),)),
        "conv_weight": Pieces(
            {f"{before}{theirs.conv}.weight": (channels, 1, spec.kernel)}, drops_ones=True
        ),
        "decay_log": Pieces(
            {f"{before}{theirs.decay_log}": (channels, spec.state_size)},
            made=_turned,
            dtype="f32",
        ),
        "time_bias": Pieces({f"{before}{theirs.steps}.bias": (channels,)}, dtype="f32"),
        "skip_weight": Pieces({f"{before}{theirs.skip}": (channels,)}, dtype="f32"),
    }
    whole = {"selection": theirs.selection, "steps": theirs.steps, "output": theirs.output}
    shapes = {tensor.name: tensor.largest_shape for tensor in spec.inputs}
    for ours, name in whole.items():
        own[f"{ours}_weight"] = Pieces({f"{before}{name}.weight": shapes[f"{ours}_weight"]})
    if spec.has_conv_bias:
        own["conv_bias"] = Pieces({f"{before}{theirs.conv}.bias": (channels,)})
    for number, ours in enumerate(spec.normed_columns):
        shape = shapes[f"{ours}_norm_weight"]
        files = {f"{before}{theirs.norms[number]}.weight": shape} if theirs.norms else {}
        own[f"{ours}_norm_weight"] = Pieces(files, shape=shape)
    return own


def _turned(array: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(array.T)
