"""Seed-OSS: Llama with biases of its own."""

from dataclasses import replace

from irattn.models.families.family import LayerStyle
from irattn.models.families.llama import LLAMA

SEED_OSS = replace(
    LLAMA,
    reads=LLAMA.reads | {"attention_out_bias"},
    layer=LayerStyle(
        qkv_bias="attention_bias", output_bias="attention_out_bias", mlp_bias="mlp_bias"
    ),
)
