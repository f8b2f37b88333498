"""The `quantization_config` of a model."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from irattn.core.errors import ConfigError, shown
from irattn.models.values import Fields
from irattn.models.word_weights import WordWeights

KEY = "quantization_config"
_BLOCK = (128, 128)
_WORDS = "pack-quantized"
_FORMS = ("checkpoint_format", "format")
_INT8, _FP8, _FP8_BLOCK = "int8_channel", "fp8_channel", "fp8_block"


@dataclass(frozen=True)
class QuantisedWeights:
    """The format of a model's quantised weights, as its files have them.

    `scale` is what follows the name of a part where its scales are. `ignored` are the parts that
    are not quantised: a name, the end of one or all that begins with one, or `re:` and a pattern.
    `mxfp4` is that of experts alone. `words` are those of whole numbers in words of 32 bits.
    """

    format: str
    scale: str
    ignored: tuple[str, ...]
    words: WordWeights | None = None

    @property
    def misfit(self) -> str:
        """The word for what no graph takes of the weights; empty where graphs take them."""
        return self.words.misfit if self.words else ""

    def has(self, part: str) -> bool:
        """Whether a part of that name is quantised."""
        return not any(_means(one, part) for one in self.ignored)


def quantised_weights(fields: Fields) -> QuantisedWeights | None:
    """The quantisation that a config states of its weights; None where they are plain.

    ConfigError, naming what is not known, for others than weights of 4 or 8 bits.
    """
    said = fields.get(KEY)
    if said is None:
        return None
    if not isinstance(said, Mapping):
        raise ConfigError(f"{KEY}: expected an object, got {shown(said)}")
    method = said.get("quant_method")
    if not isinstance(method, str) or method not in _METHODS:
        raise ConfigError(
            f"{KEY}.quant_method: expected one of {', '.join(_METHODS)}, got {shown(method)}; give "
            "the folder of the model that is not quantised, or a GGUF file"
        )
    return _METHODS[method](said)


def _mxfp4(said: Fields) -> QuantisedWeights:
    return QuantisedWeights("mxfp4", "_scales", _names(said, "modules_to_not_convert"))


def _fp8(said: Fields) -> QuantisedWeights:
    """Squares of 128 x 128, as DeepSeek-V3 has them."""
    block = said.get("weight_block_size")
    if block is None or not isinstance(block, Sequence) or tuple(block) != _BLOCK:
        raise _unlike("weight_block_size", list(_BLOCK), block)
    # The second is PyTorch's name of the type, as MiniMax M2 has it.
    _check(said, fmt=(None, "e4m3", "float8_e4m3fn"), activation_scheme=(None, "dynamic"))
    return QuantisedWeights(_FP8_BLOCK, ".weight_scale_inv", _names(said, "modules_to_not_convert"))


def _compressed(said: Fields) -> QuantisedWeights:
    """One group, of all linear parts; compressed-tensors has a scheme for each group."""
    formats = ("int-quantized", "float-quantized", "naive-quantized", _WORDS)
    _check(said, format=(None, *formats), quantization_status=(None, "compressed", "frozen"))
    _check(said, kv_cache_scheme=(None,), sparsity_config=(None, {}), transform_config=(None, {}))
    groups = said.get("config_groups")
    if not isinstance(groups, Mapping) or len(groups) != 1:
        raise _unlike("config_groups", "one group", groups)
    (name, group), *_ = groups.items()
    group = group if isinstance(group, Mapping) else {}
    before = f"config_groups.{shown(name)}."
    _check(group, before, targets=(["Linear"],), output_activations=(None,))
    activations = group.get("input_activations")
    if activations is not None:
        # Rounded by what a call brings: that is a way to run the model, and no part of it.
        given = activations if isinstance(activations, Mapping) else {}
        _check(given, f"{before}input_activations.", dynamic=(True,), num_bits=(8,))
    weights = group.get("weights")
    weights = weights if isinstance(weights, Mapping) else {}
    before += "weights."
    ignored = _names(said, "ignore")
    if said.get("format") == _WORDS:
        return _of_words(_packed(weights, before), ignored)
    _check(weights, before, num_bits=(8,), type=("int", "float"))
    # Of floats there is nothing to be symmetric.
    _check(weights, before, dynamic=(None, False), actorder=(None,), symmetric=(None, True))
    return QuantisedWeights(_scheme(weights, before), ".weight_scale", ignored)


def _packed(weights: Fields, before: str) -> WordWeights:
    """The words of compressed-tensors, which count from the middle of the numbers."""
    _check(weights, before, num_bits=(4, 8), type=("int",), dynamic=(None, False))
    _check(weights, before, strategy=("group", "channel"), symmetric=(None, True, False))
    # Others than the first three order columns while they are quantised, and put them back.
    orders = (None, False, "weight", "static", True, "group", "dynamic")
    _check(weights, before, actorder=orders)
    group = None
    if weights["strategy"] == "group":
        group = _group(weights, before)
    has_order = weights.get("actorder") in (True, "group", "dynamic")
    has_zeros = weights.get("symmetric") is False
    return WordWeights(_WORDS, weights["num_bits"], group, has_zeros, has_order)


def _gptq(said: Fields) -> QuantisedWeights:
    """GPTQ's words; the first form has zero points less one."""
    _check(said, bits=(4, 8), desc_act=(None, False, True), sym=(None, True, False))
    _check(said, pack_dtype=(None, "int32"))
    _check(said, dynamic=(None, {}), is_marlin_format=(None, False), lm_head=(None, False, True))
    words = WordWeights(
        "gptq",
        said["bits"],
        _group(said),
        has_zeros=said.get("sym") is False,
        has_order=said.get("desc_act") is True,
        zero_step=0 if _gptq_form(said) == "gptq_v2" else 1,
    )
    return _of_words(words, ())


def _gptq_form(said: Fields) -> str:
    """The form of GPTQ's words, by either of its keys, of which tools write one or both."""
    known = (None, "gptq", "gptq_v2")
    _check(said, checkpoint_format=known, format=known)
    one, *others = [said[key] for key in _FORMS if said.get(key) is not None] or ["gptq"]
    if others not in ([], [one]):
        raise _unlike("format", one, others[0])
    return str(one)


def _awq(said: Fields) -> QuantisedWeights:
    """AWQ's words of its kernels `gemm`, the only ones that models are published for."""
    known = (None, "gemm", "GEMM")
    _check(said, version=known, checkpoint_format=known, format=known)
    _check(said, bits=(4,), zero_point=(True,))
    words = WordWeights("awq", said["bits"], _group(said), has_zeros=True)
    return _of_words(words, _names(said, "modules_to_not_convert"))


def _of_words(words: WordWeights, ignored: tuple[str, ...]) -> QuantisedWeights:
    return QuantisedWeights(words.format, "", ignored, words)


def _group(said: Fields, before: str = "") -> int | None:
    """The columns of a group; None where -1 says that a row is one."""
    group = said.get("group_size")
    if type(group) is not int or (group < 1 and group != -1):
        raise _unlike(f"{before}group_size", "a number of columns, or -1 for whole rows", group)
    return None if group == -1 else group


def _scheme(weights: Fields, before: str) -> str:
    is_int = weights["type"] == "int"
    if weights.get("strategy") == "block" and not is_int:
        block = weights.get("block_structure")
        if not isinstance(block, Sequence) or tuple(block) != _BLOCK:
            raise _unlike(f"{before}block_structure", list(_BLOCK), block)
        return _FP8_BLOCK
    _check(weights, before, strategy=("channel", "tensor"), group_size=(None,))
    return _INT8 if is_int else _FP8


_METHODS: dict[str, Callable[[Fields], QuantisedWeights]] = {
    "awq": _awq,
    "compressed-tensors": _compressed,
    "fp8": _fp8,
    "gptq": _gptq,
    "mxfp4": _mxfp4,
}


def _check(fields: Fields, before: str = "", **known: tuple[Any, ...]) -> None:
    """ConfigError for keys whose values are none of those."""
    for key, values in known.items():
        value = fields.get(key)
        if not any(type(value) is type(one) and value == one for one in values):
            raise _unlike(f"{before}{key}", values[0] if len(values) == 1 else values, value)


def _unlike(key: str, wanted: Any, value: object) -> ConfigError:
    words = wanted
    if isinstance(wanted, tuple):
        words = " or ".join("none" if one is None else str(one) for one in wanted)
    words = "none" if wanted is None else words
    return ConfigError(f"{KEY}.{key}: expected {words}, got {shown(value)}")


def _names(said: Fields, key: str) -> tuple[str, ...]:
    names = said.get(key) or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ConfigError(f"{KEY}.{key}: expected a list of names, got {shown(names)}")
    for name in names:
        if name.startswith("re:"):
            _pattern(key, name[3:])
    return tuple(names)


def _pattern(key: str, text: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise ConfigError(f"{KEY}.{key}: {text!r} is no pattern: {error}") from error


def _means(ignored: str, part: str) -> bool:
    if ignored.startswith("re:"):
        return re.match(ignored[3:], part) is not None
    # GPT-OSS's names have stars in the place of numbers.
    name = re.escape(ignored).replace(r"\*", r"[^.]*")
    return re.search(rf"(?:^|\.){name}(?:\.|$)", part) is not None
