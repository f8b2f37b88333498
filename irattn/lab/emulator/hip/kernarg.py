"""Packs what a launch passes to a kernel into the bytes that the kernel reads."""

from collections.abc import Sequence

from irattn.binary.codeobject import KernelArgument, KernelCode


def pack(kernel: KernelCode, given: Sequence[bytes]) -> bytes:
    """The kernarg segment with the bytes of each argument given, in order.

    The emulator adds hidden arguments.
    """
    segment = bytearray(kernel.number(".kernarg_segment_size"))
    for argument, value in zip(_given(kernel), given, strict=True):
        segment[argument.offset : argument.offset + argument.size] = value
    return bytes(segment)


def given_sizes(kernel: KernelCode) -> list[int]:
    """Bytes of each argument that a launch gives."""
    return [argument.size for argument in _given(kernel)]


def _given(kernel: KernelCode) -> list[KernelArgument]:
    return [argument for argument in kernel.arguments if not argument.is_hidden]
