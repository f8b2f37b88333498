"""How a launch falls on the dies of a chip, on kernels whose work is known by hand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("tinygrad")

from tinygrad.renderer.amd.dsl import s, v

from irattn import targets
from irattn.cli import main
from irattn.lab.codefiles import estimated, execute_file, read_code_file, read_description
from irattn.lab.codefiles.execution import ExecutedFile
from irattn.lab.emulator.measure.cycles import estimate
from irattn.lab.emulator.measure.dies import period
from support.code_object import assembled
from support.emulator.machine import TABLES

g9 = TABLES["gfx942"]
LINE, WORKGROUPS = 64, 16
BUFFERS = [("global_buffer", 8), ("global_buffer", 8)]


def looping(kinds: int) -> list[Any]:
    """A workgroup n multiplies n mod `kinds` + 1 times, loads a line of its own and the first one,
    which all load, and stores a word into another line of its own.
    """
    wait = g9.s_waitcnt(0)
    return [
        g9.s_load_dwordx4(s[4:7], s[0:1], imm=1),
        g9.s_and_b32(s[3], s[2], kinds - 1),
        g9.s_add_i32(s[3], s[3], 1),
        *(g9.v_mov_b32_e32(v[register], 0) for register in range(4, 12)),
        # Here it loops.
        g9.v_mfma_f32_16x16x16_f16(v[4:7], v[8:9], v[10:11], v[4:7]),
        g9.s_sub_i32(s[3], s[3], 1),
        g9.s_cmp_lg_u32(s[3], 0),
        g9.s_cbranch_scc1(-5 & 0xFFFF),
        g9.s_lshl_b32(s[8], s[2], 6),
        g9.v_mov_b32_e32(v[1], 0),
        g9.v_mov_b32_e32(v[2], s[8]),
        wait,
        g9.global_load_dword(v[3], v[1], saddr=s[6:7]),
        g9.global_load_dword(v[12], v[2], saddr=s[6:7]),
        wait,
        g9.global_store_dword(addr=v[2], data=v[3], saddr=s[4:5]),
    ]


def written(
    folder: Path, kinds: int = 8, gfx: str = "gfx942", workgroups: int = WORKGROUPS, items: int = 64
) -> tuple[Path, Path]:
    """The code object and the description of its launch."""
    (folder / "loop.hsaco").write_bytes(assembled("loop", gfx, looping(kinds), BUFFERS))
    shape = {"dtype": "f32", "shape": [workgroups * LINE // 4]}
    buffers = [{"buffer": "out", **shape}, {"buffer": "in", **shape, "init": "random"}]
    described = {"grid": [workgroups], "workgroup": [items], "arguments": buffers}
    (folder / "launch.json").write_text(json.dumps(described))
    return folder / "loop.hsaco", folder / "launch.json"


def executed(folder: Path, kinds: int = 8, gfx: str = "gfx942") -> ExecutedFile:
    code, launch = written(folder, kinds, gfx)
    return execute_file(read_code_file(code), read_description(launch))


def dies_of(run: ExecutedFile) -> Any:
    model = estimated(run).estimate
    assert model is not None
    return model.dies


def test_each_die_has_what_its_workgroups_do(tmp_path: Path) -> None:
    """Die d runs workgroups d and d + 8, each of which loops d + 1 times."""
    dies = dies_of(executed(tmp_path))
    assert [one.workgroups for one in dies.loads] == [2] * 8
    assert [one.matrix_instructions for one in dies.loads] == [2 * (d + 1) for d in range(8)]
    # Three before the loop, eight moves, and eight after it with the end; four in a turn.
    each = [20 + 4 * (d + 1) for d in range(8)]
    assert [one.of_workgroup for one in dies.loads] == [(n, n) for n in each]
    assert [one.instructions for one in dies.loads] == [2 * n for n in each]
    assert dies.worst_matrix == 16 / 9
    assert (dies.repeats_after, dies.kinds_of_each) == (8, 1)


def test_each_die_takes_as_long_as_its_own_work(tmp_path: Path) -> None:
    """Two SIMDs of a die have a wave: a turn takes 4 passes of 4 cycles of a SIMD."""
    dies = dies_of(executed(tmp_path))
    # 12 or 13 vector and global instructions, at four cycles and one, beside 16 cycles a turn.
    assert dies.loads[7].microseconds == pytest.approx(8 * 16 / 2100)
    assert dies.loads[6].microseconds == pytest.approx(7 * 16 / 2100)
    assert dies.worst_time == pytest.approx(
        dies.loads[7].microseconds / np.mean([one.microseconds for one in dies.loads])
    )


def test_lines_are_counted_once_a_die_and_once_a_workgroup(tmp_path: Path) -> None:
    """The first line of `in`, which is workgroup 0's own, too, and a line of each buffer."""
    loads = dies_of(executed(tmp_path)).loads
    assert [one.least_bytes for one in loads] == [LINE * n for n in (4, *[5] * 7)]
    assert [one.most_bytes for one in loads] == [LINE * n for n in (5, *[6] * 7)]


@pytest.mark.parametrize(
    ("kinds", "matrix", "of_each"),
    # Of four kinds die d runs one, d mod 4; of sixteen two, d and d + 8.
    [(4, [2, 4, 6, 8] * 2, 1), (16, [10 + 2 * d for d in range(8)], 2), (1, [2] * 8, 1)],
)
def test_which_kinds_of_workgroups_a_die_gets(
    kinds: int, matrix: Sequence[int], of_each: int, tmp_path: Path
) -> None:
    dies = dies_of(executed(tmp_path, kinds))
    assert [one.matrix_instructions for one in dies.loads] == matrix
    # Sixteen of sixteen kinds do not repeat.
    assert dies.repeats_after == (None if kinds == 16 else kinds)
    assert dies.kinds_of_each == (None if kinds == 16 else of_each)


def test_the_order_in_which_workgroups_run_changes_nothing(tmp_path: Path) -> None:
    from irattn.lab.emulator import Memory, launch

    (code_object,) = read_code_file(written(tmp_path)[0])
    found = []
    for schedule in ("lockstep", "random", "reverse"):
        memory = Memory()
        places = [
            memory.allocate(name, WORKGROUPS * LINE, np.zeros(WORKGROUPS * LINE, np.uint8))
            for name in ("out", "in")
        ]
        arguments = b"".join(place.to_bytes(8, "little") for place in places)
        counts = launch(
            code_object,
            "loop",
            (WORKGROUPS, 1, 1),
            (64, 1, 1),
            arguments,
            memory,
            schedule=schedule,
            measure=True,
        )
        model = estimate(counts, targets.get("gfx942"), None)
        assert model is not None
        found.append(model.dies)
    assert found[0] == found[1] == found[2]


def test_the_slowest_die_decides(tmp_path: Path) -> None:
    """As much work as one die has on all of them takes as long as this launch does."""
    uneven = estimated(executed(tmp_path)).estimate
    assert uneven is not None
    assert uneven.dies is not None
    assert uneven.times["matrix"] == pytest.approx(8 * 16 / 2100)
    # 72 turns of 16 cycles on 1216 SIMDs.
    assert uneven.busy["matrix"] == pytest.approx(72 * 16 / 1216 / 2100)
    assert uneven.idle_share == pytest.approx(1 - uneven.busy["matrix"] / uneven.times["matrix"])
    several = estimate(executed(tmp_path).counts, targets.get("gfx942"), None, copies=2)
    assert several is not None
    assert several.dies is None


def test_chips_of_one_die_have_no_others(tmp_path: Path) -> None:
    run = executed(tmp_path, gfx="gfx90a")
    assert dies_of(run) is None
    assert run.counts.traffic is not None
    assert run.counts.traffic.touched_by_die.tolist() == [run.counts.traffic.touched_bytes]


@pytest.mark.parametrize(
    ("figures", "after"),
    [
        ([7], 1),
        ([3, 3, 3], 1),
        ([1, 2, 1, 2], 2),
        ([1, 2, 1, 2, 1], 2),
        ([1, 1, 2, 1, 1, 2, 1], 3),
        ([1, 2, 3, 1], None),
        ([1, 2, 3], None),
    ],
)
def test_after_how_many_work_repeats(figures: Sequence[int], after: int | None) -> None:
    assert period(figures) == after


TABLE = """\
workgroup n runs on die n mod 8; the slowest die against the mean of all:
dispatch    workgroups    time    matrix    L2 misses KiB, at least    at most    work repeats after
----------  ------------  ------  --------  -------------------------  ---------  --------------------
loop        16            1.60x   1.78x     2                          3          8 workgroups

loop, die by die; each runs 1 of the 8 kinds of workgroups:
die    workgroups    instructions of each    of all    matrix    microseconds    L2 misses KiB, at least    at most
-----  ------------  ----------------------  --------  --------  --------------  -------------------------  ---------
0      2             24                      48        2         0.02            0.25                       0.31
1      2             28                      56        4         0.03            0.31                       0.38
2      2             32                      64        6         0.03            0.31                       0.38
3      2             36                      72        8         0.03            0.31                       0.38
4      2             40                      80        10        0.04            0.31                       0.38
5      2             44                      88        12        0.05            0.31                       0.38
6      2             48                      96        14        0.05            0.31                       0.38
7      2             52                      104       16        0.06            0.31                       0.38
"""  # noqa: E501


def test_the_table_says_which_die_has_most(tmp_path: Path) -> None:
    code, launch = written(tmp_path)
    shown = CliRunner().invoke(main, ["inspect", str(code), "--execute", "--launch", str(launch)])
    assert shown.exit_code == 0, shown.output
    assert "with 8 dies of 4 MiB of L2 and 256 MiB of Infinity Cache:" in shown.output
    assert TABLE in shown.output


def test_json_has_every_die(tmp_path: Path) -> None:
    code, launch = written(tmp_path)
    words = ["inspect", str(code), "--execute", "--launch", str(launch), "--json"]
    (found,) = json.loads(CliRunner().invoke(main, words).output)
    (dispatch,) = found["executed"]
    loads = dispatch["estimate"]["dies"]["loads"]
    assert [one["matrix_instructions"] for one in loads] == [2 * (d + 1) for d in range(8)]
    assert dispatch["estimate"]["worst_over_mean"]["matrix_instructions"] == 16 / 9
    assert dispatch["estimate"]["order"]["work"] == [16, 128]
    assert "by_workgroup" not in dispatch


@pytest.mark.parametrize(("kinds", "workgroups", "ratio"), [(1, 16, "1.00x"), (8, 4, "3.20x")])
def test_a_launch_that_is_even_or_small_has_no_table_of_dies(
    kinds: int, workgroups: int, ratio: str, tmp_path: Path
) -> None:
    """One, two, three and four turns on as many dies of eight are 3.2 times their mean."""
    code, launch = written(tmp_path, kinds)
    described = json.loads(launch.read_text()) | {"grid": [workgroups]}
    launch.write_text(json.dumps(described))
    shown = CliRunner().invoke(main, ["inspect", str(code), "--execute", "--launch", str(launch)])
    assert ratio in shown.output
    assert "die by die" not in shown.output


ORDER = """\
workgroups begin in the order of the grid, where there is room; when the last place is done, against the mean of all:
dispatch    workgroups    places    room in a place    cycles of one    last done    with the heaviest first
----------  ------------  --------  -----------------  ---------------  -----------  -------------------------
loop        220           110       8                  32 to 2048       1.95x        1.52x
"""  # noqa: E501


def test_the_order_of_workgroups_is_told_where_it_tells(tmp_path: Path) -> None:
    code, launch = written(tmp_path, 64, "gfx90a", 220, 256)
    words = ["inspect", str(code), "--execute", "--launch", str(launch)]
    shown = CliRunner().invoke(main, words).output
    assert ORDER in shown
    (found,) = json.loads(CliRunner().invoke(main, [*words, "--json"]).output)
    assert found["executed"][0]["estimate"]["order"]["work"] == [32, 2048]
    # One kind, or no more workgroups than places.
    for kinds, workgroups in ((1, 220), (64, 110)):
        code, launch = written(tmp_path, kinds, "gfx90a", workgroups, 256)
        assert "begin in the order" not in CliRunner().invoke(main, words).output
