"""How positions rotate in the model of a GGUF file: how much of a head, and scaled by what."""

import math
from typing import Any

from irattn.core.errors import ConfigError, ModelError, shown
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.said import Said
from irattn.models.values import text


def rotation(said: Said, file: GgufFile, head_dim: int) -> dict[str, Any]:
    """How positions rotate, and how fast."""
    columns = said.whole("rope.dimension_count") or head_dim
    part = columns / head_dim
    if int(part * head_dim) < columns:
        # Rounded down, it would rotate a column less.
        part = math.nextafter(part, 2.0)
    theta = said.positive("rope.freq_base") or 10000.0
    fields: dict[str, Any] = {"partial_rotary_factor": part, "rope_theta": theta}
    if scaling := _scaling(said, file):
        fields["rope_scaling"] = scaling
        # Outside, too, where the type's own length would count before that of the settings.
        key = "original_max_position_embeddings"
        fields |= {key: scaling[key]} if key in scaling else {}
    return fields


def _scaling(said: Said, file: GgufFile) -> dict[str, Any] | None:
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
