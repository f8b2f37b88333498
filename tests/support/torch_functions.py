"""Score and mask functions in PyTorch's words, of which its autograd has a derivative."""

from irattn.specs.expressions import CONSTANTS, NAMES


def computed(function, arrays, scores):
    """What a function gives for `scores`, `[batch, head, query, key]`, as it broadcasts.

    `arrays` are the tensors of a call by their names.
    """
    import torch

    names = {"score": scores}
    for axis, name in enumerate(("batch", "head", "query", "key")):
        shape = [-1 if one == axis else 1 for one in range(4)]
        names[name] = torch.arange(scores.shape[axis], dtype=torch.int32).view(shape)
    kinds = {"float": torch.float64, "int": torch.int32, "bool": torch.bool}
    values = []
    for step in function.steps:
        taken = [values[one] for one in step.operands]
        if step.op in CONSTANTS:
            value = torch.tensor(step.value, dtype=kinds[step.op])
        elif step.op in NAMES:
            value = names[step.op]
        elif step.op == "read":
            array = function.array(step.text)
            sized = zip(taken, array.shape, strict=True)
            # Negative ones count from the end; beyond the array is its nearest element.
            places = [torch.where(at < 0, at + n, at).clamp(0, n - 1).long() for at, n in sized]
            value = arrays[array.input_name][tuple(places)]
        else:
            value = _made(torch, step.op, taken)
        values.append(value)
    return values[-1]


def _made(torch, op, taken):
    one, other = [*taken, None][:2]
    if op == "floor_div":
        return torch.div(one, other, rounding_mode="floor")
    if op == "left_shift":
        return torch.where((other < 0) | (other > 31), 0, one << (other & 31)).int()
    if op == "right_shift":
        return one >> torch.where((other < 0) | (other > 31), 31, other).int()
    if op in ("to_float", "to_int"):
        return one.to(torch.float64 if op == "to_float" else torch.int32)
    return getattr(torch, _WORDS.get(op, op))(*taken)


_WORDS = {
    **{"mod": "remainder", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"},
    **{"not": "bitwise_not", "power": "pow"},
}
