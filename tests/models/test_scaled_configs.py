"""Models whose factors are files' own: HyperCLOVA X, MiniCPM 3, and Phi 4 of images and sound."""

import json
import math

import pytest

from irattn.generation.folder import ModelFolder
from irattn.models import model_from_config

SIZES = {
    **{"num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 99},
    "intermediate_size": 96,
}
HYPERCLOVA_X = {
    **{**SIZES, "model_type": "hyperclovax", "logits_scaling": 0.125, "attention_multiplier": 0.3},
    **{"residual_multiplier": 0.5, "embedding_multiplier": 10.0},
}
MINICPM_3 = {
    **{**SIZES, "model_type": "minicpm3", "kv_lora_rank": 16, "q_lora_rank": 12},
    **{"qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "scale_depth": 1.4, "scale_emb": 12},
    "dim_model_base": 16,
}


def decode_of(config):
    model = model_from_config(config, q_len=8)
    (layer,) = [part.spec for part in model.parts if part.phase == "layer_decode"]
    return layer


def folder_of(config, path):
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return ModelFolder(path)


@pytest.mark.parametrize("has_norms", [True, False])
def test_hyperclova_x(has_norms, tmp_path):
    """Logits of HyperCLOVA X are multiplied; norms stand behind halves where files say so."""
    config = {**HYPERCLOVA_X, "use_post_norm": has_norms}
    layer, folder = decode_of(config), folder_of(config, tmp_path)
    assert (layer.post_norm, layer.residual_scale) == (has_norms, 0.5)
    assert (layer.attention.softmax_scale, folder.logit_scale) == (0.3, 0.125)
    assert folder.embedding_scale == 10


def test_minicpm_3(tmp_path):
    layer, folder = decode_of(MINICPM_3), folder_of(MINICPM_3, tmp_path)
    assert (layer.latent.value_dim, layer.latent.q_lora_rank) == (16, 12)
    assert layer.residual_scale == pytest.approx(1.4 / math.sqrt(4))
    assert (folder.embedding_scale, folder.logit_scale) == (12, 0.25)


@pytest.mark.parametrize(
    ("key", "name", "value"),
    [
        ("scale_depth", "residual_scale", 1.0),
        ("dim_model_base", "logit_scale", 1.0),
        ("v_head_dim", "value_dim", 16),
    ],
)
def test_minicpm_3_without_a_factor(key, name, value, tmp_path):
    """Null means that there is no such factor, or as many columns as of a head."""
    config = {**MINICPM_3, key: None}
    layer, folder = decode_of(config), folder_of(config, tmp_path)
    places = {"residual_scale": layer, "value_dim": layer.latent, "logit_scale": folder}
    assert getattr(places[name], name) == value


def test_text_of_phi_4_with_images_is_phi_3s():
    shared = {**SIZES, "num_key_value_heads": 2, "sliding_window": 4, "rms_norm_eps": 1e-6}
    both = [decode_of({**shared, "model_type": name}) for name in ("phi3", "phi4_multimodal")]
    assert both[0] == both[1]
