"""Conversations, and how texts are drawn, ended, streamed and told of."""

import json
import time

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.core.errors import ArgumentError, ConfigError, ModelError, UsageError
from irattn.generation import Conversation, Sampling
from irattn.generation.choice import penalised
from irattn.generation.folder import ModelFolder
from irattn.generation.texts import StopTexts
from support.chat_templates import HELLO, template_of
from support.command import run
from support.model_folder import config_of, write_model
from support.terminal import Terminal

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

pytestmark = pytest.mark.slow

# Those of the other tests of generation, whose artifacts serve here.
SIZES = {"batch": 2, "step_tokens": 8, "context": 48, "block_size": 4}
FLAGS = [f"--{name.replace('_', '-')}={size}" for name, size in SIZES.items()]
TEMPLATE = """\
{%- for message in messages -%}
[{{ message.role[0] }}{% generation %}{{ message.content }}{% endgeneration %}]
{%- endfor -%}
{%- if add_generation_prompt -%}[a{%- endif -%}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("chat") / "llama"
    write_model(path, config_of("llama"))
    (path / "chat_template.jinja").write_text(TEMPLATE)
    return path


@pytest.fixture(scope="module")
def generator(folder):
    return irattn.Generator(folder, **SIZES)


def test_templates_of_a_folder(tmp_path):
    rendered = template_of(tmp_path, TEMPLATE, chat_template="not this").render(HELLO)
    assert rendered == "[ué][a"
    (tmp_path / "chat_template.jinja").unlink()
    source = "{{ bos_token }}{{ eos_token }}{{ messages | tojson }}"
    tokens = {"bos_token": "<s>", "eos_token": {"content": "</s>"}}
    assert template_of(tmp_path, **tokens, chat_template=source).render(HELLO) == (
        '<s></s>[{"role": "user", "content": "é"}]'
    )
    ascii_only = template_of(tmp_path, chat_template="{{ messages[0].content | tojson(true) }}")
    assert ascii_only.render(HELLO) == '"\\u00e9"'
    named = [{"name": "tools", "template": "no"}, {"name": "default", "template": "yes"}]
    assert template_of(tmp_path, chat_template=named).render(HELLO) == "yes"


def test_templates_are_given_what_transformers_gives_them(tmp_path):
    template = template_of(
        tmp_path, "{{ tools is none }} {{ documents is defined }} {{ bos_token }}{{ sep_token }}"
    )
    older = {"bos_token": "<s>", "sep_token": {"content": "<sep>"}}
    (tmp_path / "special_tokens_map.json").write_text(json.dumps(older))
    assert template.render(HELLO) == "True True <s><sep>"
    # Of a processor of images and text.
    (tmp_path / "chat_template.jinja").unlink()
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": "of both"}))
    assert template.render(HELLO) == "of both"


@pytest.mark.parametrize(
    ("source", "error", "reason"),
    [
        (None, UsageError, "has no chat_template.jinja"),
        ("{% if %}", ModelError, "does not take the messages"),
        ("{{ raise_exception('no system') }}", ModelError, "no system"),
        ("{{ messages.append(1) }}", ModelError, "does not take the messages"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", ModelError, "unsafe"),
        ("{{ 1 // 0 }}", ModelError, "does not take the messages"),
        ("{{ messages | dictsort }}", ModelError, "does not take the messages"),
        ("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", ModelError, "recursion"),
    ],
)
def test_templates_that_cannot_be_used(tmp_path, source, error, reason):
    with pytest.raises(error, match=reason):
        template_of(tmp_path, source).render(HELLO)


def test_a_conversation_keeps_what_it_has_computed(generator):
    talk = Conversation(generator, system="be", max_new_tokens=6)
    first = "".join(talk.say("hello"))
    assert generator.figures.reused_tokens == 0
    assert [one["role"] for one in talk.messages] == ["system", "user", "assistant"]
    assert talk.messages[-1]["content"] == first
    second = "".join(talk.say("more"))
    # Of `[sbe][uhello][a` and the answer, as far as its bytes are text, in blocks of four.
    assert generator.figures.reused_tokens >= 12
    generator._model.cache.evict()
    prompt = generator.chat_template.render(talk.messages[:-1])
    ids = generator.tokenizer.encode(prompt, is_whole=True)
    assert generator.generate([ids], 6)[0].text == second


def test_an_answer_that_is_cut_off_stays_as_far_as_it_came(generator):
    talk = Conversation(generator, max_new_tokens=20)
    answer = talk.say("hi")
    piece = next(answer)
    answer.close()
    assert talk.messages[-1] == {"role": "assistant", "content": piece}
    assert not generator._model.served
    with pytest.raises(ArgumentError, match="conversation: expected at most 48 tokens, got"):
        talk.say("x" * 60)
    assert len(talk.messages) == 2


def test_ctrl_c_ends_an_answer_and_not_the_conversation(folder):
    turns = ("--prompt", "hi", "--prompt", "more", "--max-new-tokens", "4")
    terminal = Terminal(
        *("generate", folder, "--chat", *turns, *FLAGS),
        held=["irattn.generation.batch:Batch.step"],
    )
    terminal.until("> hi")
    terminal.go_on()
    terminal.interrupt()
    terminal.go_on()
    terminal.until("(cut off)")
    # A command that Ctrl-C is to end has a second for it.
    time.sleep(1.2)
    assert terminal.end() == (0, "")
    assert any("> more" in line for line in terminal.screen)
    assert terminal.drawn.count("(cut off)") == 1


def test_stop_texts_end_a_text(generator):
    (whole,) = generator.generate(["Hello"], 12)
    stop = whole.text[3:5]
    (short,) = generator.generate(["Hello"], 12, stop=["never", stop])
    assert short.ended == "stop text"
    assert short.text == whole.text[: whole.text.index(stop)]
    assert len(short.tokens) < 12
    assert "".join(generator.stream("Hello", 12, stop=[stop])) == short.text
    with pytest.raises(ArgumentError, match="stop: expected a list of texts"):
        generator.request("Hello", stop=[""])


def test_what_may_begin_a_stop_is_held_back():
    texts = StopTexts(["abc", "b!"])
    assert texts.add("xab") == ("x", False)
    assert texts.add("a") == ("ab", False)
    assert texts.add("bcd") == ("", True)
    texts = StopTexts(["abc"])
    assert texts.add("ab") == ("", False)
    assert texts.rest() == "ab"


def test_a_stream_that_is_closed_gives_its_blocks_back(generator):
    pieces = generator.stream("Hello", 30)
    first = next(pieces)
    pieces.close()
    assert first
    assert not generator._model.served


def test_a_request_is_cancelled_beside_others(generator):
    one, other = (generator.request("Hello", 12) for _ in range(2))
    for token in generator.run([one, other]):
        if token.request == 0 and len(one.tokens) == 3:
            one.cancel()
    assert (one.ended, other.ended) == ("cancelled", "length")
    assert (len(one.tokens), len(other.tokens)) == (3, 12)


def test_how_likely_tokens_were(generator):
    request = generator.request("Hello", 4, logprobs=3)
    plain = generator.generate(["Hello"], 4)[0]
    list(generator.run([request]))
    assert tuple(request.tokens) == plain.tokens
    for token, told in zip(request.tokens, request.likelihoods, strict=True):
        assert told.token == token
        assert told.likeliest[0] == (token, told.logprob)
        assert [p for _, p in told.likeliest] == sorted((p for _, p in told.likeliest))[::-1]
        assert sum(np.exp(p) for _, p in told.likeliest) <= 1


def test_repetition_makes_tokens_less_likely():
    """-0.7 times 3 is below log(0.25); 1.0 / 3 is below 0.5."""
    logits = np.log(np.array([0.5, 0.25, 0.15, 0.1], np.float32))
    np.testing.assert_allclose(penalised(logits, [0, 0, 3], 3.0), logits * [3, 1, 1, 3])
    positive = np.array([1.0, 0.5], np.float16)
    np.testing.assert_allclose(penalised(positive, [0], 4.0), [0.25, 0.5])
    np.testing.assert_array_equal(positive, [1.0, 0.5])


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"top_k": 0}, "top_k: expected a whole number"),
        ({"min_p": 2}, "min_p: expected a number, 0 to 1"),
        ({"repetition_penalty": 0}, "repetition_penalty: expected a number, 0.01 to 100"),
    ],
)
def test_what_sampling_refuses(fields, message):
    with pytest.raises(ArgumentError, match=message):
        Sampling(**fields)


def test_what_generation_config_says(tmp_path):
    write_model(tmp_path, config_of("llama"))
    path = tmp_path / "generation_config.json"

    def said(**fields):
        path.write_text(json.dumps(fields))
        return ModelFolder(tmp_path).sampling

    assert said(temperature=0.6, top_p=0.9) == Sampling()
    asked = {"do_sample": True, "temperature": 0.6, "top_k": 20, "min_p": None}
    assert said(**asked) == Sampling(temperature=0.6, top_k=20)
    assert said(do_sample=True, top_k=0) == Sampling(temperature=1.0)
    # As transformers has it.
    assert said(do_sample=True) == Sampling(temperature=1.0, top_k=50)
    assert said(repetition_penalty=1.1) == Sampling(repetition_penalty=1.1)
    with pytest.raises(ConfigError, match=r"generation_config.json: top_p: expected a number"):
        said(do_sample=True, top_p=7)
    path.write_text(json.dumps({"max_new_tokens": 3, "repetition_penalty": 5.0}))
    generator = irattn.Generator(tmp_path, **SIZES)
    assert (generator.max_new_tokens, generator.sampling.repetition_penalty) == (3, 5.0)


# The command


def test_the_command_talks(folder, generator):
    expected = Conversation(generator, system="be", max_new_tokens=5)
    answers = ["".join(expected.say(text)) for text in ("one", "two")]
    shown = ["".join(c if c.isprintable() else "\ufffd" for c in answer) for answer in answers]
    flags = ["generate", str(folder), *FLAGS, "--chat", "--system=be", "--max-new-tokens=5"]
    typed = CliRunner().invoke(main, flags, input="one\n\ntwo\n")
    assert typed.stdout == f"{shown[0]}\n{shown[1]}\n"
    given = CliRunner().invoke(main, [*flags, "--prompt=one", "--prompt=two"])
    assert given.stdout == f"> one\n{shown[0]}\n> two\n{shown[1]}\n"


def test_the_command_takes_files_stops_and_logprobs(folder, generator, tmp_path):
    # An editor ends the last line, too.
    (tmp_path / "prompt.txt").write_bytes(b"a\r\nb\r\n")
    words = [f"--prompt-file={tmp_path / 'prompt.txt'}", "--max-new-tokens=9", "--json"]
    told = json.loads(run("generate", folder, *FLAGS, *words, "--logprobs=2").stdout)
    (plain,) = generator.generate(["a\r\nb"], 9)
    (one,) = told["prompts"]
    assert (one["tokens"], one["prompt"]) == (list(plain.tokens), "a\r\nb")
    assert [len(likely["likeliest"]) for likely in one["logprobs"]] == [2] * 9
    stop = next(letter for letter in plain.text if letter.isprintable())
    (one,) = json.loads(run("generate", folder, *FLAGS, *words, f"--stop={stop}").stdout)["prompts"]
    assert (one["text"], one["ended"]) == (plain.text[: plain.text.index(stop)], "stop text")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "--prompt: expected text to go on from, or --chat"),
        (["--prompt=a", "--system=b"], "--system: has no effect without --chat"),
        (["--chat", "--json"], "--json: --chat speaks as it goes"),
        (["--prompt=a", "--logprobs=1"], "--logprobs: has no effect without --json"),
        (["--prompt-file=/nowhere"], "'--prompt-file': File '/nowhere' does not exist."),
        (["--prompt=a", "--stop="], "stop: expected a list of texts, none empty"),
    ],
)
def test_what_the_command_refuses(folder, words, reason):
    result = CliRunner().invoke(main, ["generate", str(folder), *FLAGS, *words])
    assert result.exit_code == 2
    assert reason in result.output
