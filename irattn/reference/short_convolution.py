"""Short causal convolution in float64: state and tokens one after the other, and then windows."""

from collections.abc import Mapping

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
    lens = tensors["q_lens"].tolist() if spec.ragged else [spec.q_len] * spec.batch
    output, final = np.zeros(x.shape), np.zeros(state.shape)
    for b, count in enumerate(lens):
        tokens = np.concatenate([state[b], x[b, :count]])
        final[b] = tokens[count:]
        for token in range(count):
            output[b, token] = np.sum(tokens[token : token + spec.kernel] * weight.T, axis=0)
        if spec.use_bias:
            output[b, :count] += tensors["bias"].astype(np.float64)
    if spec.silu:
        output = ACTIVATIONS["silu"](output)
    return output, final
