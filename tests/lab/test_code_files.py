"""Code objects of any compiler as files: shown, checked for waits, executed as described."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("tinygrad")

from irattn.binary.inspection.figures import Occupancy
from irattn.cli import main
from irattn.core.errors import ArtifactError, UsageError
from irattn.lab.codefiles import execute_file, read_code_file, read_description
from support.code_object import assembled
from support.scale_kernel import BUFFERS, scale_instructions

SCALES = {gfx: scale_instructions(gfx) for gfx in ("gfx1100", "gfx942")}
DESCRIBED: dict[str, Any] = {
    "grid": [4],
    "workgroup": [32],
    "arguments": [
        {"buffer": "out", "dtype": "f32", "shape": [128], "save": "out.npy"},
        {"buffer": "in", "dtype": "f32", "shape": [128], "init": "range"},
        {"value": 0.5, "dtype": "f32"},
    ],
}


def written(tmp_path: Path, gfx: str = "gfx1100", **changes: Any) -> tuple[Path, Path]:
    """The code object, and a description of a launch with changes."""
    (tmp_path / "scale.hsaco").write_bytes(assembled("scale", gfx, SCALES[gfx], BUFFERS))
    (tmp_path / "launch.json").write_text(json.dumps(DESCRIBED | changes))
    return tmp_path / "scale.hsaco", tmp_path / "launch.json"


def inspect(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["inspect", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.mark.parametrize("gfx", SCALES)
def test_a_kernel_of_another_compiler_is_shown_and_executed(gfx: str, tmp_path: Path) -> None:
    file, launch = written(tmp_path, gfx)
    code, output = inspect(file, "--waits", "--isa", "--execute", "--launch", launch)
    assert code == 0, output
    lines = output.splitlines()
    assert lines[:2] == [f"{file}: 1 kernel for {gfx}", "  emulator   executes it"]
    assert "waits of 1 kernel: none lacks" in lines
    assert "executed once as described, by the emulator:" in lines
    assert any("v_mul_f32" in line for line in lines)
    (shown,) = (line for line in lines if line.startswith("out"))
    assert shown.split()[:3] == ["out", "f32", "128"]
    assert "0.0, 0.5, 1.0, 1.5, ..." in shown
    assert np.array_equal(np.load(tmp_path / "out.npy"), np.arange(128) / np.float32(2))


def test_json_says_the_same(tmp_path: Path) -> None:
    file, launch = written(tmp_path)
    code, output = inspect(file, "--waits", "--isa", "--execute", "--launch", launch, "--json")
    assert code == 0, output
    (found,) = json.loads(output)
    (code_object,) = found["code_objects"]
    assert code_object["gfx"] == "gfx1100"
    assert code_object["emulator_stops_at"] == []
    assert code_object["kernels"][0]["name"] == "scale"
    assert len(code_object["isa"]["scale"]) == len(SCALES["gfx1100"]) + 1
    assert found["missing_waits"] == []
    assert found["executed"][0]["waves"] == 4
    assert [one["name"] for one in found["buffers"]] == ["out", "in"]
    assert found["buffers"][1]["changed_bytes"] == 0


def test_lds_that_the_description_adds_counts(tmp_path: Path) -> None:
    """30,000 B of 65,536: two workgroups, of 4 waves at the most, or of the one there is."""
    file, launch = written(tmp_path, "gfx942", dynamic_lds=30_000)
    (found,) = json.loads(inspect(file, "--execute", "--launch", launch, "--json")[1])
    ((kernel,),) = (one["kernels"] for one in found["code_objects"])
    assert kernel["lds_bytes"] == 30_000
    assert kernel["occupancy"] == {"waves_per_simd": 2, "by_registers": 8, "by_lds": 2, "most": 8}
    run = execute_file(read_code_file(file), read_description(launch))
    assert run.occupancy == Occupancy(1, 8, 1, 8)
    assert run.occupancy.limited_by == "LDS"
    (alone,) = json.loads(inspect(file, "--json")[1])
    assert alone["code_objects"][0]["kernels"][0]["lds_bytes"] == 0


def test_a_missing_wait_is_found_in_a_file(tmp_path: Path) -> None:
    code = [one for i, one in enumerate(SCALES["gfx1100"]) if i != 6]
    (tmp_path / "scale.co").write_bytes(assembled("scale", "gfx1100", code, BUFFERS))
    status, output = inspect(tmp_path / "scale.co", "--waits")
    assert status == 1
    assert "read of v2 before global_load_b32 at 0x20 has ended" in output


def test_a_bundle_holds_code_for_several_chips(tmp_path: Path) -> None:
    elfs = [assembled("scale", gfx, code, BUFFERS) for gfx, code in SCALES.items()]
    names = [b"host-x86_64-unknown-linux--", *(b"hipv4-amdgcn-amd-amdhsa--x" for _ in elfs)]
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(names))
    at = len(head) + sum(24 + len(name) for name in names)
    for name, elf in zip(names, (b"", *elfs), strict=True):
        head += struct.pack("<QQQ", at, len(elf), len(name)) + name
        at += len(elf)
    (tmp_path / "two.hsaco").write_bytes(head + b"".join(elfs))
    found = read_code_file(tmp_path / "two.hsaco")
    assert [one.gfx for one in found] == list(SCALES)
    (tmp_path / "two.hsaco").write_bytes(head[:40])
    with pytest.raises(ArtifactError, match=r"two.hsaco: the bundle is damaged"):
        read_code_file(tmp_path / "two.hsaco")


def test_features_of_the_target_are_left_out(tmp_path: Path) -> None:
    elf = assembled("k", "gfx942", SCALES["gfx942"], BUFFERS, features=":sramecc+:xnack-")
    (tmp_path / "k.hsaco").write_bytes(elf)
    assert [one.gfx for one in read_code_file(tmp_path / "k.hsaco")] == ["gfx942"]


def test_code_of_a_chip_that_is_not_known_is_shown(tmp_path: Path) -> None:
    elf = assembled("k", "gfx1100", SCALES["gfx1100"], BUFFERS).replace(b"gfx1100", b"gfx1030")
    (tmp_path / "k.hsaco").write_bytes(elf)
    code, output = inspect(tmp_path / "k.hsaco")
    assert code == 0
    assert "stops: gfx1030 is none of irattn's targets" in output
    assert "gfx1030: irattn has no instruction tables for it" in output
    assert "pip install" not in output
    code, output = inspect(tmp_path / "k.hsaco", "--waits")
    assert code == 1
    assert "--waits: gfx1030 is none of irattn's targets" in output


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"gird": [1]}, "gird: not a field; there are grid, workgroup, "),
    "no grid": ({"grid": None}, "grid: expected a list, got None"),
    "four sizes": ({"grid": [1] * 4}, r"grid: expected a list with at most 3, got \[1, 1, 1, 1\]"),
    "an empty grid": ({"grid": [0]}, r"grid\[0\]: expected a whole number of at least 1, got 0"),
    "a large workgroup": ({"workgroup": [2048]}, "expected at most 1024 items, got 2048"),
    "another kernel": ({"kernel": "add"}, "kernel: expected one of scale, got add"),
    "too few": (
        {"arguments": DESCRIBED["arguments"][:2]},
        "arguments: kernel scale takes 3, got 2",
    ),
    "too wide": (
        {"arguments": [*DESCRIBED["arguments"][:2], {"value": 1, "dtype": "f64"}]},
        r"arguments\[2\]: kernel scale takes 4 bytes, got 8",
    ),
    "another type": (
        {"arguments": [{"value": 1, "dtype": "f33"}]},
        r"arguments\[0\].dtype: expected one of f32, .*, got 'f33'",
    ),
    "another start": (
        {"arguments": [{"buffer": "a", "dtype": "f32", "shape": [4], "init": "noise"}]},
        r"arguments\[0\].init: expected random, .* or a .npy file, got noise",
    ),
    "no shape": (
        {"arguments": [{"buffer": "a", "dtype": "f32"}]},
        r"arguments\[0\].shape: missing",
    ),
    "one name twice": (
        {"arguments": [DESCRIBED["arguments"][0]] * 3},
        "two buffers have one name",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_description_is_refused(name: str, tmp_path: Path) -> None:
    changes, message = WRONG[name]
    file, launch = written(tmp_path, **changes)
    with pytest.raises(UsageError, match=message):
        execute_file(read_code_file(file), read_description(launch))


def test_mistakes_of_the_command_line_are_told(tmp_path: Path) -> None:
    file, launch = written(tmp_path)
    code, output = inspect(file, "--execute")
    assert code == 2
    assert "a code object is executed as a description says: give --launch" in output
    code, output = inspect(file, "--launch", launch)
    assert code == 2
    assert "give both" in output
    code, output = inspect(tmp_path, "--execute", "--launch", launch)
    assert code == 2
    assert "--launch is for code objects, given as files" in output
    (tmp_path / "launch.json").write_text("{")
    code, output = inspect(file, "--execute", "--launch", launch)
    assert code == 2
    assert output.startswith(f"Error: {launch}: not readable as JSON")
    (tmp_path / "text.hsaco").write_text("no code")
    code, output = inspect(tmp_path / "text.hsaco")
    assert code == 1
    assert "text.hsaco: expected an AMD code object" in output
    (tmp_path / "kernels.irattn").write_bytes(b"PK\3\4")
    code, output = inspect(tmp_path / "kernels.irattn")
    assert code == 1
    assert "`irattn bundle --list FILE`" in output
    assert "as a module.vmfb is" in output


def test_arrays_of_the_folder_are_taken(tmp_path: Path) -> None:
    given = np.linspace(0, 1, 128, dtype=np.float32)
    np.save(tmp_path / "in.npy", given)
    arguments = [dict(one) for one in DESCRIBED["arguments"]]
    arguments[1]["init"] = "in.npy"
    file, launch = written(tmp_path, arguments=arguments)
    run = execute_file(read_code_file(file), read_description(launch))
    assert np.array_equal(run.buffers[0].data, given / np.float32(2))
    np.save(tmp_path / "in.npy", given[:5])
    with pytest.raises(UsageError, match=r"buffer in: expected f32 \[128\], got float32 \[5\]"):
        execute_file(read_code_file(file), read_description(launch))


def test_what_a_kernel_does_wrong_is_told(tmp_path: Path) -> None:
    arguments = [dict(one) for one in DESCRIBED["arguments"]]
    arguments[1]["shape"] = [64]
    file, launch = written(tmp_path, arguments=arguments)
    code, output = inspect(file, "--execute", "--launch", launch)
    assert code == 1
    assert "kernel scale: global_load_b32 at 0x20: access outside any buffer" in output
