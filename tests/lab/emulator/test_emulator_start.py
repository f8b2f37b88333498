"""How kernels want to be started: what the emulator does not know of it is said beforehand."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from irattn.rendering import GraphRequest

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import NULL, s, v
from tinygrad.runtime.autogen.amd.rdna3 import ins

from irattn import targets
from irattn.binary.codeobject import CodeObject, KernelArgument, KernelCode, read_code_object
from irattn.binary.launches import launch_files
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.core.errors import EmulatorError
from irattn.lab.emulator import Memory, launch
from irattn.lab.emulator.machine.descriptor import read_descriptor
from support.emulator.machine import LANES

# Offsets of words in a descriptor, as LLVM's AMDGPU usage guide has them.
RSRC3, RSRC1, PROPERTIES = 44, 48, 56
KEEP_DENORMALS, ZERO_FOR_NAN = 15 << 16, 1 << 21
KERNARG_IN_S0, WAVE32 = 1 << 3, 1 << 10


@pytest.fixture(scope="module")
def kernel() -> KernelCode:
    artifact = build(GraphRequest(catalog.get("softmax_tiny"), targets.get("gfx1100")))
    (elf,) = (d for d in launch_files(artifact).values() if d.startswith(b"\x7fELF"))
    return read_code_object(elf).kernels[0]


def changed(kernel: KernelCode, offset: int, first: int, bits: int, value: int) -> KernelCode:
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
        ((RSRC1, 26, 1, 1), "f16 numbers that do not overflow"),
        ((PROPERTIES, 10, 1, 0), "a wave of 64 lanes on gfx1100"),
    ],
)
def test_modes_that_are_not_emulated_are_named(
    kernel: KernelCode, change: tuple[int, int, int, int], message: str
) -> None:
    with pytest.raises(EmulatorError) as caught:
        read_descriptor(changed(kernel, *change), "gfx1100")
    assert str(caught.value) == f"kernel {kernel.name}: {message} is not emulated"


@pytest.mark.parametrize("mode", [0, 3])
def test_both_denormal_modes_are_known(kernel: KernelCode, mode: int) -> None:
    assert read_descriptor(changed(kernel, RSRC1, 16, 2, mode), "gfx1100").denormals == mode


def test_hidden_arguments_that_are_not_emulated_are_named(kernel: KernelCode) -> None:
    lacking = KernelArgument("hidden_printf_buffer", 0, 8)
    wants = replace(kernel, arguments=(*kernel.arguments, lacking))
    with pytest.raises(EmulatorError, match="hidden_printf_buffer"):
        read_descriptor(wants, "gfx1100")


def launched(items: int, block: tuple[int, int, int], preloaded: int = 0) -> np.ndarray:
    """What v0 of a wave's lanes holds at the start, where the kernel wants so many of x, y, z."""
    code = b"".join(
        instruction.to_bytes()
        for instruction in (
            ins.s_load_b64(s[2:3], s[0:1], offset=0, soffset=NULL),
            ins.v_mbcnt_lo_u32_b32(v[1], -1, 0),
            ins.v_lshlrev_b32_e32(v[1], 2, v[1]),
            ins.s_waitcnt(0),
            ins.global_store_b32(addr=v[1], data=v[0], saddr=s[2:3]),
            ins.s_endpgm(),
        )
    )
    words = (0, KEEP_DENORMALS | ZERO_FOR_NAN, 2 << 1 | (items - 1) << 11, KERNARG_IN_S0 | WAVE32)
    descriptor = bytearray(64)
    struct.pack_into("<IIIHH", descriptor, RSRC3, *words, preloaded)
    kernel = KernelCode("k", 0, code, bytes(descriptor), {".vgpr_count": 2})
    memory = Memory(checks=True)
    out = memory.allocate("out", 4 * LANES)
    launch(
        CodeObject("gfx1100", (kernel,), ((0, code),)),
        "k",
        (1, 1, 1),
        block,
        struct.pack("<Q", out),
        memory,
    )
    return memory.get(out, 4 * LANES).view(np.uint32)


@pytest.mark.parametrize("items", [1, 2, 3])
def test_a_work_item_finds_the_parts_of_its_place_that_it_wants(items: int) -> None:
    item = np.arange(LANES)
    parts = item % 8, item // 8 % 2, item // 16
    expected = sum(part << 10 * i for i, part in enumerate(parts[:items]))
    assert launched(items, (8, 2, 2)).tolist() == expected.tolist()


def test_code_without_the_place_where_it_begins_is_refused() -> None:
    with pytest.raises(
        EmulatorError, match="kernel k: its code has no instruction at 0x100, where"
    ):
        launched(1, (32, 1, 1), preloaded=1)
