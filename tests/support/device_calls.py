"""Kernels of few numbers, and their inputs as arrays on a device."""

from collections.abc import Iterable

import numpy as np

import irattn
from irattn import AttentionSpec, DeviceArray
from irattn.lab.inputs import Tensors

SPEC = AttentionSpec(
    num_q_heads=4, num_kv_heads=2, q_len=5, kv_len=7, head_dim=8, io_dtype="f32", causal=True
)


def loaded(name: str = "attention", device: str = "local-sync") -> irattn.Kernel:
    """The kernel of SPEC, or of an entry of the catalogue."""
    return irattn.load(SPEC if name == "attention" else name, device=device)


def on_device(
    kernel: irattn.Kernel, tensors: Tensors, *but: str
) -> dict[str, np.ndarray | DeviceArray]:
    """The inputs of a call as arrays on the kernel's device, `but` for some that stay NumPy's."""
    return {
        name: array if name in but else DeviceArray.from_numpy(array, kernel.device)
        for name, array in tensors.items()
    }


def same(outputs: Iterable[np.ndarray | DeviceArray], expected: Iterable[np.ndarray]) -> None:
    """That outputs have the bits that are expected."""
    for output, wanted in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(output), wanted)
