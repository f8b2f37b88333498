#!/usr/bin/env python3
"""Call kernels on a GPU with junk in every number that nobody checks, by PyTorch's tensors.

    python tools/junk.py TARGET [compile | NAME ...]

compiles the tiny entries that are told ids, lengths or places for TARGET into `build/junk`, where
there is a compiler; with `compile` that is all, so that the folder can be taken to a machine with
the GPU. There the launcher calls each with all kinds of junk in the numbers of one sequence. Each
array lies between guards: what is not the sequence's must keep its bits, and so must inputs and
guards; a fault ends it all, and is told with the call. The emulator's tests do the same to AMD's
code.

Guards show what is written near an array. Where anything is read or written, NVIDIA's checker says,
to which each array has to be an allocation of its own, without guards:

    PYTORCH_NO_CUDA_MEMORY_CACHING=1 compute-sanitizer python tools/junk.py TARGET
"""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

import irattn
from irattn.core.errors import IrattnError
from irattn.core.tensors import TensorType
from irattn.lab.inputs import Tensors
from irattn.runtime.direct.torch_memory import TORCH_NAMES
from irattn.specs import Spec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.junk import Junk, call_of, clean, junk_calls, specs

STORE = Path("build") / "junk"
DEVICE = "cuda:0"
GUARD = 0 if os.environ.get("PYTORCH_NO_CUDA_MEMORY_CACHING") else 1 << 20
FILL = 0xA5


class Placed:
    """An array on the GPU, between guards; `tensor` is what kernels are given."""

    def __init__(self, name: str, contents: np.ndarray, dtype: str) -> None:
        self.name = name
        self.before = np.ascontiguousarray(contents).view(np.uint8).ravel()
        end = GUARD + self.before.size
        self._memory = torch.full((end + GUARD,), FILL, dtype=torch.uint8, device=DEVICE)
        self._bytes = self._memory[GUARD:end]
        self._bytes.copy_(torch.from_numpy(self.before.copy()))
        self.tensor = self._bytes.view(getattr(torch, TORCH_NAMES[dtype])).view(contents.shape)

    def check_guards(self) -> None:
        """AssertionError where anything beside the array was written."""
        for guard in (self._memory[:GUARD], self._memory[GUARD + self.before.size :]):
            assert bool((guard == FILL).all()), f"memory beside {self.name} is written"

    def after(self) -> np.ndarray:
        """The bytes of each element, in one more axis."""
        shape = (*self.tensor.shape, self.tensor.element_size())
        found: np.ndarray = self._bytes.cpu().numpy().reshape(shape)
        return found

    def check_same(self) -> None:
        """AssertionError where the array itself was written."""
        assert self.after().tobytes() == self.before.tobytes(), f"{self.name} is written"


def main() -> None:
    target, *names = sys.argv[1:]
    chosen = {name.replace(" ", "_"): spec for name, spec in specs().items()}
    if names == ["compile"]:
        for name, spec in chosen.items():
            irattn.compile(spec, target=target, name=name, out=STORE)
        return
    for name in names or chosen:
        kernel = irattn.load(STORE / target / name, launcher="direct")
        kernel.prepare(torch.device(DEVICE))
        print(f"{name}: {checked(kernel, call_of(chosen[name]))} calls", flush=True)


def checked(kernel: irattn.Kernel, call: Spec) -> int:
    """How many calls with junk went well; AssertionError says which did not, and how."""
    tensors = clean(call)
    expected = called(kernel, call, tensors, 0)
    calls = list(junk_calls(call, tensors))
    for junk in calls:
        try:
            # Outputs hold something else before: bits that stay are not the call's.
            check_outputs(call, junk, called(kernel, call, junk.tensors, 0xFF), expected)
        except (AssertionError, IrattnError, RuntimeError) as error:
            raise AssertionError(f"{junk.name}: {error}") from error
    again = called(kernel, call, tensors, 0)
    assert all(map(np.array_equal, again, expected)), "a call after junk has other bits"
    return len(calls)


def called(kernel: irattn.Kernel, call: Spec, tensors: Tensors, fill: int) -> list[np.ndarray]:
    """The bytes of each output, of which new ones held `fill`; inputs and guards are checked."""
    given = {one.name: Placed(one.name, tensors[one.name], one.dtype) for one in call.inputs}
    outputs = [
        given[call.updates[one.name]] if one.name in call.updates else new(one, fill)
        for one in call.outputs
    ]
    outs = [
        None if one.name in call.updates else placed.tensor
        for one, placed in zip(call.outputs, outputs, strict=True)
    ]
    kernel(
        **{name: placed.tensor for name, placed in given.items()},
        donate=tuple(call.updates.values()),
        out=outs if any(one is not None for one in outs) else None,
    )
    torch.cuda.synchronize()
    for placed in (*given.values(), *outputs):
        placed.check_guards()
    for name, placed in given.items():
        if name not in call.updates.values():
            placed.check_same()
    return [placed.after() for placed in outputs]


def new(one: TensorType, fill: int) -> Placed:
    """Memory for an output."""
    itemsize = getattr(torch, TORCH_NAMES[one.dtype]).itemsize
    contents = np.full((*one.largest_shape, itemsize), fill, np.uint8)
    placed = Placed(one.name, contents, "bytes")
    placed.tensor = placed.tensor.view(getattr(torch, TORCH_NAMES[one.dtype])).squeeze(-1)
    return placed


def check_outputs(call: Spec, junk: Junk, found: list[Any], expected: list[Any]) -> None:
    """AssertionError where junk of a sequence changes what is others', or a slot that none has."""
    for i, one in enumerate(call.outputs):
        others = ~junk.may_change[i]
        assert (found[i][others] == expected[i][others]).all(), f"{one.name} of others has changed"
        if one.name in call.updates:
            before = junk.tensors[call.updates[one.name]]
            kept, now = junk.kept[i], found[i].reshape(*before.shape, -1)
            then = before.view(np.uint8).reshape(now.shape)
            assert (now[kept] == then[kept]).all(), f"{one.name} is written where it was kept"


if __name__ == "__main__":
    main()
