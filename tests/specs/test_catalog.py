"""The catalogue holds what is promised, in the sizes that are promised."""

import pytest

from irattn.compiling import catalog
from irattn.core.errors import CatalogueError

ENTRIES = [
    "mha_full",
    "mha_causal",
    "gqa_causal",
    "mqa_causal",
    "cross_gqa",
    "gqa_decode",
    "gqa_paged_prefill",
    "gqa_paged_decode",
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_tiny_and_base_sizes(entry):
    tiny, base = catalog.get(f"{entry}_tiny"), catalog.get(f"{entry}_base")
    assert (tiny.num_q_heads, tiny.head_dim) == (4, 32)
    assert (base.num_q_heads, base.head_dim, base.io_dtype) == (32, 128, "f16")
    if "gqa" in entry:
        assert base.num_kv_heads == 8
    if "decode" in entry:
        assert base.q_len == 1
    else:
        assert (tiny.q_len, base.q_len) == (32, 512)


def test_paged_base_sizes():
    for entry in ("gqa_paged_prefill", "gqa_paged_decode"):
        spec = catalog.get(f"{entry}_base")
        assert (spec.batch, spec.block_size, spec.max_context) == (4, 16, 2048)


def test_long_prompts():
    assert catalog.get("gqa_causal_long").q_len == 2048
    assert catalog.get("gqa_causal_xlong").kv_len == 4096


def test_unknown_names_get_the_nearest():
    with pytest.raises(CatalogueError) as caught:
        catalog.get("gqa_casual_base")
    assert str(caught.value) == (
        "gqa_casual_base: not in the catalogue; did you mean gqa_causal_base, "
        "mqa_causal_base, mha_causal_base?"
    )
