"""Huge sizes: quick where numbers suffice, and refused or announced before any work."""

import itertools
import logging
import random

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
import irattn.compiling.build
from irattn import AttentionSpec, PackedAttentionSpec, PagedAttentionSpec, RmsNormSpec, targets
from irattn.cli import main
from irattn.compiling import catalog
from irattn.core.errors import RenderError, SpecError, TooLargeError
from irattn.lab import inputs, verification
from irattn.lab.tool_calls import tool_call
from irattn.lab.verification import verify_stages
from irattn.rendering import GraphRequest
from irattn.runtime import costs
from irattn.specs import apply_settings

HEADS = {"num_q_heads": 8, "num_kv_heads": 2, "head_dim": 64}
HUGE = AttentionSpec(q_len=2**31, kv_len=2**31, causal=True, **HEADS)
SMALL = catalog.get("gqa_causal_tiny")
CPU = targets.get("cpu")


def pairs_seen(spec, q_len, kv_len):
    """Pairs of query and key that neither causal nor window hides, one by one."""
    first = kv_len - q_len if spec.alignment == "bottom_right" else 0
    left, right = spec.window or (None, None)
    return sum(
        not (spec.causal and key > position)
        and (left is None or key >= position - left)
        and (right is None or key <= position + right)
        for position, key in itertools.product(range(first, first + q_len), range(kv_len))
    )


def drawn_masks(rng):
    side = lambda: rng.choice([None, rng.randint(0, 14)])  # noqa: E731
    return {
        "causal": rng.random() < 0.5,
        "window": rng.choice([None, (side(), side())]),
        "alignment": rng.choice(["bottom_right", "top_left"]),
    }


def test_least_flops_count_every_pair_that_is_seen():
    rng = random.Random(0)
    for _ in range(1000):
        q_len, kv_len, masks = rng.randint(1, 11), rng.randint(1, 11), drawn_masks(rng)
        spec = AttentionSpec(q_len=q_len, kv_len=kv_len, batch=3, value_dim=16, **HEADS, **masks)
        assert spec.least_flops == 2 * 3 * 8 * (64 + 16) * pairs_seen(spec, q_len, kv_len)


def test_least_flops_of_pages_and_of_packed_sequences():
    rng = random.Random(1)
    for _ in range(200):
        q_len, pages, masks = rng.randint(1, 11), rng.randint(1, 4), drawn_masks(rng)
        paged = PagedAttentionSpec(
            q_len=q_len, block_size=3, num_blocks=9, max_blocks=pages, **HEADS, **masks
        )
        assert paged.least_flops == 2 * 8 * 128 * pairs_seen(paged, q_len, 3 * pages)
        packed = PackedAttentionSpec(
            q_tokens=4 * q_len, kv_tokens=12 * pages, batch=4, **HEADS, **masks
        )
        # Every pair is computed, and none is seen between sequences, which are alike.
        assert packed.flops == 2 * 8 * 128 * (4 * q_len) * (12 * pages)
        assert packed.least_flops == 2 * 8 * 128 * 4 * pairs_seen(packed, q_len, 3 * pages)


def test_numbers_of_huge_specs_are_formulas():
    assert HUGE.least_flops == 2 * 8 * 128 * (2**31 * (2**31 + 1) // 2)
    window = HUGE.replace(window=(100, None))
    assert window.least_flops == 2 * 8 * 128 * (2**31 * 101 - 100 * 101 // 2)
    assert len(HUGE.digest) == 12
    assert HUGE.replace(dynamic=("q_len", "kv_len")).calls[-1] == HUGE


def test_a_number_that_is_no_size_is_refused():
    with pytest.raises(SpecError, match=r"q_len: .* at most 2\*\*63 - 1, got about 2\*\*16610"):
        HUGE.replace(q_len=10**5000)
    with pytest.raises(SpecError, match="q_len: expected a whole number of at least 1, got '111"):
        apply_settings(HUGE, ("q_len=" + 5000 * "1",))


@pytest.mark.parametrize(
    ("name", "field", "tensor"),
    [
        ("gqa_causal_tiny", "batch", "query"),
        ("gqa_causal_tiny", "kv_len", "key"),
        ("gqa_paged_decode_tiny", "num_blocks", "key_cache"),
        ("gqa_paged_decode_tiny", "max_blocks", "block_table"),
        ("packed_causal_tiny", "q_tokens", "query"),
        ("cache_write_tiny", "num_tokens", "key"),
        ("position_embedding_tiny", "max_positions", "position_table"),
        ("rms_norm_tiny", "columns", "x"),
        ("layer_decode_tiny", "hidden_size", "hidden"),
    ],
)
def test_a_size_that_graphs_do_not_count_is_not_rendered(name, field, tensor):
    spec = catalog.get(name).replace(**{field: 2**40})
    assert spec.flops >= spec.least_flops > 0
    with pytest.raises(RenderError, match=rf"{tensor}: expected at most 2\*\*31 of anything, got"):
        irattn.render(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (HUGE, r"attention: expected at most 2\*\*30 queries in a sequence, as .* got 2147483648"),
        (HUGE.replace(q_len=1), r"expected at most 2\*\*30 keys in a sequence"),
        (HUGE.replace(q_len=2, dynamic=("kv_len",)), r"at most 2\*\*30 keys in a sequence"),
        (
            PagedAttentionSpec(q_len=1, num_blocks=9, max_blocks=2**27, **HEADS),
            r"paged_attention: expected at most 2\*\*30 keys in a sequence, .* got 2147483648",
        ),
        (
            RmsNormSpec(rows=2**31, columns=2**31),
            r"x: expected less than 2\*\*63 bytes, got f16 \[2147483648, 2147483648\]",
        ),
    ],
)
@pytest.mark.parametrize("target", ["gfx1100", "cpu"])
def test_what_no_graph_can_address_is_not_rendered(spec, message, target):
    with pytest.raises(RenderError, match=message):
        irattn.render(spec, target=target)


def test_a_text_for_cpus_does_not_grow_with_the_lengths():
    """The compiler takes as long for any length as for a short one."""
    lines = {
        irattn.render(SMALL.replace(q_len=q_len, kv_len=q_len), target="x86-64-v3").count("\n")
        for q_len in (64, 4096, 300_000)
    }
    assert len(lines) == 1


@pytest.fixture
def small_machine(monkeypatch):
    """A machine of ten megabytes that has no compiler."""
    monkeypatch.setattr(costs, "memory", lambda: 10_000_000)
    monkeypatch.setattr(
        irattn.compiling.build, "compile_mlir", lambda text, flags: pytest.fail("compiled")
    )


LARGE = SMALL.replace(q_len=4096, kv_len=4097)


@pytest.mark.parametrize(
    "work",
    [
        lambda: irattn.verify(LARGE),
        lambda: irattn.verify(LARGE, target="gfx1100"),
        lambda: irattn.verify(LARGE.replace(dynamic=("q_len", "kv_len"))),
        lambda: verify_stages(GraphRequest(LARGE, CPU)),
        lambda: next(verification.known_cases(LARGE, 0)),
        lambda: tool_call(LARGE),
    ],
)
def test_verification_without_the_memory_is_refused_before_any_work(small_machine, work):
    with pytest.raises(TooLargeError, match=r"more memory than there is: verifying [a-z_]+ t"):
        work()


def test_inputs_without_the_memory_are_refused(small_machine):
    assert inputs.random_tensors(SMALL)
    with pytest.raises(TooLargeError, match=r"a call of attention takes about 91\.6 GiB, "):
        inputs.random_tensors(SMALL.replace(batch=1_000_000, q_len=64, kv_len=64))


def test_the_command_says_what_is_too_large_and_goes_on(small_machine):
    long = ["--set", "q_len=4096", "--set", "kv_len=4096"]
    ran = CliRunner().invoke(main, ["verify", "gqa_causal_tiny", "gqa_decode_tiny", *long])
    assert ran.exit_code == 1
    assert ran.output.count("verifying attention takes about") == 2
    assert "0 of 2 passed" in ran.output


def test_memory_is_the_machines_or_less_in_a_container(tmp_path, monkeypatch):
    files = [tmp_path / name for name in ("v2", "v1", "none")]
    monkeypatch.setattr(costs, "_LIMITS", files)
    whole = costs.memory()
    files[0].write_text("max\n")
    assert costs.memory() == whole
    files[1].write_text("12345\n")
    assert costs.memory() == 12345


def test_a_long_verification_is_announced(monkeypatch, caplog):
    caplog.set_level(logging.WARNING)
    irattn.verify(SMALL)
    assert not caplog.records
    monkeypatch.setattr(verification.times, "_REFERENCE_RATE", 1000.0)
    irattn.verify("gqa_causal_tiny")
    assert [record.getMessage() for record in caplog.records] == [
        "gqa_causal_tiny: verification may take 70 min of processor time"
    ]


def test_elements_and_bytes_of_a_tensor():
    query = HUGE.replace(dynamic=("q_len",)).inputs[0]
    assert (query.elements, query.bytes) == (2**31 * 8 * 64, 2**32 * 8 * 64)
    assert all(tensor.bytes == np.zeros(tensor.shape, "f4").nbytes for tensor in SMALL.inputs)
