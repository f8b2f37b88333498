"""Tell what irattn does not have of layers of new structure, by the type of a model.

A test compares the table in pages/models.md with it.
"""

MISSING = {
    "diffllama": "differences of two attentions, with a learned factor and norms of pairs of heads",
    "doge": "keys that each head chooses by a learned mask, and MLPs beside experts of single rows",
    "gpt_neox_japanese": "a bias of the output projection in the last layer alone",
    "jetmoe": "experts that queries and output projections are made of",
    "openai-gpt": "norms behind the residual",
    "falcon_h1": "Mamba 2's step beside attention in one layer, and multipliers of both",
    "zamba2": "weights that several layers share",
    "minimax": (
        "a layer around lightning attention, which gated_delta_rule has (uncorrected): it forgets "
        "by a fixed slope of each head and layer, queries, keys and values go through silu, its "
        "norm is over all heads and its gate a sigmoid; and residuals with weights "
        "(linear_attn_alpha_factor …)"
    ),
    "kimi_linear": (
        "a layer around the rule with a gate per channel, which gated_delta_rule has: its gates "
        "are products of low rank, the one of the output is a sigmoid; its latent attention does "
        "not rotate"
    ),
    "lfm3": "gates of whole heads, and convolutions of 7 tokens",
    "longcat_flash": "two attentions in a layer, and experts that give back what they get",
}


def lacking_layers(model_type: str) -> str:
    """The words for a type whose layers are among the missing ones."""
    return f"model_type: {model_type}: irattn does not have its layers yet: {MISSING[model_type]}"
