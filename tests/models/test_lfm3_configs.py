"""LFM3's files: kinds of layers, their rotations, gates and norms."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

FIELDS = {
    **{"model_type": "lfm3", "hidden_size": 96, "intermediate_size": 48, "norm_eps": 1e-5},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32, "vocab_size": 99},
    **{"num_hidden_layers": 6, "max_position_embeddings": 256, "sliding_window": 20},
    **{"conv_L_cache": 7, "conv_bias": False},
}


def layers(**changes):
    """The layers of a step by the numbers of those that are so."""
    parts = model_from_config({**FIELDS, **changes}).parts
    return {part.layers: part.spec for part in parts if part.phase == "layer_decode"}


def test_what_a_file_leaves_out_is_as_the_code_has_it():
    found = layers()
    assert set(found) == {(0, 1, 3, 5), (2,), (4,)}
    convolution, full, sliding = found[0, 1, 3, 5], found[2,], found[4,]
    assert (convolution.kernel, convolution.post_norm) == (7, True)
    assert (full.theta, full.scaling.rotated_pairs) == (1e6, 8)
    assert (sliding.theta, sliding.scaling, sliding.attention.window) == (1e4, None, (19, None))
    for layer in (full, sliding):
        assert (layer.output_gate, layer.post_norm, layer.qk_norm) == (True, True, True)


def test_gates_and_norms_may_be_off():
    for layer in layers(use_attention_gate=False, use_sandwich_norm=False).values():
        assert not layer.post_norm
        assert not getattr(layer, "output_gate", False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"conv_bias": True}, "conv_bias: expected False"),
        ({"conv_L_cache": 9}, "conv_L_cache: expected at most 8, got 9"),
        ({"hidden_act": "gelu"}, "hidden_act: expected"),
        (
            {
                "rope_parameters": {
                    "full_attention": {"rope_type": "default", "partial_rotary_factor": 0.5},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
                }
            },
            "partial_rotary_factor: expected 1 with the rope_type 'default' of full_attention",
        ),
        ({"rope_parameters": {"rope_type": "default"}}, "rope_parameters: expected "),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
    ],
)
def test_what_the_code_of_lfm3_has_not_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        layers(**changes)
