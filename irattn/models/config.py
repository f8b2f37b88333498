"""A configuration as it is read: flat mappings, with what its file leaves to the defaults."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile, is_gguf
from irattn.core.strict_json import loads
from irattn.models.checked import Level, all_keys, check_flags, check_keys, filled, without_ignored
from irattn.models.elsewhere import elsewhere
from irattn.models.families import CLASS_DEFAULTS, FAMILIES, GENERIC, WRAPPERS, ModelFamily, Wrapper
from irattn.models.gguf import config_of
from irattn.models.names import LAYERS
from irattn.models.nested import flattened
from irattn.models.values import Fields, check_layer_count, section, text, whole

# Where multimodal configurations keep their language model.
_NESTED = ("text_config", "language_config", "llm_config")

# Models of two encoders, which know nothing of each other.
_TWO_ENCODERS = ("clip", "siglip")

# What a part takes of the whole where it leaves it out.
_SHARED = ("architectures", "dtype", "eos_token_id", "quantization_config", "torch_dtype")
_TIED = "tie_word_embeddings"


CONFIG = "config.json"


@dataclass(frozen=True)
class Stack:
    """A stack of layers that are alike but for their kinds: most models have just one.

    `name` begins the names of its specs. `encoded` counts the tokens that cross attention reads,
    where the layers have it.
    """

    name: str
    fields: Fields
    family: ModelFamily
    encoded: int | None = None


def read(config: Fields | str | Path, ignored: Collection[str] = ()) -> list[Stack]:
    """The stacks of layers of a model, whose defaults and old names are resolved.

    `ignored` are keys that are read as if they were not there. ConfigError for others that irattn
    neither reads nor knows to leave attention alone.
    """
    if is_gguf(config):
        config, ignored = config_of(GgufFile(Path(config)), ignored), ()
    fields = load(config)
    if isinstance(ignored, str):
        raise ConfigError(f"ignore_keys: expected keys, got the text {ignored!r}")
    if missing := [key for key in ignored if key not in all_keys(fields)]:
        raise ConfigError(f"ignore_keys: expected keys of the config, got {', '.join(missing)}")
    fields = without_ignored(fields, ignored)
    model_type = text(fields, "model_type")
    if model_type in _TWO_ENCODERS:
        return _two_encoders(fields, model_type)
    if model_type == "whisper":
        check_keys([(fields, FAMILIES["whisper"], True)])
        return _whisper({**CLASS_DEFAULTS["whisper"], **fields})
    return [_language_model(fields)]


def _two_encoders(fields: Fields, model_type: str) -> list[Stack]:
    stacks = []
    for kind in ("text", "vision"):
        own = {"model_type": f"{model_type}_{kind}_model"}
        part = {**_flat(fields, f"{kind}_config"), **own}
        check_keys([(_around(fields), Wrapper(), True), (part, FAMILIES[own["model_type"]], True)])
        stacks.append(_stack(part))
    return stacks


def _language_model(fields: Fields) -> Stack:
    levels: list[Level] = []
    for key in _NESTED:
        if isinstance(fields.get(key), Mapping):
            model_type = text(fields, "model_type")
            wrapper = WRAPPERS.get(model_type or "", Wrapper())
            levels.append((_around(fields), wrapper, model_type is None or model_type in WRAPPERS))
            fields = {"model_type": wrapper.inner, **_flat(fields, key), **wrapper.fixed}
            break
    fields = flattened(fields)
    model_type = text(fields, "model_type")
    family = FAMILIES.get(model_type or "", GENERIC)
    check_keys([*levels, (fields, family, model_type is None or model_type in FAMILIES)])
    return _stack(fields)


def _stack(fields: Fields) -> Stack:
    """A stack of a file whose keys are checked."""
    model_type = text(fields, "model_type")
    family = FAMILIES[model_type] if model_type else GENERIC
    check_flags(fields, model_type)
    own = filled(fields, model_type, family)
    # Families list what kind each layer is of.
    check_layer_count(own, whole(own, *LAYERS) or 0)
    return Stack(model_type or "model", family.as_read(own) if family.as_read else own, family)


def part_types(fields: Fields) -> list[str]:
    """The types that the language models within a file say."""
    parts = (fields.get(key) for key in _NESTED)
    said = (text(part, "model_type") for part in parts if isinstance(part, Mapping))
    return [model_type for model_type in said if model_type]


def load(config: Fields | str | Path) -> Fields:
    """The fields of a config.json, as they stand there."""
    if isinstance(config, Mapping):
        return config
    if not isinstance(config, str | Path):
        raise ConfigError(
            f"config: expected a config file, its folder or its fields, got {shown(config)}"
        )
    path = Path(config)
    if path.is_dir():
        if not (path / CONFIG).exists():
            wanted = f"; expected a model's {CONFIG}, its folder or a GGUF file"
            raise ConfigError(f"config: {path} has no {CONFIG}{elsewhere(path) or wanted}")
        path /= CONFIG
    try:
        fields = loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"config: {path} is not readable: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"config: {path} is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ConfigError(f"config: {path}: expected a JSON object, got {type(fields).__name__}")
    return fields


def _flat(fields: Fields, key: str) -> dict[str, Any]:
    """A nested part, and of the whole what the part leaves out or null, often the dtype."""
    own = dict(section(fields, key))
    shared = {name: fields[name] for name in _SHARED if fields.get(name) is not None}
    own |= {name: value for name, value in shared.items() if own.get(name) is None}
    # The head is the whole's, whatever the part says of it.
    tied = fields.get(_TIED)
    return own if tied is None else {**own, _TIED: tied}


def _around(fields: Fields) -> Fields:
    """The fields of a file that stand beside its parts."""
    return {key: value for key, value in fields.items() if not key.endswith("_config")}


def _whisper(fields: Fields) -> list[Stack]:
    """Encoder and decoder, each with the keys that are its own."""
    frames = whole(fields, "max_source_positions") or 1500
    encoder = {
        **_without(fields, "decoder_", "max_target_"),
        "max_source_positions": frames,
        "use_bidirectional_attention": True,
    }
    # `num_hidden_layers` counts the encoder's.
    decoder = {**_without(fields, "encoder_", "max_source_", "num_hidden_"), "is_decoder": True}
    family = FAMILIES["whisper"]
    return [
        Stack("whisper-encoder", encoder, family),
        Stack("whisper-decoder", decoder, family, frames),
    ]


def _without(fields: Fields, *prefixes: str) -> dict[str, Any]:
    other = (*prefixes, "is_encoder_decoder")
    return {key: value for key, value in fields.items() if not key.startswith(other)}
