"""The README's commands and code run as they stand there."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_models import LLAMA_3_1_8B

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.partition("#")[0].strip()
    for language, text in BLOCKS
    if language == "sh"
    for line in text.splitlines()
]


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("irattn")])
def test_commands(tmp_path, command):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_3_1_8B))
    result = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


def test_python_blocks_run_in_order():
    names = {}
    blocks = [text for language, text in BLOCKS if language == "python"]
    for text in blocks:
        exec(text, names)
    assert len(blocks) == 2
    assert names["output"].shape == (2, 32, 1, 128)


def test_every_command_of_the_tool_is_known():
    known = subprocess.run(
        [sys.executable, "-m", "irattn", "--help"], capture_output=True, text=True
    )
    for command in re.findall(r"`?irattn (\w+)", README.partition("## License")[0]):
        if command not in ("does",):
            assert f"  {command} " in known.stdout, command


def test_developer_commands_exist():
    script = Path(__file__).resolve().parents[1] / "tools" / "dev.py"
    for command in (c for c in COMMANDS if c.startswith("python3")):
        _, path, name = command.split()
        assert path == "tools/dev.py"
        shown = subprocess.run([sys.executable, script, "--help"], capture_output=True, text=True)
        assert name in shown.stdout
    assert shutil.which("python3")
