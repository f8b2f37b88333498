"""What is said of models whose layers irattn does not have yet."""

import json
import re
from pathlib import Path

import pytest

import irattn
from irattn.core.errors import ConfigError
from irattn.generation.folder import ModelFolder
from irattn.models import model_from_config
from irattn.models.missing import MISSING, lacking_layers

PAGE = Path(irattn.__file__).parent / "pages/models.md"


def told():
    """The reason for each type in the page's table."""
    (table,) = re.findall(r"\| what is missing \|\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text("utf-8"))
    rows = [row.strip("| ").split(" | ") for row in table.splitlines()]
    return {
        name: reason.replace("`", "")
        for names, reason in rows
        for name in re.findall("`(.*?)`", names)
    }


def test_the_page_says_what_is_said_where_a_model_is_refused():
    assert told() == MISSING


@pytest.mark.parametrize("name", MISSING)
def test_a_model_is_refused_with_what_its_layers_lack(name, tmp_path):
    fields = {"model_type": name, "mamba_d_state": 128}
    words = f"model_type: {name}: irattn does not have its layers yet: {MISSING[name]}"
    with pytest.raises(ConfigError) as caught:
        model_from_config(fields)
    assert str(caught.value) == (
        f"{words}. To compile attention alone, for its layers that attend, as if the file did not "
        "have them: --ignore-key mamba_d_state --ignore-key model_type (ignore_keys)"
    )
    (tmp_path / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        ModelFolder(tmp_path)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bitnet", "norms before the last products of attention and MLP, and weights of three"),
        ("modernbert-decoder", "a first layer without a norm, and a head with a layer of its own"),
    ],
)
def test_notes_say_what_is_missing_where_attention_is_compiled(name, words):
    sizes = {"hidden_size": 64, "num_attention_heads": 4}
    sizes |= {"num_key_value_heads": 4} if name == "bitnet" else {}
    model = model_from_config({**sizes, "model_type": name, "num_hidden_layers": 2}, q_len=8)
    assert model.notes[0].startswith(f"model_type: {name}: {words}")
    assert model.notes[0].endswith("which decoder_layer does not have: attention only")


def test_a_part_is_refused_with_what_its_layers_lack(tmp_path):
    part = {"model_type": "mllama_text_model"}
    fields = {"model_type": "mllama", "text_config": part}
    (tmp_path / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    words = lacking_layers("mllama_text_model")
    with pytest.raises(ConfigError, match=re.escape(words)):
        model_from_config(fields)
    with pytest.raises(ConfigError, match=re.escape(words)):
        ModelFolder(tmp_path)
