"""The tensors of a part of a layer: those of its weight, its bias and its scales."""

from collections.abc import Mapping

from irattn.core.tensors import Role, TensorType
from irattn.generation.pieces import Pieces
from irattn.models.families import TensorNames
from irattn.specs.decoder_layer import DecoderLayerSpec
from irattn.specs.state_layer import StateLayer


def named(parameter: str) -> tuple[str, str]:
    """The name of a part, and which of its parameters one is: `qkv_weight` is qkv's weight."""
    if parameter.endswith("_weight_scale"):
        return parameter.removesuffix("_weight_scale"), "weight_scale"
    ours, _, kind = parameter.rpartition("_")
    return ours, kind


def part_pieces(before: str, tensor: TensorType, rows: Mapping[str, int]) -> Pieces | None:
    """The pieces of a parameter, of tensors of so many rows; None of what is no parameter."""
    _, kind = named(tensor.name)
    if kind == "weight_scale":
        return _scales(before, tensor, rows)
    if kind not in ("weight", "bias"):
        return None
    shapes = {
        f"{before}{name}.{kind}": (count, *tensor.largest_shape[1:]) for name, count in rows.items()
    }
    return Pieces(shapes, dtype=dtype_of(tensor))


def dtype_of(tensor: TensorType) -> str | None:
    """The type of a parameter where it is not the model's: of quantised weights, and scales."""
    return tensor.dtype if tensor.weight_format or tensor.role is Role.WEIGHT_SCALE else None


def parts_of_mlp(names: TensorNames, size: int, inner: int) -> dict[str, dict[str, int]]:
    """The tensors of each part of an MLP, and their rows."""
    return {
        "gate_up": rows_of(names.gate_up, (inner, inner)),
        "gate": {names.gate_up[0]: inner},
        "up": {names.up or names.gate_up[-1]: inner},
        "down": {names.down: size},
    }


def rows_of(names: tuple[str, ...], rows: tuple[int, ...]) -> dict[str, int]:
    """The rows of each tensor; one alone has all of them."""
    return {names[0]: sum(rows)} if len(names) == 1 else dict(zip(names, rows, strict=True))


def _scales(before: str, tensor: TensorType, rows: Mapping[str, int]) -> Pieces:
    """The scales of a weight that is tensors of so many rows, in which they are shared evenly."""
    shape, all_rows = tensor.largest_shape, sum(rows.values())
    shapes = {
        f"{before}{name}.weight_scale": (
            shape[0] if len(rows) == 1 else count * shape[0] // all_rows,
            *shape[1:],
        )
        for name, count in rows.items()
    }
    return Pieces(shapes, dtype=tensor.dtype)


def output_bias_pieces(
    before: str, spec: DecoderLayerSpec | StateLayer, names: TensorNames, is_last: bool
) -> dict[str, Pieces]:
    """The bias of the output projection, where the last layer alone has one that is not zeros."""
    if not names.last_output_bias:
        return {}
    shape = (spec.hidden_size,)
    of_last = Pieces({f"{before}{names.last_output_bias}": shape})
    return {"output_bias": of_last if is_last else Pieces({}, shape=shape, fill=0.0)}
