"""One artifact for all sizes up to a maximum."""

import json

import numpy as np
import pytest

from irattn import AttentionSpec, PagedAttentionSpec
from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, RenderError, SpecError
from irattn.core.tensors import DynamicSize, Role
from irattn.lab.inputs import random_tensors
from irattn.lab.verification import verify_spec
from irattn.rendering import GraphRequest, render
from irattn.runtime import load_artifact
from irattn.specs import apply_settings, spec_from_dict
from irattn.targets import get as get_target
from support.joined import artifact_of, together

pytestmark = pytest.mark.slow

SPEC = AttentionSpec(
    batch=2, num_q_heads=4, num_kv_heads=2, q_len=70, kv_len=150, head_dim=32, causal=True,
    io_dtype="f32", dynamic=("batch", "q_len", "kv_len"),
)  # fmt: skip
PAGED = PagedAttentionSpec(
    batch=3, num_q_heads=4, num_kv_heads=2, q_len=5, head_dim=32, block_size=16, num_blocks=20,
    max_blocks=5, io_dtype="f32", dynamic=("batch", "q_len", "num_blocks", "max_blocks"),
)  # fmt: skip
LONG = AttentionSpec(
    num_q_heads=2, num_kv_heads=1, q_len=130, kv_len=4096, head_dim=32, causal=True, io_dtype="f32",
    dynamic=("q_len", "kv_len"),
)  # fmt: skip

FORMULATIONS = pytest.mark.parametrize("formulation", ["fused", "blocked"])


SIZES = ({"batch": 1, "q_len": 1, "kv_len": 64}, {"q_len": 65, "kv_len": 3}, {})
PAGED_SIZES = ({"batch": 1, "num_blocks": 7, "max_blocks": 2}, {"q_len": 3, "num_blocks": 15})
STATIC, PAGED_STATIC = map(SPEC.of_sizes, SIZES), map(PAGED.of_sizes, PAGED_SIZES)
CALLED = (SPEC, *STATIC, PAGED, *PAGED_STATIC)
CHECKED = (SPEC, SPEC.of_sizes({}), SPEC.replace(ragged=True), PAGED)


@pytest.fixture(scope="module")
def kernel():
    return load(SPEC)


def load(spec, formulation=None):
    among = CALLED if formulation else CHECKED
    return load_artifact(artifact_of(spec, among, "cpu", formulation), "cpu")


@FORMULATIONS
def test_any_size_gives_what_the_static_spec_of_that_size_gives(formulation):
    dynamic = load(SPEC, formulation)
    for sizes in SIZES:
        static = SPEC.of_sizes(sizes)
        tensors = random_tensors(static)
        expected = load(static, formulation)(**tensors)
        found = dynamic(**tensors)
        assert found.shape == expected.shape
        np.testing.assert_allclose(found, expected, atol=2e-6)


@FORMULATIONS
def test_any_paged_size_gives_what_the_static_spec_of_that_size_gives(formulation):
    dynamic = load(PAGED, formulation)
    for sizes in PAGED_SIZES:
        static = PAGED.of_sizes(sizes)
        tensors = random_tensors(static)
        np.testing.assert_allclose(
            dynamic(**tensors), load(static, formulation)(**tensors), atol=2e-6
        )


def test_calls_of_different_sizes_do_not_disturb_each_other(kernel):
    small, large = (random_tensors(SPEC.of_sizes(s)) for s in ({"q_len": 5, "kv_len": 9}, {}))
    before = kernel(**small)
    kernel(**large)
    np.testing.assert_array_equal(kernel(**small), before)


COMPOSED = [
    *(
        SPEC.replace(**changes)
        for changes in (
            {"bias": "hqk", "io_dtype": "f16"},
            {"keep_mask": "bk", "sinks": True, "return_lse": True, "io_dtype": "bf16"},
            {"alibi": True, "window": (20, None), "logits_soft_cap": 5.0, "dynamic": ("q_len",)},
            {"ragged": True, "alignment": "top_left", "head_dim": 40, "value_dim": 24},
            {"q_len": 1, "dynamic": ("kv_len",)},
            {"batch": 3, "q_len": 40, "kv_len": 40, "dynamic": ("batch",)},
            {"head_dim": 192, "dynamic": ("kv_len",)},
        )
    ),
    PAGED.replace(ragged=True, keep_mask="q", sinks=True, return_lse=True),
]


@pytest.mark.parametrize(
    "one", [*together(COMPOSED, "fused"), *together(COMPOSED, "blocked")], ids=str
)
def test_features_compose(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


LONG_CONTEXTS = together(
    (
        LONG,
        LONG.replace(io_dtype="f16", dynamic=("q_len",)),
        LONG.replace(sinks=True, window=(200, None), logits_soft_cap=5.0, return_lse=True),
        PAGED.replace(q_len=130, num_blocks=256, max_blocks=256, batch=1),
    )
)


@pytest.mark.parametrize("one", LONG_CONTEXTS, ids=str)
def test_long_contexts_fit_the_stack_of_a_cpu(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_a_wrong_length_is_found(monkeypatch):
    """Verification notices when padding takes part."""
    wrong = {Role.QUERY_LENGTHS: "q_len", Role.KEY_LENGTHS: "num_q_heads"}
    monkeypatch.setattr("irattn.runtime.padding.LENGTHS", wrong)
    spec = SPEC.replace(causal=False)
    verdict = verify_spec(GraphRequest(spec, get_target("cpu")), device="cpu")
    assert not verdict.passed
    assert any("q_len 1" in case for case in verdict.failed)


def test_spec_is_normalised_and_travels_as_json():
    spec = SPEC.replace(dynamic=["kv_len", "batch"])
    assert spec.dynamic == ("batch", "kv_len")
    assert json.loads(spec.to_json()) == spec.to_dict()
    assert spec_from_dict(json.loads(spec.to_json())) == spec
    for setting in ('dynamic=["q_len"]', "dynamic=q_len"):
        assert apply_settings(SPEC, (setting,)).dynamic == ("q_len",)
    assert SPEC.replace(dynamic="kv_len,batch").dynamic == ("batch", "kv_len")


@pytest.mark.parametrize(
    ("dynamic", "message"),
    [
        (["head_dim"], "dynamic: attention takes batch, q_len, kv_len, got 'head_dim'"),
        (3, "dynamic: expected a list of some of batch, q_len, kv_len, got 3"),
        (["q_len", "q_len"], "dynamic: expected every name once"),
    ],
)
def test_bad_names_are_refused(dynamic, message):
    with pytest.raises(SpecError, match=message):
        SPEC.replace(dynamic=dynamic)


@pytest.mark.parametrize("name", ["cache_write_tiny", "paged_update_decode_tiny"])
def test_no_list_of_names_is_refused(name):
    with pytest.raises(SpecError, match=r"dynamic: expected a list of some of .* got None"):
        catalog.get(name).replace(dynamic=None)


def test_what_is_not_supported_is_refused():
    with pytest.raises(SpecError, match="max_blocks together with a bias or keep_mask"):
        PAGED.replace(bias="k")
    with pytest.raises(RenderError, match="dynamic: torch's"):
        render(GraphRequest(SPEC, get_target("cpu"), dialect="torch"))


def test_arguments_are_checked(kernel):
    tensors = random_tensors(SPEC.of_sizes({"q_len": 7, "kv_len": 77}))
    short = {**tensors, "value": tensors["value"][:, :, :70]}
    with pytest.raises(ArgumentError, match="value: expected kv_len 77 as in key, got 70"):
        kernel(**short)
    long = {**tensors, "query": np.zeros((2, 4, 71, 32), np.float32)}
    with pytest.raises(
        ArgumentError, match=r"query: expected f32 \[1 <= batch <= 2, 4, 1 <= q_len <= 70"
    ):
        kernel(**long)
    none = {**tensors, "query": tensors["query"][:, :, :0]}
    with pytest.raises(ArgumentError, match=r"got f32 \[2, 4, 0, 32\]"):
        kernel(**none)


def test_lengths_and_blocks_are_checked_against_the_sizes_of_the_call():
    spec = SPEC.replace(ragged=True)
    tensors = random_tensors(spec.of_sizes({"q_len": 7, "kv_len": 77}))
    tensors["context_lens"][0] = 78
    with pytest.raises(ArgumentError, match=r"context_lens\[0\]: expected 0 to 77, got 78"):
        load(spec)(**tensors)
    paged = random_tensors(PAGED.of_sizes({"num_blocks": 7}))
    paged["block_table"][0, 0] = 7
    with pytest.raises(ArgumentError, match=r"expected a block id from 0 to 6, got 7"):
        load(PAGED)(**paged)


def test_the_manifest_tells_what_the_function_takes(kernel):
    manifest = kernel.artifact.manifest
    query, *_, lens = manifest.inputs
    assert query["shape"] == [2, 4, 128, 32]
    assert query["dynamic"] == ["batch", None, "q_len", None]
    assert lens["name"] == "context_lens"
    assert "dynamic" not in load(SPEC.of_sizes({})).artifact.manifest.inputs[0]


def test_a_dynamic_size_is_no_number():
    size = AttentionSpec(
        num_q_heads=2, num_kv_heads=1, q_len=4, kv_len=128, head_dim=16, dynamic=("kv_len",)
    ).num_keys
    assert isinstance(size, DynamicSize)
    assert size.most == 128
    assert (3 * size * 2).most == 768
    for wrong in (lambda: size // 2, lambda: size + 1, lambda: size < 7, lambda: range(size)):
        with pytest.raises(TypeError):
            wrong()
    assert size != 128
