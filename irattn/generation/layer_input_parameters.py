"""The parameters of layers' own embeddings, by the names of tensors in a model's files."""

from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.models.families.tensor_names import LayerInputNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.state_layer import StateLayer


def layer_input_pieces(
    base: str,
    number: int,
    layers: int,
    spec: DecoderLayerSpec | StateLayer,
    names: TensorNames,
) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer's own input, of so many layers.

    `base` is what stands before all names. Of the tensors that all layers share, the columns of the
    embedding and the rows of the projection go by layers.
    """
    if isinstance(spec, StateLayer) or spec.layer_input is None:
        return {}
    given, theirs, size = spec.layer_input, names.layer_input or LayerInputNames(), spec.hidden_size
    before = f"{base}{names.layer.format(number=number)}"
    own, every = (number * given.width, (number + 1) * given.width), layers * given.width
    return {
        "token_embedding_weight": Pieces(
            {f"{base}{theirs.embedding}.weight": (given.vocab_size, every)},
            part=((0, given.vocab_size), own),
        ),
        "token_projection_weight": Pieces(
            {f"{base}{theirs.projection}.weight": (every, size)}, part=(own, (0, size))
        ),
        "token_norm_weight": Pieces({f"{base}{theirs.projection_norm}.weight": (given.width,)}),
        "token_gate_weight": Pieces({f"{before}{theirs.gate}.weight": (given.width, size)}),
        "token_output_weight": Pieces({f"{before}{theirs.output}.weight": (size, given.width)}),
        "token_post_norm_weight": Pieces({f"{before}{theirs.post_norm}.weight": (size,)}),
    }
