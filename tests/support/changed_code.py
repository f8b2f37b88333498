"""Artifacts whose machine code is changed, with all hashes and checksums made right."""

import dataclasses
import zlib

from irattn.binary.codeobject import instructions, read_code_object
from irattn.binary.launches import launch_files
from irattn.binary.manifest import VMFB, sha256
from irattn.core.stored_zip import read_stored


def with_checksums(before, after):
    """A changed archive, with the checksums that its members now have."""
    for contents in read_stored(before, 64).values():
        at = before.index(contents)
        old, new = (zlib.crc32(data[at : at + len(contents)]) for data in (before, after))
        after = after.replace(old.to_bytes(4, "little"), new.to_bytes(4, "little"))
    return after


def changed(artifact, name, number, change):
    """The artifact with one of its instructions of that name, of four bytes, changed."""
    (elf,) = (data for data in launch_files(artifact).values() if data.startswith(b"\x7fELF"))
    (kernel,) = read_code_object(elf).kernels
    found = [one for one in instructions(kernel.code, "gfx1100") if one.name == name][number]
    at = artifact.vmfb.index(kernel.code) + found.at
    assert found.size == 4
    assert artifact.vmfb[at : at + 4] == found.raw.to_bytes(4, "little")
    word = change(found.raw)
    vmfb = artifact.vmfb[:at] + word.to_bytes(4, "little") + artifact.vmfb[at + 4 :]
    vmfb = with_checksums(artifact.vmfb, vmfb)
    hashes = {**artifact.manifest.sha256, VMFB: sha256(vmfb)}
    manifest = dataclasses.replace(artifact.manifest, sha256=hashes)
    return dataclasses.replace(artifact, manifest=manifest, vmfb=vmfb)


def with_a_move(artifact):
    """The artifact with its first exponential a move of the same registers: wrong numbers."""
    return changed(artifact, "v_exp_f32_e32", 0, lambda raw: raw & ~(0xFF << 9) | 1 << 9)
