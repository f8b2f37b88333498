"""Hidden states to logits, in float64."""

from collections.abc import Mapping

import numpy as np

from irattn.reference.projections import linear
from irattn.reference.rounded_activations import multiplied
from irattn.specs.lm_head import LmHeadSpec


def lm_head(spec: LmHeadSpec, tensors: Mapping[str, np.ndarray]) -> tuple[np.ndarray, ...]:
    """The meaning of LmHeadSpec."""
    logits = spec.scale * linear(multiplied(spec, tensors["hidden"]), tensors)
    cap = spec.logits_soft_cap
    return (logits if cap is None else cap * np.tanh(logits / cap),)
