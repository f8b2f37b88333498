"""What holds of every layer that takes and gives a short convolution's state and another one."""

import numpy as np

from irattn.lab.inputs import random_tensors
from irattn.reference import reference


def parts(tensors, bounds):
    """A call with the tokens of some bounds, which are those of all sequences one by one."""
    rows = np.concatenate([np.arange(*ends) for ends in bounds])
    counts = [end - start for start, end in bounds]
    return {
        **tensors,
        "hidden": tensors["hidden"][rows],
        "cu_seqlens_q": np.cumsum([0, *counts], dtype=np.int32),
    }


def check_that_a_sequence_goes_on(layer, kernel):
    """In two steps, in which another has no tokens once: what one step gives, by both."""
    tensors = random_tensors(layer)
    at_once = parts(tensors, [(0, 6), (6, 7), (7, 14)])
    first, second = ([(0, 4), (6, 6), (7, 9)], [(4, 6), (6, 7), (9, 14)])
    for run in (kernel, lambda **given: reference(layer, given)):
        expected, *states = run(**at_once)
        begun, conv_state, state = run(**parts(tensors, first))
        np.testing.assert_array_equal(state[1], tensors["state"][1])
        np.testing.assert_array_equal(conv_state[1], tensors["conv_state"][1])
        kept = {"conv_state": np.float32(conv_state), "state": np.float32(state)}
        done, *ends = run(**parts(tensors | kept, second))
        together = np.concatenate([begun[:4], done[:2], done[2:3], begun[4:], done[3:]])
        np.testing.assert_allclose(together, expected, rtol=1e-4, atol=1e-5)
        for end, at_the_end in zip(ends, states, strict=True):
            np.testing.assert_allclose(end, at_the_end, rtol=1e-4, atol=1e-5)


def check_that_padding_reaches_no_state(layer, kernel):
    tensors = random_tensors(layer) | {"cu_seqlens_q": np.array([0, 5, 5, 9], np.int32)}
    expected = kernel(**tensors)
    tensors["hidden"][9:] = np.nan
    output, *states = kernel(**tensors)
    np.testing.assert_array_equal(output[:9], expected[0][:9])
    for state, other in zip(states, expected[1:], strict=True):
        np.testing.assert_array_equal(state, other)
