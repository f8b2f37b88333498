"""Files of Aria's text: experts and shared ones, by its own words."""

import pytest

from irattn.core.errors import ConfigError
from irattn.models import model_from_config

ARIA = {
    **{"model_type": "aria_text", "hidden_size": 64, "num_attention_heads": 4},
    **{"num_hidden_layers": 2, "intermediate_size": 24, "moe_num_experts": 6, "moe_topk": 3},
}


def test_experts_are_those_of_the_file():
    (layer,) = (one.spec for one in model_from_config(ARIA).parts if one.phase == "layer_decode")
    experts = layer.experts
    assert (experts.num_experts, experts.experts_per_token) == (6, 3)
    assert (experts.intermediate_size, experts.shared_size) == (24, 48)
    assert (experts.scores, experts.is_normalized) == ("softmax", True)


@pytest.mark.parametrize("changes", [{"hidden_act": "gelu"}, {"mlp_bias": True}])
def test_what_the_code_has_otherwise_is_refused(changes):
    (key,) = changes
    with pytest.raises(ConfigError, match=f"{key}: expected"):
        model_from_config({**ARIA, **changes})
