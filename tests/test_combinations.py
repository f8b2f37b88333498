"""Specs drawn across combinations of features and odd sizes, compiled and compared on the CPU.

CI draws 300; `IRATTN_DRAWS=5000 pytest tests/test_combinations.py` draws more. A failure prints
the one line of Python that shows it again.
"""

import os
import random

import pytest

from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec
from irattn.targets import get as get_target
from irattn.verification import verify_spec

DRAWS = int(os.environ.get("IRATTN_DRAWS", "300"))
PER_TEST = 10


def draw(seed):
    """A spec: small sizes, so that many fit the time, and every feature now and then."""
    pick = random.Random(seed)
    kind = pick.choices(
        [AttentionSpec, PackedAttentionSpec, PagedAttentionSpec], weights=[4, 2, 4]
    )[0]
    kv_heads, group = pick.choice([1, 2, 3]), pick.choice([1, 2, 3])
    fields = {
        "batch": pick.choice([1, 2, 3]),
        "num_q_heads": kv_heads * group,
        "num_kv_heads": kv_heads,
        "head_dim": pick.choice([8, 16, 40, 64, 80]),
        "io_dtype": pick.choice(["f32", "f16", "bf16"]),
        "causal": pick.random() < 0.6,
        "softmax_scale": pick.choice([None, None, 0.3]),
    }
    queries = pick.choice([1, 1, 2, 7, 16, 33, 65])
    # Long contexts for decode only, which splits them; with many queries they take their time.
    keys = pick.choice([1, 5, 32, 33, 77, 100 if queries > 1 else 512])
    most_blocks = 5 if queries > 1 else 32
    axes = "hqk" if kind is PackedAttentionSpec else "bhqk"
    if kind is PagedAttentionSpec:
        blocks = {
            "block_size": pick.choice([1, 4, 16, 32]),
            "max_blocks": pick.choice([1, 2, most_blocks]),
        }
        fields |= {"q_len": queries, "num_blocks": 40, **blocks}
    elif kind is PackedAttentionSpec:
        fields |= {"q_tokens": queries + pick.choice([0, 60]), "kv_tokens": keys}
    else:
        fields |= {"q_len": queries, "kv_len": keys, "value_dim": pick.choice([None, 24])}
    optional = {
        "window": (pick.choice([None, 0, 3, 20]), pick.choice([None, 0, 2, 20])),
        "logits_soft_cap": pick.choice([2.0, 30.0]),
        "alibi": True,
        "bias": some_axes(pick, axes),
        "keep_mask": some_axes(pick, axes),
        "sinks": True,
        "return_lse": True,
        "alignment": "top_left",
    }
    if kind is not PackedAttentionSpec:
        optional["ragged"] = True
    return kind(**fields, **{k: v for k, v in optional.items() if pick.random() < 0.25})


def some_axes(pick, axes):
    return "".join(axis for axis in axes if pick.random() < 0.6) or "k"


def failure_of(spec, formulation):
    """The reproducer, or None where the spec meets the reference."""
    try:
        verdict = verify_spec(spec, get_target("cpu"), formulation=formulation, device="cpu")
        problem = f"{verdict.failed} {verdict.accuracy}" if not verdict.passed else None
    except Exception as error:  # Whatever goes wrong is to be told with its spec.
        problem = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    how = f"irattn.verify(irattn.{spec!r}, formulation={formulation!r})"
    return f"{how}  # {problem}" if problem else None


@pytest.mark.parametrize("start", range(0, DRAWS, PER_TEST))
def test_combinations_meet_the_reference(start):
    failures = []
    for seed in range(start, min(start + PER_TEST, DRAWS)):
        # Every second graph is the GPUs' own, run on the CPU.
        failure = failure_of(draw(seed), ("blocked", "fused")[seed % 2])
        if failure:
            failures.append(f"draw {seed}: {failure}")
    assert not failures, "\n".join(failures)


def test_a_failure_prints_a_reproducer(monkeypatch):
    import irattn.build

    render = irattn.build.render
    monkeypatch.setattr(
        irattn.build,
        "render",
        lambda *a, **k: render(*a, **k).replace("%mean = arith.mulf", "%mean = arith.addf"),
    )
    spec = AttentionSpec(
        num_q_heads=1, num_kv_heads=1, q_len=3, kv_len=5, head_dim=8, logits_soft_cap=3.5
    )
    line = failure_of(spec, "blocked")
    assert line.startswith("irattn.verify(irattn.AttentionSpec(io_dtype='f16', batch=1, ")
    assert "# ('normal', " in line
