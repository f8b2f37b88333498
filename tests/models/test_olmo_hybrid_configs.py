"""OLMo Hybrid's files: what they leave out, and the names that training and transformers give."""

import pytest

from irattn.models import model_from_config
from irattn.models.families import FAMILIES

BARE = {"model_type": "olmo_hybrid", "hidden_size": 3840, "num_attention_heads": 30}


def decodes_of(**changes):
    model = model_from_config({**BARE, **changes})
    return {part.kind: part for part in model.parts if part.phase == "layer_decode"}


def test_delta_nets_of_olmo_hybrid_have_sizes_of_its_heads():
    layers = decodes_of(num_hidden_layers=9)
    delta = layers["linear"].spec
    assert (delta.num_k_heads, delta.num_v_heads, delta.key_dim, delta.value_dim) == (
        30,
        30,
        96,
        192,
    )
    assert (delta.doubles_shares, delta.gated_norm_eps, delta.norm_eps) == (True, 1e-5, 1e-6)
    assert decodes_of(linear_allow_neg_eigval=False)["linear"].spec.doubles_shares is False
    full = layers["full"]
    assert full.layers == (3, 7)
    assert (full.spec.pre_norm, full.spec.post_norm, full.spec.joint_qk_norm) == (False, True, True)
    assert decodes_of(num_hidden_layers=2)["full"].layers == (1,)


@pytest.mark.parametrize(
    ("said", "rotates"),
    [
        ({}, True),
        ({"rope_theta": 5e5}, True),
        ({"rope_theta": None}, False),
        ({"rope_parameters": None}, True),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": None}}, False),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 1e4}}, True),
    ],
)
def test_olmo_hybrid_rotates_where_there_is_a_theta(said, rotates):
    layers = decodes_of(**said)
    assert layers.keys() == {"linear", "full"}
    assert all(part.spec.use_rope is rotates for kind, part in layers.items() if kind != "linear")


def test_names_of_olmo_hybrid_are_those_in_its_files():
    names = FAMILIES["olmo_hybrid"].tensors
    norms = ("attention_layer_norm", "feedforward_layer_norm", "post_attention_layernorm")
    published = [f"model.layers.0.{name}.weight" for name in norms]
    found = names.stored_in(published)
    assert (found.attention_norm, found.mlp_norm, found.post_norm) == norms
    assert found.delta.conv == tuple(f"linear_attn.{one}_conv1d" for one in "qkv")
    assert names.stored_in(published[:2]).post_norm == norms[1]
    loaded = names.stored_in(["model.layers.0.input_layernorm.weight", published[2]])
    assert loaded == names
