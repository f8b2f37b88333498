"""Logits to the likeliest token."""

from collections.abc import Mapping

import numpy as np

from irattn.specs.greedy_choice import GreedyChoiceSpec


def greedy_choice(
    spec: GreedyChoiceSpec, tensors: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The meaning of GreedyChoiceSpec."""
    # In float64, which NumPy compares whatever the type is.
    return (tensors["logits"].astype(np.float64).argmax(axis=-1),)
