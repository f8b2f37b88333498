"""Apertus: what its layers are, and the parameters of its activation."""

import numpy as np
import pytest

from irattn.core.errors import ConfigError
from irattn.generation.activation_parameters import activation_pieces
from irattn.models import model_from_config
from irattn.models.families.apertus import APERTUS
from irattn.specs.mlp import MlpSpec

APERTUS_FILE = {
    **{"model_type": "apertus", "num_hidden_layers": 2, "hidden_size": 64},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4},
}
MLP = MlpSpec(q_len=1, hidden_size=8, intermediate_size=8, activation="xielu", gated=False)


class NumbersOfFiles:
    """Files with single numbers, as Weights reads them."""

    def __init__(self, numbers):
        self.numbers = numbers

    def read_into(self, rows, name):
        rows[:] = self.numbers[name]


def decode(**changes):
    model = model_from_config({**APERTUS_FILE, **changes}, q_len=8)
    return model, [part.spec for part in model.parts if part.phase == "layer_decode"]


@pytest.mark.parametrize("name", ["apertus", "apertus1p5_text"])
def test_the_layers_of_apertus(name):
    model, (layer,) = decode(model_type=name)
    assert not model.notes
    assert (layer.activation, layer.gated, layer.qk_norm) == ("xielu", False, True)
    assert layer.mlp.inputs[-1].name == "activation_weight"


def test_apertus_without_its_rotation_is_refused():
    with pytest.raises(ConfigError, match="rope_parameters or rope_scaling: missing"):
        decode(rope_parameters=None)


@pytest.mark.parametrize("key", [{"qk_norm": False}, {"post_norm": True}, {"mlp_bias": True}])
def test_other_apertus_is_refused(key):
    (name,) = key
    with pytest.raises(ConfigError, match=rf"{name}: expected (True|False), all that irattn has"):
        decode(**key)


def test_apertus_with_another_activation_is_refused():
    """Whose parameters, which its files have, nothing would read."""
    with pytest.raises(ConfigError, match=r"hidden_act: expected xielu, whose .*, got 'gelu'"):
        decode(hidden_act="gelu")


def test_models_without_its_parameters_have_another_activation():
    model, (layer,) = decode(model_type="llama", hidden_act="xielu")
    assert layer.mlp is None
    assert "hidden_act: xielu: not one of" in model.notes[0]


@pytest.mark.parametrize("is_whole", [True, False])
def test_parameters_of_the_activation(is_whole):
    """Factors through softplus; slope and edge are the code's where files leave them out."""
    names = APERTUS.tensors
    there = [f"model.layers.0.{name}" for name in names.activation][: 4 if is_whole else 2]
    found = activation_pieces("", MLP.inputs[-1], names.stored_in(there).activation)
    numbers = dict(zip(names.activation, (0.0, 1.0, 0.25, -0.125), strict=True))
    slope, edge = (0.25, -0.125) if is_whole else (0.5, -1e-6)
    expected = [np.log(2), slope + np.log(1 + np.e), slope, edge]
    np.testing.assert_allclose(found.read(NumbersOfFiles(numbers), "bf16"), expected, rtol=1e-6)
