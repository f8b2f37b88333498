"""How texts are split before pairs are merged, by the names that GGUF files have for it.

The expressions are those of the models' own tokenizer.json, which the `tokenizers` package runs.
"""

from dataclasses import dataclass, replace

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_OTHERS = r" ?[^\s\p{L}\p{N}]+[\r\n]*"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_BY_CASE = r"[^\r\n\p{L}\p{N}]?"
_PATHS = r" ?[^\s\p{L}\p{N}]+[\r\n/]*"
_GPT_2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


@dataclass(frozen=True)
class SplitRules:
    """How a text is split before pairs are merged, one expression after the other.

    `composes`: letters and their marks become one first. `keeps_words`: a word that is a token is
    one, whatever the merges. `begins`: a token begins each text, unless the file says otherwise.
    """

    splits: tuple[str, ...]
    composes: bool = False
    keeps_words: bool = False
    begins: bool = False


_LLAMA_3 = SplitRules(
    (f"{_CONTRACTIONS}|{_WORDS}|\\p{{N}}{{1,3}}|{_OTHERS}|{_REST}",), keeps_words=True, begins=True
)
_QWEN_2 = SplitRules((f"{_CONTRACTIONS}|{_WORDS}|\\p{{N}}|{_OTHERS}|{_REST}",), composes=True)
_TEKKEN = SplitRules(
    (f"{_BY_CASE}{_UPPER}*{_LOWER}+|{_BY_CASE}{_UPPER}+{_LOWER}*|\\p{{N}}|{_PATHS}|{_REST}",),
    keeps_words=True,
    begins=True,
)
_GPT_4O = SplitRules(
    (
        f"{_BY_CASE}{_UPPER}*{_LOWER}+{_CONTRACTIONS}?|{_BY_CASE}{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
        f"|\\p{{N}}{{1,3}}|{_PATHS}|{_REST}",
    )
)
_QWEN_35 = SplitRules(
    (
        f"{_CONTRACTIONS}|[^\\r\\n\\p{{L}}\\p{{N}}]?[\\p{{L}}\\p{{M}}]+|\\p{{N}}"
        f"| ?[^\\s\\p{{L}}\\p{{M}}\\p{{N}}]+[\\r\\n]*|{_REST}",
    ),
    composes=True,
)
_SEED = SplitRules((f"{_CONTRACTIONS}|{_WORDS}|\\p{{N}}| ?[^\\s\\p{{L}}\\p{{N}}\\r\\n]+|{_REST}",))
# Words may have single spaces between them.
_K_EXAONE = SplitRules(
    (
        f"{_CONTRACTIONS}|{_BY_CASE}(?:\\p{{L}}\\p{{M}}*(?: \\p{{L}}\\p{{M}}*)*)+|\\p{{N}}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+",
    )
)
_DEEPSEEK_3 = SplitRules(
    (
        r"\p{N}{1,3}",
        "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
        r"[!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
        rf"| ?[\p{{P}}\p{{S}}]+[\r\n]*|{_REST}",
    )
)
_DIGITS = SplitRules((r"\p{N}", _GPT_2))
# llama.cpp's, for files without a name of their rules.
_DEFAULT = SplitRules((r"[\p{P}\$\+<=>\^~\|]+", _GPT_2, r"\p{N}+", r"[0-9][0-9][0-9]"))

SPLIT_RULES: dict[str, SplitRules] = {
    "default": _DEFAULT,
    **dict.fromkeys(("gpt-2", "phi-2", "mpt", "olmo", "exaone4"), SplitRules((_GPT_2,))),
    **dict.fromkeys(("a.x-4.0", "gigachat", "jais", "mellum", "trillion"), SplitRules((_GPT_2,))),
    **dict.fromkeys(("falcon-h1", "midm-2.0"), _LLAMA_3),
    **dict.fromkeys(("chatglm-bpe", "glm4"), replace(_LLAMA_3, keeps_words=False, begins=False)),
    **dict.fromkeys(("deepseek-v3", "hunyuan-dense", "joyai-llm"), _DEEPSEEK_3),
    "exaone-moe": _K_EXAONE,
    "falcon": SplitRules((r"[\p{P}\$\+<=>\^~\|`]+", _GPT_2, r"[0-9][0-9][0-9]")),
    **dict.fromkeys(("grok-2", "solar-open"), replace(_QWEN_2, composes=False)),
    "hunyuan": _QWEN_2,
    "minimax-m2": _GPT_4O,
    "qwen35": _QWEN_35,
    "seed-coder": _SEED,
    **dict.fromkeys(("llama3", "llama-v3", "llama-bpe", "falcon3", "lfm2", "pixtral"), _LLAMA_3),
    **dict.fromkeys(("dbrx", "smaug-bpe"), replace(_LLAMA_3, keeps_words=False, begins=False)),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), _QWEN_2),
    **dict.fromkeys(("stablelm2", "megrez"), replace(_QWEN_2, composes=False)),
    "tekken": _TEKKEN,
    **dict.fromkeys(("gpt-4o", "llama4", "kanana2"), _GPT_4O),
    **dict.fromkeys(("smollm", "starcoder", "refact", "command-r", "codeshell"), _DIGITS),
    **dict.fromkeys(("exaone", "minerva-7b", "mellum2"), _DIGITS),
}
