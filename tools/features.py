"""Print the table of the features page: what can be said, in which layout and graph.

A cell is "yes" where the spec is accepted and its graph renders; the tests run what it says.
"""

from irattn import targets
from irattn.core.errors import RenderError, SpecError
from irattn.rendering import GraphRequest, render
from irattn.specs import Spec
from irattn.specs.attention import AttentionSpec
from irattn.specs.packed_attention import PackedAttentionSpec
from irattn.specs.packed_paged_attention import PackedPagedAttentionSpec
from irattn.specs.paged_attention import PagedAttentionSpec

_SIZES = {"batch": 2, "num_q_heads": 4, "num_kv_heads": 2, "head_dim": 64}
_LAYOUTS: dict[str, Spec] = {
    "contiguous": AttentionSpec(**_SIZES, q_len=64, kv_len=128),
    "paged": PagedAttentionSpec(**_SIZES, q_len=64, num_blocks=16, max_blocks=8),
    "packed": PackedAttentionSpec(**_SIZES, q_tokens=64, kv_tokens=128),
    "packed paged": PackedPagedAttentionSpec(**_SIZES, q_tokens=64, num_blocks=16, max_blocks=8),
}
_GRAPHS: dict[str, dict[str, str]] = {
    "fused": {"formulation": "fused"},
    "blocked": {"formulation": "blocked"},
    "torch": {"dialect": "torch"},
}
FEATURES: dict[str, dict[str, object]] = {
    "`causal`": {"causal": True},
    "GQA, MQA": {"num_kv_heads": 1},
    "`softmax_scale`": {"softmax_scale": 0.5},
    "`value_dim`": {"value_dim": 32},
    '`alignment="top_left"`': {"causal": True, "alignment": "top_left"},
    '`alignment="offsets"`': {"causal": True, "alignment": "offsets"},
    '`layout="NHD"`': {"layout": "NHD"},
    "`window`": {"window": (16, 4)},
    "`logits_soft_cap`": {"logits_soft_cap": 50.0},
    "`alibi`": {"alibi": True},
    "`bias`": {"bias": "hqk"},
    "`keep_mask`": {"keep_mask": "k"},
    "`score_mod`": {"score_mod": lambda score, batch, head, query, key: score * 2 + key},
    "`mask_mod`": {"mask_mod": lambda batch, head, query, key: (query - key) % 3 == 0},
    "`dropout_p`": {"dropout_p": 0.1},
    "`sinks`": {"sinks": True},
    "`return_lse`": {"return_lse": True},
    "`ragged` batches": {"ragged": True},
}


def table() -> str:
    """The table in Markdown."""
    columns = [(layout, graph) for layout in _LAYOUTS for graph in _GRAPHS]
    lines = [
        "| feature | " + " | ".join(f"{layout} {graph}" for layout, graph in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for feature, changes in FEATURES.items():
        cells = ["yes" if _works(changes, *column) else "-" for column in columns]
        lines.append(f"| {feature} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _works(changes: dict[str, object], layout: str, graph: str) -> bool:
    try:
        spec = _LAYOUTS[layout].replace(**changes)
        render(GraphRequest(spec, targets.get("gfx1100"), **_GRAPHS[graph]))
    except (SpecError, RenderError):
        return False
    return True


if __name__ == "__main__":
    print(table())
