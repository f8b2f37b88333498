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
_HAN, _KOREAN = "\u4e00-\u9fa5", "\uac00-\ud7ff"
_KANA = "\u3040-\u309f\u30a0-\u30ff"
# Letters that are large or small, as DeepSeek's files list them.
_CASED = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af"
    "\u0370-\u0373\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1"
    "\u03a3-\u03f5\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd"
    "\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d"
    "\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4"
    "\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec"
    "\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128"
    "\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b"
    "\u2c7e-\u2ce4\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787"
    "\ua78b-\ua78e\uab70-\uabbf\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a"
    "\U00010400-\U0001044f\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010c80-\U00010cb2"
    "\U00010cc0-\U00010cf2\U000118a0-\U000118df\U0001e900-\U0001e943"
)
_DEEPSEEK = (rf"[{_HAN}\u0800-\u4e00{_KOREAN}]+", r"\p{N}")
_DEEPSEEK_LLM = SplitRules(
    (
        r"[\r\n]",
        rf"\s?[{_CASED}]+",
        "\\s?[!-/:-~\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+",
        r"\s+$",
        *_DEEPSEEK,
    )
)
_DEEPSEEK_CODER = SplitRules((r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", *_DEEPSEEK))
# By case as GPT-4o, but Han apart.
_NOT_HAN = r"&&[^\p{Han}]"
_KIMI_UPPER, _KIMI_LOWER = (f"{one[:-1]}{_NOT_HAN}]" for one in (_UPPER, _LOWER))
_KIMI_2 = SplitRules(
    (
        rf"[\p{{Han}}]+|{_BY_CASE}{_KIMI_UPPER}*{_KIMI_LOWER}+{_CONTRACTIONS}?"
        rf"|{_BY_CASE}{_KIMI_UPPER}+{_KIMI_LOWER}*{_CONTRACTIONS}?"
        rf"|\p{{N}}{{1,3}}|{_OTHERS}|{_REST}",
    )
)
_YOUTU = SplitRules(
    (
        "[\uac00-\ud7a3\u3131-\u318e]+"
        "|[\uff01\u2026\u201c\u201d\u2018\u2019\u2014\uff1a\uff1b\uff0c\u3001-\u303f\ufe30-\ufe4f]+"
        f"|[\u3105-\u312f]+|[{_HAN}{_KANA}]+",
        f"{_BY_CASE}{_UPPER}*{_LOWER}+{_CONTRACTIONS}?|{_BY_CASE}{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
        f"|\\p{{N}}|{_PATHS}|{_REST}",
    ),
    keeps_words=True,
)
# Digits in threes, counted from the last one.
_AFMOE = SplitRules(
    (
        r"\p{N}{1,3}(?=(?:\p{N}{3})*(?!\p{N}))",
        f"[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff{_KANA}\uff65-\uff9f\u2f00-\u2fdf\u0e40-\u0e7f"
        "\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\uac00-\ud7af\u1100-\u11ff]+",
        _DEEPSEEK_3.splits[-1],
    )
)
_TINY_AYA = SplitRules((r"\d{1,3}(?=(?:\d{3})*\b)", *_GPT_4O.splits))
_BAILING = SplitRules(
    (
        rf"'(?i:[sdmt]|ll|ve|re)|{_WORDS}|\p{{N}}|{_OTHERS}"
        r"|\s*[\r\n]|\s+(?!\S)|\s+",
    )
)
_MINICPM_5 = SplitRules(
    (r"\p{N}{1,3}", f"{_CONTRACTIONS}|{_WORDS}|\\p{{N}}+|{_OTHERS}|{_REST}"), keeps_words=True
)
# All but spaces and the marks that end sentences.
_BLOOM = SplitRules((" ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+",))
_DIGITS = SplitRules((r"\p{N}", _GPT_2))
# Of so many spaces at once, the most first.
_SPACES = "|".join(rf"\s{{{2**power}}}(?!\S)" for power in range(9, 1, -1))
_JAIS_2 = SplitRules(
    (
        f"{_CONTRACTIONS}|{_WORDS}|\\p{{N}}{{1,3}}|{_OTHERS}|\\s*[\\r\\n]+"
        rf"|{_SPACES}|\s{{1,2}}(?!\S)|\s",
    )
)
# Qwen 2's without English contractions, so that what follows a Turkish apostrophe stays together.
_UFAKZEKA = SplitRules((f"{_WORDS}|\\p{{N}}|{_OTHERS}|{_REST}",))
# llama.cpp's, for files without a name of their rules.
_DEFAULT = SplitRules((r"[\p{P}\$\+<=>\^~\|]+", _GPT_2, r"\p{N}+", r"[0-9][0-9][0-9]"))

SPLIT_RULES: dict[str, SplitRules] = {
    "default": _DEFAULT,
    **dict.fromkeys(("gpt-2", "phi-2", "mpt", "exaone4"), SplitRules((_GPT_2,))),
    "olmo": SplitRules((_GPT_2,), composes=True),
    **dict.fromkeys(("a.x-4.0", "gigachat", "jais", "mellum", "trillion"), SplitRules((_GPT_2,))),
    **dict.fromkeys(("falcon-h1", "midm-2.0"), _LLAMA_3),
    **dict.fromkeys(("chatglm-bpe", "glm4"), replace(_LLAMA_3, keeps_words=False, begins=False)),
    **dict.fromkeys(("bloom", "gpt3-finnish", "poro-chat"), _BLOOM),
    **dict.fromkeys(("deepseek-v3", "hunyuan-dense", "hy_v4", "joyai-llm"), _DEEPSEEK_3),
    "afmoe": _AFMOE,
    **dict.fromkeys(("bailingmoe", "bailingmoe2", "llada-moe"), _BAILING),
    "deepseek-coder": _DEEPSEEK_CODER,
    "deepseek-llm": _DEEPSEEK_LLM,
    "exaone-moe": _K_EXAONE,
    "granite-docling": SplitRules((_GPT_2,)),
    "jais-2": _JAIS_2,
    "kimi-k2": _KIMI_2,
    "minicpm5": _MINICPM_5,
    **dict.fromkeys(("cohere2moe", "tiny_aya"), _TINY_AYA),
    "viking": SplitRules((*_BLOOM.splits, r"\p{N}")),
    "youtu": _YOUTU,
    "falcon": SplitRules((r"[\p{P}\$\+<=>\^~\|`]+", _GPT_2, r"[0-9][0-9][0-9]")),
    **dict.fromkeys(("grok-2", "solar-open"), replace(_QWEN_2, composes=False)),
    "hunyuan": _QWEN_2,
    "minimax-m2": _GPT_4O,
    "qwen35": _QWEN_35,
    "seed-coder": _SEED,
    "ufakzeka": _UFAKZEKA,
    **dict.fromkeys(("llama3", "llama-v3", "llama-bpe", "falcon3", "lfm2", "pixtral"), _LLAMA_3),
    **dict.fromkeys(("dbrx", "smaug-bpe"), replace(_LLAMA_3, keeps_words=False, begins=False)),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen"), _QWEN_2),
    **dict.fromkeys(("stablelm2", "megrez", "kormo", "f2llmv2"), replace(_QWEN_2, composes=False)),
    "tekken": _TEKKEN,
    **dict.fromkeys(("gpt-4o", "llama4", "kanana2", "talkie"), _GPT_4O),
    "command-r": replace(_DIGITS, composes=True),
    **dict.fromkeys(("smollm", "starcoder", "refact", "codeshell"), _DIGITS),
    **dict.fromkeys(("exaone", "minerva-7b", "mellum2"), _DIGITS),
}
