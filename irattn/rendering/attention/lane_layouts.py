"""Which lane holds what of a matrix instruction: the table of layouts."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LaneLayout:
    """Which lane holds what of a matrix instruction's operands and sums.

    A lane has an index, of `side`, and a group. The indices are keys of a tile, `side` of them, and
    value columns where the lane gives operands, and queries, `queries` for each lane, everywhere
    else. The groups share the depth of operands, neighbours along it in each; `operand_groups` of
    one means that all have all of it. They share the keys, or value columns, of sums: `sum_step` is
    from one of a lane to its next. `halves` parts of an operand's depth have all queries each.
    `turned` says that keys are the rows of the scores, not the columns; `group_lanes` is from a
    lane to that of the next group.
    """

    side: int
    groups: int
    operand_groups: int
    sum_step: int
    group_lanes: int
    queries: int = 1
    halves: int = 1
    turned: bool = True

    @property
    def operand_queries(self) -> int:
        """Queries of an operand, halves of its depth counted apart."""
        return self.queries * self.halves


# By family. AMD's ISA manuals: "WMMA", "MFMA", matrices in registers; NVIDIA's PTX: mma.m16n8k16.
LAYOUTS = {
    "WMMAR3": LaneLayout(side=16, groups=2, operand_groups=1, sum_step=2, group_lanes=16),
    "WMMAR4": LaneLayout(side=16, groups=2, operand_groups=2, sum_step=1, group_lanes=16),
    "MFMA": LaneLayout(side=16, groups=4, operand_groups=4, sum_step=1, group_lanes=16),
    "NV": LaneLayout(8, 4, 4, sum_step=1, group_lanes=1, queries=2, halves=2, turned=False),
}
