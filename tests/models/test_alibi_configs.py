"""BLOOM, MPT and Falcon with slopes instead of positions; nanochat, whose embedding has a norm."""

import json

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from irattn.generation.sizes import Sizes
from irattn.models import model_from_config
from irattn.models.families import FAMILIES
from irattn.models.families.alibi import geometric_slopes, interleaved_slopes, scaled_slopes

BLOOM = {
    **{"model_type": "bloom", "hidden_size": 64, "n_head": 4, "n_layer": 2, "vocab_size": 99},
    "seq_length": 64,
}
MPT = {
    **{"model_type": "mpt", "d_model": 64, "n_heads": 4, "n_layers": 2, "vocab_size": 99},
    **{"max_seq_len": 48, "attn_config": {"alibi": True, "clip_qkv": None}},
}
NANOCHAT = {
    **{"model_type": "nanochat", "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 99},
    **{"num_hidden_layers": 2, "intermediate_size": 96, "max_position_embeddings": 64},
}


def layers_of(config):
    model = model_from_config(config, q_len=8)
    return [part.spec for part in model.parts if part.phase == "layer_decode"], model.notes


def graphs_at(path, config):
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    folder = ModelFolder(path)
    return folder, graphs_of(folder, Sizes.of_model(folder, step_tokens=8), None)


def test_slopes_of_powers_of_two_are_alike():
    expected = 2.0 ** -np.arange(1, 9)
    for slopes in (geometric_slopes, interleaved_slopes):
        np.testing.assert_allclose(slopes(8, 16), expected)


def test_slopes_of_other_counts():
    """BLOOM's has every other one of 8 behind those of 4 heads; MPT's begin with these of 8."""
    of_eight = 2.0 ** -np.arange(1, 9)
    np.testing.assert_allclose(geometric_slopes(6, 16), [*of_eight[1::2], *of_eight[:3:2]])
    np.testing.assert_allclose(interleaved_slopes(6, 16), [*of_eight[1::2], *of_eight[:3:2]])
    np.testing.assert_allclose(interleaved_slopes(3, 16), [2**-4, 2**-8, 2**-2])
    np.testing.assert_allclose(geometric_slopes(3, 16), [2**-4, 2**-8, 2**-2])
    np.testing.assert_allclose(geometric_slopes(1, 16), [2**-8])


def test_slopes_of_falcon_are_scaled_as_logits():
    np.testing.assert_allclose(scaled_slopes(8, 64), 2.0 ** -np.arange(1, 9) / 8)
    # Of bf16, with 8 bits.
    assert scaled_slopes(16, 1)[0] == 0.70703125


@pytest.mark.parametrize("config", [BLOOM, MPT])
def test_layers_with_slopes(config, tmp_path):
    (layer,), notes = layers_of(config)
    assert not notes
    assert (layer.attention.alibi, layer.use_rope, layer.gated) == (True, False, False)
    assert (layer.norm_kind, layer.intermediate_size) == ("layer", 256)
    folder, graphs = graphs_at(tmp_path, config)
    assert folder.tensors.slopes(4, 16).shape == (4,)
    assert bool(graphs.phases[0].normed) == (config is BLOOM)
    # As long as positions of its first training.
    assert folder.positions == (64 if config is BLOOM else 48)


def test_bloom_has_biases_and_a_tanh_and_mpt_neither():
    found = [
        (one.norm_bias, one.qkv_bias, one.mlp_bias, one.activation)
        for (one,) in (layers_of(BLOOM)[0], layers_of(MPT)[0])
    ]
    assert found == [(True, True, True, "gelu_tanh"), (False, False, False, "gelu")]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (
            {**BLOOM, "apply_residual_connection_post_layernorm": True},
            "apply_residual_connection_post_layernorm: True: residuals from behind the norm",
        ),
        ({**MPT, "attn_config": {"alibi": False}}, "alibi: False: positions that MPT's code has"),
    ],
)
def test_others_of_their_kinds_have_attention_only(config, words):
    found, notes = layers_of(config)
    assert not found
    assert words in notes[0]


@pytest.mark.parametrize(("clip", "expected"), [(6, 6.0), (None, None), (0, None)])
def test_clipped_queries_of_mpt(clip, expected):
    (layer,), _ = layers_of({**MPT, "attn_config": {"clip_qkv": clip}})
    assert layer.qkv_clip == expected


def test_a_clip_below_zero_is_refused():
    with pytest.raises(ConfigError, match="clip_qkv: expected a number above 0, got -6"):
        layers_of({**MPT, "attn_config": {"clip_qkv": -6}})


def test_norms_of_nanochat_have_no_weights(tmp_path):
    (layer,), _ = layers_of(NANOCHAT)
    assert (layer.qk_norm, layer.qk_norm_weights, layer.activation) == (True, False, "relu_squared")
    folder, graphs = graphs_at(tmp_path, NANOCHAT)
    assert (folder.tensors.has_norm_weights, folder.logit_cap) == (False, 15.0)
    assert graphs.phases[0].normed is not None


@pytest.mark.parametrize("name", ["bloom", "codegen", "falcon", "nanochat", "qwen3_next"])
def test_rows_that_stand_in_another_order_are_known(name):
    assert FAMILIES[name].tensors_of({"model_type": name}).moves_qkv


def test_rows_of_llama_stand_in_their_order():
    assert not FAMILIES["llama"].tensors.moves_qkv
