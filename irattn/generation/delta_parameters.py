"""The parameters of layers with gated delta nets, by the names of tensors in a model's files."""

from irattn.generation.part_pieces import dtype_of
from irattn.generation.pieces import Pieces, Runs
from irattn.models.families import TensorNames
from irattn.models.families.state_tensor_names import DeltaNames
from irattn.specs.delta_layer import DeltaLayerSpec


def delta_pieces(before: str, spec: DeltaLayerSpec, names: TensorNames) -> dict[str, Pieces]:
    """The tensors of what is a layer's own, whose names begin like that in the files."""
    delta = names.delta or DeltaNames()
    values, heads = spec.columns[2], spec.num_v_heads
    rows = {
        "qkv": _apart(spec, delta.qkv),
        "gate": dict.fromkeys(delta.gate, values),
        "rates": dict.fromkeys(delta.rates, heads),
        "gated_norm": {delta.norm: spec.value_dim},
        "output": {delta.output: spec.hidden_size},
    }
    if spec.gate_rank:
        rows["gates_down"] = dict.fromkeys(delta.gates_down, spec.gate_rank)
        rows["decay"] = {delta.decay: heads * spec.key_dim}
    orders: dict[str, Runs] = {}
    if delta.is_joined:
        orders = _runs_of_joined(spec)
        joined = dict.fromkeys(delta.qkv, spec.channels + values + 2 * heads)
        rows |= dict.fromkeys(orders, joined)
    if delta.is_grouped:
        orders = _orders(spec)
        for name in delta.qkv:
            rows["qkv"] = rows["gate"] = {name: spec.channels + values}
    if len(delta.rates) == 1 and not (delta.is_joined or spec.gate_rank):
        orders["rates"] = _rates_apart(spec)
        rows["rates"] = dict.fromkeys(delta.rates, 2 * heads)
    inputs = {tensor.name: tensor for tensor in spec.inputs}
    pieces = {}
    for ours, tensors in rows.items():
        weight = inputs[f"{ours}_weight"]
        columns = weight.largest_shape[1:]
        files = {f"{before}{name}.weight": (n, *columns) for name, n in tensors.items()}
        pieces[weight.name] = Pieces(files, order=orders.get(ours), dtype=dtype_of(weight))
    taps = {
        f"{before}{name}.weight": (rows, spec.kernel) if delta.is_flat else (rows, 1, spec.kernel)
        for name, rows in _apart(spec, delta.conv).items()
    }
    pieces["conv_weight"] = Pieces(taps, drops_ones=not delta.is_flat)
    decay_log = (1, 1, heads, 1) if spec.gate_rank and not delta.is_flat else (heads,)
    pieces["decay_log"] = Pieces(
        {f"{before}{delta.decay_log}": decay_log}, shape=(heads,), dtype="f32"
    )
    biases = inputs["time_bias"].largest_shape
    pieces["time_bias"] = Pieces({f"{before}{delta.time_bias}": biases}, dtype="f32")
    return pieces


def _apart(spec: DeltaLayerSpec, names: tuple[str, ...]) -> dict[str, int]:
    """The rows of each tensor, where queries, keys and values have one together or one each."""
    return dict(zip(names, spec.columns if len(names) > 1 else (spec.channels,), strict=True))


def _runs_of_joined(spec: DeltaLayerSpec) -> dict[str, Runs]:
    """The rows of each parameter among those of one tensor that has them all."""
    sizes = {"qkv": spec.channels, "gate": spec.columns[2], "rates": 2 * spec.num_v_heads}
    runs: dict[str, Runs] = {}
    end = 0
    for name, size in sizes.items():
        runs[name] = ((end, end + size),)
        end += size
    return runs


def _orders(spec: DeltaLayerSpec) -> dict[str, Runs]:
    """The rows of parameters among those of tensors that go by key heads."""
    key, share = spec.key_dim, spec.num_v_heads // spec.num_k_heads
    value = share * spec.value_dim
    sizes = (key, key, value, value)
    query, keys, values, gates = _by_kind(sizes, spec.num_k_heads)
    return {"qkv": (*query, *keys, *values), "gate": gates}


def _rates_apart(spec: DeltaLayerSpec) -> Runs:
    """The rows of one rate of all heads, then those of the other."""
    share = spec.num_v_heads // spec.num_k_heads
    b, a = _by_kind((share, share), spec.num_k_heads)
    return (*b, *a)


def _by_kind(sizes: tuple[int, ...], groups: int) -> list[Runs]:
    """The runs of each kind of rows, where a group has so many of each, one after the other."""
    whole, first, kinds = sum(sizes), 0, []
    for size in sizes:
        begins = [group * whole + first for group in range(groups)]
        kinds.append(tuple((begin, begin + size) for begin in begins))
        first += size
    return kinds
