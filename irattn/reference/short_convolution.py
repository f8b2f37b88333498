"""Short causal convolution in float64: state and tokens one after the other, and then windows."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from irattn.reference.mlp import ACTIVATIONS
from irattn.specs.short_convolution import ShortConvolutionSpec


def short_convolution(
    spec: ShortConvolutionSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of ShortConvolutionSpec, sequence by sequence."""
    x, weight, state = (
        tensors[name].astype(np.float64) for name in ("x", "weight", "initial_state")
    )
    bias = tensors["bias"].astype(np.float64) if spec.use_bias else 0.0
    output, final = np.zeros(x.shape), np.zeros(state.shape)
    for b, own in enumerate(tokens_of_sequences(spec, tensors)):
        tokens = np.concatenate([state[b], x[own]])
        final[b] = tokens[len(x[own]) :]
        for token, out in enumerate(output[own]):
            out[:] = np.sum(tokens[token : token + spec.kernel] * weight.T, axis=0) + bias
    if spec.silu:
        output = ACTIVATIONS["silu"](output)
    return output, final


def tokens_of_sequences(
    spec: ShortConvolutionSpec, tensors: Mapping[str, np.ndarray]
) -> list[tuple[int | slice, ...]]:
    """Where the real tokens of each sequence lie."""
    if spec.packed:
        return [(slice(*ends),) for ends in pairwise(tensors["cu_seqlens_q"].tolist())]
    lens = tensors["q_lens"].tolist() if spec.ragged else [spec.q_len] * spec.batch
    return [(b, slice(count)) for b, count in enumerate(lens)]
