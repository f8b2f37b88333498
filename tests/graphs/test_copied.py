"""Prompts on NVIDIA, whose keys and values are copied to LDS past registers: lanes and code."""

import re
from dataclasses import dataclass

import pytest

from irattn import targets
from irattn.compiling.build import build
from irattn.rendering import GraphRequest, allowed_tiles
from irattn.rendering.attention.copied import CopiedPlan
from irattn.rendering.attention.lanes import LanesPlan
from irattn.rendering.attention.plan import plan_attention
from irattn.rendering.render import render
from irattn.specs import AttentionSpec, PagedAttentionSpec
from support.affine import number_of

NVIDIA = targets.get("sm_89")
HEADS = {"num_q_heads": 2, "num_kv_heads": 1}
PAGES = PagedAttentionSpec(
    **HEADS, head_dim=64, io_dtype="f16", block_size=4, num_blocks=31, max_blocks=30, q_len=70,
    causal=True, window=(9, None),
)  # fmt: skip

# Bytes of a bank of LDS, and banks; and lanes that it serves at once with 16 bytes each.
WORD, BANKS, AT_ONCE = 4, 32, 8


def spec_of(**fields) -> AttentionSpec:
    return AttentionSpec(**{**HEADS, "q_len": 70, "kv_len": 100, "causal": True, **fields})


@dataclass(frozen=True)
class Written:
    """A rendered prompt's graph, and the lanes that it is written out for."""

    text: str
    lanes: LanesPlan
    copied: CopiedPlan

    @classmethod
    def of(cls, spec: AttentionSpec | PagedAttentionSpec, **tile: int) -> "Written":
        plan = plan_attention(spec, NVIDIA, tile or None)
        assert plan.lanes is not None
        assert plan.copied is not None
        text = render(GraphRequest(spec, NVIDIA, tile=tile or None))
        return cls(text, plan.lanes, plan.copied)

    def value(self, name: str, lane: int) -> int:
        """A value in a lane, of the step that begins at key 0."""
        group, index = lane % self.lanes.groups, lane // self.lanes.groups % self.lanes.side
        known = {"lane": lane, "group": group, "index_here": index, "none": 0, "buffer_here": 0}
        return number_of(self.text, name, **known)

    def rows(self) -> dict[int, int]:
        """Where in LDS each key of a step, and its value, is copied to."""
        return {
            self.value(f"key_of_lane{read}", lane): self.value(f"lds_row{read}", lane)
            for read in self.copied.reads
            for lane in range(self.lanes.count)
        }


def assert_lanes_get_their_keys(written: Written) -> None:
    lanes, rows = written.lanes, written.rows()
    assert sorted(rows.values()) == sorted(rows) == list(range(lanes.keys))
    offsets = [offset for of_tile in lanes.key_offsets for offset in of_tile[0]]
    for group in range(lanes.groups):
        own = [rows[group * lanes.key_group + offset] for offset in offsets]
        # What the first product leaves in a lane: of each tile, rows of LDS by number.
        first = [written.value(f"key_row{tile}_0", 0) for tile in lanes.key_tiles]
        assert own == [tile + group * lanes.own + i for tile in first for i in range(lanes.own)]
        # What an instruction that turns values gives a lane: of each tile, the same rows.
        assert own == [
            written.value(f"value_row{n}", tile * lanes.side + group * lanes.own + i)
            for n in range(len(written.copied.value_starts))
            for tile in range(written.copied.turned)
            for i in range(lanes.own)
        ]


@pytest.mark.parametrize("head_dim", [64, 128, 256])
def test_lanes_get_the_keys_and_values_that_they_multiply(head_dim):
    assert_lanes_get_their_keys(Written.of(spec_of(head_dim=head_dim, q_len=600)))
    assert_lanes_get_their_keys(Written.of(PAGES.replace(head_dim=head_dim)))


def test_so_do_those_of_every_step_that_may_be_chosen():
    spec = spec_of(head_dim=64)
    by_keys = {tile["keys"]: tile for tile in allowed_tiles(GraphRequest(spec, NVIDIA))[::-1]}
    assert len(by_keys) > 2
    for tile in by_keys.values():
        assert_lanes_get_their_keys(Written.of(spec, **tile))


@pytest.mark.parametrize("head_dim", [64, 128, 256])
def test_lanes_that_lds_serves_at_once_are_on_banks_apart(head_dim):
    written = Written.of(spec_of(head_dim=head_dim))
    lanes, copied = written.lanes, written.copied
    keys = [
        written.value("key_row0_0", lane) * copied.key_pitch + written.value("head_column", lane)
        for lane in range(lanes.wave_size)
    ]
    values = [
        written.value("value_row0", lane) * copied.value_pitch for lane in range(lanes.wave_size)
    ]
    for places in (keys, values):
        for start in range(0, lanes.wave_size, AT_ONCE):
            words = [2 * place // WORD for place in places[start : start + AT_ONCE]]
            banks = {(word + i) % BANKS for word in words for i in range(WORD)}
            assert len(banks) == BANKS


@pytest.mark.parametrize("head_dim", [64, 128])
def test_output_columns_of_a_lane_become_neighbours(head_dim):
    """What the text does with pairs of columns, done here: of each tile two, then a lane's own."""
    written = Written.of(spec_of(head_dim=head_dim))
    tiles, groups = range(head_dim // 8), range(4)
    held = {f"pair0_{tile}_s": [(tile, group) for group in groups] for tile in tiles}
    made = r"%((?:given|kept|there|pair)0_\w+)(?:, %\w+)? =\s+"
    operations = r"(arith\.select|gpu\.shuffle xor) %(\w+), %(\w+), %(\w+) : i32"
    for result, kind, *operands in re.findall(made + operations, written.text):
        if kind == "arith.select":
            bit = int(operands[0].removeprefix("is_bit"))
            one, other = held[operands[1]], held[operands[2]]
            held[result] = [one[g] if g & bit else other[g] for g in groups]
        else:
            distance = int(operands[1].removeprefix("distance"))
            held[result] = [held[operands[0]][g ^ distance] for g in groups]
    (gathered,) = re.findall(r"%gathered0 = vector.from_elements([^:]*):", written.text)
    names = re.findall(r"%(\w+)", gathered)
    for group in groups:
        of_lane = len(tiles) // 4
        own = [(group * of_lane + tile, of) for tile in range(of_lane) for of in groups]
        assert [held[name][group] for name in names] == own


def test_a_lane_looks_up_a_page_for_all_its_keys():
    looked_up = r"tensor.extract %block_table_rows\[%page_(\w+)\]"
    assert {*re.findall(looked_up, render(GraphRequest(PAGES, NVIDIA)))} == {"k0", "v0"}


def test_values_past_the_last_key_are_copied_as_zeros_where_there_may_be_some():
    zeros = r"%values_there, %row_v\d+, %copied_column, %elements"
    assert re.search(zeros, render(GraphRequest(spec_of(head_dim=64), NVIDIA)))
    assert not re.search(zeros, render(GraphRequest(spec_of(head_dim=64, kv_len=128), NVIDIA)))


def test_short_prompts_have_the_bits_of_long_ones():
    """More workgroups take as many keys at once: only how many queries a wave has differs."""
    for head_dim, window in ((64, None), (128, None), (128, (100, None))):
        plans = [
            plan_attention(spec_of(head_dim=head_dim, q_len=n, kv_len=n, window=window), NVIDIA)
            for n in (512, 4096)
        ]
        assert len({plan.lanes.keys for plan in plans}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", [spec_of(head_dim=128, q_len=600, ragged=True), PAGES])
def test_nothing_but_copies_brings_keys(spec):
    """A tensor that the compiler took for written would be copied to the stack of each lane."""
    artifact = build(GraphRequest(spec, NVIDIA))
    code = re.search(rb"// Generated by LLVM NVPTX.*?\0", artifact.vmfb, re.DOTALL)
    assert code is not None
    for instruction in (b"cp.async.cg.shared.global", b"ldmatrix.sync.aligned.m8n8.x4.trans"):
        assert instruction in code[0]
    assert b"__local_depot" not in code[0]


def test_lanes_of_a_row_write_each_column_of_a_part_once():
    """A lane gives its pair of one of two tiles for the next lane's of the other."""
    spec = spec_of(head_dim=64, io_dtype="f16", q_len=9, kv_len=1100)
    plan = plan_attention(spec, NVIDIA)
    assert plan.grid.is_split
    text, lanes, copied = render(GraphRequest(spec, NVIDIA)), plan.lanes, plan.copied
    places = [
        (n, group, number_of(text, f"column_of_piece{n}", group=group, none=0))
        for n in copied.tile_pairs
        for group in range(lanes.groups)
    ]
    written = [column + i for _, _, column in places for i in range(4)]
    assert sorted(written) == list(range(lanes.value_dim))
    for n, group, column in places:
        tile = 2 * n + group % 2
        of_even = tile * lanes.side + (group - group % 2) * 2
        assert column == of_even
