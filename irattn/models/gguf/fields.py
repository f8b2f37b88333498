"""The metadata of a GGUF file in the words of a `config.json`."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from irattn.core.errors import ConfigError, ModelError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.families.keys import is_off
from irattn.models.gguf.architectures import ARCHITECTURES, Architecture
from irattn.models.values import positive, text, whole

_ARCHITECTURE = "general.architecture"

# What every architecture has, by what `config.json` calls it.
_SIZES = {
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
}
# What is read besides, or says nothing of the computation.
_KNOWN = frozenset(
    {
        *("attention.head_count_kv", "attention.key_length", "attention.layer_norm_rms_epsilon"),
        *("attention.sliding_window_pattern", "attention.value_length", "rope.dimension_count"),
        *("rope.freq_base", "rope.scale_linear", "rope.scaling.attn_factor"),
        *("rope.scaling.factor", "rope.scaling.finetuned"),
        *("rope.scaling.original_context_length", "rope.scaling.type"),
        *("rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow"),
        *("tensor_data_layout", "vocab_size"),
    }
)

# Gemma's largest models have another scale than others, which their files do not say: the number
# of layers tells them, as it tells llama.cpp.
_SCALED_BY_WIDTH = {"gemma2": 46, "gemma3": 62}


def architecture_of(file: GgufFile) -> Architecture:
    """The architecture of a file's model; ConfigError for what irattn does not have."""
    name = file.metadata.get(_ARCHITECTURE)
    if not isinstance(name, str) or name not in ARCHITECTURES:
        raise ConfigError(
            f"{_ARCHITECTURE}: expected one of {', '.join(ARCHITECTURES)}, got {shown(name)}"
        )
    if (parts := file.metadata.get("split.count", 1)) != 1:
        raise ConfigError(
            f"split.count: expected the whole model in one file, got one of {shown(parts)}; "
            "llama.cpp's llama-gguf-split --merge makes one of them"
        )
    return ARCHITECTURES[name]


def config_of(file: GgufFile, ignored: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a `config.json` of the model.

    `ignored` are keys of metadata that are read as if they were not there. ConfigError for others
    that irattn does not read and that do not say that there is nothing.
    """
    if isinstance(ignored, str) or any(key not in file.metadata for key in ignored):
        raise ConfigError(f"ignore_keys: expected keys of the file's metadata, got {ignored}")
    architecture = architecture_of(file)
    said = _Said(file, ignored)
    _check_keys(said, architecture)
    sizes = {theirs: said.needed(ours) for ours, theirs in _SIZES.items()}
    heads, layers = sizes["num_attention_heads"], sizes["num_hidden_layers"]
    if not any(name.startswith(f"blk.{layers - 1}.") for name in file.tensors):
        raise ConfigError(
            f"{said.named('block_count')}: expected as many layers as have tensors, got {layers}"
        )
    fields: dict[str, Any] = {
        **sizes,
        **_kv_heads(said, heads, layers, architecture.tensors.convolution is not None),
        "head_dim": _head_dim(said, sizes),
        "rms_norm_eps": said.positive("attention.layer_norm_rms_epsilon"),
        "rope_theta": said.positive("rope.freq_base") or 10000.0,
        "vocab_size": _rows(file, "token_embd.weight"),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "attention_bias": "blk.0.attn_q.bias" in file.tensors,
        "mlp_bias": "blk.0.ffn_down.bias" in file.tensors,
        "torch_dtype": _dtype(file, architecture),
        **architecture.defaults,
        **{
            theirs: said.number(ours)
            for ours, theirs in architecture.keys.items()
            if said.number(ours)
        },
        **_windows(said, layers),
        **_rope(said, file),
        **architecture.fixed,
    }
    if fields["rms_norm_eps"] is None:
        raise ConfigError(f"{said.named('attention.layer_norm_rms_epsilon')}: missing")
    fields = {architecture.renamed.get(key, key): value for key, value in fields.items()}
    fields |= _scale_of_gemma(said.name, fields)
    fields["model_type"] = _model_type(architecture, fields)
    return fields


class _Said:
    """The metadata of a file's own architecture, by what follows its name."""

    def __init__(self, file: GgufFile, ignored: Collection[str]) -> None:
        self.name = str(file.metadata[_ARCHITECTURE])
        before = f"{self.name}."
        self.fields = {
            key: _one(key, value)
            for key, value in file.metadata.items()
            if key.startswith(before) and key not in ignored
        }

    def named(self, key: str) -> str:
        """The whole name of a key."""
        return f"{self.name}.{key}"

    def value(self, key: str) -> Any:
        """Whatever there is, None without it."""
        return self.fields.get(self.named(key))

    def whole(self, key: str, least: int = 1) -> int | None:
        """A whole number, if it is there."""
        return whole(self.fields, self.named(key), least=least)

    def positive(self, key: str) -> float | None:
        """A number above zero, if it is there."""
        return positive(self.fields, self.named(key))

    def number(self, key: str) -> int | float | None:
        """A number above zero, whole or not; files say 0 where there is none of a thing."""
        value = self.value(key)
        if value is None or value == 0:
            return None
        return self.whole(key) if type(value) is int else self.positive(key)

    def needed(self, key: str) -> int:
        """A whole number that must be there."""
        value = self.whole(key)
        if value is None:
            raise ConfigError(f"{self.named(key)}: missing")
        return value


def _one(key: str, value: object) -> Any:
    """A value; of a list for each layer that says the same of all, that."""
    if not isinstance(value, np.ndarray):
        return value
    each = value.tolist()
    return (
        each[0]
        if each and key.endswith(("length", "_kv", "head_count")) and len({*each}) == 1
        else each
    )


def _check_keys(said: _Said, architecture: Architecture) -> None:
    for key, value in architecture.only.items():
        if said.value(key) not in (None, value):
            raise ConfigError(f"{said.named(key)}: expected {value}, got {shown(said.value(key))}")
    known = {said.named(key) for key in (*_SIZES, *_KNOWN, *architecture.keys, *architecture.only)}
    others = [k for k, value in said.fields.items() if k not in known and not is_off(k, value)]
    if others:
        options = " ".join(f"--ignore-key {key}" for key in others)
        raise ConfigError(
            f"{', '.join(others)}: irattn does not know what the model becomes of it. To go on as "
            f"if the file did not have it: {options} (ignore_keys)"
        )
    for key in architecture.needs:
        if said.value(key) is None:
            raise ConfigError(f"{said.named(key)}: missing")


def _kv_heads(said: _Said, heads: int, layers: int, has_convolutions: bool) -> dict[str, Any]:
    """The KV heads of layers with attention; those of LFM2 that have none are convolutions."""
    key = "attention.head_count_kv"
    each = said.value(key)
    if not (has_convolutions and isinstance(each, list)):
        return {"num_key_value_heads": said.whole(key) or heads}
    counts = {*each} - {0}
    if len(counts) != 1 or len(each) < layers:
        raise ConfigError(
            f"{said.named(key)}: expected the same number for each of the {layers} layers, or 0 "
            f"for those without attention, got {shown(each)}"
        )
    kinds = ["full_attention" if count else "conv" for count in each[:layers]]
    return {"num_key_value_heads": counts.pop(), "layer_types": kinds}


def _head_dim(said: _Said, sizes: Mapping[str, int]) -> int:
    heads, width = sizes["num_attention_heads"], sizes["hidden_size"]
    size = said.whole("attention.key_length")
    if size is None:
        if width % heads:
            raise ConfigError(
                f"{said.named('embedding_length')}: expected a multiple of the {heads} heads, "
                f"got {width}"
            )
        size = width // heads
    if said.whole("attention.value_length") not in (None, size):
        raise ConfigError(
            f"{said.named('attention.value_length')}: expected attention.key_length = {size}, got "
            f"{said.value('attention.value_length')}"
        )
    return size


def _rows(file: GgufFile, name: str) -> int:
    if name not in file.tensors:
        raise ModelError(f"{name}: expected a tensor in {file.path}, got none")
    return file.tensors[name].shape[0]


def _dtype(file: GgufFile, architecture: Architecture) -> str:
    """The type that activations have: the file's, and bf16 where weights are quantised."""
    types = {tensor.type for tensor in file.tensors.values() if len(tensor.shape) > 1}
    if types <= {"F32"}:
        return "float32"
    is_half = types <= {"F32", "F16"} and not architecture.exceeds_f16
    return "float16" if is_half else "bfloat16"


def _windows(said: _Said, layers: int) -> dict[str, Any]:
    """Which layers have a window, where the file says it: of every so many, or of each."""
    pattern = said.value("attention.sliding_window_pattern")
    if pattern is None:
        return {}
    if isinstance(pattern, int) and not isinstance(pattern, bool):
        return {"sliding_window_pattern": pattern}
    if not isinstance(pattern, list) or len(pattern) < layers:
        raise ConfigError(
            f"{said.named('attention.sliding_window_pattern')}: expected one for each of the "
            f"{layers} layers, got {shown(pattern)}"
        )
    kinds = ("full_attention", "sliding_attention")
    return {"layer_types": [kinds[bool(one)] for one in pattern[:layers]]}


def _rope(said: _Said, file: GgufFile) -> dict[str, Any]:
    """How positions rotate, beside how fast."""
    fields: dict[str, Any] = {}
    size = _head_dim(said, {theirs: said.needed(ours) for ours, theirs in _SIZES.items()})
    columns = said.whole("rope.dimension_count") or size
    if columns != size:
        fields["partial_rotary_factor"] = columns / size
    if scaling := _scaling(said, file):
        fields["rope_scaling"] = scaling
    return fields


def _scaling(said: _Said, file: GgufFile) -> dict[str, Any] | None:
    trained = said.whole("rope.scaling.original_context_length") or said.needed("context_length")
    attention = said.positive("rope.scaling.attn_factor")
    if two := _factors(file):
        return {
            "rope_type": "longrope",
            "original_max_position_embeddings": trained,
            "attention_factor": attention or 1.0,
            **two,
        }
    if "rope_freqs.weight" in file.tensors:
        # Llama 3 has one list of factors for all lengths, and leaves the logits alone.
        factors = _numbers(file, "rope_freqs.weight")
        return {
            "rope_type": "longrope",
            "original_max_position_embeddings": said.needed("context_length"),
            "attention_factor": 1.0,
            "factor": 1.0,
            "short_factor": factors,
            "long_factor": factors,
        }
    factor = said.positive("rope.scaling.factor") or said.positive("rope.scale_linear")
    kind = text(said.fields, said.named("rope.scaling.type")) or ("linear" if factor else "none")
    if kind == "none" or (kind == "linear" and factor in (None, 1.0)):
        return None
    if kind not in ("linear", "yarn") or factor is None:
        raise ConfigError(
            f"{said.named('rope.scaling.type')}: expected none, linear or yarn with a factor, or "
            f"factors of each frequency, got {shown(kind)}"
        )
    if attention not in (None, 1.0):
        raise ConfigError(f"{said.named('rope.scaling.attn_factor')}: expected 1, got {attention}")
    scaling: dict[str, Any] = {"rope_type": kind, "factor": factor}
    if kind == "yarn":
        scaling |= {
            "original_max_position_embeddings": trained,
            "beta_fast": said.positive("rope.scaling.yarn_beta_fast") or 32.0,
            "beta_slow": said.positive("rope.scaling.yarn_beta_slow") or 1.0,
            "truncate": said.name != "gpt-oss",
        }
    return scaling


def _factors(file: GgufFile) -> dict[str, list[float]]:
    """The divisors of each frequency, which Phi 3 has as two tensors."""
    names = {"rope_factors_short.weight": "short_factor", "rope_factors_long.weight": "long_factor"}
    if not any(name in file.tensors for name in names):
        return {}
    return {theirs: _numbers(file, ours) for ours, theirs in names.items()}


def _numbers(file: GgufFile, name: str) -> list[float]:
    tensor = file.tensors.get(name)
    if tensor is None or tensor.type != "F32" or len(tensor.shape) != 1:
        got = f"{list(tensor.shape)} of {tensor.type}" if tensor else "none"
        raise ModelError(f"{name}: expected a tensor of one axis of F32 in {file.path}, got {got}")
    numbers: list[float] = tensor.rows_of_bytes.view("<f4").tolist()
    return numbers


def _scale_of_gemma(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    if name not in _SCALED_BY_WIDTH:
        return {}
    is_largest = fields["num_hidden_layers"] == _SCALED_BY_WIDTH[name]
    width = fields["hidden_size"] / fields["num_attention_heads"]
    return {"query_pre_attn_scalar": width if is_largest else fields["head_dim"]}


def _model_type(architecture: Architecture, fields: Mapping[str, Any]) -> str:
    if architecture.expert and fields.get("num_local_experts"):
        return architecture.expert
    if architecture.windowed and fields.get("sliding_window"):
        return architecture.windowed
    return architecture.model_type
