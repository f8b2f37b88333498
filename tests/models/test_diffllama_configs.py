"""DiffLlama's files: heads twice as wide as the file's, and the shares that are subtracted."""

import math

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.difference_parameters import difference_pieces
from irattn.models import model_from_config
from irattn.models.families import TensorNames
from irattn.models.families.tensor_names import DifferenceNames

FIELDS = {
    **{"model_type": "diffllama", "hidden_size": 96, "intermediate_size": 48},
    **{"num_attention_heads": 8, "num_key_value_heads": 4, "num_hidden_layers": 2},
    **{"max_position_embeddings": 256, "rms_norm_eps": 1e-5, "rope_theta": 1e4, "vocab_size": 99},
    **{"attention_bias": False, "lambda_std_dev": 0.1, "attention_dropout": 0.0},
}


def layer(**changes):
    """The layer of a step."""
    parts = model_from_config({**FIELDS, **changes}).parts
    return next(part.spec for part in parts if part.phase == "layer_decode")


@pytest.mark.parametrize(("head_dim", "columns"), [(None, 12), (20, 20)])
def test_heads_are_twice_as_wide_and_half_rotated(head_dim, columns):
    found = layer(head_dim=head_dim)
    assert (found.attention.head_dim, found.rotary_dim) == (2 * columns, columns)
    assert found.attention.scale == columns**-0.5
    assert (found.subtracts_heads, found.projection.num_q_heads) == (True, 4)


def test_shares_and_norms_begin_where_the_number_of_the_layer_says():
    """`lambda_init_fn` by hand, of the third layer."""
    names = TensorNames(difference=DifferenceNames())
    pieces = difference_pieces("layers.2.", 2, layer(), names)
    first = 0.8 - 0.6 * math.exp(-0.6)
    factors = np.eye(4)[:, :1] * 0.5
    share = pieces["difference_share"].made(*factors)
    np.testing.assert_allclose(share, [first], rtol=1e-12)
    assert pieces["difference_norm_weight"].fill == pytest.approx(1 - first)
    ones = np.ones(12)
    share = pieces["difference_share"].made(ones / 12, ones, ones / 6, ones)
    np.testing.assert_allclose(share, [math.e - math.e**2 + first], rtol=1e-12)


def test_each_kv_head_has_the_values_of_its_place_in_both_halves():
    pieces = difference_pieces("", 0, layer(), TensorNames(difference=DifferenceNames()))
    query, key, value = (
        np.arange(heads * 12)[:, None].repeat(96, axis=1) + place * 1000
        for place, heads in enumerate((8, 4, 4))
    )
    made = pieces["qkv_weight"].made(query, key, value)[:, 0].reshape(16, 24)
    np.testing.assert_array_equal(made[3], [*range(36, 48), *[0] * 12])
    np.testing.assert_array_equal(made[9], [*range(1012, 1024), *[0] * 12])
    for head, pair in {12: (0, 2), 13: (1, 3), 14: (0, 2), 15: (1, 3)}.items():
        rows = [2000 + 12 * one + row for one in pair for row in range(12)]
        np.testing.assert_array_equal(made[head], rows)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_key_value_heads": 1}, "num_key_value_heads: expected an even number"),
        (
            {"num_attention_heads": 3, "num_key_value_heads": None, "head_dim": 8},
            "num_key_value_heads: expected an even number, .* got 3",
        ),
        ({"quantization_config": {"quant_method": "fp8"}}, "quantization_config: expected null"),
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor: expected 1"),
        ({"sliding_window": 9}, "sliding_window"),
        ({"hidden_size": 3}, "head_dim: expected an even number, .* got 0, which is hidden_size"),
        ({"head_dim": 63}, "head_dim: expected an even number, .* got 63"),
        ({"head_dim": 200}, "head_dim: heads of 400 columns"),
    ],
)
def test_what_the_code_of_diffllama_has_not_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        model_from_config({**FIELDS, **changes})
