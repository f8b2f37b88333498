"""A Hugging Face `config.json` to the specs of that model's attention and layers."""

import re
from pathlib import Path
from typing import Any

from irattn.errors import ConfigError
from irattn.models.attention import attention_fields, is_causal
from irattn.models.config import read
from irattn.models.kinds import LayerKind, layer_kinds
from irattn.models.layer import layer_of, longest_context
from irattn.models.unsupported import refuse_unsupported
from irattn.models.values import Fields, text
from irattn.specs import AttentionSpec, PagedAttentionSpec, Spec
from irattn.specs.base import plain

__all__ = ["specs_from_config"]

DEFAULT_CONTEXT = 2048
DEFAULT_PROMPT = 512
BLOCK_SIZE = 16


def specs_from_config(
    config: Fields | str | Path,
    *,
    batch: int = 1,
    q_len: int | None = None,
    kv_len: int | None = None,
) -> dict[str, Spec]:
    """The specs of a model's attention and of its layers around it, by name.

    `config` is a parsed `config.json` or its path. A decoder gives causal prefill (`q_len` queries,
    512 by default, against `kv_len` keys, `q_len` by default) and paged decode (contexts up to
    `kv_len`, 2048 by default, in blocks of 16), and both as whole layers, from hidden state to
    hidden state; an encoder gives attention both ways. Lengths that are left out are cut to the
    model's positions. A file without a dtype is taken as f32, which is what its weights are stored
    in.

    Where layers differ, as in models that give every other one a sliding window, there is a spec
    for each kind, `full` or `sliding`; what comes out the same for both, as with a window that
    hides nothing within the context, is there once. Rotary and other position embeddings come
    before attention: they are part of the layer, not of the attention alone. ALiBi slopes and
    sinks are run-time tensors; Falcon scales its slopes like its logits.

    No layer, only attention, comes from models of another structure: LayerNorm (GPT-2, BERT,
    BLOOM), parallel or scaled residuals (Falcon, Command R, Granite), norms over all heads at once
    (OLMo 2), or any type that `irattn.models.layer` does not list.

    Raises ConfigError, naming the key, for a feature that irattn does not have.
    """
    fields = read(config)
    refuse_unsupported(fields)
    batch, q_len, kv_len = plain((batch, q_len, kv_len))
    for name, length in (("batch", batch), ("q_len", q_len), ("kv_len", kv_len)):
        if length is not None and (type(length) is not int or length < 1):
            raise ConfigError(f"{name}: expected a whole number of at least 1, got {length!r}")
    sizes = {"batch": batch, **_lengths(fields, q_len, kv_len)}
    shared = attention_fields(fields)
    causal = is_causal(fields)
    phases = _decoder_phases if causal else _encoder_phases
    found = {
        kind.name.removesuffix("_attention"): phases(fields, kind, shared, **sizes)
        for kind in layer_kinds(fields, causal)
    }
    model = re.sub(r"[^A-Za-z0-9]+", "-", text(fields, "model_type") or "model").strip("-")
    return _named(model, found)


def _lengths(fields: Fields, q_len: int | None, kv_len: int | None) -> dict[str, int]:
    """Queries and keys of prefill and the context of decode; ConfigError beyond the model's."""
    positions = longest_context(fields)
    wanted = max(q_len or 0, kv_len or 0)
    if positions and wanted > positions:
        raise ConfigError(
            f"max_position_embeddings: {positions} is the model's longest context; "
            f"{wanted} tokens were asked for"
        )
    # Whole blocks only, so that the cache holds no token beyond the limit.
    longest = max(min(DEFAULT_CONTEXT, positions or DEFAULT_CONTEXT) // BLOCK_SIZE * BLOCK_SIZE, 1)
    prompt = q_len or min(DEFAULT_PROMPT, longest, kv_len or longest)
    return {"q_len": prompt, "kv_len": kv_len or prompt, "context": kv_len or longest}


def _encoder_phases(
    fields: Fields,
    kind: LayerKind,
    shared: dict[str, Any],
    *,
    batch: int,
    q_len: int,
    kv_len: int,
    context: int,
) -> dict[str, Spec]:
    window = kind.window_within(max(q_len, kv_len))
    return {
        "encode": AttentionSpec(batch=batch, q_len=q_len, kv_len=kv_len, window=window, **shared)
    }


def _decoder_phases(
    fields: Fields,
    kind: LayerKind,
    shared: dict[str, Any],
    *,
    batch: int,
    q_len: int,
    kv_len: int,
    context: int,
) -> dict[str, Spec]:
    prefill = AttentionSpec(
        batch=batch,
        q_len=q_len,
        kv_len=kv_len,
        causal=True,
        window=kind.window_within(kv_len),
        **shared,
    )
    paged_prefill = _paged(kind, shared, batch, q_len, kv_len)
    decode = _paged(kind, shared, batch, 1, context)
    found = {
        "prefill": prefill,
        "paged_decode": decode,
        "layer_prefill": layer_of(paged_prefill, fields, kind.name),
        "layer_decode": layer_of(decode, fields, kind.name),
    }
    return {phase: spec for phase, spec in found.items() if spec}


def _paged(
    kind: LayerKind, shared: dict[str, Any], batch: int, q_len: int, context: int
) -> PagedAttentionSpec:
    blocks = -(-context // BLOCK_SIZE)
    return PagedAttentionSpec(
        batch=batch,
        q_len=q_len,
        block_size=BLOCK_SIZE,
        num_blocks=batch * blocks,
        max_blocks=blocks,
        window=kind.window_within(blocks * BLOCK_SIZE),
        **shared,
    )


def _named(model: str, found: dict[str, dict[str, Spec]]) -> dict[str, Spec]:
    """By name, phase after phase; the kind is part of it where the kinds differ."""
    named: dict[str, Spec] = {}
    for phase in next(iter(found.values())):
        differ = len({phases[phase] for phases in found.values()}) > 1
        for kind, phases in found.items():
            words = (model, kind, phase) if differ else (model, phase)
            named[f"{'_'.join(words)}-{phases[phase].digest}"] = phases[phase]
    return named
