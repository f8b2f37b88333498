"""The names of tensors in the files of a model."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TensorNames:
    """Names in the files of a model that `irattn generate` runs; by default those of Llama's.

    `layer` is what stands before the names of a layer's tensors. All of them have `.weight` behind
    them, or `.bias`.
    """

    embedding: str = "model.embed_tokens"
    norm: str = "model.norm"
    head: str = "lm_head"
    layer: str = "model.layers.{number}."
    attention_norm: str = "input_layernorm"
    query: str = "self_attn.q_proj"
    key: str = "self_attn.k_proj"
    value: str = "self_attn.v_proj"
    query_norm: str = "self_attn.q_norm"
    key_norm: str = "self_attn.k_norm"
    output: str = "self_attn.o_proj"
    mlp_norm: str = "post_attention_layernorm"
    gate: str = "mlp.gate_proj"
    up: str = "mlp.up_proj"
    down: str = "mlp.down_proj"
