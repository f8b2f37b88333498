"""How kernels want to be started: what the emulator does not know of it is said beforehand."""

import struct
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("tinygrad")

from irattn import catalog, targets
from irattn.build import build
from irattn.codeobject import Kernel, read_code_object
from irattn.emulator.descriptor import read_descriptor
from irattn.errors import EmulatorError
from irattn.launches import launch_files

# Offsets of words in a descriptor, as LLVM's AMDGPU usage guide has them.
RSRC1, PROPERTIES = 48, 56


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    artifact = build(catalog.get("softmax_tiny"), targets.get("gfx1100"))
    (elf,) = (d for d in launch_files(artifact).values() if d.startswith(b"\x7fELF"))
    return read_code_object(elf).kernels[0]


def changed(kernel: Kernel, offset: int, first: int, bits: int, value: int) -> Kernel:
    """The kernel with other bits in a word of its descriptor."""
    (word,) = struct.unpack_from("<I", kernel.descriptor, offset)
    word = word & ~(((1 << bits) - 1) << first) | value << first
    descriptor = bytearray(kernel.descriptor)
    struct.pack_into("<I", descriptor, offset, word)
    return replace(kernel, descriptor=bytes(descriptor))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((RSRC1, 12, 2, 1), "a rounding mode other than to nearest"),
        ((RSRC1, 14, 2, 3), "a rounding mode other than to nearest"),
        ((RSRC1, 16, 2, 1), "denormal mode 1 for f32"),
        ((RSRC1, 16, 2, 2), "denormal mode 2 for f32"),
        ((RSRC1, 18, 2, 0), "flushing denormal f16 numbers"),
        ((RSRC1, 21, 1, 0), "a clamp that keeps NaN"),
        ((PROPERTIES, 10, 1, 0), "a wave of 64 lanes on gfx1100"),
    ],
)
def test_modes_that_are_not_emulated_are_named(
    kernel: Kernel, change: tuple[int, int, int, int], message: str
) -> None:
    with pytest.raises(EmulatorError) as caught:
        read_descriptor(changed(kernel, *change), "gfx1100")
    assert str(caught.value) == f"kernel {kernel.name}: {message} is not emulated"


@pytest.mark.parametrize("mode", [0, 3])
def test_both_denormal_modes_are_known(kernel: Kernel, mode: int) -> None:
    assert read_descriptor(changed(kernel, RSRC1, 16, 2, mode), "gfx1100").denormals == mode


def test_hidden_arguments_that_are_not_emulated_are_named(kernel: Kernel) -> None:
    lacking: dict[str, Any] = {".value_kind": "hidden_queue_ptr", ".offset": 0, ".size": 8}
    wants = replace(kernel, metadata={**kernel.metadata, ".args": [*kernel.arguments, lacking]})
    with pytest.raises(EmulatorError, match="hidden_queue_ptr"):
        read_descriptor(wants, "gfx1100")
