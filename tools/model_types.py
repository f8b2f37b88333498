"""Write what irattn makes of every configuration class of the transformers that is installed.

`irattn/models/families/defaults.json` has what the classes fill in, of the types that irattn reads;
`tests/models/model_types.json` the outcome of every type: `read`, the keys that it is refused for,
or `no attention`. Tests compare both. Run it with a new transformers, and read the diff: a type is
`read` only if its attention is nothing else than its specs, which
`tests/integrations/test_integration_model_types.py` asks transformers.
"""

import dataclasses
import json
import re
import warnings
from pathlib import Path
from typing import Any

import transformers
from huggingface_hub.errors import StrictDataclassError
from transformers.models.auto.configuration_auto import CONFIG_MAPPING, model_type_to_module_name

from irattn.core.errors import ConfigError
from irattn.models import model_from_config
from irattn.models.families import FAMILIES
from irattn.models.families.family import FILE
from irattn.models.names import LAYERS

ROOT = Path(__file__).parents[1]
DEFAULTS = ROOT / "irattn/models/families/defaults.json"
OUTCOMES = ROOT / "tests/models/model_types.json"

READ, NONE, NO_FILE = "read", "no attention", "no default"

# Those that a file counts in other ways, or whose meaning is not their value.
_LEFT_OUT = {*FILE, *LAYERS, "is_decoder", "is_encoder_decoder", "attn_config"} - {"vocab_size"}

_ATTENTION = re.compile(
    r"class \w*Attention\w*\(|class \w*Attn\w*\(|MultiheadAttention|ALL_ATTENTION|"
    "scaled_dot_product"
)
# Their modules hold no attention, but the models that they are made of do.
_OF_OTHERS = ("dpr", "rag")


def main() -> None:
    _write(DEFAULTS, defaults())
    _write(OUTCOMES, {name: outcome(name) for name in sorted(CONFIG_MAPPING)})


def _write(path: Path, rows: dict[str, Any]) -> None:
    lines = [f'"{name}": {json.dumps(row, sort_keys=True)}' for name, row in rows.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def defaults() -> dict[str, dict[str, Any]]:
    """What the class of each type that irattn reads has for the keys that irattn reads."""
    found = {name: class_defaults(name) for name in sorted(FAMILIES) if name in CONFIG_MAPPING}
    return {name: values for name, values in found.items() if values}


def class_defaults(model_type: str) -> dict[str, Any]:
    """What a class fills in for the keys that irattn reads of its files."""
    reads = FAMILIES[model_type].reads - _LEFT_OUT
    values = {
        field.name: field.default
        for field in dataclasses.fields(CONFIG_MAPPING[model_type])
        if field.name in reads and field.default not in (None, dataclasses.MISSING)
    }
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def outcome(model_type: str) -> str | list[str]:
    """What irattn makes of the file of a class as it is made without arguments."""
    try:
        fields = default_file(model_type)
    except (StrictDataclassError, ValueError):
        return NO_FILE
    try:
        model_from_config(fields)
    except ConfigError as error:
        return NONE if has_no_attention(model_type) else refused_keys(str(error))
    return READ


def default_file(model_type: str) -> dict[str, Any]:
    """The config.json of a class with nothing but defaults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = CONFIG_MAPPING[model_type]()
    fields: dict[str, Any] = json.loads(json.dumps(config.to_dict(), default=str))
    # A few are classes of another type.
    return {**fields, "model_type": model_type}


def refused_keys(message: str) -> list[str]:
    """The keys that an error tells how to ignore; else the one that it begins with."""
    return re.findall(r"--ignore-key (\S+)", message) or [message.partition(":")[0]]


def has_no_attention(model_type: str) -> bool:
    """Whether neither the module of a type nor another that it has as a part knows attention."""
    if getattr(CONFIG_MAPPING[model_type], "sub_configs", {}) or model_type in _OF_OTHERS:
        return False
    folder = Path(transformers.__file__).parent / "models" / model_type_to_module_name(model_type)
    sources = [path.read_text(encoding="utf-8") for path in folder.glob("modeling_*.py")]
    return bool(sources) and not any(map(_ATTENTION.search, sources))


if __name__ == "__main__":
    main()
