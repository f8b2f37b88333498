"""Code objects of version 3, as assemblers of kernels write them still."""

import struct

import numpy as np
import pytest

pytest.importorskip("tinygrad")


from irattn.binary.codeobject import read_code_object
from irattn.core.errors import ArtifactError
from irattn.lab.emulator import Memory, launch
from irattn.targets.chips import CHIPS
from support.code_object import assembled
from support.scale_kernel import BUFFERS, scale_instructions


def test_a_note_without_a_target_leaves_it_to_the_header() -> None:
    code = scale_instructions("gfx942")
    old = read_code_object(assembled("scale", "gfx942", code, BUFFERS, flags=0x54C))
    new = read_code_object(assembled("scale", "gfx942", code, BUFFERS))
    assert old.gfx == "gfx942"
    # The end of the section is that of the code.
    assert old.kernels[0].code[: len(new.kernels[0].code)] == new.kernels[0].code
    memory = Memory()
    given, out = memory.allocate("in", 512, np.ones(128, np.float32)), memory.allocate("out", 512)
    arguments = struct.pack("<QQf", out, given, 0.5)
    launch(old, "scale", (4, 1, 1), (32, 1, 1), arguments, memory)
    assert (memory.get(out, 512).view(np.float32) == 0.5).all()


def test_a_header_without_a_processor_is_refused() -> None:
    code = scale_instructions("gfx942")
    with pytest.raises(ArtifactError, match="e_flags: 0xfe names no processor"):
        read_code_object(assembled("scale", "gfx942", code, BUFFERS, flags=0xFE))


def test_every_chip_of_amd_has_a_number_in_headers() -> None:
    from irattn.binary.codeobject.processors import _BY_NUMBER

    assert set(_BY_NUMBER.values()) == {name for name in CHIPS if name.startswith("gfx")}
