"""Specs drawn across combinations of features and odd sizes, compiled and compared on the CPU.

CI takes so many of 120 that two features which any of these has together, one of them has.
`IRATTN_DRAWS=5000 pytest tests/graphs/test_combinations.py` takes as many as it says, without a
choice. A failure prints the one line of Python that shows it again.
"""

import os
from dataclasses import replace
from functools import partial

import pytest

from irattn import AttentionSpec
from irattn.lab.verification import verify_artifact, verify_spec
from irattn.rendering import render
from irattn.targets import get as get_target
from support import draws, joined
from support.covering import covering
from support.joined import Graph

pytestmark = pytest.mark.slow

DRAWS = os.environ.get("IRATTN_DRAWS")
# So many are functions of one module, which takes the compiler two thirds of their time alone.
TOGETHER = 15
CPU = get_target("cpu")


def drawn(seed):
    # Every second graph is the GPUs' own, run on the CPU.
    return Graph(draws.attention(seed), ("blocked", "fused")[seed % 2])


def few(seeds):
    """Some of these seeds, which have any two features together that all have."""
    graphs = map(drawn, seeds)
    return [seeds[i] for i in covering([(one.spec, one.formulation) for one in graphs])]


SEEDS = range(int(DRAWS)) if DRAWS else few(range(120))


def failures_of(graphs):
    """The reproducers of those that do not meet the reference."""
    try:
        artifacts = joined.compiled_together(graphs, CPU)
    except Exception as error:  # Which graph it is shows when each is compiled alone.
        alone = [failure_of(graph, partial(verify_spec, graph.request(CPU))) for graph in graphs]
        return [*filter(None, alone)] or [f"together: {said(error)}"]
    verified = [partial(verify_artifact, artifact, device="cpu") for artifact in artifacts]
    return [*filter(None, map(failure_of, graphs, verified))]


def failure_of(graph, verify):
    """The reproducer, or None where the spec meets the reference."""
    try:
        verdict = verify()
        problem = f"{verdict.failed} {verdict.accuracy}" if not verdict.passed else None
    except Exception as error:  # Whatever goes wrong is to be told with its spec.
        problem = said(error)
    how = f"irattn.verify(irattn.{graph.spec!r}, formulation={graph.formulation!r})"
    return f"{how}  # {problem}" if problem else None


def said(error):
    return f"{type(error).__name__}: {str(error).splitlines()[0]}"


@pytest.mark.parametrize("start", range(0, len(SEEDS), TOGETHER))
def test_combinations_meet_the_reference(start):
    failures = failures_of([drawn(seed) for seed in SEEDS[start : start + TOGETHER]])
    assert not failures, "\n".join(failures)


SMALL = AttentionSpec(num_q_heads=1, num_kv_heads=1, q_len=3, kv_len=5, head_dim=8)
GRAPHS = [
    Graph(SMALL, "fused"),
    Graph(SMALL.replace(logits_soft_cap=3.5), "blocked"),
]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("math.tanh", "math.sin", "# ('normal', "),
        ("math.tanh", "math.no_such_function", "# CompileError: "),
    ],
)
def test_a_failure_prints_its_own_reproducer(monkeypatch, tmp_path, old, new, problem):
    import irattn.compiling.build

    monkeypatch.setenv("IRATTN_CACHE", str(tmp_path))

    def wrong(request):
        return render(request).replace(old, new)

    monkeypatch.setattr(irattn.compiling.build, "render", wrong)
    monkeypatch.setattr(joined, "render", wrong)
    (line,) = failures_of(GRAPHS)
    assert line.startswith("irattn.verify(irattn.AttentionSpec(io_dtype='f16', batch=1, ")
    assert "logits_soft_cap=3.5" in line
    assert problem in line


def test_functions_of_one_module_are_told_apart():
    """Each is the graph that its artifact says: no other would meet its reference."""
    graphs = [Graph(SMALL.replace(softmax_scale=scale), "blocked") for scale in (0.1, 0.5, 2.0)]
    artifacts = joined.compiled_together(graphs, CPU)
    assert len({artifact.vmfb for artifact in artifacts}) == 1
    assert failures_of(graphs) == []
    first = artifacts[0].manifest.spec
    others = [replace(a, manifest=replace(a.manifest, spec=first)) for a in artifacts]
    assert [verify_artifact(a, device="cpu").passed for a in others] == [True, False, False]


def test_those_chosen_have_what_all_have():
    """What two specs lack, a third that has it brings."""
    sinks, bias = SMALL.replace(sinks=True), SMALL.replace(bias="k")
    both = sinks.replace(bias="k")
    assert covering([(one, "fused") for one in (SMALL, sinks, bias, both, both)]) == [0, 1, 2, 3]
    # Another size above 1 is nothing new.
    others = [(SMALL.replace(q_len=1), "fused"), (SMALL.replace(q_len=4), "fused")]
    assert covering([(SMALL, "fused"), *others, (SMALL, "blocked")]) == [0, 1, 3]
