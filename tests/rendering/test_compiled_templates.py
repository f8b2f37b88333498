"""Templates that another process compiled: the same texts, whatever lies in the folder."""

import tempfile
from pathlib import Path

import jinja2
import pytest

from irattn import targets
from irattn.compiling import catalog
from irattn.rendering import GraphRequest, render
from irattn.rendering.compiled_templates import compiled_templates
from irattn.rendering.environment import environment

# Parts of a layer take the same templates, and have names of their own.
LAYER = "layer_decode_tiny"


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """The names of the templates that are compiled, from an empty folder on."""
    names = []
    compile_template = jinja2.Environment.compile

    def note(self, source, name=None, filename=None, **how):
        names.append(name)
        return compile_template(self, source, name, filename, **how)

    monkeypatch.setattr(jinja2.Environment, "compile", note)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    forget()
    yield names
    forget()


def forget():
    """Forget compiled templates, as a process that begins has none."""
    environment.cache_clear()


def text(name="softmax_tiny"):
    return render(GraphRequest(catalog.get(name), targets.get("gfx1100")))


def files(folder):
    return sorted(path for path in Path(folder).rglob("irattn_*") if path.is_file())


@pytest.mark.slow
def test_a_template_is_compiled_once_for_all_parts_and_processes(compiled, tmp_path):
    first = text(LAYER)
    assert len(compiled) == len(files(tmp_path)) == len(set(compiled)) > 10
    compiled.clear()
    forget()
    assert text(LAYER) == first
    assert compiled == []


@pytest.mark.parametrize(
    "damage",
    [lambda data: b"", lambda data: data[:30], lambda data: data[:500], lambda data: b"?" * 500],
    ids=["empty", "cut in its head", "cut", "something else"],
)
def test_a_damaged_file_is_made_anew(compiled, tmp_path, damage):
    first = text()
    damaged = files(tmp_path)[0]
    whole = damaged.read_bytes()
    damaged.write_bytes(damage(whole))
    compiled.clear()
    forget()
    assert text() == first
    assert len(compiled) == 1
    assert damaged.read_bytes() == whole


def test_another_source_is_compiled_anew(compiled, tmp_path, monkeypatch):
    """Also where it differs by an environment's extension only, or by what compiles it."""
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "one.j2").write_text("{{ 1 }} #rows\n")

    def rendered(before):
        class Changed(jinja2.ext.Extension):
            def preprocess(self, source, name, filename=None):
                return source.replace("#", f"#{before}")

        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            extensions=[Changed],
            bytecode_cache=compiled_templates("of_a_test"),
        )
        return environment.get_template("one.j2").render()

    assert rendered("a_") == "1 #a_rows"
    assert rendered("a_") == "1 #a_rows"
    assert rendered("b_") == "1 #b_rows"
    (folder / "one.j2").write_text("{{ 2 }} #rows\n")
    assert rendered("b_") == "2 #b_rows"
    assert compiled == ["one.j2"] * 3
    monkeypatch.setattr("irattn.rendering.compiled_templates._compiler", lambda: b"another")
    assert rendered("b_") == "2 #b_rows"
    assert compiled == ["one.j2"] * 4


@pytest.mark.parametrize("problem", [PermissionError, RuntimeError])
def test_without_a_folder_all_is_compiled(compiled, monkeypatch, problem):
    def fail(*_):
        raise problem

    monkeypatch.setattr(jinja2.FileSystemBytecodeCache, "_get_default_cache_dir", fail)
    assert text() == text()
    assert compiled


def test_a_full_disk_stops_nothing(compiled, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", fail)
    assert text()
    assert files(tmp_path) == []
