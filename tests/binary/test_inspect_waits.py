"""`irattn inspect --waits`: what it says of code with and without the waits that it needs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("tinygrad")

import irattn
from irattn.binary.codeobject import CodeObject
from irattn.cli import inspect as inspect_cli
from irattn.cli import main
from irattn.lab.profiling import code_objects


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("waits")
    irattn.compile("merge_states_tiny", target="gfx1100", out=out)
    irattn.compile("merge_states_tiny", target="cpu", out=out)
    return out


def inspect(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["inspect", *map(str, arguments)])
    return result.exit_code, result.output


def without_waits(found: list[CodeObject]) -> list[CodeObject]:
    """Code with padding in place of its S_WAITCNT."""
    from dataclasses import replace

    from irattn.binary.codeobject import instructions

    def padded(code: bytes) -> bytes:
        for one in instructions(code, "gfx1100"):
            if one.name == "s_waitcnt":
                code = code[: one.at] + bytes.fromhex("000080bf") + code[one.at + 4 :]
        return code

    return [
        replace(one, kernels=tuple(replace(k, code=padded(k.code)) for k in one.kernels))
        for one in found
    ]


def test_code_that_waits_is_good(folder: Path) -> None:
    code, output = inspect(folder / "gfx1100", "--waits")
    assert code == 0
    assert output.splitlines()[-1] == "waits of 2 kernels: none lacks"
    code, output = inspect(folder / "gfx1100", "--waits", "--json")
    assert code == 0
    assert json.loads(output)[0]["missing_waits"] == []


def test_code_that_does_not_wait_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_cli, "code_objects", lambda one: without_waits(code_objects(one)))
    code, output = inspect(folder / "gfx1100", "--waits")
    assert code == 1
    assert "waits of 2 kernels: " in output
    assert " has ended: no wait for lgkmcnt <= 0 comes between" in output
    code, output = inspect(folder / "gfx1100", "--waits", "--json")
    assert code == 1
    first = json.loads(output)[0]["missing_waits"][0]
    assert first["kernel"].startswith("merge_states")
    assert first["needs"] == {"counter": "lgkmcnt", "at_most": 0}
    assert first["before_the_end_of"]["at"] < first["at"]
    assert first["register"].startswith("s")


def test_code_for_cpus_has_no_waits(folder: Path) -> None:
    code, output = inspect(folder / "cpu", "--waits")
    assert code == 1
    assert "--waits: cpu is not code for an AMD GPU" in output
