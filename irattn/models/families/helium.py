"""Helium: Llama whose rotation turns neighbours."""

from dataclasses import replace

from irattn.models.families.family import LayerStyle
from irattn.models.families.llama import LLAMA

HELIUM = replace(
    LLAMA,
    defaults={"rope_theta": 100000.0},
    layer=LayerStyle(qkv_bias="attention_bias", mlp_bias="mlp_bias", rope_style="interleaved"),
)
