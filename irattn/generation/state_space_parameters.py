"""The parameters of layers with state-space steps, by the names of tensors in a model's files."""

from irattn.generation.part_pieces import dtype_of
from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import StateSpaceNames
from irattn.specs.state_space_layer import StateSpaceLayerSpec


def state_space_pieces(
    before: str, spec: StateSpaceLayerSpec, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of what is a layer's own, whose names begin like that in the files."""
    theirs, size = names.state_space or StateSpaceNames(), spec.hidden_size
    inputs = {tensor.name: tensor for tensor in spec.inputs}
    counts = {"gate": spec.inner_size, "channels": spec.channels, "steps": spec.num_heads}
    rows = sum(counts.values())
    pieces, first = {}, 0
    for ours, count in counts.items():
        weight = inputs[f"{ours}_weight"]
        into = {f"{before}{theirs.into}.weight": (rows, *weight.largest_shape[1:])}
        pieces[weight.name] = Pieces(into, order=((first, first + count),), dtype=dtype_of(weight))
        first += count
    conv = f"{before}{theirs.conv}"
    taps = (spec.channels, spec.kernel) if theirs.is_flat else (spec.channels, 1, spec.kernel)
    pieces["conv_weight"] = Pieces({f"{conv}.weight": taps}, drops_ones=not theirs.is_flat)
    if spec.has_conv_bias:
        pieces["conv_bias"] = Pieces({f"{conv}.bias": (spec.channels,)})
    own = {"decay_log": theirs.decay_log, "time_bias": theirs.time_bias, "skip_weight": theirs.skip}
    for ours, name in own.items():
        pieces[ours] = Pieces({f"{before}{name}": (spec.num_heads,)}, dtype="f32")
    if not spec.skips_group_norm:
        pieces["group_norm_weight"] = Pieces({f"{before}{theirs.norm}.weight": (spec.inner_size,)})
    output = inputs["output_weight"]
    pieces[output.name] = Pieces(
        {f"{before}{theirs.output}.weight": (size, *output.largest_shape[1:])},
        dtype=dtype_of(output),
    )
    return pieces
