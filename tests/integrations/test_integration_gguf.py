"""Text from GGUF files beside transformers' models, whose weights are written as converters do."""

import json

import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("gguf", reason="it writes the files")

from safetensors.numpy import load_file

import irattn
from support.family_models import SIZES, assert_tokens_of, write_family
from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf
from support.gguf_kinds import lists_of

pytestmark = pytest.mark.slow

OLDER = {
    "n_embd": "hidden_size",
    "n_head": "num_attention_heads",
    "n_layer": "num_hidden_layers",
    "n_positions": "max_position_embeddings",
}
# What converters write of these that is in no file, or otherwise.
_SCALING = "mistral3.rope.scaling"
SAID = {
    "bloom": {"bloom.context_length": 128},
    "cohere2": {"cohere2.attention.sliding_window_pattern": [True, False]},
    "exaone4 experts": {"exaone-moe.expert_gating_func": 2},
    "glm4_moe": {"glm4moe.expert_gating_func": 2},
    "nemotron_h experts": {"nemotron_h_moe.expert_gating_func": 2},
    "kimi linear": {
        "kimi-linear.expert_gating_func": 2,
        "kimi-linear.leading_dense_block_count": 1,
    },
    "minimax_m2": {"minimax-m2.expert_gating_func": 2},
    "ministral3": {
        **{f"{_SCALING}.type": "yarn", f"{_SCALING}.factor": 4.0},
        **{f"{_SCALING}.yarn_beta_fast": 32.0, f"{_SCALING}.yarn_beta_slow": 1.0},
        **{f"{_SCALING}.original_context_length": 16, f"{_SCALING}.yarn_log_multiplier": 1.0},
        "mistral3.attention.temperature_scale": 0.5,
    },
    "nemotron": {"nemotron.attention.layer_norm_epsilon": 1e-5},
    "olmo": {"olmo.attention.layer_norm_epsilon": 1e-5},
}
NAMES = (
    *("cohere2", "ernie4.5", "exaone4", "falcon 40B", "gemma4", "glm4", "gpt2", "hunyuan experts"),
    *("minimax_m2", "nemotron", "olmo", "phi", "qwen3.5", "stablelm", "deepseek_v2", "youtu"),
    *("exaone4 experts", "ministral3", "glm4_moe", "falcon_h1 norms", "granite4 steps"),
    *("granite4 experts", "nemotron_h", "nemotron_h experts", "apertus", "bloom", "jais2"),
    *("gemma3n", "kimi linear", "mamba2", "mimo_v2_flash", "mpt"),
)


def config_of(folder):
    """The file of a model's folder in the words of older ones."""
    said = json.loads((folder / "config.json").read_text())
    said |= {ours: said[theirs] for theirs, ours in OLDER.items() if theirs in said}
    rope = said.get("rope_parameters") or {}
    said |= {key: rope[key] for key in ("rope_theta", "partial_rotary_factor") if key in rope}
    if said["model_type"] == "gpt2":
        # As many as the code makes of none.
        said["n_inner"] = 4 * said["n_embd"]
    if blocks := said.get("layers_block_type"):
        said["num_hidden_layers"] = len(blocks)
    if own := said.get("per_layer_config"):
        (wide,) = {(one["head_dim"], one["num_key_value_heads"]) for one in own.values()}
        said["global_head_dim"], said["num_global_key_value_heads"] = wide
    return {key: one[0] if key == "moe_topk" else one for key, one in said.items()}


@pytest.mark.parametrize("name", NAMES)
def test_tokens_of_a_file_are_those_of_transformers(tmp_path, name):
    """The likeliest ones, and the logarithms of their likelihoods to f32's own rounding."""
    model = write_family(tmp_path / "model", name)
    config = config_of(tmp_path / "model")
    numbers = load_file(tmp_path / "model/model.safetensors")
    tensors = tensors_of_gguf(config, numbers)
    metadata = metadata_of(config) | lists_of(name, config, numbers) | SAID.get(name, {})
    generator = irattn.Generator(write_gguf(tmp_path / "m.gguf", metadata, tensors), **SIZES)
    assert_tokens_of(model, generator)
