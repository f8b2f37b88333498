"""Which tiles a search tries, and the cuts of specs that stand for the whole."""

from pathlib import Path

import pytest

import irattn
import irattn.lab.tuning.confirming
import irattn.lab.tuning.measuring
import irattn.lab.tuning.search
import irattn.lab.tuning.session
from irattn import AttentionSpec, targets
from irattn.compiling import catalog
from irattn.compiling.build import build
from irattn.core.errors import (
    RenderError,
)
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.profiling import execute
from irattn.lab.tuning import (
    read_tuning,
    tiles_in_order,
)
from irattn.lab.tuning.cut import cut
from irattn.lab.tuning.trials import run_cut
from irattn.rendering import GraphRequest, allowed_tiles, render, tile_numbers, vector_cycles
from support.tiles_tried import GFX, NAME, SPEC

ENTRIES = [
    *("gqa_causal_base", "gqa_decode_base", "alibi_base", NAME, "packed_causal_base"),
    *("paged_latent_decode_base", "paged_update_decode_base"),
]


TARGETS = ["gfx1100", "gfx942", "sm_89", "x86-64-v4", "aarch64"]


EVIDENCE = sorted((Path(irattn.__file__).parents[1] / "artifacts").glob("*.tuning.json"))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_every_tile_renders_to_a_text_of_its_own(name, target):
    spec, chosen = catalog.get(name), targets.get(target)
    tiles = tiles_in_order(spec, chosen)
    assert render(GraphRequest(spec, chosen, tile=tiles[0])) == render(GraphRequest(spec, chosen))
    some = [tiles[0], tiles[len(tiles) // 2], tiles[-1]][: len(tiles)]
    assert len({render(GraphRequest(spec, chosen, tile=tile)) for tile in some}) == len(some)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ENTRIES)
def test_the_tables_own_is_first_and_its_neighbours_follow(name, target):
    spec, chosen = catalog.get(name), targets.get(target)
    tiles = tiles_in_order(spec, chosen)
    assert tiles[0] == tile_numbers(GraphRequest(spec, chosen))
    assert len({tuple(tile.items()) for tile in tiles}) == len(tiles)
    assert tiles == tiles_in_order(spec, chosen)

    def apart(tile):
        return sum(abs(tile[name] / tiles[0][name] - 1) > 0 for name in tile)

    if len(tiles) > 2:
        assert apart(tiles[1]) <= apart(tiles[-1])


def test_other_tiles_are_refused():
    tile = tile_numbers(GraphRequest(SPEC, GFX))
    with pytest.raises(RenderError, match="cannot be cut into rows 8, keys 8, row_waves 3"):
        render(GraphRequest(SPEC, GFX, tile={**tile, "rows": 8, "row_waves": 3}))
    with pytest.raises(RenderError, match="expected rows, keys, row_waves, got keys"):
        render(GraphRequest(SPEC, GFX, tile={"keys": 8}))
    for name in ("rope_tiny", "whole_layer_norms_tiny"):
        with pytest.raises(RenderError, match="has none to choose"):
            allowed_tiles(GraphRequest(catalog.get(name), GFX))
    with pytest.raises(RenderError, match="attention in torch has none to choose"):
        render(GraphRequest(SPEC, GFX, dialect="torch", tile=tile))


def test_cycles_are_those_of_the_keys_that_blocks_see():
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=64, kv_len=64, head_dim=64, causal=True
    )
    target = targets.get("x86-64-v4")

    def of(**fields):
        return vector_cycles(GraphRequest(spec, target, tile={**_BLOCK, **fields}))

    # One step: keys that are turned, and values that are made f32. Of its 8 blocks four see one
    # block of scores, four two, and values of 8, 16, ... 64 keys.
    copied = 64 * 64 / 16 * (6 + 2)
    scores = 8 * (4 * 32 + 4 * 64) * (64 + 16) / 16
    values = 8 * (8 + 16 + 24 + 32 + 40 + 48 + 56 + 64) * 64 / 16
    blocks = 8 * (8 * 64 / 16 * 3 + 120)
    assert of() == copied + scores + values + blocks
    # Two tiles copy the first half of the keys twice.
    assert of(queries=32, keys=32) > of()
    # 17 loads for 16 sums, where blocks of 8 have 10.
    wide = vector_cycles(
        GraphRequest(spec.replace(causal=False), target, tile={**_BLOCK, "block_rows": 16})
    )
    eight = vector_cycles(GraphRequest(spec.replace(causal=False), target, tile=_BLOCK))
    products = 2 * 64 * 64 * 64 / 16
    assert wide == eight + products / 16 - 4 * 120


_BLOCK = {"heads": 1, "queries": 64, "keys": 64, "block_rows": 8}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "device", "kv_len"), [("gfx1100", "emulator", 300), ("cpu", "cpu", 1100)]
)
def test_parts_of_keys_may_be_shorter(target, device, kv_len):
    """The last of them is not full."""
    spec, chosen = SPEC.replace(q_len=1, kv_len=kv_len), targets.get(target)
    tiles = [tile for tile in tiles_in_order(spec, chosen) if tile["part_keys"] <= 256]
    tile = min(tiles, key=lambda tile: (tile["part_keys"], -tile["keys"]))
    assert tile["part_keys"] < tile_numbers(GraphRequest(spec, chosen))["part_keys"]
    found = run_cut(build(GraphRequest(spec, chosen, tile=tile)), device, 1, 1.0)
    assert found["strain"] < 1


@pytest.mark.parametrize(("name", "keys"), [("gfx942", 128), ("gfx1100", 192), ("gfx1200", 256)])
def test_a_chip_may_have_parts_of_its_own(name, keys):
    """The parts of keys are one size whatever the batch and the length, as bits depend on these."""
    for batch, kv_len in ((1, 512), (1, 16384), (64, 512)):
        spec = SPEC.replace(batch=batch, q_len=1, kv_len=kv_len)
        assert tile_numbers(GraphRequest(spec, targets.get(name)))["part_keys"] == keys


@pytest.mark.parametrize("path", EVIDENCE, ids=lambda path: path.name)
def test_the_tables_have_tiles_that_their_evidence_found_sound(path):
    """Or the chip would run what was never tried for it."""
    for entry in read_tuning(path).entries:
        assert entry.target == path.name.partition(".")[0]
        tried = entry.of(tile_numbers(GraphRequest(entry.spec, targets.get(entry.target))))
        assert tried is not None, entry.name
        assert tried.is_sound, entry.name


@pytest.mark.parametrize("name", catalog.names())
def test_a_cut_has_the_tiles_of_the_whole(name):
    spec = catalog.get(name)
    try:
        whole = {target: tiles_in_order(spec, targets.get(target)) for target in TARGETS}
    except RenderError:
        return
    for target, tiles in whole.items():
        small = cut(spec, targets.get(target), 512)
        # In the order of its own table: NVIDIA's long prompts begin with another tile.
        own = tiles_in_order(small.spec, targets.get(target))
        assert sorted(own, key=str) == sorted(tiles, key=str)
        assert small.spec.flops * small.copies <= spec.flops


@pytest.mark.parametrize(("length", "expected"), [(512, 512), (2048, 512), (1500, 476), (700, 444)])
def test_the_last_tile_of_a_cut_is_as_full(length, expected):
    spec = catalog.get("gqa_causal_base").replace(q_len=length, kv_len=length)
    found = cut(spec, GFX, 512).spec
    assert (found.q_len, found.kv_len) == (expected, expected)


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("gqa_causal_base", {}, (8, 1)),
        ("gqa_causal_base", {"q_len": 2048, "kv_len": 2048, "batch": 2}, (8 * 2 * 4, 4)),
        ("gqa_causal_base", {"causal": False, "kv_len": 4096}, (8, 8)),
        ("decode_4096_f32_bench", {}, (8 * 2, 1)),
        ("packed_causal_base", {}, (8 * 2, 2)),
        ("gqa_paged_decode_base", {"batch": 3, "max_blocks": 256}, (8 * 3 * 2, 1)),
    ],
)
def test_a_cut_stands_for_all_workgroups(name, fields, expected):
    """Of heads, sequences and tiles of queries, or of parts of keys where queries are few."""
    spec = catalog.get(name).replace(**fields)
    small = cut(spec, GFX, 512)
    assert (small.copies, pytest.approx(small.work, rel=0.01)) == expected
    assert cut(spec, targets.get("x86-64-v3"), 512).copies == 1


def test_an_estimate_for_the_copies_of_a_cut_is_that_of_the_whole():
    spec = SPEC.replace(batch=2)
    small = cut(spec, GFX, 512)
    assert small.copies == 4
    (whole,), (part,) = (
        execute(build(GraphRequest(one, GFX)), copies=copies).dispatches
        for one, copies in ((spec, 1), (small.spec, small.copies))
    )
    assert part.estimate.microseconds == pytest.approx(whole.estimate.microseconds)
    # Fewer instructions tell one head, or sequence, from another.
    assert part.estimate.busy == pytest.approx(whole.estimate.busy, rel=0.05)
    assert part.estimate.idle_share == whole.estimate.idle_share
    twice, once = (estimate(part.counts, GFX, None, work=work).busy for work in (2.0, 1.0))
    assert twice == {unit: busy * (2 if unit != "memory" else 1) for unit, busy in once.items()}
