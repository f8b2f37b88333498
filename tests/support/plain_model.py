"""Llama, Qwen 2, Qwen 3 and Mistral in plain NumPy, in float64: a whole text at once, no cache."""

import numpy as np


class PlainModel:
    def __init__(self, config, tensors):
        self.config = config
        self.tensors = {name: np.asarray(array, np.float64) for name, array in tensors.items()}

    def greedy(self, ids, count):
        ids = list(ids)
        for _ in range(count):
            ids.append(int(self.logits(ids).argmax()))
        return ids[-count:]

    def logits(self, ids):
        hidden = self.tensors["model.embed_tokens.weight"][ids]
        for number in range(self.config["num_hidden_layers"]):
            types = self.config.get("layer_types") or ["sliding_attention"] * (number + 1)
            width = self.config.get("sliding_window") if "sliding" in types[number] else None
            hidden = self.layer(f"model.layers.{number}.", hidden, width)
        last = self.norm("model.norm.weight", hidden[-1])
        head = "model.embed_tokens" if self.config["tie_word_embeddings"] else "lm_head"
        return self.tensors[f"{head}.weight"] @ last

    def layer(self, prefix, hidden, width):
        normed = self.norm(f"{prefix}input_layernorm.weight", hidden)
        attended = self.attention(f"{prefix}self_attn.", normed, width)
        hidden = hidden + self.linear(f"{prefix}self_attn.o_proj", attended)
        normed = self.norm(f"{prefix}post_attention_layernorm.weight", hidden)
        gate = self.linear(f"{prefix}mlp.gate_proj", normed)
        up = self.linear(f"{prefix}mlp.up_proj", normed)
        return hidden + self.linear(f"{prefix}mlp.down_proj", gate / (1 + np.exp(-gate)) * up)

    def attention(self, prefix, normed, width):
        heads, kv_heads = (self.config[f"num_{kind}_heads"] for kind in ("attention", "key_value"))
        query, key = (
            rotated(self.normed_heads(prefix, kind, self.heads(f"{prefix}{kind}_proj", normed)))
            for kind in "qk"
        )
        value = self.heads(f"{prefix}v_proj", normed)
        outputs = [
            self.one_head(
                query[:, h], key[:, h * kv_heads // heads], value[:, h * kv_heads // heads], width
            )
            for h in range(heads)
        ]
        return np.concatenate(outputs, axis=-1)

    def one_head(self, query, key, value, width):
        back = np.arange(len(query))[:, None] - np.arange(len(query))
        scores = query @ key.T / np.sqrt(self.config["head_dim"])
        scores = np.where((back >= 0) & (back < (width or len(query))), scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ value

    def heads(self, name, normed):
        return self.linear(name, normed).reshape(len(normed), -1, self.config["head_dim"])

    def normed_heads(self, prefix, kind, heads):
        weight = f"{prefix}{kind}_norm.weight"
        return self.norm(weight, heads) if weight in self.tensors else heads

    def linear(self, name, x):
        return x @ self.tensors[f"{name}.weight"].T + self.tensors.get(f"{name}.bias", 0.0)

    def norm(self, name, x):
        scale = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + self.config["rms_norm_eps"])
        return x / scale * self.tensors[name]


def rotated(x):
    """Halves of each head by the angles of its token; x is [tokens, heads, head_dim]."""
    size = x.shape[-1]
    angles = np.arange(len(x))[:, None] * 10000.0 ** (-np.arange(0, size, 2) / size)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    left, right = np.split(x, 2, axis=-1)
    return np.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1)
