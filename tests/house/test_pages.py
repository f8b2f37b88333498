"""Every block of every page runs as it stands there, each on its own."""

import ast
import json
import re
import runpy
import shlex
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from irattn.cli import main
from support.model_configs import LLAMA_3_1_8B
from support.places import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "artifacts").glob("*.md")),
    *sorted((ROOT / "irattn" / "pages").glob("*.md")),
    *sorted((ROOT / "irattn").rglob("README.md")),
]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]

# What cannot run here, and why. Its options are read by the command line all the same.
ONLY_READ = {
    "irattn baseline catalogue": "needs the base catalogue for three targets",
    "irattn bench": "takes minutes",
    "irattn certify": "takes minutes",
    "irattn compare artifacts": "needs the base catalogue for three targets",
    "irattn compile --size base": "needs a cluster",
    "irattn compile gqa_causal_base": "needs what `irattn tune` writes",
    "irattn tune": "takes minutes, or needs a card",
    "irattn verify --size tiny": "needs a cluster",
}
# Programs of others, which are told what to do and not what irattn does.
FOREIGN = ("cosign", "dask", "jq")


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{named(self.page)}:{self.line}"

    @property
    def commands(self) -> list[list[str]]:
        """The words of each line, comments left out."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [words for line in lines if (words := shlex.split(line, comments=True))]


def named(page):
    """The path of a page from the root."""
    return page.relative_to(ROOT).as_posix()


def blocks(*languages):
    """The blocks of some languages on all pages."""
    fence = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in fence.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(page, line, match[1], match[2]))
    return [block for block in found if not languages or block.language in languages]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the files that pages speak of."""
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_3_1_8B))
    for folder in ("artifacts", "build/baseline", "build/certified", "build/certificates"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "tuning.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def prepare(text, folder):
    """Put there what a block takes and no command makes."""
    if "MODEL_FOLDER" in text:
        pytest.importorskip("safetensors", reason="needs the extra generate")
        from support.model_folder import config_of, write_model

        write_model(folder / "MODEL_FOLDER", config_of("llama"))
        template = "{% for message in messages %}{{ message.content }}{% endfor %}"
        (folder / "MODEL_FOLDER" / "chat_template.jinja").write_text(template)
    if "kernel.hsaco" in text:
        pytest.importorskip("tinygrad", reason="needs the extra isa")
        from support.scale_kernel import scale_code

        (launch,) = blocks("json")
        (width, *_) = json.loads(launch.text)["workgroup"]
        (folder / "kernel.hsaco").write_bytes(scale_code("gfx1100", width))
        (folder / "launch.json").write_text(launch.text)


def test_every_block_says_what_it_is():
    assert {block.language for block in blocks()} == {"sh", "python", "json", "text"}
    assert len(blocks("sh")) > 15
    assert len(blocks("python")) > 12


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python(block, place):
    tree = ast.parse(block.text)
    for package in sorted(packages(tree) - sys.stdlib_module_names):
        if find_spec(package) is None:
            named = [name for name, needs in EXTRAS.items() if is_of(package, name, needs)]
            assert named, f"{package} is in no extra"
            pytest.skip(f"needs the extra {named[0]}")
    prepare(block.text, place)
    exec(compile(tree, str(block), "exec"), {"__name__": "page"})


def is_of(package, name, needs):
    """Whether an extra, which needs such packages, is for this one."""
    return package == name or any(need.startswith(f"{package}>=") for need in needs)


@pytest.mark.slow
def test_the_chat_of_a_page(place):
    """The folder that its code makes, and the answers to what is typed in its transcript."""
    pytest.importorskip("safetensors", reason="needs the extra generate")
    (shown,) = (block for block in blocks("text") if "--chat" in block.text)
    (maker,) = (
        block for block in blocks("python") if block.page == shown.page and "words" in block.text
    )
    exec(compile(maker.text, str(maker), "exec"), {"__name__": "page"})
    command, *lines = shown.text.splitlines()
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    answers = [line for line in lines if not line.startswith("> ")]
    said = CliRunner().invoke(main, shlex.split(command)[2:], input="\n".join(typed))
    assert said.stdout.splitlines() == answers, said.output


def packages(tree):
    """The packages that code imports."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in imports
        for alias in node.names
    ]
    return {name.partition(".")[0] for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("sh"), ids=str)
def test_shell(block, place):
    prepare(block.text, place)
    for words in block.commands:
        CHECKS[words[0]](words)


def irattn_runs(words):
    command = " ".join(words)
    if any(command.startswith(start) for start in ONLY_READ):
        read(main, words)
        return
    result = CliRunner().invoke(main, words[1:])
    assert result.exit_code == 0, f"{command}: {result.output}{result.exception!r}"


def read(command, words, parent=None):
    """Read the words of a command as its options; click's error where they are none."""
    context = command.make_context(words[0], words[1:], parent)
    if isinstance(command, click.Group):
        rest = [*context._protected_args, *context.args]
        name, own, rest = command.resolve_command(context, rest)
        read(own, [name, *rest], context)


def a_tool_exists(words):
    _, script, *rest = words
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script, *rest, "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_path(str(ROOT / script), run_name="__main__")
    assert not ended.value.code


def pip_finds(words):
    """What it installs is this repository, with an extra that there is."""
    _, verb, what = words
    path, _, extra = what.rstrip("]").partition("[")
    assert (verb, path) == ("install", ".")
    assert not extra or extra in EXTRAS


CHECKS = {
    "irattn": irattn_runs,
    "python3": a_tool_exists,
    "pip": pip_finds,
    **dict.fromkeys(FOREIGN, lambda words: None),
}


@pytest.mark.parametrize("start", ONLY_READ)
def test_what_is_only_read_stands_on_a_page(start):
    every = [" ".join(words) for block in blocks("sh") for words in block.commands]
    assert any(command.startswith(start) for command in every)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_nothing_is_installed_from_an_index_that_does_not_have_it(page):
    assert "install 'irattn" not in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_command_that_a_sentence_names_exists(page):
    known = set(main.list_commands(click.Context(main)))
    assert set(re.findall(r"`irattn ([a-z]\w*)", page.read_text(encoding="utf-8"))) <= known


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    """Every link to a file of the repository, and to a heading in one, has what it names."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link


# The rooms in which a page's paths begin, and how files end that are named alone.
ROOMS = {
    *("artifacts", "irattn", "templates", "tests", "tools"),
    *(room.name for room in (ROOT / "irattn").iterdir() if room.is_dir()),
}
ENDINGS = (".py", ".pyi", ".j2", ".toml")
# Letters that stand for an op's name, and an op that has all files.
ANY_OP, AN_OP = "OP", "rms_norm"


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_path_that_a_sentence_names_exists(page):
    """From the root, from the package, from the page, or as the end of one path of ours."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    lost = []
    for word in re.findall(r"`([\w./-]+)`", text):
        path = word.replace(ANY_OP, AN_OP)
        is_ours = path.partition("/")[0] in ROOMS and "/" in path
        if not (is_ours or path.endswith(ENDINGS)):
            continue
        places = (ROOT / path, ROOT / "irattn" / path, page.parent / path)
        if not any(place.exists() for place in places) and not named_so(path):
            lost.append(word)
    assert lost == []


def named_so(path):
    """Whether the path of a file of ours ends so, as a sentence about its folder says it."""
    return any(f"/{file}".endswith(f"/{path}") for file in files())


@cache
def files():
    """The files of the package, its templates, tests and tools, from the root."""
    rooms = [ROOT / room for room in ("irattn", "templates", "tests", "tools")]
    return [named(file) for room in rooms for file in room.rglob("*") if file.is_file()]


def anchors(page):
    """The names by which links find the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_the_readme_leads_to_every_page():
    """In one step, or in two by a page that it leads to."""
    reached = {ROOT / "README.md"}
    for _ in range(2):
        for page in list(reached):
            links = re.findall(r"\]\(([^)#\s]+\.md)", page.read_text(encoding="utf-8"))
            reached |= {(page.parent / link).resolve() for link in links}
    assert set(PAGES) <= reached
