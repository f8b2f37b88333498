"""CTRL and XGLM: what their layers are, and their tables of positions."""

import json

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.folder import ModelFolder
from irattn.models import model_from_config
from irattn.models.families.sinusoids import joined_sinusoids, paired_sinusoids

CTRL = {"model_type": "ctrl", "n_embd": 64, "n_head": 4, "n_layer": 2, "dff": 96, "vocab_size": 99}
XGLM = {
    **{"model_type": "xglm", "d_model": 64, "attention_heads": 4, "num_layers": 2, "ffn_dim": 96},
    "vocab_size": 99,
}


def decode(config):
    model = model_from_config(config, q_len=8)
    assert not model.notes
    (layer,) = [part.spec for part in model.parts if part.phase == "layer_decode"]
    return layer


def test_a_table_of_joined_sinusoids():
    """As if worked by hand: four frequencies, of which the last is 1 / 10000."""
    angles = np.outer(np.arange(5), 10000 ** -(np.arange(4) / 3))
    expected = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    np.testing.assert_allclose(joined_sinusoids(5, 8), expected, atol=1e-6)


def test_a_table_of_paired_sinusoids():
    angles = np.outer(np.arange(5), 10000 ** -(np.arange(4) / 4))
    expected = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    np.testing.assert_allclose(paired_sinusoids(5, 8), expected, atol=1e-6)


def test_an_odd_width_has_a_column_of_zeros():
    table = joined_sinusoids(3, 7)
    assert table.shape == (3, 7)
    assert not table[:, 6].any()


@pytest.mark.parametrize(("config", "eps"), [(CTRL, 1e-6), (XGLM, 1e-5)])
def test_layers_of_both(config, eps, tmp_path):
    layer = decode(config)
    assert (layer.use_rope, layer.gated, layer.norm_kind) == (False, False, "layer")
    assert (layer.intermediate_size, layer.qkv_bias, layer.norm_eps) == (96, True, eps)
    assert layer.activation == ("relu" if config is CTRL else "gelu")
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    folder = ModelFolder(tmp_path)
    assert (folder.embedding_scale, folder.shares_embedding) == (8.0, True)
    assert folder.positions == (256 if config is CTRL else 2048)


@pytest.mark.parametrize(
    ("config", "key", "value"),
    [(CTRL, "layer_norm_epsilon", 1e-5), (XGLM, "add_cross_attention", True)],
)
def test_others_of_both_are_refused(config, key, value):
    with pytest.raises(ConfigError, match=f"{key}: expected"):
        model_from_config({**config, key: value})
