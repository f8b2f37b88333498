"""The plot of the errors of two sides, from which a verdict is made."""

from itertools import combinations

import pytest

from irattn.lab.comparison import (
    error_plot,
)
from irattn.lab.comparison.numerics import CaseErrors, ComparedSide, Numerics
from irattn.lab.comparison.policy import read_policy
from irattn.lab.comparison.verdicts import judged

pytestmark = pytest.mark.slow


def errors_of(*sides):
    """Numerics of one case, from the relative error and that of the worst row of each side."""
    made = []
    for relative, worst_row in sides:
        strain = max(relative, worst_row / 10) / 2e-3
        made.append(
            ComparedSide("here", (CaseErrors("normal", 1.0, relative, worst_row, 2e-3, strain),))
        )
    return Numerics(*made)


@pytest.mark.parametrize(
    ("errors", "verdict", "words"),
    [
        ((2e-4, 4e-4), "right", "2.0e-04"),
        ((3e-3, 4e-3), "wrong", "3.0e-03"),
        # One row decides: it may be off by ten tolerances.
        ((2e-4, 4e-3), "right", "4.0e-04"),
        ((2e-4, 1e-1), "wrong", "1.0e-02"),
        # Ten times the baseline's, and half of what is allowed.
        ((1e-3, 1e-3), "lost", "1.0e-03"),
        ((0.0, 0.0), "right", "0"),
        ((float("inf"), float("inf")), "wrong", "» ∞"),
    ],
)
def test_the_plot_of_errors_shows_what_the_verdict_is_made_from(errors, verdict, words):
    policy = read_policy()
    numerics = errors_of((1e-4, 1e-4), errors)
    assert (judged((), numerics, policy)[0] == "wrong") is (verdict != "right")
    for shown in (numerics, Numerics(None, numerics.candidate)):
        plot = error_plot.errors(shown, policy)
        *_, limit = (rect for rect in plot.rects if rect.style == "limit")
        bars = [rect for rect in plot.rects if rect.style == "candidate"]
        is_beyond = max(bar.x + bar.width for bar in bars) > limit.x + limit.width
        assert is_beyond is (verdict == "wrong")
        (result,) = (label for label in plot.labels if label.text == words)
        is_red = is_beyond or (verdict == "lost" and shown.baseline is not None)
        assert (result.style == "bad") is is_red
        assert limit.y < min(bar.y for bar in bars)
        assert limit.y + limit.height > max(bar.y + bar.height for bar in bars)
        assert all(0 <= bar.x <= bar.x + bar.width <= plot.width for bar in bars)


def test_each_output_has_its_own_tolerance_in_the_plot():
    """A log-sum-exp in f32 beside an output in f16: which of them is worse may change."""
    name = "normal at batch 4, q_len 1, max_blocks 128"
    output, lse = (
        ComparedSide("here", (CaseErrors(name, 1.0, error, error, tolerance, error / tolerance),))
        for error, tolerance in ((1e-3, 2e-3), (1e-4, 1e-5))
    )
    plot = error_plot.errors(Numerics(output, lse), read_policy())
    limits = [rect.x for rect in plot.rects if rect.style == "limit"]
    ends = [rect.x + rect.width for rect in plot.rects if rect.height == 8]
    assert ends[0] < limits[0]
    assert limits[1] < ends[1] < ends[0]
    assert min(rect.x for rect in plot.rects) > 6 * len(name)
    told = {label.text for label in plot.labels if label.style == "bad"}
    assert told == {"tolerance 2e-03", "tolerance 1e-05", "1.0e-04 of 1e-05"}


@pytest.mark.parametrize("error", [1e21, 1e300, 1e-12, 0.0, 2e-3, float("inf"), float("nan")])
@pytest.mark.parametrize("tolerance", [2e-3, 1e-5])
def test_no_label_of_the_plot_runs_into_another_or_over_the_tolerance(error, tolerance):
    """However large or small an error is, what lies near the tolerance is told apart."""
    sides = [
        ComparedSide("here", (CaseErrors("normal", 1.0, e, e, tolerance, e / tolerance),))
        for e in (tolerance / 5, error)
    ]
    plot = error_plot.errors(Numerics(*sides), read_policy())
    spans = [span(label) for label in plot.labels]
    assert all(0 <= left <= right <= plot.width for left, right, _ in spans)
    for (left, right, y), (others_left, others_right, others_y) in combinations(spans, 2):
        assert abs(y - others_y) > 5 or right < others_left or others_right < left
    limits = [rect for rect in plot.rects if rect.style == "limit"]
    assert len(limits) == 2
    assert all(left > limit.x + limit.width for limit in limits for left, _, y in spans[-2:])
    assert plot.rects[-2:] == limits, "nothing is painted over them"


def span(label):
    """From where to where a label goes, with letters of the page's size, and its height."""
    width = 6 * len(label.text)
    left = label.x - {"start": 0, "middle": width / 2, "end": width}[label.anchor]
    return left, left + width, label.y
