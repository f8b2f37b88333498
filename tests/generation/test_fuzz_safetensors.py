"""Mutated files of quantised folders: each is read, or refused by an error of ours in one line."""

import json
import random
import struct
from collections import Counter

import pytest

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

from irattn.core.errors import IrattnError
from irattn.generation.gguf_model import model_at
from support.model_folder import SIZES
from support.model_parts import read_of
from support.quantised_folders import write_quantised

COUNT = 40

LLAMA = {**SIZES, "model_type": "llama", "num_hidden_layers": 1, "intermediate_size": 64}
YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 32, "truncate": False},
}
GPT_OSS = {
    **{key: value for key, value in SIZES.items() if key != "hidden_act"},
    **{"model_type": "gpt_oss", "num_local_experts": 2, "num_experts_per_tok": 1},
    **{"intermediate_size": 64, "sliding_window": 9, "rope_parameters": YARN},
    "num_hidden_layers": 1,
}
FOLDERS = {
    "int8_channel": LLAMA,
    "fp8_channel": LLAMA,
    "fp8_block": {**LLAMA, "hidden_size": 128, "intermediate_size": 128},
    "mxfp4": GPT_OSS,
}
DTYPES = ("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0", "I16", "F16", "BF16", "F32", "F64")
NUMBERS = (-1, 0, 1, 2, 3, 7, 31, 127, 2**16, 2**31, 2**63, 2**64, 1.5, None, "1", [])


def split(data):
    """The header of a file, as JSON has it, and its data."""
    (size,) = struct.unpack("<Q", data[:8])
    return json.loads(data[8 : 8 + size]), data[8 + size :]


def joined(header, tensors):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + tensors


def lie_of_bytes(rng, data):
    """The file with something wrong in its first bytes, or cut off."""
    header, data = 8 + struct.unpack("<Q", data[:8])[0], bytearray(data)
    at, kind = rng.randrange(header), rng.randrange(4)
    if kind == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
        sizes = (0, 1, header - 9, header - 7, len(data), 2**31, 2**40, 2**63, 2**64 - 1)
        data[:8] = struct.pack("<Q", rng.choice(sizes))
    elif kind == 2:
        del data[rng.randrange(len(data)) :]
    else:
        del data[at : at + rng.randrange(1, 20)]
    return bytes(data)


def lie_of_fields(rng, data):
    """The file with a header that says something else of a tensor."""
    header, tensors = split(data)
    names = sorted(header.keys() - {"__metadata__"})
    # Of weights with scales rather than of norms.
    scaled = [name for name in names if "scale" in name or "blocks" in name]
    name = rng.choice(scaled if rng.random() < 0.5 else names)
    tensor, other, kind = header[name], rng.choice(names), rng.randrange(8)
    if kind == 0:
        tensor["dtype"] = rng.choice(DTYPES)
    elif kind == 1:
        tensor["shape"] = tensor["shape"][::-1]
    elif kind == 2:
        tensor["shape"] = rng.choice(([], [1, *tensor["shape"]], [*tensor["shape"], 1]))
    elif kind == 3 and tensor["shape"]:
        tensor["shape"][rng.randrange(len(tensor["shape"]))] = rng.choice(NUMBERS)
    elif kind == 4:
        tensor["data_offsets"][rng.randrange(2)] = rng.choice(NUMBERS)
    elif kind == 5:
        header[name], header[other] = header[other], tensor
    elif kind == 6:
        del header[name]
    else:
        # What is said and what lies there fit together, and are another type.
        size = tensor["data_offsets"][1] - tensor["data_offsets"][0]
        dtype, width = rng.choice((("U8", 1), ("F8_E4M3", 1), ("I8", 1), ("F16", 2), ("I32", 4)))
        shape = [size // width]
        if rng.random() < 0.5 and tensor["shape"]:
            shape = [tensor["shape"][0], size // width // tensor["shape"][0]]
        tensor.update(dtype=dtype, shape=shape)
    return joined(header, tensors)


def lie_of_numbers(rng, data):
    """The file with bytes of some tensor that are all alike: NaN, infinities, no scale."""
    header, tensors = split(data)
    name = rng.choice(sorted(header.keys() - {"__metadata__"}))
    first, end = header[name]["data_offsets"]
    byte = bytes([rng.choice((0, 0x7F, 0x80, 0xFF))])
    return joined(header, tensors[:first] + byte * (end - first) + tensors[end:])


def mutant(rng, data):
    return rng.choice((lie_of_bytes, lie_of_fields, lie_of_fields, lie_of_numbers))(rng, data)


def outcomes(folder, count):
    file = folder / "model.safetensors"
    data, found = file.read_bytes(), Counter()
    for number in range(count):
        # A file that is mapped is not to be cut off.
        file.unlink()
        file.write_bytes(mutant(random.Random(number), data))
        try:
            read_of(model_at(folder))
            found["read"] += 1
        except IrattnError as error:
            found["refused" if "\n" not in str(error) else f"{number}: {error}"] += 1
        except Exception as error:
            found[f"{number}: {error!r}"] += 1
    return found


@pytest.mark.filterwarnings("ignore:overflow|invalid value:RuntimeWarning")
@pytest.mark.parametrize("kind", FOLDERS)
def test_mutants(tmp_path, kind):
    folder, _ = write_quantised(tmp_path, FOLDERS[kind], kind)
    read_of(model_at(folder))
    found = outcomes(folder, COUNT)
    assert found.keys() == {"read", "refused"}
    assert found["refused"] > COUNT // 4
