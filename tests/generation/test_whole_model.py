"""A Llama-like model of artifacts alone, from token ids to logits, beside one in plain NumPy."""

import numpy as np
import pytest

import irattn
from irattn import DecoderLayerSpec, EmbeddingSpec, LmHeadSpec, PagedAttentionSpec, RmsNormSpec
from irattn.lab.inputs import random_tensors

pytestmark = pytest.mark.slow

VOCAB, SIZE, INNER, HEADS, KV_HEADS, HEAD_DIM = 50, 32, 48, 4, 2, 8
PROMPT = [7, 0, 49, 12, 12]
CACHE = ("key_cache", "value_cache")


def layer_spec(q_len):
    attention = PagedAttentionSpec(
        num_q_heads=HEADS, num_kv_heads=KV_HEADS, q_len=q_len, head_dim=HEAD_DIM, block_size=4,
        num_blocks=3, max_blocks=3, io_dtype="f32",
    )  # fmt: skip
    return DecoderLayerSpec(
        attention=attention, hidden_size=SIZE, intermediate_size=INNER, max_positions=12
    )


def weights():
    """Weights of two layers, of the last norm, and of the embedding, which is the head's too."""
    layers = [random_tensors(layer_spec(1), seed) for seed in (1, 2)]
    rng = np.random.default_rng(3)
    embedding = rng.standard_normal((VOCAB, SIZE), np.float32)
    return layers, rng.standard_normal(SIZE, np.float32), embedding


class OfArtifacts:
    """Tokens go in one after the other or several at once; the caches grow."""

    def __init__(self, layers, norm, embedding):
        self.layers, self.norm, self.embedding = [dict(layer) for layer in layers], norm, embedding
        self.length = 0

    def logits(self, ids):
        """The logits of the token after the last one."""
        count, shared = len(ids), {"q_len": len(ids), "hidden_size": SIZE, "io_dtype": "f32"}
        embed = irattn.load(EmbeddingSpec(**shared, vocab_size=VOCAB))
        hidden = embed(token_ids=np.array([ids], np.int32), weight=self.embedding)
        positions = np.arange(self.length, self.length + count, dtype=np.int32)[None]
        self.length += count
        for layer in self.layers:
            # Blocks are taken from the last one on.
            layer.update(
                hidden=hidden,
                positions=positions,
                block_table=np.array([[2, 1, 0]], np.int32),
                slot_mapping=(2 - positions // 4) * 4 + positions % 4,
                context_lens=np.array([self.length], np.int32),
            )
            hidden, *caches = irattn.load(layer_spec(count))(**layer)
            layer.update(zip(CACHE, caches, strict=True))
        normed = irattn.load(RmsNormSpec(rows=1, columns=SIZE, io_dtype="f32"))(
            x=hidden[0, -1:], weight=self.norm
        )
        head = irattn.load(LmHeadSpec(**{**shared, "q_len": 1}, vocab_size=VOCAB))
        return head(hidden=normed[None], weight=self.embedding)[0, 0]


def norm(x, weight):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-6) * weight


def rotated(x):
    """Each head's halves by the angles of its token; x is [tokens, heads, HEAD_DIM]."""
    angles = np.arange(len(x))[:, None] * 10000.0 ** (-np.arange(0, HEAD_DIM, 2) / HEAD_DIM)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    left, right = np.split(x, 2, axis=-1)
    return np.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1)


def attended(query, key, value):
    """Causal attention of one query head; all are [tokens, HEAD_DIM]."""
    scores = np.where(np.tri(len(query)) > 0, query @ key.T / np.sqrt(HEAD_DIM), -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value


def in_numpy(ids, layers, last_norm, embedding):
    """Logits of the next token, all tokens at once and without a cache, in float64."""
    hidden = embedding[ids].astype(np.float64)
    for layer in layers:
        qkv = norm(hidden, layer["norm_weight"]) @ layer["qkv_weight"].T.astype(np.float64)
        query, key, value = np.split(
            qkv.reshape(len(ids), -1, HEAD_DIM), [HEADS, HEADS + KV_HEADS], axis=1
        )
        query, key = rotated(query), rotated(key)
        heads = [attended(query[:, h], key[:, h // 2], value[:, h // 2]) for h in range(HEADS)]
        hidden = hidden + np.concatenate(heads, axis=-1) @ layer["output_weight"].T
        gate, up = np.split(
            norm(hidden, layer["mlp_norm_weight"]) @ layer["gate_up_weight"].T, 2, axis=-1
        )
        hidden = hidden + gate / (1 + np.exp(-gate)) * up @ layer["down_weight"].T
    return norm(hidden[-1], last_norm) @ embedding.T


def test_a_prompt_and_the_tokens_after_it():
    """The same logits, and so the same tokens, as the whole text gives at once."""
    parameters = weights()
    model, ids = OfArtifacts(*parameters), list(PROMPT)
    given = ids
    for _ in range(5):
        found = model.logits(given)
        expected = in_numpy(ids, *parameters)
        np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())
        given = [int(found.argmax())]
        assert given == [int(expected.argmax())]
        ids += given
    assert len(set(ids[len(PROMPT) :])) > 1
