"""Bounds of the errors of what stands around attention: products, norms, rotations, streams."""

import numpy as np

from irattn.lab.certificates.bounded_call import Bound, Call
from irattn.lab.certificates.delta_rule_bounds import delta_rule_errors
from irattn.lab.certificates.layer_bounds import latent_errors, layer_errors
from irattn.lab.certificates.layer_parts import (
    activated,
    layer_normed,
    linear_of,
    mlp_error,
    normed,
    sigmoid,
    turned,
)
from irattn.lab.certificates.rounding import (
    FEW_UNITS,
    UNIT,
    Rounded,
    capped,
    dot,
    given,
    product,
    scaled,
    sum_of,
)
from irattn.lab.certificates.scan_bounds import scan_errors
from irattn.lab.certificates.stream_bounds import coefficients_error, join_error, split_error
from irattn.reference.short_convolution import tokens_of_sequences


def _linear(call: Call) -> list[np.ndarray]:
    return [linear_of(call.exact["hidden"], call.exact).error]


def _latent_projection(call: Call) -> list[np.ndarray]:
    return [made.error for made in latent_errors(call.spec, call.exact).values()]


def _split_streams(call: Call) -> list[np.ndarray]:
    return [split_error(call.spec, call.exact)]


def _join_streams(call: Call) -> list[np.ndarray]:
    return [join_error(call.spec, call.exact)]


def _stream_coefficients(call: Call) -> list[np.ndarray]:
    return [coefficients_error(call.spec, call.exact)]


def _head_projection(call: Call) -> list[np.ndarray]:
    return [dot(call.exact["heads"], call.exact["weight"].swapped(-1, -2)).error]


def _qkv(call: Call) -> list[np.ndarray]:
    spec = call.spec
    together = linear_of(call.exact["hidden"], call.exact).error
    heads = together.reshape(spec.batch, spec.q_len, -1, spec.head_dim).transpose(0, 2, 1, 3)
    return np.split(heads, [*spec.first_heads.values()][1:], axis=1)


def _output_projection(call: Call) -> list[np.ndarray]:
    by_token = call.exact["attended"].swapped(1, 2)
    rows = by_token.reshape(call.spec.batch, call.spec.q_len, -1)
    return [linear_of(rows, call.exact).error]


def _lm_head(call: Call) -> list[np.ndarray]:
    logits = scaled(linear_of(call.exact["hidden"], call.exact), call.spec.scale)
    cap = call.spec.logits_soft_cap
    return [(logits if cap is None else capped(logits, cap)).error]


def _mlp(call: Call) -> list[np.ndarray]:
    return [mlp_error(call.spec, call.exact).error]


def _norm(call: Call) -> list[np.ndarray]:
    return [normed(call.spec, call.exact["x"], call.exact["weight"]).error]


def _layer_norm(call: Call) -> list[np.ndarray]:
    exact = call.exact
    return [layer_normed(call.spec, exact["x"], exact["weight"], exact.get("bias")).error]


def _gated_norm(call: Call) -> list[np.ndarray]:
    one = normed(call.spec, call.exact["x"], call.exact["weight"])
    gate = call.exact["gate"]
    return [
        product(one, sigmoid(gate) if call.spec.sigmoid_gate else activated("silu", gate)).error
    ]


def _l2_norm(call: Call) -> list[np.ndarray]:
    x = call.exact["x"]
    size = np.sqrt(np.sum(np.square(x.value), axis=-1, keepdims=True) + call.spec.eps)
    rounded = (x.value.shape[-1] / 2 + 1) * UNIT + FEW_UNITS
    return [2 * x.error / size + np.abs(x.value) / size * rounded]


def _convolution(call: Call) -> list[np.ndarray]:
    """Products with the tokens of a window; tokens beyond lengths have zeros."""
    spec, exact = call.spec, call.exact
    x, state = exact["x"].value, exact["initial_state"].value
    value, magnitude = np.zeros(x.shape), np.zeros(x.shape)
    for b, own in enumerate(tokens_of_sequences(spec, call.tensors)):
        tokens = np.concatenate([state[b], x[own]])
        windows = np.lib.stride_tricks.sliding_window_view(tokens, spec.kernel, axis=0)
        parts = (windows * exact["weight"].value)[: len(x[own])]
        value[own], magnitude[own] = parts.sum(-1), np.abs(parts).sum(-1)
    together = Rounded(value, spec.kernel * UNIT * magnitude)
    if spec.use_bias:
        together = sum_of(together, exact["bias"])
    made = activated("silu", together) if spec.silu else together
    return [made.error, np.zeros(exact["initial_state"].value.shape)]


def _rope(call: Call) -> list[np.ndarray]:
    given = [name for name in ("query", "key") if name in call.exact]
    return [turned(call.spec, call.exact[name], call.exact).error for name in given]


def _embedding(call: Call) -> list[np.ndarray]:
    rows = given(call.tensors["weight"][call.tensors["token_ids"]])
    return [scaled(rows, call.spec.scale).error]


def _positions(call: Call) -> list[np.ndarray]:
    rows = call.tensors["positions"].astype(np.int64) + getattr(call.spec, "offset", 0)
    terms = [call.exact["hidden"], given(call.tensors["position_table"][rows])]
    if "block_positions" in call.tensors:
        blocks = call.tensors["block_position_table"][call.tensors["block_positions"]]
        terms.append(given(blocks))
    return [sum_of(*terms).error]


def _delta_rule(call: Call) -> list[np.ndarray]:
    return delta_rule_errors(call.spec, call.tensors)


def _scan(call: Call) -> list[np.ndarray]:
    return scan_errors(call.spec, call.tensors)


def _layer(call: Call) -> list[np.ndarray]:
    return list(layer_errors(call.spec, call.exact))


BOUNDS: dict[str, Bound] = {
    "qkv_projection": _qkv,
    "output_projection": _output_projection,
    "lm_head": _lm_head,
    "linear": _linear,
    "head_projection": _head_projection,
    "latent_projection": _latent_projection,
    "mlp": _mlp,
    "rms_norm": _norm,
    "layer_norm": _layer_norm,
    "gated_rms_norm": _gated_norm,
    "l2_norm": _l2_norm,
    "rope": _rope,
    "embedding": _embedding,
    "position_embedding": _positions,
    "block_position_embedding": _positions,
    "gated_delta_rule": _delta_rule,
    "selective_scan": _scan,
    "short_convolution": _convolution,
    "decoder_layer": _layer,
    "split_streams": _split_streams,
    "join_streams": _join_streams,
    "stream_coefficients": _stream_coefficients,
}
