"""The parameters of hidden states beside one another, by the names of tensors in files."""

from irattn.generation.graphs import Graphs
from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.tensor_names import LaurelNames, StreamNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.state_layer import StateLayer
from irattn.specs.streams import Streams


def streams_pieces(
    base: str, graphs: Graphs, names: TensorNames
) -> tuple[Pieces | None, Pieces | None]:
    """The tensors of the products before and after all layers, where there are any.

    `base` is what stands before all names.
    """
    theirs = names.streams or StreamNames()
    split, join = graphs.phases[0].split, graphs.join
    return (
        _below_one_another(f"{base}{theirs.split}", split),
        _below_one_another(f"{base}{theirs.join}", join),
    )


def _below_one_another(name: str, spec: Streams | None) -> Pieces | None:
    if spec is None:
        return None
    size = spec.hidden_size
    shapes = {f"{name.format(number=n)}.weight": (size, size) for n in range(spec.others)}
    return Pieces(shapes, shape=(spec.others, size, size))


def layer_stream_pieces(
    before: str, spec: DecoderLayerSpec | StateLayer, names: TensorNames
) -> dict[str, Pieces]:
    """The tensors of a layer's mixing of hidden states, and of the learned part of the residual.

    Names begin with `before` in the files.
    """
    if isinstance(spec, StateLayer):
        return {}
    streams, laurel = names.streams or StreamNames(), names.laurel or LaurelNames()
    theirs = {
        "stream_norm_weight": streams.norm,
        "stream_router_weight": streams.router,
        "stream_prediction_weight": streams.prediction,
        "stream_correction_weight": streams.correction,
        "laurel_down_weight": laurel.down,
        "laurel_up_weight": laurel.up,
        "laurel_norm_weight": laurel.norm,
    }
    shapes = {tensor.name: tensor.largest_shape for tensor in spec.inputs}
    made = {
        ours: Pieces({f"{before}{name}.weight": shapes[ours]})
        for ours, name in theirs.items()
        if ours in shapes
    }
    if "stream_scale" in shapes:
        made["stream_scale"] = Pieces({f"{before}{streams.scale}": shapes["stream_scale"]})
    return made
