"""Other makers' kernels and ours for the same attention, each executed by the emulator."""

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import log2
from pathlib import Path
from typing import Any

import numpy as np

from irattn.binary.codeobject import CodeObject, read_code_object
from irattn.binary.inspection import kernel_figures
from irattn.binary.inspection.figures import KernelFigures
from irattn.compiling.build import build
from irattn.core.dtypes import dtype
from irattn.core.errors import EmulatorError
from irattn.lab.codefiles import read_code_file
from irattn.lab.emulator import Counts, Memory, launch
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import code_objects, execute
from irattn.rendering import GraphRequest
from irattn.specs import AttentionSpec
from irattn.targets import Target

HEAD_DIM = 128


@dataclass(frozen=True)
class Launched:
    """One launch: what it executed, and the figures of its kernel.

    `lds` are the bytes that a launch adds to those of the kernel.
    """

    counts: Counts
    figures: KernelFigures
    lds: int = 0


@dataclass(frozen=True)
class Ran:
    """The launches of one maker's kernels for one work, what came out, and a note for readers."""

    maker: str
    launches: tuple[Launched, ...]
    output: np.ndarray
    note: str = ""


Maker = Callable[[AttentionSpec, Target], Ran]


def own(spec: AttentionSpec, target: Target) -> Ran:
    artifact = build(GraphRequest(spec, target))
    call = execute(artifact)
    figures = {one.name: one for code in code_objects(artifact) for one in kernel_figures(code)}
    launches = tuple(Launched(one.counts, figures[one.counts.kernel]) for one in call.dispatches)
    return Ran("irattn", launches, call.outputs[0])


# Others'.


class Device:
    """Memory of the emulator with the inputs of a call, and what launches there execute."""

    def __init__(self, spec: AttentionSpec, *, checks: bool) -> None:
        self.memory, self.launches = Memory(checks=checks), list[Launched]()
        tensors = random_tensors(spec)
        self.inputs = [self.given(tensors[name]) for name in ("query", "key", "value")]
        self.shape = tensors["query"].shape
        self.dtype = dtype(spec.io_dtype).numpy
        self.out = self.room(tensors["query"].nbytes)

    def given(self, array: np.ndarray) -> int:
        """The address of an array."""
        return self.memory.allocate("input", array.nbytes, np.ascontiguousarray(array).tobytes())

    def room(self, size: int) -> int:
        """The address of so many bytes for what a kernel writes."""
        return self.memory.allocate("output", size)

    @property
    def output(self) -> np.ndarray:
        """The output, of the form of the queries."""
        size = int(np.prod(self.shape)) * self.dtype.itemsize
        return self.memory.get(self.out, size).view(self.dtype).reshape(self.shape)

    def launch(
        self,
        code_object: CodeObject,
        grid: tuple[int, int, int],
        items: int,
        arguments: bytes,
        lds: int = 0,
    ) -> None:
        """Execute the one kernel of a code object."""
        (kernel,), (figures,) = code_object.kernels, kernel_figures(code_object)
        counts = launch(
            code_object,
            kernel.name,
            grid,
            (items, 1, 1),
            arguments,
            self.memory,
            dynamic_lds=lds,
            measure=True,
        )
        self.launches.append(Launched(counts, figures, lds))


def with_and_without_checks(
    maker: str, spec: AttentionSpec, carry_out: Callable[[Device], None]
) -> Ran:
    """Launches on a device; where its checks stop them, once more without, which the note says."""
    note = ""
    device = Device(spec, checks=True)
    try:
        carry_out(device)
    except EmulatorError as error:
        # Where it stopped and why, without the kernel, and the wave that was the first.
        note = str(error).partition(": ")[2].partition(",")[0]
        device = Device(spec, checks=False)
        carry_out(device)
    return Ran(maker, tuple(device.launches), device.output, note)


def packed(code_object: CodeObject, values: Sequence[int | float]) -> bytes:
    """Values where the note of the one kernel has its arguments; 0 for those that are left."""
    (kernel,) = code_object.kernels
    segment = bytearray(kernel.number(".kernarg_segment_size"))
    own_arguments = [one for one in kernel.arguments if not one.is_hidden]
    for argument, value in zip(own_arguments, values, strict=False):
        data = struct.pack("<f", value) if isinstance(value, float) else value.to_bytes(8, "little")
        segment[argument.offset : argument.offset + argument.size] = data[: argument.size]
    return bytes(segment)


# Triton.

# Rows and columns of a tile, as Triton's own examples have them for each family.
TILES = {64: (128, 64), 32: (64, 64)}
PART_TOKENS = 256
_WAVES = 4


def by_triton(spec: AttentionSpec, target: Target) -> Ran:
    carry_out = triton_decode if spec.q_len == 1 else triton_attention
    return with_and_without_checks("Triton", spec, partial(carry_out, spec, target))


def triton_attention(spec: AttentionSpec, target: Target, device: Device) -> None:
    """FlashAttention-2."""
    rows, columns = TILES[wave_size(target)]
    constants = {
        "GROUP": spec.group_size,
        "HEAD_DIM": HEAD_DIM,
        "CAUSAL": spec.causal,
        "BLOCK_M": rows,
        "BLOCK_N": columns,
    }
    pointers = dict.fromkeys(("query", "key", "value", "output"), spec.io_dtype)
    code, lds = compiled("attention", target, pointers, ("q_tokens", "kv_tokens"), constants)
    values = (*device.inputs, device.out, scale(), spec.q_len, spec.kv_len)
    grid = (-(-spec.q_len // rows), spec.num_q_heads, 1)
    device.launch(code, grid, _WAVES * wave_size(target), packed(code, values), lds)


def triton_decode(spec: AttentionSpec, target: Target, device: Device) -> None:
    """Parts of the keys by workgroups of their own, and a merge."""
    parts, heads = -(-spec.kv_len // PART_TOKENS), spec.num_q_heads
    constants = {"GROUP": spec.group_size, "HEAD_DIM": HEAD_DIM, "BLOCK_M": 16, "BLOCK_N": 64}
    pointers = dict.fromkeys(("query", "key", "value"), spec.io_dtype)
    between = dict.fromkeys(("sums_out", "most_out", "total_out"), "f32")
    sizes = ("kv_tokens", "part_tokens")
    code, lds = compiled("decode_part", target, pointers | between, sizes, constants)
    rooms = [device.room(4 * parts * heads * size) for size in (HEAD_DIM, 1, 1)]
    items = _WAVES * wave_size(target)
    values = (*device.inputs, *rooms, scale(), spec.kv_len, PART_TOKENS)
    device.launch(code, (parts, spec.num_kv_heads, 1), items, packed(code, values), lds)
    pointers = {"sums_in": "f32", "most_in": "f32", "total_in": "f32", "output": spec.io_dtype}
    constants = {"HEAD_DIM": HEAD_DIM, "PARTS": 1 << (parts - 1).bit_length()}
    code, lds = compiled("decode_merge", target, pointers, ("heads", "parts"), constants)
    device.launch(code, (heads, 1, 1), items, packed(code, (*rooms, device.out, heads, parts)), lds)


def scale() -> float:
    """What logits are multiplied by for powers of two."""
    return HEAD_DIM**-0.5 * log2(np.e)


def wave_size(target: Target) -> int:
    assert target.chip
    return target.chip.family.wave_size


_TRITON_NAMES = {"f16": "fp16", "bf16": "bf16", "f32": "fp32"}


def compiled(
    name: str,
    target: Target,
    pointers: dict[str, str],
    sizes: Sequence[str],
    constants: dict[str, Any],
) -> tuple[CodeObject, int]:
    """A kernel of `triton_attention` for a chip, and the bytes of LDS that its launch adds.

    Pointers are aligned to 16 bytes and of less than 2 GiB, as Triton finds it out of tensors.
    """
    import triton
    import triton_attention as kernels
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    fn = getattr(kernels, name)
    kinds = {one: f"*{_TRITON_NAMES[kind]}" for one, kind in pointers.items()}
    kinds |= dict.fromkeys(sizes, "i32")
    signature = {
        one: "constexpr" if one in constants else kinds.get(one, "fp32") for one in fn.arg_names
    }
    aligned = [["tt.divisibility", 16]]
    attributes = {
        (i,): [*aligned, ["tt.pointer_range", 32]]
        for i, one in enumerate(fn.arg_names)
        if one in pointers
    }
    source = ASTSource(fn, signature, constants, attributes)
    chip = GPUTarget("hip", target.name, wave_size(target))
    made = triton.compile(source, target=chip, options={"num_warps": _WAVES})
    return read_code_object(made.asm["hsaco"]), made.metadata.shared


# AITER.

# So many queries a workgroup takes; causal ones take two tiles, one from each end.
_AITER_ROWS = 256
_AITER_ITEMS = 512
_SLOT = 16


def aiter_files(folder: Path, work: str, chip: str) -> list[Path]:
    """AITER's forward kernels of bf16 and heads of 128 for a work on a chip, by their files."""
    if work == "decode":
        return []
    middle = "_causal" if work == "causal" else ""
    names = [f"fwd_hd128_bf16{middle}{how}.co" for how in ("", "_rtne", "_rtz")]
    here = folder / chip / "fmha_v3_fwd"
    return [
        file for one in (here, here / "MI300") for name in names if (file := one / name).exists()
    ]


def by_aiter(spec: AttentionSpec, target: Target, file: Path) -> Ran:
    """Arguments and grid are those of `fmha_fwd_v3` in AITER's csrc/cpp_itfs/mha_fwd.cu."""
    (code,) = read_code_file(file)
    tiles = -(-spec.q_len // _AITER_ROWS)
    grid = (-(-tiles // (2 if spec.causal else 1)), spec.num_q_heads, 1)

    def carry_out(device: Device) -> None:
        lse = device.room(4 * spec.num_q_heads * spec.q_len)
        device.launch(code, grid, _AITER_ITEMS, aiter_arguments(spec, device, lse))

    name = f"AITER {file.stem.removeprefix('fwd_hd128_')}"
    return with_and_without_checks(name, spec, carry_out)


def aiter_arguments(spec: AttentionSpec, device: Device, lse: int) -> bytes:
    """Sixteen bytes for each argument; strides are in bytes, of a token, a head and a sequence."""
    size, group = HEAD_DIM * device.dtype.itemsize, spec.num_q_heads // spec.num_kv_heads
    q_head, kv_head = spec.q_len * size, spec.kv_len * size
    strides = [size, kv_head, spec.num_kv_heads * kv_head]
    q_strides = [q_head, spec.num_q_heads * q_head]
    # Which order of tiles: a simpler one where heads are not a multiple of 8.
    order = 3 if spec.causal and spec.num_q_heads % 8 else 5
    values: list[int | float] = [
        *(device.out, *device.inputs, lse, HEAD_DIM**-0.5, spec.q_len),
        *(size, _AITER_ROWS * size, *q_strides, group, *strides, order, 0, spec.kv_len),
        *(HEAD_DIM, HEAD_DIM, spec.num_q_heads, *strides, size, *q_strides),
        *(0, 0, 4 * spec.q_len, 0, 0),
    ]
    parts = [
        struct.pack("<f", one) if isinstance(one, float) else one.to_bytes(8, "little")
        for one in values
    ]
    return b"".join(part.ljust(_SLOT, b"\0") for part in parts)
