"""Tell what irattn does not have of layers of new structure, by the type of a model.

A test compares the table in pages/models.md with it.
"""

_MAMBA_2 = (
    "Mamba 2's step: its state forgets by a gate per head, as gated_delta_rule's does, but is "
    "written to as it is, without the correction by what it holds, and its writing is scaled by "
    "the time step; keys and queries are shared by groups of heads, and the input goes around it "
    "(D)"
)

MISSING = {
    **dict.fromkeys(
        ("bamba", "falcon_h1", "granitemoehybrid", "mamba2", "nemotron_h", "zamba2"), _MAMBA_2
    ),
    "minimax": (
        "lightning attention, which is written to as Mamba 2's state is and forgets by a fixed "
        "slope of each head and layer; and residuals with weights (linear_attn_alpha_factor …)"
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
