"""The tool that compares other makers' kernels with ours: its tables, and how it launches."""

import argparse
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("tinygrad")

import rival_kernels
import rivals

from irattn import targets
from irattn.binary.codeobject import read_code_object
from irattn.binary.inspection import kernel_figures
from irattn.core.errors import EmulatorError, IrattnError
from irattn.lab.emulator import Counts
from irattn.lab.emulator.measure.traffic import Traffic
from irattn.lab.emulator.measure.work import WorkgroupCounts
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from support.code_object import assembled
from support.scale_kernel import BUFFERS, scale_instructions

GFX942 = targets.get("gfx942")


def spec(work: str = "causal", tokens: int = 32) -> Any:
    return rivals.spec_of(work, tokens, 4, 2, "f16")


def options(**more: Any) -> argparse.Namespace:
    return argparse.Namespace(**{"no_triton": False, "aiter": None, "io_dtype": "bf16"} | more)


def code(arguments: Sequence[tuple[str, int]] = BUFFERS) -> Any:
    return read_code_object(assembled("scale", "gfx942", scale_instructions("gfx942"), arguments))


@pytest.mark.parametrize("work", rivals.WORKS)
def test_a_work_needs_the_products_that_queries_see(work: str) -> None:
    one = spec(work)
    seen = sum(
        key <= query + one.kv_len - one.q_len or work == "full"
        for query in range(one.q_len)
        for key in range(one.kv_len)
    )
    assert rivals.needed_flops(one) == 2 * 2 * 128 * 4 * seen


def test_a_row_has_what_all_launches_of_a_call_execute() -> None:
    (figures,) = kernel_figures(code())
    launches = []
    for lds, flops in ((0, 8192.0), (4096, 3 * 8192.0)):
        traffic = Traffic(1 << 16, "gfx942")
        traffic.lds_cycles_of[:], traffic.lds_phases = 30, 20
        kinds = {"vector": 8, "scalar": 2, "lds": 1, "matrix": 1}
        by_group = {kind: np.array([count]) for kind, count in kinds.items()}
        work = WorkgroupCounts(np.array([0]), by_group, *np.array([[0], [8], [flops]]))
        counts = Counts(
            "scale", 1, 4, kinds, flops, 0, 0, 0, frozenset(), traffic, by_workgroup=work
        )
        launches.append(rival_kernels.Launched(counts, figures, lds))
    one, output = spec(), np.zeros((1, 4, 32, 128), np.float16)
    ran = rival_kernels.Ran("somebody", tuple(launches), output, "a note")
    found = rivals.row_of(ran, one, "causal", GFX942, output + 0.25)
    row = dict(zip(rivals.HEADS, found, strict=True))
    assert (row["chip"], row["work"], row["kernel"]) == ("gfx942", "causal", "somebody")
    assert row["executed / needed"] == f"{4 * 8192 / rivals.needed_flops(one):.2f}"
    assert (row["v"], row["s"], row["LDS"]) == ("4.00", "1.00", "0.50")
    assert (row["LDS cycles"], row["over free"]) == ("60", "1.50")
    assert (row["VGPRs"], row["LDS B"], row["spills"]) == ("16", "4096", "0")
    assert (row["error"], row["notes"]) == ("2.5e-01", "a note")
    # Each launch has its overhead.
    assert float(row["model us"]) >= 4


def test_what_is_not_executed_has_a_row_that_says_why() -> None:
    def fails(*_: Any) -> Any:
        raise IrattnError("it is broken")

    (row,) = rivals.compared(spec(), "causal", GFX942, {"somebody": fails})
    assert len(row) == len(rivals.HEADS)
    assert row[:3] == ["gfx942", "causal", "somebody"]
    assert row[-1] == "not executed: it is broken"
    assert rivals.markdown([row]).splitlines()[2].endswith("| not executed: it is broken |")


def test_what_checks_stop_is_executed_without_them() -> None:
    checks = []

    def stops(device: Any) -> None:
        checks.append(device.memory.checks)
        if device.memory.checks:
            raise EmulatorError("kernel k: a race")
        device.memory.put(device.out, np.full(32 * 4 * 128, 3, np.float16))

    ran = rival_kernels.with_and_without_checks("somebody", spec(), stops)
    assert checks == [True, False]
    assert ran.note == "a race"
    assert ran.output.shape == (1, 4, 32, 128)
    assert (ran.output == 3).all()


def test_values_lie_where_the_note_has_arguments() -> None:
    given = rival_kernels.packed(code([*BUFFERS, ("global_buffer", 8)]), (1 << 40, 7, 0.5))
    assert given == struct.pack("<QQf4xQ", 1 << 40, 7, 0.5, 0)


def test_files_of_aiter_are_those_of_bf16_and_heads_of_128(tmp_path: Path) -> None:
    names = {
        "gfx950/fmha_v3_fwd": ["fwd_hd128_bf16.co", "fwd_hd128_bf16_causal.co", "fwd_hd128_fp8.co"],
        "gfx942/fmha_v3_fwd/MI300": ["fwd_hd128_bf16_causal_rtz.co", "fwd_hd128_bf16_rtne.co"],
    }
    for folder, files in names.items():
        (tmp_path / folder).mkdir(parents=True)
        for file in files:
            (tmp_path / folder / file).write_bytes(b"")
    found = {
        (chip, work): [one.name for one in rival_kernels.aiter_files(tmp_path, work, chip)]
        for chip in ("gfx942", "gfx950", "gfx1100")
        for work in rivals.WORKS
    }
    assert {place: files for place, files in found.items() if files} == {
        ("gfx942", "causal"): ["fwd_hd128_bf16_causal_rtz.co"],
        ("gfx942", "full"): ["fwd_hd128_bf16_rtne.co"],
        ("gfx950", "causal"): ["fwd_hd128_bf16_causal.co"],
        ("gfx950", "full"): ["fwd_hd128_bf16.co"],
    }
    every = rivals.makers(options(aiter=tmp_path), "causal", "gfx950")
    assert list(every) == ["irattn", "Triton", "AITER fwd_hd128_bf16_causal"]
    assert list(rivals.makers(options(no_triton=True, io_dtype="f16"), "full", "gfx942")) == [
        "irattn"
    ]


def test_arguments_of_aiter_have_sixteen_bytes_each() -> None:
    one = rivals.spec_of("causal", 512, 8, 2, "bf16")
    device = rival_kernels.Device(one, checks=True)
    given = rival_kernels.aiter_arguments(one, device, 1 << 40)
    slots = [int.from_bytes(given[at : at + 8], "little") for at in range(0, len(given), 16)]
    assert slots[:5] == [device.out, *device.inputs, 1 << 40]
    assert struct.unpack_from("<f", given, 80) == (np.float32(128**-0.5),)
    # Offsets are those that the files' notes say: seq_len, Seqs, Ts, Hs, Bs, gqa, k_Seqs.
    assert slots[6:13] == [512, 256, 65536, 131072, 1048576, 4, 256]
    assert (slots[272 // 16], slots[320 // 16], slots[464 // 16]) == (512, 8, 2048)
    assert len(given) == 512


@pytest.mark.slow
@pytest.mark.parametrize("work", ["causal", "decode"])
def test_a_kernel_of_triton_means_what_ours_does(work: str) -> None:
    pytest.importorskip("triton", reason="needs the extra triton")
    one = spec(work, 96)
    ran = rival_kernels.by_triton(one, GFX942)
    assert ran.note == ""
    expected = reference(one, random_tensors(one))[0]
    np.testing.assert_allclose(ran.output.astype(np.float64), expected, atol=2e-3)
