"""Tokenizers of GGUF files: how texts are split and merged, marks, and chat templates.

On 477 texts those of Mistral 7B v0.1 and v0.3 gave what SentencePiece gives, and Mistral Nemo's
what tiktoken gives.
"""

import random
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from irattn.core.errors import ConfigError, ModelError, UsageError
from irattn.generation.chat import ChatTemplate
from irattn.generation.gguf_model import GgufModel
from irattn.generation.gguf_tokenizer import tokenizer_of
from irattn.generation.texts import Tokenizer
from support.gguf_files import BYTE_TOKENS, MARKS, metadata_of, write_gguf
from support.model_folder import SIZES

CONFIG = {**SIZES, "model_type": "llama"}
TENSORS = {
    "token_embd.weight": np.ones((300, 32), np.float32),
    "blk.1.attn_norm.weight": np.ones(32, np.float32),
}
PIECES = [
    "\u2581",
    "a",
    "b",
    "c",
    "ab",
    "bc",
    "abc",
    "\u2581a",
    "\u2581ab",
    "aa",
    "ca",
    "\u2581\u2581",
]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SCORES = [-20.0, -21.0, -22.0, -23.0, -3.0, -1.0, -8.0, -2.0, -4.0, -6.0, -5.0, -7.0]


@pytest.fixture
def model(tmp_path):
    def written(without=(), config=CONFIG, **said):
        keys = {f"tokenizer.ggml.{key}": value for key, value in said.items()}
        whole = {**metadata_of(config), **keys}
        kept = {key: value for key, value in whole.items() if key not in without}
        return GgufModel(write_gguf(tmp_path / "m.gguf", kept, TENSORS))

    return written


def pieces(model, **said):
    """A file of SentencePiece's kind: three marks, a token for each byte, and a few pieces."""
    said = {
        "model": "llama",
        "tokens": ["<unk>", "<s>", "</s>", *BYTES, *PIECES, "<|user|>"],
        "scores": [0.0] * 259 + SCORES + [0.0],
        "token_type": [2, 3, 3, *[6] * 256, *[1] * len(PIECES), 3],
        "bos_token_id": 1,
        "eos_token_id": 2,
        "unknown_token_id": 0,
    } | said
    return model(without=["tokenizer.ggml.merges"], **said)


def merged(text):
    """The pieces of a text: of all neighbours that are a piece, the likeliest first."""
    scores, parts = dict(zip(PIECES, SCORES, strict=True)), list(text.replace(" ", "\u2581"))
    while True:
        pairs = [(scores.get(a + b, -np.inf), -n) for n, (a, b) in enumerate(pairwise(parts))]
        score, number = max(pairs, default=(-np.inf, 0))
        if score == -np.inf:
            return parts
        parts[-number : 2 - number] = ["".join(parts[-number : 2 - number])]


def test_pieces_are_merged_by_their_scores(model):
    tokenizer, rng = Tokenizer(pieces(model)), random.Random(0)
    for _ in range(200):
        text = "".join(rng.choice("abc ") for _ in range(rng.randrange(1, 12)))
        wanted = [1, *(259 + PIECES.index(piece) for piece in merged(f" {text}"))]
        ids = tokenizer.encode(text)
        assert ids == wanted
        assert tokenizer.decode(ids) == text


def test_pieces_of_gemma_4_have_merges(model):
    merges = ["b c", "\u2581 a", "a bc"]
    said = {"merges": merges, "add_space_prefix": False, "scores": [-1000.0] * 272}
    file = pieces(model, **said)
    file.gguf.metadata.update({"tokenizer.ggml.model": "gemma4", "tokenizer.ggml.merges": merges})
    assert Tokenizer(file).encode("abc ab") == [1, 265, 266, 261]


def test_a_letter_that_is_no_piece_becomes_bytes(model):
    tokenizer = Tokenizer(pieces(model, add_space_prefix=False, add_bos_token=False))
    ids = tokenizer.encode("aé")
    assert ids == [260, 3 + 0xC3, 3 + 0xA9]
    assert tokenizer.decode(ids) == "aé"


def test_what_stands_around_a_text(model):
    encode = Tokenizer(pieces(model, add_eos_token=True)).encode
    assert encode("a") == [1, 266, 2]
    assert encode("a", is_whole=True) == [266]
    assert encode("<s>a") == [1, 1, 266, 2]


def test_marks_of_phi_3_take_the_spaces_behind_them(model):
    for kind, wanted in (("phi3", [1, 271, 266]), ("llama", [1, 271, 259, 266])):
        file = pieces(model, config={**CONFIG, "model_type": kind})
        # One space is the text's own, and one is what texts begin with.
        assert Tokenizer(file).encode("<|user|> a") == wanted


SAMPLE = "I'll say DON'T to HTMLParser 12345\n\n  x=1!\n"


@pytest.mark.parametrize(
    ("pre", "wanted"),
    [
        ("gpt-2", "I 'll _say _DON ' T _to _HTMLParser _12345 \n\n_ _x = 1 ! \n"),
        ("llama-bpe", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("dbrx", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("qwen2", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("tekken", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("gpt-4o", "I'll _say _DON'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("smollm", "I 'll _say _DON ' T _to _HTMLParser _ 1 2 3 4 5 \n\n_ _x = 1 ! \n"),
        ("glm4", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("falcon", "I ' ll _say _DON ' T _to _HTMLParser _ 123 45 \n\n_ _x = 1 ! \n"),
        ("hunyuan", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("hunyuan-dense", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("exaone-moe", "I 'll _say_DON 'T _to_HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("minimax-m2", "I'll _say _DON'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("qwen35", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("seed-coder", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 ! \n"),
        ("default", "I ' ll _say _DON ' T _to _HTMLParser _ 123 45 \n\n_ _x = 1 ! \n"),
        ("afmoe", "I 'll _say _DON 'T _to _HTMLParser _ 12 345 \n\n _ _x = 1 !\n"),
        ("bailingmoe", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("deepseek-coder", "I ' ll _say _DON ' T _to _HTMLParser _ 1 2 3 4 5 \n \n _ _x = 1 ! \n"),
        ("deepseek-llm", "I ' ll _say _DON ' T _to _HTMLParser _ 1 2 3 4 5 \n \n _ _x = 1 ! \n"),
        ("kimi-k2", "I'll _say _DON'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("minicpm5", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("tiny_aya", "I'll _say _DON'T _to _HTMLParser _ 12 345 \n\n _ _x = 1 !\n"),
        ("viking", "I'll _say _DON'T _to _HTMLParser _ 1 2 3 4 5 \n\n_ _x= 1 !\n"),
        ("bloom", "I'll _say _DON'T _to _HTMLParser _12345 \n\n_ _x=1 !\n"),
        ("jais-2", "I 'll _say _DON 'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("kormo", "I 'll _say _DON 'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
        ("talkie", "I'll _say _DON'T _to _HTMLParser _ 123 45 \n\n _ _x = 1 !\n"),
        ("youtu", "I'll _say _DON'T _to _HTMLParser _ 1 2 3 4 5 \n\n _ _x = 1 !\n"),
    ],
)
def test_texts_are_split_by_the_named_rules(model, pre, wanted):
    split = tokenizer_of(model(pre=pre, bos_token_id=256)).pre_tokenizer.pre_tokenize_str(SAMPLE)
    got = " ".join(piece for piece, _ in split)
    assert got.replace("\u0120", "_").replace("\u010a", "\n") == wanted


@pytest.mark.parametrize(
    ("text", "pre", "count"),
    [
        # A letter with a mark that stays beside it.
        *(("\u0915\u093f", pre, count) for pre, count in (("qwen2", 2), ("qwen35", 1))),
        # Han and Latin letters.
        *(("\u4e2d\u6587ab", pre, count) for pre, count in (("qwen2", 1), ("hunyuan-dense", 2))),
        *(("\u4e2d\u6587Ab", pre, 2) for pre in ("kimi-k2", "youtu", "afmoe", "deepseek-llm")),
        # Large letters behind small ones begin a piece, but for DeepSeek.
        *(
            ("aBc", pre, count)
            for pre, count in (("kimi-k2", 2), ("youtu", 2), ("deepseek-llm", 1))
        ),
        # Greek letters with marks that end ranges, and the Kelvin sign. Latin ones part once more.
        ("\u1f7d\u1fd3\u1fdb\u212a", "deepseek-llm", 1),
        ("caf\u00e9", "deepseek-llm", 2),
        ("a_b", "deepseek-llm", 3),
        # Korean, and marks of full width, which Youtu's files have apart.
        *(("\uac00\uff0c", pre, count) for pre, count in (("youtu", 2), ("deepseek-llm", 2))),
        ("\uff0c!", "youtu", 2),
        # Seven spaces in front of a letter: four, and two of three.
        *(("       x", pre, count) for pre, count in (("jais-2", 3), ("dbrx", 2))),
        # What English has behind apostrophes.
        *(("Ali'dir", pre, count) for pre, count in (("ufakzeka", 2), ("qwen2", 3))),
        # Digits in threes.
        *(("1234567", pre, 3) for pre in ("afmoe", "kimi-k2", "tiny_aya")),
    ],
)
def test_scripts_are_split_by_the_named_rules(model, text, pre, count):
    split = tokenizer_of(model(pre=pre)).pre_tokenizer.pre_tokenize_str(text)
    assert len(split) == count


def test_bytes_are_merged_and_words_may_be_kept(model):
    tokens = [*BYTE_TOKENS, *MARKS, "ab", "abc"]
    said = {"tokens": tokens, "token_type": [1] * 256 + [3] * 3 + [1] * 2, "merges": ["a b"]}
    said |= {"bos_token_id": 256}
    abc = [259, BYTE_TOKENS.index("c")]
    assert Tokenizer(model(pre="gpt-2", **said)).encode("abc") == abc
    # A word that is a token is one, and texts begin with their mark.
    assert Tokenizer(model(pre="llama-bpe", **said)).encode("abc") == [256, 260]
    for pre in ("qwen2", "command-r", "olmo"):
        encode = Tokenizer(model(pre=pre, **said)).encode
        assert encode("e\u0301") == encode("\u00e9")


def test_ends_of_what_a_model_says(model):
    assert model(eos_token_id=5).end_tokens == {5, 258}
    assert model(eos_token_id=5, eot_token_id=7).end_tokens == {5, 7, 258}
    # Of Gemma 4, whose files name another.
    assert model(tokens=["a", "<turn|>"], token_type=[1, 3], eos_token_id=0).end_tokens == {0, 1}
    marks = {"tokens": ["<|end|>", "<|return|>", "<|call|>"], "token_type": [3] * 3}
    assert model(**marks).end_tokens == {1, 2}
    assert model(tokens=["a", "<|end|>"], token_type=[1, 3]).end_tokens == {1}


def test_the_chat_template_of_a_file(model):
    said = [{"role": "user", "content": "hi"}]
    with pytest.raises(UsageError, match=r"m\.gguf has no tokenizer\.chat_template; it is a model"):
        ChatTemplate(model()).render(said)
    file = model(bos_token_id=256, tokens=[*BYTE_TOKENS, *MARKS])
    file.gguf.metadata["tokenizer.chat_template"] = "{{ bos_token }}{{ ''.__class__.__mro__ }}"
    # Jinja's sandbox has no attributes that lead out of it.
    with pytest.raises(ModelError, match="does not take the messages"):
        ChatTemplate(file).render(said)
    file.gguf.metadata["tokenizer.chat_template"] = "{{ bos_token }}{{ messages[0].content }}"
    assert ChatTemplate(file).render(said) == "<|begin|>hi"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"model": "t5"}, r"tokenizer.ggml.model: expected gpt2, llama or gemma4, got 't5'"),
        ({"pre": "laguna"}, r"tokenizer.ggml.pre: expected one of default, .*, got 'laguna'"),
        ({"tokens": ["a", "b", "a"]}, r"expected each once, got 'a' twice"),
        ({"token_type": [1]}, "token_type: expected a number for each of 259 tokens"),
        ({"merges": ["a b c"]}, r"merges: expected pairs with a space between"),
        ({"merges": ["xy z"]}, r"m\.gguf: is no tokenizer: "),
        ({"bos_token_id": 1000}, "bos_token_id: expected one of the 259 tokens, got 1000"),
        ({"add_bos_token": True}, "bos_token_id: missing, but it is to be added"),
        ({"add_bos_token": 1}, "add_bos_token: expected true or false, got 1"),
    ],
)
def test_what_is_no_tokenizer(model, said, words):
    with pytest.raises((ConfigError, ModelError), match=words):
        Tokenizer(model(**said)), model(**said).json_object("tokenizer_config.json")
