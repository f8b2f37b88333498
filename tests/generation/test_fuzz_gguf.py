"""Mutated GGUF files: each is read as a model, or refused by an error of ours in one line."""

import random
import resource
import struct
from collections import Counter

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from irattn.core.errors import IrattnError, ModelError
from irattn.core.gguf_file import GgufFile
from support.gguf_files import write_gguf
from support.gguf_use import use
from support.gguf_various import write_various

# Most end at the first thing that is wrong; those that do not are read to their end.
OF_HEADER, OF_MODEL = 2000, 500

SIZES = (0, 1, 2, 3, 7, 31, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63 - 1, 2**64 - 1)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A Llama of one layer that knows eight tokens."""
    sizes = {"block_count": 1, "context_length": 16, "embedding_length": 16}
    sizes |= {"feed_forward_length": 16, "attention.head_count": 2, "attention.head_count_kv": 1}
    metadata = {"general.architecture": "llama"}
    metadata |= {f"llama.{key}": value for key, value in sizes.items()}
    metadata["llama.attention.layer_norm_rms_epsilon"] = 1e-5
    metadata |= {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "ab", "\u2581ab"],
        "tokenizer.ggml.scores": [0.0, 0.0, 0.0, -3.0, -4.0, -5.0, -1.0, -2.0],
        "tokenizer.ggml.token_type": [2, 3, 3, 1, 1, 1, 1, 1],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": "{{ bos_token }}{{ messages[0].content }}",
    }
    rows = {"attn_q": 16, "attn_k": 8, "attn_v": 8, "attn_output": 16}
    rows |= dict.fromkeys(("ffn_gate", "ffn_up", "ffn_down"), 16)
    tensors = {
        f"blk.0.{name}.weight": np.ones((size, 16), np.float32) for name, size in rows.items()
    }
    norms = ("blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "output_norm.weight")
    tensors |= {name: np.ones(16, np.float32) for name in norms}
    tensors["token_embd.weight"] = np.ones((8, 16), np.float32)
    return write_gguf(tmp_path_factory.mktemp("fuzz") / "tiny.gguf", metadata, tensors)


def mutant(rng, data, header):
    """The file with something wrong before its tensors, mostly a number that lies."""
    at, data = rng.randrange(header), bytearray(data)
    kind = rng.randrange(6)
    if kind == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
        # Sizes, counts and offsets have eight bytes.
        data[at : at + 8] = struct.pack("<Q", rng.choice(SIZES))
    elif kind == 2:
        data[at : at + 4] = struct.pack("<I", rng.choice(SIZES) % 2**32)
    elif kind == 3:
        del data[rng.randrange(len(data)) :]
    elif kind == 4:
        del data[at : at + rng.randrange(1, 20)]
    else:
        other = rng.randrange(header)
        data[at : at + 8] = data[other : other + 8]
    return bytes(data)


def outcomes(file, tmp_path, use, count):
    data = file.read_bytes()
    header = len(data) - sum(t.rows_of_bytes.nbytes for t in GgufFile(file).tensors.values())
    found, path = Counter(), tmp_path / "mutant.gguf"
    for number in range(count):
        # A file that is mapped is not to be cut off.
        path.unlink(missing_ok=True)
        path.write_bytes(mutant(random.Random(number), data, header))
        try:
            use(path)
            found["read"] += 1
        except IrattnError as error:
            found["refused" if "\n" not in str(error) else f"{number}: {error}"] += 1
        except Exception as error:
            found[f"{number}: {error!r}"] += 1
    return found


def test_an_empty_file_is_called_one(tmp_path):
    path = tmp_path / "empty.gguf"
    path.write_bytes(b"")
    with pytest.raises(ModelError, match="is no whole GGUF file: it is empty"):
        GgufFile(path)


def test_the_file_itself_is_read(file):
    assert use(file) == ([1, 7, 7], "a")


@pytest.mark.parametrize(("used", "count"), [(GgufFile, OF_HEADER), (use, OF_MODEL)])
def test_mutants(file, tmp_path, used, count):
    check_mutants(file, tmp_path, used, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["deepseek2", "granitehybrid", "k_quants", "llama", "qwen35moe"])
def test_mutants_of_other_kinds(tmp_path, name):
    """With latents, states, blocks, experts, and delta nets."""
    check_mutants(write_various(tmp_path, name), tmp_path, use, OF_MODEL)


def check_mutants(file, tmp_path, used, count):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = outcomes(file, tmp_path, used, count)
    # What lies about its size gets no memory for it.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000
    assert found.keys() == {"read", "refused"}
    assert found["refused"] > count // 2
    assert found["read"] > count // 50
