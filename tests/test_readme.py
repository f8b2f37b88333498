"""The README's commands and code run as they stand there."""

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from dataclasses import MISSING
from pathlib import Path

import pytest
from click.testing import CliRunner

from irattn.cli import main
from irattn.specs.features import AttentionFeatures
from support.model_configs import LLAMA_3_1_8B

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ENGINE_PAGE = (ROOT / "irattn" / "kvcache" / "README.md").read_text(encoding="utf-8")
FEATURES_PAGE = (ROOT / "irattn" / "specs" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    commands
    for language, text in BLOCKS
    if language == "sh"
    if (commands := re.findall(r"^irattn[^#\n]*", text, re.MULTILINE))
]


@pytest.mark.parametrize("commands", COMMANDS, ids=lambda commands: commands[0])
def test_commands_of_a_block_run_in_order(tmp_path, monkeypatch, commands):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_3_1_8B))
    monkeypatch.chdir(tmp_path)
    for command in commands:
        program, *arguments = command.split()
        assert program == "irattn"
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output + repr(result.exception)


@pytest.mark.parametrize(
    ("page", "count"),
    [(README, 4), (FEATURES_PAGE, 2), (ENGINE_PAGE, 2)],
    ids=["readme", "features", "engine"],
)
def test_python_blocks_run_in_order(page, count):
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for text in blocks:
        exec(text, names)
    assert len(blocks) == count


def test_the_readme_is_short():
    assert len(README.splitlines()) < 300


def test_every_command_of_the_tool_is_known():
    known = subprocess.run(
        [sys.executable, "-m", "irattn", "--help"], capture_output=True, text=True
    )
    for command in re.findall(r"(?<!\.)irattn (\w+)", README.partition("## License")[0]):
        if command not in ("does",):
            assert f"  {command} " in known.stdout, command


def test_the_table_of_features_is_what_the_code_says():
    tool = Path(__file__).resolve().parents[1] / "tools" / "features.py"
    shown = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True)
    assert shown.stdout in FEATURES_PAGE


def test_the_table_has_every_feature():
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
    from features import FEATURES

    told = {field for changes in FEATURES.values() for field in changes}
    optional = {f.name for f in dataclasses.fields(AttentionFeatures) if f.default is not MISSING}
    assert optional - {"io_dtype", "batch"} <= told


def test_developer_commands_exist():
    script = Path(__file__).resolve().parents[1] / "tools" / "dev.py"
    for path, name in re.findall(r"^python3 (\S+) (\w+)", README, re.MULTILINE):
        assert path == "tools/dev.py"
        shown = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
        assert name in shown.stdout
    assert shutil.which("python3")
