"""Which keys of a file pass: those that a family reads, and those that leave attention alone."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.families.defaults import CLASS_DEFAULTS
from irattn.models.families.family import FILE, ModelFamily, Wrapper
from irattn.models.families.keys import HARMLESS, is_off, sounds_like_attention
from irattn.models.missing import MISSING, lacking_layers
from irattn.models.names import HEADS, HIDDEN, KV_HEADS, LAYERS, ONE_MEANING, SYNONYMS
from irattn.models.values import Fields, missing

# Features that irattn does not have, by the key that asks for them.
_FEATURES = {
    "altup_num_inputs": "several hidden states beside one another",
    "attention_chunk_size": "chunked attention",
    "attention_k_eq_v": "values that are the keys",
    "attention_sink_size": "first tokens that stay inside of every window",
    "attn_config": "attention settings of its own kind",
    "blocksparse_block_size": "block-sparse attention",
    "global_head_dim": "heads of another size in layers that see all keys",
    "hidden_size_per_layer_input": "embeddings of every layer",
    "hybrid_override_pattern": "layers without attention",
    "is_encoder_decoder": "encoder-decoder attention",
    "per_layer_config": "layers of different sizes",
    "kv_lora_rank": "latent attention",
    "llama_4_scaling_beta": "a softmax scale per position",
    "num_global_key_value_heads": "other heads in layers that see all keys",
    "num_kv_shared_layers": "layers that take keys and values from others",
    "position_encoding_2d": "a prefix that is seen both ways",
    "prefix_lm": "a prefix that is seen both ways",
    "relative_attention": "relative positions in the logits",
    "relative_attention_num_buckets": "relative positions in the logits",
    "scale_attn_by_inverse_layer_idx": "a softmax scale per layer",
    "use_relative_position_bias": "relative positions in the logits",
}

# What the settings of rotary positions have; what else is there is not known.
_ROPE_SECTIONS = ("rope_parameters", "rope_scaling")
_ROPE = frozenset(
    {
        *("attention_factor", "beta_fast", "beta_slow", "factor", "high_freq_factor"),
        *("long_factor", "low_freq_factor", "mscale", "mscale_all_dim"),
        *("original_max_position_embeddings", "partial_rotary_factor", "rope_theta"),
        *("finetuned", "max_position_embeddings", "rope_type", "short_factor", "truncate", "type"),
    }
)
# Of positions along several axes and of scalings that only attention alone can do without.
_ROPE_OTHER = frozenset(
    {
        *("alpha", "long_mscale", "mrope_interleaved", "mrope_section", "short_mscale"),
        *("xdrope_section",),
    }
)


# Lists of the kinds of layers, and what they say where all layers see all keys.
_ALL_ALIKE: dict[str, tuple[Any, ...]] = {
    "attn_type_list": (1,),
    "layer_types": ("full_attention",),
    "layers_block_type": ("attention",),
    "use_sliding_window": (False,),
}

# What other families call their sizes, which their names do not always tell.
_SIZES = frozenset((*HIDDEN, *HEADS, *KV_HEADS, *LAYERS))

# What stands beside a language model.
_AROUND = frozenset({"hidden_size", "vision_feature_layer", "vision_feature_select_strategy"})

# One level of a file, whose it is, and whether that is of the type that the file says.
Level = tuple[Fields, ModelFamily | Wrapper, bool]


def check_keys(levels: Collection[Level]) -> None:
    """ConfigError for keys that their family has no place for, and for a type without a family."""
    refused: dict[str, str] = {}
    for fields, family, _ in levels:
        if isinstance(family, Wrapper):
            family = ModelFamily(reads=FILE, harmless=family.harmless | _AROUND)
        refused |= _refused(fields, family)
    unknown = [fields["model_type"] for fields, _, is_known in levels if not is_known]
    missing = [one for one in unknown if one in MISSING]
    if refused or unknown:
        # Layers that are missing say what all keys are for.
        why = [*map(lacking_layers, missing)] or [*_why(refused), *map(_unknown, unknown)]
        names = [*refused, *(["model_type"] if unknown else [])]
        options = " ".join(f"--ignore-key {_word(name)}" for name in names)
        aim = "compile attention alone, for its layers that attend," if missing else "go on"
        them = "it" if len(names) == 1 else "them"
        raise ConfigError(
            f"{'; '.join(why)}. "
            f"To {aim} as if the file did not have {them}: {options} (ignore_keys)"
        )


def check_flags(fields: Fields, model_type: str | None) -> None:
    """ConfigError for a text, a list or a mapping where transformers' class has a flag.

    A text such as "false" would be true. Laguna's `gating` says in words whose gates it has, too.
    """
    flags = {"tie_word_embeddings": True, **CLASS_DEFAULTS.get(model_type or "", {})}
    for key, value in fields.items():
        is_flag = isinstance(flags.get(key), bool) and key != "gating"
        if is_flag and isinstance(value, str | list | Mapping):
            raise ConfigError(f"{key}: expected true or false, got {shown(value)}")


def _unknown(model_type: str) -> str:
    return (
        f"model_type: {model_type:.60}: a type that irattn does not know, so that it cannot tell "
        "what the keys mean to it"
    )


def _refused(fields: Fields, family: ModelFamily) -> dict[str, str]:
    """Refused keys of a file, and of each why, or nothing where that is not known."""
    refused = {key: value for key, value in fields.items() if _is_refused(key, value, family)}
    refused |= dict(_refused_of_rope(fields, family))
    return {key: _reason(key, value, family) for key, value in refused.items()}


def _reason(key: str, value: Any, family: ModelFamily) -> str:
    if key in _FEATURES:
        return f"{key}: {shown(value)} asks for {_FEATURES[key]}, which irattn does not have yet"
    if key in family.only:
        # 1 and 1.0 are one value.
        allowed = " or ".join(map(shown, dict.fromkeys(family.only[key]))) or "null"
        return (
            f"{key}: expected {allowed}, all that irattn has of its model_type, got {shown(value)}"
        )
    return ""


def _is_refused(key: str, value: Any, family: ModelFamily) -> bool:
    if key in family.reads | family.harmless:
        return False
    # Before what is harmless elsewhere.
    if key in family.only:
        return _has_others(value, family.only[key])
    if key in HARMLESS:
        return False
    if key in _FEATURES:
        return bool(value)
    if key in _ALL_ALIKE:
        return _has_others(value, _ALL_ALIKE[key])
    return (key in _SIZES or sounds_like_attention(key)) and not is_off(key, value)


def _has_others(value: Any, allowed: tuple[Any, ...]) -> bool:
    """Whether a key is set to something else than those values, or lists something else."""
    entries = value if isinstance(value, list) else [value]
    return value is not None and any(entry not in allowed for entry in entries)


def _refused_of_rope(fields: Fields, family: ModelFamily) -> Iterator[tuple[str, Any]]:
    known = (_ROPE if family.layer else _ROPE | _ROPE_OTHER) - set(family.only) | family.reads
    for name in _ROPE_SECTIONS:
        section = fields.get(name)
        if not isinstance(section, Mapping):
            continue
        kinds = [value for value in section.values() if isinstance(value, Mapping)] or [section]
        for settings in kinds:
            for key, value in settings.items():
                if key not in known and value not in (*family.only.get(key, ()), None, False, 0):
                    yield key, value


def _why(refused: Mapping[str, str]) -> list[str]:
    """The reasons of keys, and the names of those without one."""
    others = ", ".join(_word(key) for key, reason in refused.items() if not reason)
    unknown = [f"{others}: irattn does not know what attention becomes of it"] if others else []
    return [*filter(None, refused.values()), *unknown]


def _word(key: object) -> str:
    """A key in a message; in Python it need be no text."""
    return key if isinstance(key, str) else shown(key)


def filled(fields: Fields, model_type: str | None, family: ModelFamily) -> dict[str, Any]:
    """The keys that a family reads of a file, with its code's defaults for those left out."""
    for names in family.needs:
        if all(fields.get(name) in (None, [], {}) for name in names):
            raise missing(" or ".join(names))
    if family.layer:
        _refuse_words_that_differ(fields, family)
    own = {key: value for key, value in fields.items() if key in family.reads}
    said = {
        key for names in SYNONYMS if any(own.get(n) is not None for n in names) for key in names
    }
    defaults = {**CLASS_DEFAULTS.get(model_type or "", {}), **family.defaults}
    return {**{key: value for key, value in defaults.items() if key not in said}, **own}


def _refuse_words_that_differ(fields: Fields, family: ModelFamily) -> None:
    """ConfigError where a file says two things of one: which of them counts, each code decides."""
    for names in ONE_MEANING:
        said = {name: _of_all(fields[name]) for name in names if fields.get(name) is not None}
        first, *others = said.values() or (None,)
        if not family.reads.isdisjoint(names) and any(other != first for other in others):
            words = " and ".join(shown(value) for value in said.values())
            raise ConfigError(
                f"{', '.join(said)}: expected the same, as they mean the same, got {words}"
            )


def _of_all(value: Any) -> Any:
    """The value of every layer, where a list has the same for all."""
    is_same = isinstance(value, list) and value and all(one == value[0] for one in value)
    return value[0] if is_same else value


def without_ignored(fields: Fields, ignored: Collection[str]) -> dict[str, Any]:
    """The file less some keys, wherever they stand."""
    return {
        key: without_ignored(value, ignored) if isinstance(value, Mapping) else value
        for key, value in fields.items()
        if key not in ignored
    }


def all_keys(fields: Fields) -> set[str]:
    """The keys of a file, and those of its parts."""
    parts = [all_keys(value) for value in fields.values() if isinstance(value, Mapping)]
    return set(fields).union(*parts)
