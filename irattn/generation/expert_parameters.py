"""The tensors of experts, by Hugging Face's names, as the parameters of `mixture_of_experts`.

Files have a tensor for each expert, or one of all of them; of DeepSeek's kind, too.
"""

from dataclasses import replace

from irattn.core.tensors import Role, TensorType
from irattn.generation.pieces import HeadRows, Pieces
from irattn.generation.weights import Weights
from irattn.models.families import TensorNames
from irattn.models.families.tensor_names import BesideNames
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.specs.weight_formats import format_of


def as_stored(
    names: TensorNames, before: str, spec: MixtureOfExpertsSpec, weights: Weights
) -> TensorNames:
    """The names, with what the shapes of a layer's experts say of those that may be turned.

    One of the two weights is no square.
    """
    if names.turned_experts is not None:
        return names
    inner, size, count = spec.intermediate_size, spec.hidden_size, spec.num_experts
    plain = {names.expert_gate_up[0]: (2 * inner, size), names.expert_down: (size, inner)}
    are_turned = any(
        weights.shape_of(f"{before}{name}") == (count, *shape[::-1]) != (count, *shape)
        for name, shape in plain.items()
    )
    return replace(names, turned_experts=are_turned)


def expert_pieces(before: str, spec: MixtureOfExpertsSpec, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of each parameter of a layer's experts, whose names begin like that."""
    inner, size = spec.intermediate_size, spec.hidden_size
    shared, experts = spec.shared_size or 0, spec.num_experts
    # Columns, or bytes of rows of blocks.
    widths = {tensor.name: int(tensor.largest_shape[-1]) for tensor in spec.parameters}
    up = widths.get("shared_gate_up_weight", size)
    down = widths.get("shared_down_weight", shared)
    scales = (names.beside or BesideNames()).expert_scale
    made = {
        "router_weight": Pieces({f"{before}{names.router}.weight": (experts, size)}),
        "router_bias": Pieces({f"{before}{names.router}.bias": (experts,)}),
        "expert_scale": Pieces({f"{before}{scales}": (experts,)}),
        "choice_bias": _choice_bias(before, names, experts),
        "shared_gate_up_weight": Pieces(
            {
                f"{before}{name}.weight": (2 * shared // len(names.shared_gate_up), up)
                for name in names.shared_gate_up
            }
        ),
        "shared_up_weight": Pieces({f"{before}{names.shared_gate_up[-1]}.weight": (shared, size)}),
        "shared_down_weight": Pieces({f"{before}{names.shared_down}.weight": (size, down)}),
        "shared_gate_weight": Pieces({f"{before}{names.shared_gate}.weight": (1, size)}),
        **{
            f"{name}_weight": _stacked(
                before, spec, names, parts, (rows, widths.get(f"{name}_weight", size))
            )
            for name, parts, rows in (
                ("gate_up", names.expert_gate_up, inner),
                ("gate", names.expert_gate_up[:1], inner),
                ("up", names.expert_gate_up[-1:], inner),
                ("down", (names.expert_down,), size),
            )
        },
        "gate_up_bias": _biases(before, spec, names, names.expert_gate_up, 2 * inner),
        "down_bias": _biases(before, spec, names, (names.expert_down,), size),
    }
    for tensor in spec.parameters:
        if tensor.role is Role.WEIGHT_SCALE:
            made[tensor.name] = _scales(before, tensor, names)
        elif tensor.weight_format:
            made[tensor.name] = replace(made[tensor.name], dtype=tensor.dtype)
    return {tensor.name: made[tensor.name] for tensor in spec.parameters}


def _choice_bias(before: str, names: TensorNames, experts: int) -> Pieces:
    """The bias of choices, which is zeros in files without one."""
    shape = (1, experts) if names.is_choice_row else (experts,)
    tensors = {f"{before}{names.choice_bias}": shape} if names.choice_bias else {}
    return Pieces(tensors, shape=(experts,), fill=0.0, dtype="f32")


def _scales(before: str, tensor: TensorType, names: TensorNames) -> Pieces:
    """The scales of experts, or of what they share, of as many tensors as their weight is."""
    parts = {
        "gate_up": names.expert_gate_up,
        "down": (names.expert_down,),
        "shared_gate_up": names.shared_gate_up,
        "shared_down": (names.shared_down,),
    }[tensor.name.removesuffix("_weight_scale")]
    shape = tensor.largest_shape
    is_shared = tensor.name.startswith("shared_")
    rows, *columns = shape if is_shared else shape[1:]
    one = (rows // len(parts), *columns)
    shapes = {
        f"{before}{part.format(expert=expert)}.weight_scale": one
        for expert in range(1 if is_shared else shape[0])
        for part in parts
    }
    return Pieces(shapes, shape=shape, dtype=tensor.dtype)


def pieces_beside(before: str, spec: MixtureOfExpertsSpec, names: TensorNames) -> dict[str, Pieces]:
    """The parameters of experts beside an MLP, and of the norms around them, of such a layer."""
    theirs, size = names.beside or BesideNames(), spec.hidden_size
    made = {
        **expert_pieces(before, spec, names),
        "norm_weight": Pieces({f"{before}{theirs.norm}.weight": (size,)}),
        # The code multiplies what the router reads with this scale, and with the factor.
        "router_norm_weight": Pieces({f"{before}{theirs.router_scale}": (size,)}, times=size**-0.5),
        "post_norm_weight": Pieces({f"{before}{theirs.post_norm}.weight": (size,)}),
    }
    own = Pieces({f"{before}{theirs.own_norm}.weight": (size,)})
    named = {f"experts_{name}": pieces for name, pieces in made.items()}
    return {**named, "mlp_own_norm_weight": own}


def _biases(
    before: str,
    spec: MixtureOfExpertsSpec,
    names: TensorNames,
    of_expert: tuple[str, ...],
    rows: int,
) -> Pieces:
    """The biases of all experts, `rows` of each; those of GPT-OSS's code are pairs of two kinds."""
    if "{expert}" not in of_expert[0]:
        is_gate_up = of_expert == names.expert_gate_up
        shape = (spec.num_experts, rows)
        return Pieces({f"{before}{of_expert[0]}_bias": shape}, are_pairs=is_gate_up)
    shapes = {
        f"{before}{name.format(expert=expert)}.bias": (rows // len(of_expert),)
        for expert in range(spec.num_experts)
        for name in of_expert
    }
    return Pieces(shapes, shape=(spec.num_experts, rows))


def _stacked(
    before: str,
    spec: MixtureOfExpertsSpec,
    names: TensorNames,
    of_expert: tuple[str, ...],
    shape: tuple[int, int],
) -> Pieces:
    """The weights of all experts, each made of tensors of this shape, one below the other."""
    rows, columns = shape
    if names.have_flat_experts:
        return _of_flat(before, spec, of_expert, is_down=of_expert == (names.expert_down,))
    if "{expert}" in of_expert[0]:
        shapes = {
            f"{before}{name.format(expert=expert)}.weight": shape
            for expert in range(spec.num_experts)
            for name in of_expert
        }
        return Pieces(shapes, shape=(spec.num_experts, len(of_expert) * rows, columns))
    is_gate_up = of_expert == names.expert_gate_up
    whole = (spec.num_experts, 2 * rows if is_gate_up else rows, columns)
    are_pairs = names.have_pairs and is_gate_up
    if format_of(spec.weight_format, "down"):
        return Pieces({f"{before}{of_expert[0]}": whole}, are_pairs=are_pairs)
    if not names.turned_experts:
        return Pieces({f"{before}{of_expert[0]}": whole})
    turned = (whole[0], columns, whole[1])
    return Pieces({f"{before}{of_expert[0]}": turned}, shape=whole, are_pairs=are_pairs)


def _of_flat(
    before: str, spec: MixtureOfExpertsSpec, of_expert: tuple[str, ...], is_down: bool
) -> Pieces:
    """The weights of all experts, of tensors with the rows of all of them one below the other."""
    count, inner = spec.num_experts, spec.intermediate_size
    shapes = {f"{before}{name}": (count * inner, spec.hidden_size) for name in of_expert}
    if is_down:
        return Pieces(shapes, of_heads=HeadRows(count, 0, inner, turned=True))
    rows = [
        (first * inner, (first + 1) * inner)
        for expert in range(count)
        for first in range(expert, len(of_expert) * count, count)
    ]
    whole = (count, len(of_expert) * inner, spec.hidden_size)
    return Pieces(shapes, shape=whole, order=tuple(rows))
