"""Folders of quantised weights: the tokens of transformers' models of torch's numbers of them."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

import torch
from safetensors.torch import load_file
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

import irattn
from irattn.reference.packed_weights import numbers_of
from support.model_folder import SIZES
from support.quantised_folders import FP8, write_quantised

pytestmark = pytest.mark.slow

LLAMA = {**SIZES, "model_type": "llama", "intermediate_size": 160, "num_hidden_layers": 1}
GPT_OSS = {
    **{key: value for key, value in SIZES.items() if key != "hidden_act"},
    **{"model_type": "gpt_oss", "num_local_experts": 4, "num_experts_per_tok": 2},
    **{"intermediate_size": 64, "sliding_window": 9, "num_hidden_layers": 1},
    "rope_parameters": {
        **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0},
        **{"beta_slow": 1.0, "original_max_position_embeddings": 32, "truncate": False},
    },
}
CONFIGS = {
    **dict.fromkeys(("int8_channel", "fp8_tensor", "fp8_block"), LLAMA),
    "mxfp4": GPT_OSS,
}


def numbers(stored):
    """The tensors of a folder as torch and transformers make numbers of them."""
    made = {}
    for name, tensor in stored.items():
        if f"{name}_scale_inv" in stored:
            squares = stored[f"{name}_scale_inv"]
            scale = squares.repeat_interleave(128, 0).repeat_interleave(128, 1)
            made[name] = tensor.to(torch.float32) * scale[: tensor.shape[0], : tensor.shape[1]]
        elif f"{name}_scale" in stored:
            made[name] = tensor.to(torch.float32) * stored[f"{name}_scale"]
        elif name.endswith("_blocks"):
            before = name.removesuffix("_blocks")
            scales = stored[f"{before}_scales"]
            made[before] = convert_moe_packed_tensors(tensor, scales, dtype=torch.float32)
        elif not name.endswith(("_scale", "_scale_inv", "_scales")):
            made[name] = tensor
    return made


@pytest.mark.parametrize("kind", CONFIGS)
def test_tokens_are_those_of_the_numbers(tmp_path, kind):
    folder, plain = write_quantised(tmp_path, CONFIGS[kind], kind)
    config = AutoConfig.from_pretrained(plain, attn_implementation="eager", dtype=torch.float32)
    theirs = AutoModelForCausalLM.from_config(config).eval()
    theirs.load_state_dict(numbers(load_file(folder / "model.safetensors")))
    sizes = {"batch": 1, "step_tokens": 8, "context": 32, "block_size": 4, "io_dtype": "f32"}
    ours = irattn.Generator(folder, **sizes).generate(["abc de", "1234567890"], 4)
    with torch.inference_mode():
        for one in ours:
            ids = torch.tensor([one.prompt])
            for token in one.tokens:
                assert int(theirs(ids).logits[0, -1].argmax()) == token
                ids = torch.cat([ids, torch.tensor([[token]])], dim=1)


def test_the_numbers_of_the_reference_are_those_of_torch():
    """All numbers of 8 bits, with a scale for each row, and with one for a square."""
    stored = np.array([n for n in range(256) if n & 127 != 127], np.uint8).view(FP8)
    rows = np.tile(stored, (130, 1))
    weight = torch.from_numpy(rows.view(np.uint8)).view(torch.float8_e4m3fn).to(torch.float64)
    scale = np.linspace(0.1, 2, 130, dtype=np.float32)
    wanted = weight * torch.from_numpy(scale)[:, None]
    np.testing.assert_array_equal(numbers_of("fp8_channel", rows, scale), wanted)
    squares = scale[:4].reshape(2, 2)
    wide = torch.from_numpy(squares).repeat_interleave(128, 0).repeat_interleave(128, 1)
    wanted = weight * wide[: rows.shape[0], : rows.shape[1]]
    np.testing.assert_array_equal(numbers_of("fp8_block", rows, squares), wanted)
