"""A.X K1 and Kolibri 1: norms of what experts add, and how these are chosen."""

import pytest

from irattn.core.errors import ConfigError
from irattn.generation.expert_parameters import expert_pieces
from irattn.models import model_from_config
from irattn.models.families import FAMILIES

SMALL = {
    **{"num_hidden_layers": 5, "hidden_size": 64, "num_attention_heads": 4},
    **{"intermediate_size": 96, "num_experts_per_tok": 2, "moe_intermediate_size": 24},
}
AXK_1 = {
    **{"model_type": "axk1", **SMALL, "n_routed_experts": 4, "n_group": 2, "topk_group": 1},
    **{"kv_lora_rank": 16, "q_lora_rank": 12, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4},
    **{"v_head_dim": 8, "n_shared_experts": 1},
}
KOLIBRI = {
    **{"model_type": "kolibri1", **SMALL, "num_experts": 4, "num_key_value_heads": 2},
    **{"head_dim": 16, "sliding_window": 16, "shared_expert_intermediate_size": 40},
}


def decodes(config):
    """For each kind of layers their numbers and spec."""
    model = model_from_config(config, q_len=8, kv_len=512)
    return {part.layers: part.spec for part in model.parts if part.phase == "layer_decode"}


def test_only_experts_of_axk1_have_a_norm_behind_them():
    found = {
        numbers: (one.experts is not None, one.mlp_post_norm, one.post_norm)
        for numbers, one in decodes(AXK_1).items()
    }
    assert found == {(0,): (False, False, False), (1, 2, 3, 4): (True, True, False)}
    listed = {"mlp_layer_types": ["sparse", "dense", "sparse", "dense", "dense"]}
    assert set(decodes({**AXK_1, **listed})) == {(0, 2), (1, 3, 4)}


@pytest.mark.parametrize("has_bias", [True, False])
def test_biases_of_choices_may_be_left_out_of_axk1s_files(has_bias):
    spec = decodes(AXK_1)[1, 2, 3, 4].mlp
    bias = "mlp.gate.e_score_correction_bias"
    there = {f"model.layers.1.{bias}"} if has_bias else set()
    names = FAMILIES["axk1"].tensors_of(AXK_1).stored_in(there)
    pieces = expert_pieces("", spec, names)["choice_bias"]
    assert list(pieces.shapes) == ([bias] if has_bias else [])
    if not has_bias:
        assert pieces.read(None, "f32").tolist() == [0.0] * 4


def test_kolibris_layers():
    found = decodes(KOLIBRI)
    rotated = {
        numbers: (one.use_rope, bool(one.attention.window)) for numbers, one in found.items()
    }
    assert rotated == {(0, 1, 2, 3): (True, True), (4,): (False, False)}
    for layer in found.values():
        assert layer.post_norm
        assert not layer.mlp_post_norm
        assert layer.experts.biases_logits
        assert layer.experts.shared_size == 40


def test_kolibri_without_windows_rotates_all_layers():
    kinds = ["full_attention"] * 5
    (layer,) = decodes({**KOLIBRI, "sliding_window": None, "layer_types": kinds}).values()
    assert layer.use_rope


def test_biases_of_kolibris_attention_are_refused():
    with pytest.raises(ConfigError, match="attention_bias: expected False"):
        decodes({**KOLIBRI, "attention_bias": True})
