"""Metadata of GGUF files that lie, key by key: read as a model, or refused in one line, at once."""

import resource
import signal
from contextlib import contextmanager

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from irattn.core.errors import ConfigError, IrattnError, ModelError
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf import ARCHITECTURES
from irattn.models.gguf.fields import _KNOWN, _SIZES
from support.gguf_use import use
from support.gguf_various import CONFIGS, write_various

# Seconds and KiB that no value takes.
MOST_SECONDS, MOST_MEMORY = 20, 200_000
VALUES = (
    *(0, -1, 1, 10**6, 10**9, 2**63 - 1, float("nan"), float("inf"), 2.0, "text", True),
    *(np.array([1]), np.full(9, 10**9), np.full(9, np.nan), np.array([], np.int32), ["a"] * 9, []),
)


@pytest.fixture
def written(tmp_path):
    """A way to write the file of a small model, with the arrays that are given in place of its."""
    return lambda name, **others: write_various(tmp_path, name, **others)


@pytest.fixture
def lie(monkeypatch):
    """A way to have files say another value of a key, of any type."""
    read, said = GgufFile._read_metadata, {}
    monkeypatch.setattr(GgufFile, "_read_metadata", lambda self, *a: {**read(self, *a), **said})

    def say(key, value):
        said.clear()
        said[key] = value

    return say


@contextmanager
def seconds(most):
    """Stop what is within after so many seconds, whatever it is that it catches."""

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(most)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(file):
    """`read` or `refused`, or what else came of a file."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        with seconds(MOST_SECONDS):
            use(file)
        found = "read"
    except IrattnError as error:
        found = "refused" if "\n" not in str(error) else str(error)
    except KeyboardInterrupt:
        found = "took too long"
    except Exception as error:
        found = repr(error)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return found if grown < MOST_MEMORY else f"{found}, with {grown} KiB more"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CONFIGS if name != "k_quants"])
def test_a_value_that_lies(written, lie, name):
    file = written(name)
    assert outcome(file) == "read"
    architecture = name.split()[0]
    own = ARCHITECTURES[architecture]
    keys = (*_SIZES, *_KNOWN, *own.keys, *own.silent, *own.only, *own.equal)
    said = {
        *GgufFile(file).metadata,
        *(f"{architecture}.{key}" for key in keys),
        "general.alignment",
    }
    found = {}
    for key in sorted(said):
        for value in VALUES:
            lie(key, value)
            found[key, repr(value)] = outcome(file)
    assert {k: v for k, v in found.items() if v not in ("read", "refused")} == {}
    assert list(found.values()).count("refused") > len(found) // 2


@pytest.mark.parametrize(
    ("name", "key", "value", "message"),
    [
        ("llama", "llama.expert_count", 10**9, r"expected 4, as blk.0.ffn_.*_exps.weight has, got"),
        ("llama", "llama.expert_count", 3, r"expected 4, as blk.0.ffn_.*_exps.weight has, got 3"),
        ("gemma4", "gemma4.expert_count", 10**9, "expert_used_count: missing"),
        ("gemma4", "gemma4.feed_forward_length", np.array([], np.int32), "same for the first 2"),
        ("gemma4", "gemma4.attention.shared_kv_layers", 10**9, "fewer than the 2 layers"),
        ("qwen35moe", "qwen35moe.attention.head_count", 10**9, "heads: expected at most 65536"),
        ("qwen3", "tokenizer.ggml.model", np.array([1, 2]), "expected gpt2, llama or gemma4, got"),
    ],
)
def test_a_lie_is_refused_by_its_name(written, lie, name, key, value, message):
    file = written(name)
    lie(key, value)
    with seconds(MOST_SECONDS), pytest.raises(ConfigError, match=message):
        use(file)


def test_a_name_of_two_lines_is_quoted(written):
    file = written("qwen3", **{"blk.0.a\nb.weight": np.ones((2, 2), np.float32)})
    with pytest.raises(ModelError, match=r"expected a name of one line, got 'blk.0.a\\nb.weight'"):
        use(file)
