"""Attention in f32 with logits of some hundreds, of which f32 rounds more than its tolerance."""

import numpy as np
import pytest

from irattn import AttentionSpec, PackedAttentionSpec, PagedUpdateAttentionSpec
from irattn.lab.inputs import CASES
from irattn.lab.verification import known_case, strain

TABLE = np.zeros((4, 70), np.float32)


def leaning(score, batch, head, query, key):
    """Near to each other where `one_token` makes the scores of nearly all keys equal."""
    return 0.5 * score + TABLE[head, key]


HEADS = {"num_q_heads": 4, "num_kv_heads": 2, "head_dim": 128, "io_dtype": "f32"}
SPECS = {
    "one sequence": AttentionSpec(**HEADS, q_len=9, kv_len=70, score_mod=leaning),
    "packed": PackedAttentionSpec(**HEADS, batch=2, q_tokens=9, kv_tokens=70, score_mod=leaning),
    "written pages": PagedUpdateAttentionSpec(
        **HEADS, q_len=3, num_blocks=9, max_blocks=3, layout="NHD", score_mod=leaning
    ),
}


@pytest.mark.parametrize("name", SPECS)
def test_what_a_unit_of_each_logit_changes_is_allowed_and_no_more(name):
    """The table is what logits end with: those that are rounded are off by a unit at most."""
    spec = SPECS[name]
    tensors = CASES["one_token"].tensors(spec)
    for name in tensors.keys() & {"key", "key_cache"}:
        tensors[name][...] = 20
    known = known_case("one_token", spec, tensors)
    largest = np.abs(tensors["query"]).sum(axis=-1).max() * 20 * 128**-0.5 / 2
    rng = np.random.default_rng(0)
    signs = rng.choice([-1.0, 1.0], TABLE.shape)

    def strain_of(units):
        (table,) = (n for n, one in tensors.items() if one.shape == TABLE.shape)
        wide = tensors[table].astype(np.float64)
        off = {**tensors, table: wide + units * largest * 2.0**-23 * signs}
        return strain(known.worst(known_case("off", spec, off).expected))

    assert strain_of(1) < 1
    assert strain_of(1000) > 1


def test_the_scale_is_the_output_s_own_where_logits_are_small():
    """An error that is found without a scale is found with one."""
    for spec in SPECS.values():
        known = known_case("normal", spec, CASES["normal"].tensors(spec))
        assert np.linalg.norm(known.scales[0]) < 0.1 * np.linalg.norm(known.expected[0])
        assert strain(known.worst([1.0002 * one for one in known.expected])) > 1
