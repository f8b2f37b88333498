"""What a package for Hugging Face `kernels` is made of, and what cannot be one."""

import ast
import json
import sys

import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.compiling import catalog
from irattn.core.errors import UsageError
from irattn.runtime.hub_package import Certified, hub_specs, package_name, write_package
from irattn.runtime.hub_package.sources import sources


def export(*words, code=0):
    result = CliRunner().invoke(main, ["export", *map(str, words)])
    assert result.exit_code == code, result.output
    return result.output


def imported(text):
    """The modules that a module imports when it is loaded: those of the package with their dots."""
    checked = [
        inner
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    ]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            if name not in {"." * n.level + (n.module or "") for n in checked if is_from(n)}:
                yield name


def is_from(node):
    return isinstance(node, ast.ImportFrom)


def test_modules_import_one_another_and_pythons_own():
    made = sources("A title.")
    for path, text in made.items():
        rooms = path.split("/")[:-1]
        for name in imported(text):
            if not name.startswith("."):
                assert name.partition(".")[0] in sys.stdlib_module_names, (path, name)
                continue
            module = name.lstrip(".")
            above = rooms[: len(rooms) - (len(name) - len(module) - 1)]
            assert "/".join([*above, *module.split(".")]) + ".py" in made, (path, name)
        assert "from irattn" not in text


def test_the_files_of_a_package(tmp_path):
    folder = tmp_path / "Tiny_flash"
    words = ["gqa_decode_tiny", "--target", "gfx1100", "--target", "sm_80", "--torch", folder]
    told = json.loads(export(*words, "--json"))
    assert told["name"] == "tiny-flash"
    masks = ("packed_causal", "packed_full", "paged_causal", "few_causal", "by_head_causal")
    kernels = [f"gqa_decode_tiny_{one}" for one in (*masks, "slots_written", "slots_read")]
    assert told["kernels"] == kernels
    for backend, target, arch in (("rocm", "gfx1100", "gfx1100"), ("cuda", "sm_80", "8.0+PTX")):
        place = folder / f"build/torch-{backend}"
        metadata = json.loads((place / "metadata.json").read_text())
        assert metadata["backend"] == {"type": backend, "archs": [arch]}
        assert metadata["python-depends"] == []
        data = place / "tiny_flash/data"
        folders = [one["folders"] for one in json.loads((data / "index.json").read_text())]
        assert folders == [{target: f"{target}/{name}"} for name in kernels]
        assert all((data / target / name / "launch.json").is_file() for name in kernels)
    kernel = "`gqa_decode_tiny_packed_full` for gfx1100"
    assert f"{kernel}: nothing was proved" in (folder / "README.md").read_text()
    assert "expected a new or an empty folder; name another with --torch" in export(*words, code=2)


def test_certificates_go_along(tmp_path):
    specs = hub_specs("a", catalog.get("gqa_decode_tiny"))
    artifacts = [irattn.compile(one.spec, target="gfx1100", name=n) for n, one in specs.items()]
    one = Certified("a.json", b"{}", "4 of 9 claims proved")
    certificates = {artifacts[1].manifest.sha256["module.vmfb"]: [one]}
    write_package(specs, artifacts, tmp_path / "ab", certificates)
    place = tmp_path / "ab/build/torch-rocm/ab/certificates"
    assert [path.relative_to(place).as_posix() for path in place.rglob("*.json")] == [
        "gfx1100/a.json"
    ]
    assert "gfx1100/a.json`: 4 of 9 claims proved." in (tmp_path / "ab/README.md").read_text()


def test_a_window_brings_the_kernels_without_it():
    specs = hub_specs("a", catalog.get("window_tiny"))
    *masked, writing, reading = (one.takes for one in specs.values())
    assert [writing.writes, reading.writes] == [True, False]
    assert [(one.op, one.causal, one.window) for one in masked] == [
        ("packed", True, None),
        ("packed", False, None),
        ("paged", True, None),
        ("few", True, None),
        ("by_head", True, None),
        ("packed", True, (7, None)),
        ("paged", True, (7, None)),
    ]


def test_what_cannot_be_a_package_is_refused(tmp_path):
    with pytest.raises(UsageError, match="a: expected attention, which --torch is for, got rms_no"):
        hub_specs("a", catalog.get("rms_norm_tiny"))
    with pytest.raises(UsageError, match=r"a: expected alibi False with --torch, .*, got True"):
        hub_specs("a", catalog.get("alibi_tiny"))
    with pytest.raises(UsageError, match="--torch: expected a folder with a name of letters"):
        package_name(tmp_path / "1")
    new = tmp_path / "new"
    assert "expected -o FOLDER for HIP or CUDA, or --torch FOLDER" in export("a", code=2)
    assert "expected NAMES of catalogue entries" in export("--torch", new, code=2)
    words = ("gqa_causal_tiny", "--target", "cpu", "--torch", new)
    assert "--target: expected GPUs with --torch, e.g. gfx1100" in export(*words, code=2)
    assert "-o: an artifact is exported as it is: give its folder alone" in export(
        "a", "-o", new, "--target", "cpu", code=2
    )
