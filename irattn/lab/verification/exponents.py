"""How far f32 may round the exponents that softmax weights are made of."""

import numpy as np

from irattn.reference.features import Head

# A unit in the last place of a number next to 1: twice what rounding changes.
EPSILON = float(np.finfo(np.float32).eps)


def sums_off(head: Head) -> np.ndarray:
    """The size of the error of each product of a query with a key, before it is scaled.

    Each partial sum of n products is rounded, by at most half a unit. That of k of them is about
    k / n of the whole, s, and off that by what a random order does: its square is on average
    (k / n)^2 s^2 + k / n (1 - k / n) r^2, r^2 the sum of the products' squares. Roundings are
    independent, so that the squares of n partial sums are added: n (s^2 / 3 + r^2 / 6).
    """
    terms = head.query.shape[1]
    whole = (head.query @ head.key.T) ** 2
    squares = head.query**2 @ (head.key**2).T
    return np.asarray(EPSILON / 2 * np.sqrt(terms * (whole / 3 + squares / 6)))
