"""The layers of the house: who may import whom."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.places import ROOT
from support.sources import PACKAGE, modules, source

# External packages that only some places may import.
PLACES = {
    "jinja2": [
        "binary/exporting/",
        "generation/bounded_templates.py",
        "generation/chat.py",
        "lab/comparison/",
        "rendering/",
    ],
    "iree.compiler": ["compiling/compiler.py"],
    "iree.runtime": ["lab/emulated_gpu/", "runtime/"],
    "click": ["cli/"],
    "tabulate": ["cli/"],
    "filelock": ["compiling/store.py"],
    "platformdirs": ["compiling/store.py"],
}


def test_imports_only_go_down():
    lint = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_the_drawing_has_the_floors_of_the_contract():
    """Room by room, from the roof down; a floor may draw its rooms in any order."""
    drawing = (PACKAGE / "pages" / "house.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'class="name">(\w+)<', drawing)
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contract["contracts"][0]["layers"]
    floors = [layer.split(" | ") for layer in layers if layer != "__main__"]
    rooms = iter(name for name in drawn if name != "you")
    assert [sorted(next(rooms) for _ in floor) for floor in floors] == [*map(sorted, floors)]
    assert [*rooms] == []


def test_the_tables_have_every_room():
    """The first of extend.md those of the package, the second those of the laboratory."""
    page = (PACKAGE / "pages" / "extend.md").read_text(encoding="utf-8")
    house, laboratory = (
        {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
        for table in re.findall(r"^\|---\|---\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    )
    assert house == rooms_of(PACKAGE) - {"pages"}
    assert laboratory == rooms_of(PACKAGE / "lab")


def test_only_the_verbs_import_the_laboratory():
    rooms = {
        path.relative_to(PACKAGE).parts[0]
        for path in modules(PACKAGE)
        if any(f"{name}.".startswith("irattn.lab.") for name in source(path).imports)
    }
    assert rooms == {"api", "cli", "lab"}


def rooms_of(folder):
    """The folders of a package, and the files that are rooms of their own."""
    folders = {path.name for path in folder.iterdir() if path.is_dir() and path.name[0] != "_"}
    return folders | {path.stem for path in folder.glob("[!_]*.py")}


@pytest.mark.parametrize("package", PLACES)
def test_external_packages_stay_in_their_places(package):
    users = [
        path.relative_to(PACKAGE).as_posix()
        for path in modules(PACKAGE)
        if any(f"{name}.".startswith(f"{package}.") for name in source(path).imports)
    ]
    used = [[user for user in users if user.startswith(place)] for place in PLACES[package]]
    assert all(used)
    assert {user for there in used for user in there} == set(users)


def test_what_tests_share_is_in_support():
    """No test, and no tool, imports from a test."""
    places = [path for room in ("tests", "tools") for path in modules(ROOT / room)]
    assert len(places) > 50
    users = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in places
        for name in source(path).imports
        if any(part.startswith("test_") for part in name.split("."))
    ]
    assert users == []
