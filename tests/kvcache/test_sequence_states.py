"""States of sequences: they begin, fork, go to the host and back, and are kept."""

import numpy as np
import pytest

from irattn import ConvolutionLayerSpec, DeltaLayerSpec, DeviceArray
from irattn.kvcache.sequence_states import SequenceStates
from irattn.runtime.devices import memory_of

LAYER = DeltaLayerSpec(
    **{"batch": 3, "q_tokens": 4, "hidden_size": 8, "num_k_heads": 1, "num_v_heads": 2},
    **{"key_dim": 2, "value_dim": 3, "kernel": 4, "io_dtype": "f16"},
)
SHAPES = {"conv_state": (3, 10), "state": (2, 2, 3)}
CONVOLUTION = ConvolutionLayerSpec(batch=3, q_tokens=4, hidden_size=10, kernel=4, io_dtype="f16")


@pytest.fixture
def states():
    """Of layers with other states than one another."""
    return SequenceStates({2: LAYER, 5: CONVOLUTION}, memory_of("cpu"))


def fill(states, place, number):
    """What a step makes of the states of a place: one number everywhere."""
    for layer in (2, 5):
        made = []
        for array in states.of_layer(layer).values():
            numbers = array.to_numpy().copy()
            numbers[place] = number + layer
            made.append(DeviceArray.from_numpy(numbers, array.device))
        states.replace(layer, made)


def number_of(states, place):
    """The one number of a place."""
    found = set()
    for layer in (2, 5):
        for name, array in states.of_layer(layer).items():
            assert array.shape[1:] == SHAPES[name]
            found |= set((array.to_numpy()[place].astype(np.float64) - layer).ravel().tolist())
    (number,) = found
    return number


def test_a_place_begins_with_zeros_whoever_had_it(states):
    place = states.begin()
    fill(states, place, 7)
    states.end(place)
    places = [states.begin() for _ in range(3)]
    assert (sorted(places), states.num_free) == ([0, 1, 2], 0)
    for layer in (2, 5):
        assert not any(array.to_numpy().any() for array in states.of_layer(layer).values())


def test_a_fork_goes_on_by_itself(states):
    first = states.begin()
    fill(states, first, 7)
    second = states.fork(first)
    fill(states, first, 8)
    assert (number_of(states, first), number_of(states, second)) == (8, 7)


def test_to_the_host_and_back(states):
    first, second = states.begin(), states.begin()
    fill(states, first, 7)
    fill(states, second, 9)
    swapped = states.swap_out(first)
    assert states.num_free == 2
    fill(states, states.begin(), 1)
    assert number_of(states, states.swap_in(swapped)) == 7
    assert number_of(states, second) == 9


def test_what_is_kept_stays_until_others_need_its_place(states):
    place = states.begin()
    for number, end in enumerate((b"a", b"b", b"c")):
        fill(states, place, number)
        states.keep(end, place)
    # Used again, and then kept anew, which changes nothing.
    assert number_of(states, states.begin(b"a")) == 0
    states.keep(b"b", place)
    fill(states, place, 5)
    states.keep(b"d", place)
    assert [end in states for end in (b"a", b"b", b"c", b"d")] == [True, True, False, True]
    states.end(place)
    for end, number in ((b"b", 1), (b"d", 5)):
        again = states.begin(end)
        assert number_of(states, again) == number
        states.end(again)
    assert states.evict() == 3
    assert b"a" not in states
