"""The parameters of layers with states, by the names of tensors in a model's files."""

from irattn.generation.convolution_parameters import convolution_pieces
from irattn.generation.delta_parameters import delta_pieces
from irattn.generation.expert_parameters import expert_pieces
from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.convolution_layer import ConvolutionLayerSpec
from irattn.specs.delta_layer import DeltaLayerSpec
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.state_layer import StateLayer


def state_layer_pieces(before: str, spec: StateLayer, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer, whose names begin like that in the files."""
    size, inner = spec.hidden_size, spec.intermediate_size
    norms = {"norm_weight": names.attention_norm, "mlp_norm_weight": names.mlp_norm}
    made = {ours: Pieces({f"{before}{name}.weight": (size,)}) for ours, name in norms.items()}
    if isinstance(spec.mlp, MixtureOfExpertsSpec):
        made |= expert_pieces(before, spec.mlp, names)
    elif inner is not None:
        up = {f"{before}{name}.weight": (inner, size) for name in names.gate_up}
        made["gate_up_weight"] = Pieces(up)
        made["down_weight"] = Pieces({f"{before}{names.down}.weight": (size, inner)})
    if isinstance(spec, DeltaLayerSpec):
        made |= delta_pieces(before, spec, names)
    if isinstance(spec, ConvolutionLayerSpec):
        made |= convolution_pieces(before, spec, names)
    return made
