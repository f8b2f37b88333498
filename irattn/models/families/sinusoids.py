"""Tables of positions that are sines and cosines, as XGLM and CTRL make them, in f32."""

import numpy as np


def joined_sinusoids(rows: int, columns: int) -> np.ndarray:
    """The table of XGLM: the sines of all frequencies, down to 1 / 10000, and then the cosines."""
    half = columns // 2
    step = np.float32(-np.log(10000) / (half - 1))
    frequencies = np.exp(np.arange(half, dtype=np.float32) * step)
    return _table(rows, frequencies, columns)


def paired_sinusoids(rows: int, columns: int) -> np.ndarray:
    """The table of CTRL: frequencies of pairs of columns, of which 1 / 10000 would come next."""
    pairs = np.arange(0, columns, 2, dtype=np.float32)
    frequencies = 1 / np.power(np.float32(10000), pairs / np.float32(columns))
    return _table(rows, frequencies, columns)


def _table(rows: int, frequencies: np.ndarray, columns: int) -> np.ndarray:
    angles = np.arange(rows, dtype=np.float32)[:, None] * frequencies
    table = np.zeros((rows, columns), np.float32)
    made = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    table[:, : made.shape[1]] = made[:, :columns]
    return table
