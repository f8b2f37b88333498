"""The tiles of lanes for few rows: of decodes, and of groups with a few tokens each."""

from irattn.specs.features import AttentionFeatures
from irattn.specs.packed import PackedSequences

# Waves, keys of a step, and a wave's tiles of queries.
Cut = tuple[int, int, int]

# Few rows, the queries of all heads of a group, are all of each wave, and waves split the keys of a
# part. Beside the same work on tensors of a workgroup (gfx1100, gfx1201, gfx942), `gqa_decode_base`
# executes 15, 9 and 6 instructions besides each matrix instruction, not 20, 17 and 10, and its
# paged kin 19, 12 and 9, not 30, 25 and 15; a twentieth of the LDS cycles; and 5 to 8 waves have
# room on a SIMD of RDNA, 4 on one of CDNA, where it were 3 and 2. Two waves execute fewer (9 paged
# on gfx1201, not 12), but leave more of a chip idle where sequences are few, and more to wait for:
# by the model the single sequence takes 1.8 times as long. Steps have as many keys as registers
# leave room for: with 32 on gfx1201 and heads of 128, 7 waves, not 8; on gfx1100 and heads of 64,
# 59 scalar spills. With heads of 64 on gfx1201 32 keys execute 0.81 times as much, but waves do not
# share parts of 192 keys in steps of so many, and memory is what is waited for.
MOST_OF_FEW_ROWS = 16
# With 256 columns the sums of all waves, and queries, of more rows do not fit LDS on RDNA, and
# where waves add up in turns 36 registers spill, as they do of packed sequences.
_MOST_OF_WIDE_ROWS = {"WMMAR3": 13, "WMMAR4": 13}
_CUTS_OF_FEW_ROWS: dict[str, dict[int, Cut]] = {
    "WMMAR3": {64: (4, 16, 1), 128: (4, 16, 1), 192: (4, 16, 1), 256: (4, 16, 1)},
    "WMMAR4": {64: (4, 16, 1), 128: (4, 16, 1), 192: (4, 16, 1), 256: (4, 16, 1)},
    "MFMA": {64: (4, 32, 1), 128: (4, 32, 1), 192: (4, 32, 1), 256: (4, 32, 1)},
    # Whole calls on an H200 over those at the level of tensors, 4 sequences of 4096 keys: 0.88
    # (8 waves 0.92, 64 keys 0.88, parts of 64 keys 1.06), in pages 0.96, in pages of heads of 256
    # 0.78, bf16 0.88; one sequence 0.79. With 128 columns and 16 keys registers leave room to more
    # workgroups: 32 sequences of 2048 keys take 0.89 of the time that 32 keys do, 4 of 4096 in
    # pages 0.91, one of 4096 takes 1.06. With (2, 16, 1) these are 0.84, 0.80 and 1.24.
    "NV": {64: (4, 32, 1), 128: (4, 16, 1), 256: (4, 32, 1)},
}

# More rows of a group than that, as the tokens of a draft have: each wave has some of them, and
# waves share a part's keys, through LDS. By the most rows: the table of prompts with no more waves
# and tiles than these take, but for four waves to bring keys. Beside the same work on tensors, 32
# rows of 128 columns take 0.59 to 0.70 of the cycles of a lone launch (gfx1100, gfx950, gfx1201,
# gfx942). On gfx1201 tensors, with more workgroups, are ahead from 65 rows of 128 columns (12.2 us
# in lanes, 7.1 there) and from 17 of 256. Not measured on NVIDIA, which keeps tensors.
_CUTS_OF_SOME_ROWS: dict[str, dict[int, dict[int, Cut]]] = {
    "WMMAR3": {
        64: {64: (4, 32, 1), 1024: (4, 32, 2)},
        128: {64: (4, 32, 1), 1024: (8, 64, 1)},
        256: {64: (4, 16, 1), 1024: (8, 16, 1)},
    },
    "WMMAR4": {
        64: {64: (4, 32, 1)},
        128: {64: (4, 32, 1)},
        256: {16: (8, 16, 1)},
    },
    "MFMA": {
        64: {64: (4, 32, 1), 1024: (4, 32, 2)},
        128: {64: (4, 32, 1), 1024: (4, 32, 2)},
        256: {64: (4, 32, 1), 1024: (4, 32, 2)},
    },
    "NV": {
        64: {1024: (4, 64, 1)},
        128: {1024: (4, 64, 1)},
        256: {1024: (4, 16, 1)},
    },
}

# Of packed sequences, which are several: the tile of prompts for no fewer rows than it has. On an
# H200 64 drafts of each of 8 sequences after 2,048 tokens take 92 us, with (4, 64, 1) 106.
_CUTS_OF_PACKED_ROWS: dict[str, dict[int, dict[int, Cut]]] = {
    "NV": {128: {64: (4, 64, 1), 1024: (4, 32, 2)}},
}


def cut_of_few_rows(family: str, spec: AttentionFeatures, columns: int, rows: int) -> Cut | None:
    """The cut for the rows of a group; None where lanes are not written out for so many."""
    if rows <= most_of_few_rows(family, spec):
        return _CUTS_OF_FEW_ROWS.get(family, {}).get(columns)
    cuts = _CUTS_OF_SOME_ROWS.get(family, {}).get(columns, {})
    if isinstance(spec, PackedSequences):
        cuts = _CUTS_OF_PACKED_ROWS.get(family, {}).get(columns, cuts)
        # Those of a packed sequence have several tiles.
        rows = min(rows, max(cuts, default=0))
    return next((cut for most, cut in cuts.items() if rows <= most), None)


def most_of_few_rows(family: str, spec: AttentionFeatures) -> int:
    """The most rows of which each wave has all."""
    if spec.v_dim < 256 or isinstance(spec, PackedSequences):
        return MOST_OF_FEW_ROWS
    return _MOST_OF_WIDE_ROWS.get(family, MOST_OF_FEW_ROWS)
