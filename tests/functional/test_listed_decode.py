"""One query over listed blocks: what is listed is seen and read, and nothing else is."""

import numpy as np
import pytest

import irattn
from irattn import BlockMask, PagedAttentionSpec
from irattn.core.errors import ArgumentError
from irattn.functional.listed_decode import listed_pages
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.runtime.kernel import Kernel
from support.joined import artifact_of

pytestmark = pytest.mark.slow

BATCH, HEADS, KV_HEADS, KEYS, BLOCK = 2, 4, 2, 88, 32
SLOPES = np.linspace(0.1, 0.4, HEADS, dtype=np.float32)


def arrays():
    rng = np.random.default_rng(0)
    rows = ((HEADS, 1), (KV_HEADS, KEYS), (KV_HEADS, KEYS))
    return [rng.standard_normal((BATCH, *one, 16), dtype=np.float32) for one in rows]


def kinds_of(by_head):
    """Kinds of three blocks, the last with 24 keys: of each head, or alike in each group."""
    kinds = np.random.default_rng(1).integers(0, 3, (BATCH, HEADS, 1, 3))
    kinds[0, 1] = 0
    return kinds if by_head else np.repeat(kinds[:, ::2], 2, axis=1)


def striped(batch, head, query, key):
    return (key + head + batch) % 3 != query


def leaning(score, batch, head, query, key):
    return score + SLOPES[head] * (key - query) * 0.1


def meant(query, key, value, kinds, mask_mod, score_mod):
    """Softmax over seen keys, written out; zeros of a row that sees none."""
    at = np.ogrid[:BATCH, :HEADS, :1, :KEYS]
    seen = kinds[:, :, :, np.arange(KEYS) // BLOCK]
    is_seen = (seen == 2) | ((seen == 1) & (mask_mod(*at) if mask_mod else True))
    key, value = (np.repeat(one, HEADS // KV_HEADS, axis=1) for one in (key, value))
    scores = query @ key.swapaxes(2, 3) / 4
    scores = np.where(is_seen, score_mod(scores, *at) if score_mod else scores, -np.inf)
    with np.errstate(divide="ignore"):
        lse = np.log(np.exp(scores).sum(axis=-1))
    weights = np.exp(scores - np.where(np.isfinite(lse), lse, 0)[..., None])
    return weights @ value, lse


@pytest.mark.parametrize("by_head", [False, True])
@pytest.mark.parametrize("functions", [{}, {"mask_mod": striped, "score_mod": leaning}])
def test_one_query_over_listed_blocks(by_head, functions):
    given, kinds = arrays(), kinds_of(by_head)
    expected = meant(*given, kinds, functions.get("mask_mod"), functions.get("score_mod"))
    for array in given[1:]:
        # What no head of a group lists is not read.
        listed = (kinds > 0).reshape(BATCH, KV_HEADS, 2, 3).any(axis=2)
        array[~listed[:, :, np.arange(KEYS) // BLOCK]] = np.nan
    mask = BlockMask.of_kinds(kinds, (1, BLOCK))
    found = irattn.attention(*given, enable_gqa=True, block_mask=mask, return_lse=True, **functions)
    for one, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, right, atol=1e-5)


def test_keys_need_be_no_whole_blocks_nor_pages():
    query, key, value = arrays()
    odd = (query, key[:, :, :77], value[:, :, :77])
    kinds = np.where(kinds_of(by_head=False) > 0, 2, 0)
    shorter = irattn.attention(*odd, enable_gqa=True, block_mask=BlockMask.of_kinds(kinds, (1, 32)))
    shown = kinds[..., np.arange(77) // BLOCK] > 0
    expected = irattn.attention(*odd, enable_gqa=True, attn_mask=shown)
    np.testing.assert_allclose(shorter, expected, atol=1e-5)


def test_lists_of_other_sizes_are_refused():
    mask = BlockMask.of_kinds(kinds_of(True)[:, :2], (1, BLOCK))
    with pytest.raises(ArgumentError, match=r"block_mask: expected lists \[2, 4, 1, 3\]"):
        irattn.attention(*arrays(), enable_gqa=True, block_mask=mask)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_work_follows_the_lists(target):
    """A quarter of 32 blocks is a quarter of the products, within a twentieth."""
    spec = PagedAttentionSpec(
        io_dtype="f16", batch=2, num_q_heads=4, num_kv_heads=1, q_len=1, head_dim=64,
        block_size=64, num_blocks=64, max_blocks=32, causal=True,
    )  # fmt: skip
    session = EmulatedSession(artifact_of(spec, (spec,), target), "emulator")
    rng, products = np.random.default_rng(0), []
    floats = [rng.standard_normal(tensor.shape).astype(np.float16) for tensor in spec.inputs[:3]]
    for share in (4, 1):
        kinds = np.zeros((1, 8, 32), np.int32)
        for head in (0, 4):
            kinds[0, head : head + 4, rng.permutation(32)[: 32 // share]] = 2
        pages = listed_pages(kinds, 2, 2048, 64)
        table = np.zeros((2, 32), np.int32)
        table[:, : pages.table.shape[1]] = pages.table
        Kernel(session).outputs(
            **dict(
                zip([one.name for one in spec.inputs], [*floats, table, pages.lengths], strict=True)
            )
        )
        products.append(sum(one.matrix_flops for one in session.counts))
    share = products[0] / products[1]
    print(f"{target}: {share:.3f} of all products for a quarter of the blocks")
    assert 0.25 <= share <= 0.2625
