"""Files of models whose layer norms stand where others have none: of heads, or behind residuals."""

import pytest

from irattn.models import model_from_config

SIZES = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
GPT = {"model_type": "openai-gpt", "n_embd": 64, "n_head": 4, "n_layer": 2, "n_positions": 32}


def layer(config):
    (found,) = (one.spec for one in model_from_config(config).parts if one.phase == "layer_decode")
    return found


@pytest.mark.parametrize(("model_type", "without"), [("persimmon", True), ("phi", False)])
def test_a_key_says_whether_heads_have_norms(model_type, without):
    config = {**SIZES, "model_type": model_type}
    named = [layer({**config, "qk_layernorm": given}) for given in (True, False)]
    assert [(one.qk_norm, one.layer_qk_norm) for one in named] == [(True, True), (False, False)]
    assert layer(config) == named[0 if without else 1]


def test_norms_of_the_first_gpt_are_behind_residuals():
    found = layer(GPT)
    assert (found.pre_norm, found.post_norm, found.norms_residual) == (False, True, True)
    assert (found.norm_kind, found.intermediate_size, found.use_rope) == ("layer", 256, False)


@pytest.mark.parametrize("is_before", [True, False])
def test_a_key_says_where_norms_of_opt_are(is_before):
    found = layer({**SIZES, "model_type": "opt", "do_layer_norm_before": is_before})
    assert (found.pre_norm, found.post_norm) == (is_before, not is_before)
    assert found.norms_residual is not is_before


@pytest.mark.parametrize(
    ("given", "activation"), [("gelu", "gelu_tanh"), ("swish", "silu"), ("relu", "relu")]
)
def test_the_first_gpt_has_activations_of_its_own(given, activation):
    assert layer({**GPT, "afn": given}).activation == activation
