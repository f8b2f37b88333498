"""The metadata of a GGUF file in the words of a `config.json`."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.families.keys import is_off
from irattn.models.gguf.architecture import LAYER_EPS, RMS_EPS, Architecture
from irattn.models.gguf.architectures import ARCHITECTURES
from irattn.models.gguf.as_read import as_read
from irattn.models.gguf.delta import delta_fields
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.rows import rows_of
from irattn.models.gguf.said import ARCHITECTURE, Said

_INNER = "feed_forward_length"
# What every architecture has, by what `config.json` calls it.
_SIZES = {
    "block_count": "num_hidden_layers",
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    _INNER: "intermediate_size",
    "attention.head_count": "num_attention_heads",
}
# What is read besides, or says nothing of the computation, as the epsilon of the other norms.
_KNOWN = frozenset(
    {
        *("attention.head_count_kv", "attention.key_length", RMS_EPS, LAYER_EPS),
        *("attention.sliding_window_pattern", "attention.value_length", "nextn_predict_layers"),
        *("rope.dimension_count", "rope.freq_base", "rope.scale_linear"),
        *("rope.scaling.attn_factor", "rope.scaling.factor", "rope.scaling.finetuned"),
        *("rope.scaling.original_context_length", "rope.scaling.type"),
        *("rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow"),
        *("tensor_data_layout", "vocab_size"),
    }
)

# Tensors whose first axis is that of experts.
_OF_ALL_EXPERTS = re.compile(r"_exps\.(weight|bias|scale)$")

# Gemma's largest models have another scale than others, which their files do not say: the number
# of layers tells them, as it tells llama.cpp.
_SCALED_BY_WIDTH = {"gemma2": 46, "gemma3": 62}


def architecture_of(file: GgufFile) -> Architecture:
    """The architecture of a file's model; ConfigError for what irattn does not have."""
    name = file.metadata.get(ARCHITECTURE)
    if not isinstance(name, str) or name not in ARCHITECTURES:
        raise ConfigError(
            f"{ARCHITECTURE}: expected one of {', '.join(ARCHITECTURES)}, got {shown(name)}"
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
    said = Said(file, ignored)
    _check_keys(said, architecture)
    _check_experts(said, file)
    sizes = _sizes(said, architecture)
    _check_layers(said, file, sizes["num_hidden_layers"])
    layers = sizes["num_hidden_layers"] = sizes["num_hidden_layers"] - _predicting(said)
    given = {theirs: said.given(ours) for ours, theirs in architecture.keys.items()}
    fields: dict[str, Any] = {
        **sizes,
        "rms_norm_eps": _eps(said, architecture),
        "vocab_size": rows_of(file, "token_embd.weight"),
        "tie_word_embeddings": "output.weight" not in file.tensors,
        **_biases(file, architecture),
        "torch_dtype": _dtype(file, architecture),
        **architecture.defaults,
        **{theirs: value for theirs, value in given.items() if value is not None},
        **_told(file, architecture),
        **_windows(said, layers),
        **_of_delta(architecture, said, layers),
        **(architecture.made or usual_fields)(said, file, layers),
        **architecture.fixed,
    }
    fields |= _scale_of_gemma(said.name, fields)
    fields.setdefault("model_type", _model_type(architecture, fields))
    fields = {architecture.renamed.get(key, key): value for key, value in fields.items()}
    return as_read(said, fields)


def _check_experts(said: Said, file: GgufFile) -> None:
    """ConfigError for another number of experts than tensors have, or none for each token."""
    count = said.whole("expert_count", least=0)
    if not count:
        return
    for name, tensor in file.tensors.items():
        if _OF_ALL_EXPERTS.search(name) and tensor.shape[0] != count:
            raise ConfigError(
                f"{said.named('expert_count')}: expected {tensor.shape[0]}, as {name:.80} has, got "
                f"{count}"
            )
    # The number that a type's class has is another model's.
    said.needed("expert_used_count")


def _check_keys(said: Said, architecture: Architecture) -> None:
    for key, value in architecture.only.items():
        if said.value(key) not in (None, value):
            raise ConfigError(f"{said.named(key)}: expected {value}, got {shown(said.value(key))}")
    for key, other in architecture.equal.items():
        if said.value(key) not in (None, 0, said.value(other)):
            raise ConfigError(
                f"{said.named(key)}: expected {other} = {shown(said.value(other))}, got "
                f"{shown(said.value(key))}"
            )
    own = (*architecture.keys, *architecture.only, *architecture.equal)
    own = (*own, *architecture.needs, *architecture.silent)
    known = {said.named(key) for key in (*_SIZES, *_KNOWN, *own)}
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


def _sizes(said: Said, architecture: Architecture) -> dict[str, int]:
    """The sizes of a model, which has no MLP's where all layers have experts and it says none."""
    width = said.value("expert_feed_forward_length")
    is_list = isinstance(said.value(_INNER), list) and architecture.made is not None
    has_none = is_list or (not said.value(_INNER) and width)
    without = {*architecture.lacks, *((_INNER,) if has_none else ())}
    names = {ours: theirs for ours, theirs in _SIZES.items() if ours not in without}
    return {theirs: said.needed(ours) for ours, theirs in names.items()}


def _check_layers(said: Said, file: GgufFile, layers: int) -> None:
    if not any(name.startswith(f"blk.{layers - 1}.") for name in file.tensors):
        raise ConfigError(
            f"{said.named('block_count')}: expected as many layers as have tensors, got {layers}"
        )


def _predicting(said: Said) -> int:
    """The layers at the end that predict tokens after the next one, which nothing here reads."""
    key = "nextn_predict_layers"
    count, layers = said.whole(key, least=0) or 0, said.needed("block_count")
    if count >= layers:
        raise ConfigError(
            f"{said.named(key)}: expected fewer than the {layers} layers, got {count}"
        )
    return count


def _eps(said: Said, architecture: Architecture) -> float:
    value = said.positive(architecture.eps)
    if value is None:
        raise ConfigError(f"{said.named(architecture.eps)}: missing")
    return value


def _biases(file: GgufFile, architecture: Architecture) -> dict[str, bool]:
    names = architecture.tensors_in(file.tensors)
    return {
        "attention_bias": _has(file, f".{names.qkv[0]}.bias"),
        "mlp_bias": _has(file, f".{names.down}.bias"),
    }


def _told(file: GgufFile, architecture: Architecture) -> dict[str, Any]:
    return {
        key: one.here if _has(file, one.tensor) else one.without
        for key, one in architecture.told.items()
    }


def _has(file: GgufFile, ending: str) -> bool:
    return any(name.endswith(ending) for name in file.tensors)


def _dtype(file: GgufFile, architecture: Architecture) -> str:
    """The type that activations have: the file's, and bf16 where weights are quantised."""
    types = {tensor.type for tensor in file.tensors.values() if len(tensor.shape) > 1}
    if types <= {"F32"}:
        return "float32"
    is_half = types <= {"F32", "F16"} and not architecture.exceeds_f16
    return "float16" if is_half else "bfloat16"


def _windows(said: Said, layers: int) -> dict[str, Any]:
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


def _of_delta(architecture: Architecture, said: Said, layers: int) -> dict[str, Any]:
    """The sizes of delta nets by Mamba's keys, unless the architecture has its own."""
    has_own = architecture.made is not None or architecture.tensors.delta is None
    return {} if has_own else delta_fields(said, layers)


def _scale_of_gemma(name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    if name not in _SCALED_BY_WIDTH:
        return {}
    is_largest = fields["num_hidden_layers"] == _SCALED_BY_WIDTH[name]
    width = fields["hidden_size"] / fields["num_attention_heads"]
    return {"query_pre_attn_scalar": width if is_largest else fields["head_dim"]}


def _model_type(architecture: Architecture, fields: Mapping[str, Any]) -> str:
    if architecture.expert and fields.get("num_local_experts"):
        return architecture.expert
    if architecture.shared and fields.get("shared_intermediate_size"):
        return architecture.shared
    if architecture.windowed and fields.get("sliding_window"):
        return architecture.windowed
    return architecture.model_type
