"""The MLP of a layer: by hand, as relations, compiled, and its machine code."""

from itertools import combinations, product

import numpy as np
import pytest

import irattn
from irattn import MlpSpec
from irattn.binary.inspection import inspect_module
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.specs.mlp import ACTIVATIONS
from support.joined import together
from support.machine_code import artifact, kernels, matrix_instructions

pytestmark = pytest.mark.slow

MLP = MlpSpec(batch=2, q_len=5, hidden_size=24, intermediate_size=40, io_dtype="f32")
ONE = MLP.replace(batch=1, q_len=1, hidden_size=1, intermediate_size=1)


DTYPES = ("f32", "f16", "bf16")

# torch.nn.functional's silu, gelu, gelu(approximate="tanh"), relu and its square, of -1, 1 and 3.
ACTIVATED = {
    "silu": [-0.2689414, 0.7310586, 2.8577224],
    "gelu": [-0.1586553, 0.8413447, 2.9959502],
    "gelu_tanh": [-0.1588080, 0.8411920, 2.9963627],
    "relu": [0.0, 1.0, 3.0],
    "relu_squared": [0.0, 1.0, 9.0],
}


PLAIN = {
    one.graph.spec.activation: one
    for one in together(ONE.replace(q_len=6, activation=a, gated=False) for a in ACTIVATIONS)
}


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_activations_are_those_of_other_libraries(activation):
    """To seven digits, in which the two kinds of gelu differ."""
    kernel = PLAIN[activation].load()
    unit = np.ones((1, 1), np.float32)
    hidden = np.array(2 * [-1, 1, 3], np.float32).reshape(1, 6, 1)
    tensors = {"hidden": hidden, "up_weight": unit, "down_weight": unit}
    expected = np.reshape(2 * ACTIVATED[activation], (1, 6, 1))
    np.testing.assert_allclose(reference(kernel.spec, tensors)[0], expected, atol=6e-8)
    np.testing.assert_allclose(kernel(**tensors), expected, atol=5e-7)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_activations_of_large_numbers_are_finite(activation):
    """Where an exponential overflows, or a cube."""
    kernel = PLAIN[activation].load()
    unit = np.ones((1, 1), np.float32)
    hidden = np.array([-3e38, -1e15, -200, 200, 1e15, 3e38], np.float32).reshape(1, 6, 1)
    tensors = {"hidden": hidden, "up_weight": unit, "down_weight": unit}
    expected = np.maximum(hidden, 0)
    if activation == "relu_squared":
        # As much as numbers of f32 can tell.
        hidden[:] = np.sqrt(np.maximum(hidden, 1e-30))
        expected = hidden**2
    np.testing.assert_array_equal(kernel(**tensors), expected)
    np.testing.assert_allclose(reference(kernel.spec, tensors)[0], expected, atol=1e-30)


def test_gate_and_up_by_hand():
    """Rows of the weight are the gate's two columns, then up's."""
    spec = MlpSpec(q_len=1, hidden_size=2, intermediate_size=2, activation="relu", has_bias=True)
    (output,) = reference(
        spec,
        {
            "hidden": np.array([[[1.0, 2.0]]]),
            "gate_up_weight": np.array([[1.0, 1.0], [-1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]),
            "gate_up_bias": np.array([1.0, 0.0, 10.0, 100.0]),
            "down_weight": np.array([[1.0, 5.0], [0.5, 7.0]]),
            "down_bias": np.array([0.25, 0.0]),
        },
    )
    # Gates of 4 and 0, and 12 and 101 to go through.
    np.testing.assert_array_equal(output, [[[48.25, 24.0]]])


# Any two of dtype, activation and gate are together in one of them.
PAIRS = [
    MLP.replace(io_dtype=dtype, activation=activation, gated=gated, has_bias=gated)
    for (i, dtype), (k, activation) in product(enumerate(DTYPES), enumerate(ACTIVATIONS))
    for gated in [(i + k) % 2 == 0]
]
SHAPES = [
    MLP.replace(has_bias=True, io_dtype="f16", **changes)
    for changes in (
        {"q_len": 1, "batch": 1},
        {"q_len": 33, "hidden_size": 77, "intermediate_size": 131},
        {"hidden_size": 1, "intermediate_size": 1},
    )
]
OPEN = MLP.replace(activation="relu", has_bias=True)
COMPILED = {one.graph.spec: one for one in together(dict.fromkeys([*PAIRS, *SHAPES, OPEN]))}


def test_any_two_of_dtype_activation_and_gate_are_compiled():
    for names in combinations(("io_dtype", "activation", "gated"), 2):
        have = [{getattr(spec, name) for spec in PAIRS} for name in names]
        pairs = {tuple(getattr(spec, name) for name in names) for spec in PAIRS}
        assert pairs == set(product(*have))


@pytest.mark.parametrize("one", COMPILED.values(), ids=str)
def test_compiled(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_an_open_gate_is_no_gate():
    """With weights of 0 and a bias of 1 through relu, the gate is 1."""
    spec = OPEN
    tensors = random_tensors(spec)
    columns = spec.intermediate_size
    tensors["gate_up_weight"][:columns] = 0
    tensors["gate_up_bias"][:columns] = 1
    up = (
        tensors["hidden"] @ tensors["gate_up_weight"][columns:].T
        + tensors["gate_up_bias"][columns:]
    )
    expected = up @ tensors["down_weight"].T + tensors["down_bias"]
    np.testing.assert_allclose(COMPILED[spec].load()(**tensors), expected, atol=1e-5)


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_gates_have_no_kernel_of_their_own_and_nothing_spills(target):
    found = kernels(catalog.get("mlp_base"), target)
    assert len(found) == 3
    assert matrix_instructions(found) >= 3 * 48
    assert [kernel.scratch_bytes for kernel in found] == [0, 0, 0]


def test_what_the_gate_makes_is_stored_in_the_io_dtype():
    """Gate and what goes down, 2 bytes an element each, are all the memory that is needed."""
    spec = catalog.get("mlp_base")
    found = inspect_module(artifact(spec, "gfx1100").vmfb)
    assert found.transient_bytes == 2 * 2 * spec.rows * spec.intermediate_size


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"intermediate_size": 0}, "intermediate_size: expected a whole number of at least 1, got"),
        ({"gated": 1}, "gated: expected true or false, got 1"),
        ({"has_bias": "no"}, "has_bias: expected true or false, got 'no'"),
        (
            {"activation": "gelu_new"},
            "activation: expected one of silu, gelu, gelu_tanh, relu, relu_squared, xielu, got",
        ),
        ({"activation": ["silu"]}, "activation: expected one of silu, gelu, gelu_tanh, relu, relu"),
    ],
)
def test_impossible_values_are_refused(changes, message):
    with pytest.raises(SpecError, match=message):
        MLP.replace(**changes)


def test_there_is_one_formulation():
    with pytest.raises(RenderError, match="formulation: mlp has only one; leave it out"):
        irattn.render(MLP, formulation="fused")
