"""Batches of text, one byte per token."""

import numpy as np

TEXT = b"the quick brown fox jumps over the lazy dog; " * 64


def batches(batch, length, seed=0):
    """Pieces of the text from random places, without end."""
    random = np.random.default_rng(seed)
    text = np.frombuffer(TEXT, np.uint8).astype(np.int32)
    while True:
        starts = random.integers(len(text) - length - 1, size=batch)
        yield np.stack([text[start : start + length + 1] for start in starts])
