"""The parameters of layers with states, by the names of tensors in a model's files."""

from irattn.generation.convolution_parameters import parts_of_convolution, taps_of
from irattn.generation.delta_parameters import delta_pieces
from irattn.generation.expert_parameters import expert_pieces
from irattn.generation.lightning_parameters import lightning_pieces
from irattn.generation.part_pieces import named, part_pieces, parts_of_mlp
from irattn.generation.pieces import Pieces
from irattn.generation.scan_parameters import scan_pieces
from irattn.generation.state_space_parameters import state_space_pieces
from irattn.models.families import TensorNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.lightning_layer import LightningLayerSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.selective_scan_layer import SelectiveScanLayerSpec
from irattn.specs.state_layer import StateLayer
from irattn.specs.state_space_layer import StateSpaceLayerSpec


def state_layer_pieces(
    before: str, spec: StateLayer, names: TensorNames, place: tuple[int, int]
) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer, whose names begin like that in the files.

    `place` is its number, and how many layers there are.
    """
    size, inner = spec.hidden_size, spec.intermediate_size
    norms = ("post_norm", "mlp_norm", "mlp_post_norm")
    parts = {one: {getattr(names, one): size} for one in norms}
    parts["norm"] = {names.attention_norm: size}
    if inner is not None:
        parts |= parts_of_mlp(names, size, inner)
    if isinstance(spec, ConvolutionLayerSpec):
        parts |= parts_of_convolution(spec, names)
    made = {}
    for tensor in spec.inputs:
        ours, _ = named(tensor.name)
        if ours in parts and (pieces := part_pieces(before, tensor, parts[ours])):
            made[tensor.name] = pieces
    if isinstance(spec.mlp, MixtureOfExpertsSpec):
        made |= expert_pieces(before, spec.mlp, names)
    if isinstance(spec, DeltaLayerSpec):
        made |= delta_pieces(before, spec, names)
    if isinstance(spec, ConvolutionLayerSpec):
        made["conv_weight"] = taps_of(before, spec, names)
    if isinstance(spec, StateSpaceLayerSpec):
        made |= state_space_pieces(before, spec, names)
    if isinstance(spec, LightningLayerSpec):
        made |= lightning_pieces(before, spec, names, *place)
    if isinstance(spec, SelectiveScanLayerSpec):
        made |= scan_pieces(before, spec, names)
    return made
