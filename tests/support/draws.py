"""Specs at random: small sizes, odd ones too, and every feature now and then."""

import random
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any

import numpy as np

import irattn
from irattn import (
    AttentionBackwardSpec,
    AttentionSpec,
    PackedAttentionSpec,
    PackedPagedAttentionSpec,
    PackedPagedUpdateAttentionSpec,
    PagedAttentionSpec,
    PagedUpdateAttentionSpec,
)
from irattn.core.errors import SpecError
from irattn.specs import SPEC_NAMES, Spec
from irattn.specs.decoder_layer_checks import NORM_KINDS, PARALLEL_MLPS
from irattn.specs.experts import Experts
from irattn.specs.latent_sizes import LatentSizes
from irattn.specs.layer_input import LayerInput
from irattn.specs.layer_streams import HiddenStreams
from irattn.specs.logits import ALIGNMENTS
from irattn.specs.mlp import ACTIVATIONS
from support.expression_draws import Drawn

_LATENTS = (PagedAttentionSpec, PagedUpdateAttentionSpec)
_PACKED_LATENTS = (PackedPagedAttentionSpec, PackedPagedUpdateAttentionSpec)


def attention(seed: int) -> Spec:
    """Attention of some kind, with any combination of its features."""
    pick = random.Random(seed)
    kind = pick.choices(
        [AttentionSpec, PackedAttentionSpec, PagedAttentionSpec, PackedPagedAttentionSpec],
        weights=[4, 2, 4, 3],
    )[0]
    kv_heads, group = pick.choice([1, 2, 3]), pick.choice([1, 2, 3])
    values = {
        "batch": pick.choice([1, 2, 3]),
        "num_q_heads": kv_heads * group,
        "num_kv_heads": kv_heads,
        "head_dim": pick.choice([8, 16, 40, 64, 80]),
        "io_dtype": pick.choice(["f32", "f16", "bf16"]),
        "causal": pick.random() < 0.6,
        "softmax_scale": pick.choice([None, None, 0.3]),
    }
    queries = pick.choice([1, 1, 2, 7, 16, 33, 65])
    # Long contexts for decode only, which splits them; with many queries they take their time.
    keys = pick.choice([1, 5, 32, 33, 77, 100 if queries > 1 else 512])
    most_blocks = 5 if queries > 1 else 32
    is_packed = kind in (PackedAttentionSpec, PackedPagedAttentionSpec)
    if is_packed:
        values |= {"q_tokens": queries + pick.choice([0, 60])}
    if kind in (PagedAttentionSpec, PackedPagedAttentionSpec):
        blocks = {
            "block_size": pick.choice([1, 4, 16, 32]),
            "max_blocks": pick.choice([1, 2, most_blocks]),
        }
        values |= {"num_blocks": 40, **blocks, "value_dim": pick.choice([None, None, 24])}
        values |= {} if is_packed else {"q_len": queries}
    elif is_packed:
        values |= {"kv_tokens": keys}
    else:
        values |= {"q_len": queries, "kv_len": keys, "value_dim": pick.choice([None, 24])}
    optional = {
        "window": (pick.choice([None, 0, 3, 20]), pick.choice([None, 0, 2, 20])),
        "logits_soft_cap": pick.choice([2.0, 30.0]),
        "alibi": True,
        "bias": some_axes(pick, "hqk" if is_packed else "bhqk"),
        "keep_mask": some_axes(pick, "hqk" if is_packed else "bhqk"),
        "sinks": True,
        "return_lse": True,
        "alignment": pick.choice(["top_left", "offsets"]),
    }
    if kind is not PackedAttentionSpec:
        optional |= {"layout": "NHD"}
    if not is_packed:
        optional |= {"ragged": True}
    values |= {k: v for k, v in optional.items() if pick.random() < 0.25}
    return kind(**values, **(_sized_by_calls(pick, kind, values) if is_packed else {}))


def lanes_attention(seed: int) -> Spec:
    """The features of `attention`, in the head sizes and lengths that lanes are written out for."""
    spec, pick = attention(seed), random.Random(f"lanes {seed}")
    sizes: dict[str, Any] = {
        "num_q_heads": spec.num_kv_heads * pick.choice([1, 2, 4, 8]),
        "head_dim": pick.choice([64, 64, 96, 128, 128, 192, 256]),
        "value_dim": None,
        "io_dtype": pick.choice(["f16", "bf16"]),
        "block_size": pick.choice([16, 16, 32]),
        "max_blocks": pick.choice([4, 9]),
    }
    queries, keys = pick.choice([1, 3, 16, 64, 100, 128]), pick.choice([64, 128, 200, 256])
    sizes |= {"q_len": queries, "q_tokens": queries + 28, "kv_len": keys, "kv_tokens": keys}
    known = {field.name for field in fields(spec)}
    return spec.replace(**{name: value for name, value in sizes.items() if name in known})


def gradient(seed: int) -> AttentionBackwardSpec:
    """The gradient of attention, with any combination of the features that have one."""
    pick = random.Random(seed)
    kv_heads = pick.choice([1, 2])
    values = {
        "batch": pick.choice([1, 2]),
        "num_q_heads": kv_heads * pick.choice([1, 2, 3]),
        "num_kv_heads": kv_heads,
        "head_dim": pick.choice([4, 8, 20, 64]),
        "value_dim": pick.choice([None, 12]),
        "io_dtype": pick.choice(["f32", "f16", "bf16"]),
        "q_len": pick.choice([1, 2, 7, 33, 70]),
        "kv_len": pick.choice([1, 5, 32, 77]),
        "causal": pick.random() < 0.5,
    }
    optional = {
        "softmax_scale": 0.3,
        "window": (pick.choice([None, 0, 3, 20]), pick.choice([None, 0, 2, 20])),
        "logits_soft_cap": pick.choice([2.0, 30.0]),
        "alibi": True,
        "bias": some_axes(pick, "bhqk"),
        "keep_mask": some_axes(pick, "bhqk"),
        "sinks": True,
        "alignment": "top_left",
        "dropout_p": 0.4,
    }
    values |= {key: value for key, value in optional.items() if pick.random() < 0.3}
    # As many as there are queries and keys, or more.
    most = 77
    tables = np.zeros((most, most), np.float32), np.zeros((values["num_q_heads"], most), bool)
    drawn = Drawn(seed, *tables, np.zeros(most, np.int32), depth=pick.choice([1, 2, 3]))
    functions = {"score_mod": drawn.score_mod, "mask_mod": drawn.mask_mod}
    values |= {name: one for name, one in functions.items() if pick.random() < 0.3}
    return AttentionBackwardSpec(**values)


def _sized_by_calls(
    pick: random.Random, kind: type[Spec], values: dict[str, Any]
) -> dict[str, Any]:
    """Some sizes that calls choose, now and then; a table's where no operand has its keys."""
    names = kind.dynamic_names if pick.random() < 0.4 else ()
    has_keys = "k" in (values.get("bias") or "") + (values.get("keep_mask") or "")
    fixed = {"max_blocks"} if has_keys else set()
    return {"dynamic": tuple(n for n in names if n not in fixed and pick.random() < 0.7)}


def packed_pages(seed: int) -> PackedPagedAttentionSpec:
    """Packed queries over pages with any features; most in sizes that lanes are written out for."""
    pick = random.Random(seed)
    kind = pick.choice([PackedPagedAttentionSpec, PackedPagedUpdateAttentionSpec])
    kv_heads = pick.choice([1, 2])
    values: dict[str, Any] = {
        "batch": pick.choice([1, 3, 5, 5]),
        "q_tokens": pick.choice([30, 90, 150, 210]),
        "num_q_heads": kv_heads * pick.choice([1, 3, 4]),
        "num_kv_heads": kv_heads,
        "head_dim": pick.choice([24, 64, 64, 128]),
        "io_dtype": pick.choice(["f32", "f16", "bf16", "f16", "bf16"]),
        "block_size": pick.choice([4, 16, 16]),
        "max_blocks": pick.choice([9, 20]),
        "num_blocks": 100,
        "layout": pick.choice(["HND", "NHD"]),
        "causal": pick.random() < 0.8,
    }
    optional = {
        "window": (pick.choice([0, 9, 40]), pick.choice([None, 2])),
        "logits_soft_cap": 30.0,
        "alibi": True,
        "bias": some_axes(pick, "hqk"),
        "keep_mask": some_axes(pick, "hqk"),
        "sinks": True,
        "return_lse": True,
        "alignment": "offsets",
    }
    values |= {name: value for name, value in optional.items() if pick.random() < 0.15}
    return kind(**values, **_sized_by_calls(pick, kind, values))


def some_axes(pick: random.Random, axes: str) -> str:
    return "".join(axis for axis in axes if pick.random() < 0.6) or "k"


# Blocks of scores, of which lengths have some, or a part.
_BLOCKS = ((1, 3), (7, 16), (16, 8), (128, 128))

# What fields of any op may be. Sizes that no tile divides are as likely as others.
_WIDTHS = (1, 3, 8, 20, 33, 64, 100, 130, 256)
_VALUES: dict[str, tuple[Any, ...]] = {
    "io_dtype": ("f32", "f16", "bf16"),
    "batch": (1, 2, 3),
    "q_len": (1, 1, 2, 5, 16, 33),
    "kv_len": (1, 5, 33, 64, 100),
    "q_tokens": (1, 7, 33),
    "kv_tokens": (1, 33, 77),
    "num_tokens": (1, 3, 16, 33),
    "rows": (1, 2, 5, 17, 33),
    "columns": _WIDTHS,
    "hidden_size": _WIDTHS,
    "intermediate_size": _WIDTHS,
    "vocab_size": (2, 33, 100, 256, 1001),
    "head_dim": (2, 8, 16, 20, 40, 64, 80),
    "in_columns": _WIDTHS,
    "out_columns": _WIDTHS,
    "num_heads": (1, 2, 4),
    "num_streams": (2, 3, 4),
    "num_coefficients": (2, 4, 16),
    "sparsity": (0.5, 0.95),
    "laurel_rank": (1, 8),
    "streams": (HiddenStreams(num_streams=2), HiddenStreams(num_streams=3, active=1)),
    "layer_input": (LayerInput(width=8, vocab_size=33),),
    "latent": (
        LatentSizes(kv_lora_rank=20, nope_dim=8, rope_dim=4, value_dim=8),
        LatentSizes(kv_lora_rank=64, q_lora_rank=33, nope_dim=16, rope_dim=16, value_dim=64),
    ),
    "key_dim": (2, 8, 20, 33, 64),
    "state_size": (4, 16, 20, 64),
    "num_v_heads": (1, 2, 4),
    "num_k_heads": (1, 2),
    "rank": (1, 5, 16),
    "step_norm_eps": (None, 1e-6),
    "channels": _WIDTHS,
    "kernel": (2, 3),
    "gate": ("head", "channel"),
    "experts": (
        Experts(num_experts=4, experts_per_token=2, intermediate_size=20),
        Experts(num_experts=3, experts_per_token=1, intermediate_size=33, scores="sigmoid"),
    ),
    "num_experts": (2, 8, 12),
    "experts_per_token": (1, 2, 3),
    "scores": ("softmax", "sigmoid"),
    "num_groups": (2, 4),
    "chosen_groups": (2,),
    "routed_scale": (0.5, 2.5),
    "shared_size": _WIDTHS,
    "value_dim": (24, 40),
    "block_size": (1, 4, 16, 32),
    "num_blocks": (7, 40),
    "max_blocks": (1, 2, 5),
    "new_tokens": (1, 3, 33),
    "max_pages": (1, 2, 5),
    "num_pages": (7, 40),
    "blocks_per_page": (1, 2, 4),
    "max_positions": (64, 200),
    "max_block_positions": (64, 200),
    "rotary_dim": (2, 8, 16),
    "rope_style": ("rotate_half", "interleaved"),
    "activation": ACTIVATIONS,
    "layout": ("HND", "NHD"),
    "alignment": ALIGNMENTS,
    "window": ((3, None), (0, 2), (20, 0)),
    "softmax_scale": (0.3, 1.0),
    "logits_soft_cap": (2.0, 30.0),
    "bias": ("hqk", "k", "bq"),
    "keep_mask": ("hqk", "k", "bq"),
    "offset": (1, 2),
    "norm_offset": (0.0, 1.0),
    "norm_kind": NORM_KINDS,
    "parallel_mlp": PARALLEL_MLPS,
    "residual_scale": (0.25, 3.0),
    "qkv_clip": (0.5, 3.0),
    "temperature": (0.1, 2.0),
    "temperature_tokens": (1, 9),
    "temperature_offset": (1, 5),
    "scale": (1.0, 8.0),
}


def any_op(seed: int) -> Spec:
    """A spec of any op, each as likely as another."""
    pick = random.Random(seed)
    return _of_kind(pick, pick.choice(_kinds()))


def of_op(op: str) -> Callable[[int], Spec]:
    """What draws specs of one op, or of a name below; SpecError for what is neither."""
    named = {
        "any_attention": attention,
        "lanes_attention": lanes_attention,
        "latent_attention": latent_attention,
        "packed_pages": packed_pages,
        "gradient": gradient,
    }
    if op in named:
        return named[op]
    kinds = {kind.op: kind for kind in _kinds()}
    if op not in kinds:
        raise SpecError(f"op: expected one of {', '.join([*named, *kinds])}, got {op}")
    return lambda seed: _of_kind(random.Random(seed), kinds[op])


def latent_attention(seed: int) -> Spec:
    """Attention over latents in pages, of paged or packed queries, that writes them or does not."""
    pick = random.Random(seed)
    is_packed = pick.random() < 0.5
    kinds = _PACKED_LATENTS if is_packed else _LATENTS
    head_dim, value_dim = pick.choice([(40, 32), (24, 16), (20, 12), (80, 64), (320, 256)])
    queries = pick.choice([1, 1, 2, 5, 17, 33])
    values: dict[str, Any] = {
        "q_tokens" if is_packed else "q_len": queries,
        "batch": pick.choice([1, 2, 3]),
        "num_q_heads": pick.choice([1, 2, 4, 7, 16]),
        **{"num_kv_heads": 1, "head_dim": head_dim, "value_dim": value_dim, "latent_cache": True},
        "io_dtype": pick.choice(["f32", "f16", "bf16"]),
        "block_size": pick.choice([1, 4, 16, 32]),
        **{"num_blocks": 40, "max_blocks": pick.choice([1, 2, 5])},
        "causal": pick.random() < 0.7,
    }
    optional = {"window": (20, None), "logits_soft_cap": 30.0, "softmax_scale": 0.3}
    values |= {name: value for name, value in optional.items() if pick.random() < 0.2}
    return pick.choice(kinds)(**values)


def _kinds() -> list[type[Spec]]:
    """The specs of all ops."""
    return [getattr(irattn, name) for name in SPEC_NAMES if name != "Spec"]


def _of_kind(pick: random.Random, kind: type[Spec]) -> Spec:
    while True:
        try:
            return _drawn(pick, kind)
        except SpecError:
            # Not all values go together.
            continue


def _drawn(pick: random.Random, kind: type[Spec]) -> Spec:
    values: dict[str, Any] = {}
    for field in fields(kind):
        is_needed = field.default is MISSING
        if is_needed or field.name in ("io_dtype", "batch") or pick.random() < 0.25:
            values |= _value(pick, kind, field)
    if "num_q_heads" in values and "num_kv_heads" in values:
        values["num_q_heads"] = values["num_kv_heads"] * pick.choice([1, 2, 3])
    return kind(**values)


def _mask(pick: random.Random) -> Callable[..., Any]:
    """A function that hides scores, with arrays of as many heads, queries and keys, or more."""
    heads, most = 7, 128
    tables = np.zeros((most, most), np.float32), np.zeros((heads, most), bool)
    return Drawn(pick.randrange(1 << 20), *tables, np.zeros(most, np.int32), depth=2).mask_mod


def _value(pick: random.Random, kind: type[Spec], field: "Field[Any]") -> dict[str, Any]:
    """A value by the field's name; none for those that are drawn nowhere, such as scalings."""
    if field.name in ("num_q_heads", "num_kv_heads"):
        return {field.name: pick.choice([1, 2, 3, 7])}
    if field.name == "attention":
        return {field.name: _drawn(pick, irattn.PagedAttentionSpec)}
    if field.name == "dynamic":
        names = getattr(kind, "dynamic_names", ())
        return {field.name: tuple(name for name in names if pick.random() < 0.5)}
    if isinstance(field.default, bool):
        return {field.name: not field.default}
    if field.name == "mask_mod" and field.default is MISSING:
        return {field.name: _mask(pick), "mask_blocks": pick.choice(_BLOCKS)}
    if field.name in _VALUES:
        return {field.name: pick.choice(_VALUES[field.name])}
    if field.default is MISSING:
        raise KeyError(f"{kind.__name__}.{field.name}: say in _VALUES what it may be")
    return {}
