"""`generate_batch` of Hugging Face's models with `attn_implementation="irattn"`."""

import gc

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")

import torch
from transformers import CompileConfig, ContinuousBatchingConfig, LlamaConfig

from irattn import transfers
from irattn.core.dtypes import dtype, float_name
from irattn.core.errors import CompileError
from irattn.integrations import continuous_batching as batching
from irattn.integrations import transformers as integration
from irattn.runtime.kernel_cache import KernelCache
from support.random_models import DECODERS, LLAMA, models

pytestmark = pytest.mark.slow

NEW = 8
# A step takes this many tokens: the longest prompts come in pieces, beside decodes.
STEP, PAGE = 24, 16
PAGED, PACKED = "packed_paged_attention", "packed_attention"
# The ops of the layers of each: those with a window have a ring for a cache.
KINDS = {
    "llama": (PAGED, PAGED),
    "qwen3": (PAGED, PAGED),
    "mistral": (PACKED, PACKED),
    "gemma2": (PACKED, PAGED),
    "gemma3": (PACKED, PAGED),
    "gpt_oss": (PACKED, PAGED),
}


def test_a_step_on_a_gpu_is_left_to_pytorch():
    query = torch.empty(1, 4, 3, 16, device="meta")
    call = integration._StepCall(
        query, query, query, None, False, None, None, None, None, {"cu_seq_lens_q": None}
    )
    said = "continuous batching takes tensors on the CPU, not on meta"
    assert call.refusal(0.0) == said


def prompts():
    """Prompts of mixed lengths; the last begins like the longest, whose pages it shares."""
    torch.manual_seed(1)
    drawn = [torch.randint(3, 97, (n,)).tolist() for n in (5, 50, 1, 17)]
    return [*drawn, drawn[1][:40]]


def batched(model, page_size=PAGE, **how):
    """The new tokens of each prompt, from `generate_batch`."""
    sizes = {"page_size": page_size, "num_blocks": 64, "max_batch_tokens": STEP, **how}
    pool = ContinuousBatchingConfig(**sizes)
    results = model.generate_batch(
        prompts(), max_new_tokens=NEW, continuous_batching_config=pool, progress_bar=False
    )
    assert [one.error for one in results.values()] == [None] * len(results)
    by_prompt = sorted(results.values(), key=lambda one: int(one.request_id.rpartition("_")[2]))
    return [one.generated_tokens for one in by_prompt]


def alone(model):
    """The new tokens of each prompt, from `generate`."""
    given = [torch.tensor([prompt]) for prompt in prompts()]
    how = {"max_new_tokens": NEW, "do_sample": False}
    return [model.generate(one, **how)[0, one.shape[1] :].tolist() for one in given]


@pytest.fixture
def ran(monkeypatch):
    """The specs that irattn ran, and their tensors."""
    calls = []

    def outputs(self, call, tensors, **others):
        calls.append((call, tensors))
        return attend(self, call, tensors, **others)

    attend = KernelCache.outputs
    monkeypatch.setattr(KernelCache, "outputs", outputs)
    return calls


@pytest.fixture(autouse=True)
def without_gradients():
    with torch.no_grad():
        yield


@pytest.mark.parametrize("name", KINDS)
def test_eagers_tokens(ran, said, name):
    eager, own = models(DECODERS[name])
    expected = alone(eager)
    assert batched(own) == expected
    assert len({token for one in expected for token in one}) > 5
    assert said() == []
    # Every layer of every step went through one kernel of its kind.
    assert tuple(spec.op for spec, _ in ran[:2]) == KINDS[name]
    assert {spec for spec, _ in ran} == {spec for spec, _ in ran[:2]}
    scale = ran[0][0].softmax_scale or ran[0][0].head_dim ** -0.5
    assert scale == own.model.layers[0].self_attn.scaling


def q_lens(tensors):
    """How many queries each sequence of a step has."""
    return np.diff(np.asarray(tensors["cu_seqlens_q"])).tolist()


@pytest.mark.parametrize("theirs", ["sdpa", "paged|eager"])
def test_the_tokens_of_theirs(ran, theirs):
    eager, own = models(DECODERS["llama"])
    tokens = batched(own)
    steps = [q_lens(tensors) for _, tensors in ran[::2]]
    eager.set_attn_implementation(theirs)
    assert batched(eager) == tokens
    # Prompts, pieces of them and decodes in one step, and pages that prompts share.
    assert any(1 in step and max(step) > 1 for step in steps)
    assert sum(map(sum, steps)) < sum(map(len, prompts())) + (NEW - 1) * len(prompts())


def test_padded_steps(ran):
    """As transformers pads them for torch.compile, which takes a minute to look through them."""
    eager, own = models(DECODERS["llama"])
    compiled = {"varlen_compile_config": CompileConfig(mode=None, fullgraph=False)}
    padded = {"q_padding_interval_size": 8, "kv_padding_interval_size": 32}
    with torch.compiler.set_stance("force_eager"):
        assert batched(own, **compiled, **padded) == alone(eager)
    assert all(tensors["query"].shape[0] % 8 == 0 for _, tensors in ran)


def is_likeliest(model, tokens, layers=2):
    """Whether each token is as likely as the likeliest, as well as the element type tells them."""
    for prompt, new in zip(prompts(), tokens, strict=True):
        (logits,) = model(torch.tensor([prompt + new])).logits[:, len(prompt) - 1 : -1].double()
        behind = logits.amax(1) - logits[range(NEW), new]
        least = 2 * layers * dtype(float_name(model.dtype)).tolerance
        if (behind > least * logits.abs().amax(1)).any():
            return False
    return True


@pytest.mark.parametrize("element", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", ["llama", "gemma2"])
def test_halves(ran, name, element):
    """Where two tokens are equally likely, theirs differ among themselves, too."""
    eager, own = models(DECODERS[name], dtype=element)
    assert is_likeliest(eager, batched(own))
    assert {spec.io_dtype for spec, _ in ran} == {float_name(element)}


def test_the_cache_is_read_where_it_lies():
    _, own = models(DECODERS["llama"])
    batched(own)
    before = transfers()
    batched(own, num_blocks=4096)
    # A layer's keys alone, at one step, would be 8 MiB.
    assert (transfers() - before).bytes_to_device < 2**20
    gc.collect()
    assert (len(batching._shared), len(batching._tables)) == (0, 0)


def test_a_cache_that_iree_does_not_take_is_gathered(ran):
    """Keys of 5 tokens of a page are 80 bytes: the values begin at no multiple of 64."""
    config = LlamaConfig(**LLAMA | {"head_dim": 4})
    eager, own = models(config, dtype=torch.bfloat16)
    assert is_likeliest(eager, batched(own, page_size=5))
    assert {spec.op for spec, _ in ran} == {PACKED}


@pytest.mark.parametrize("name", ["llama", "gpt_oss"])
def test_a_kernel_that_does_not_compile_is_left_to_pytorch(monkeypatch, said, name):
    def refuse(*call):
        raise CompileError("the compiler refuses it")

    monkeypatch.setattr(KernelCache, "outputs", refuse)
    eager, own = models(DECODERS[name])
    assert batched(own) == alone(eager)
    assert said() == ["attn_implementation 'irattn' is left to PyTorch: the compiler refuses it"]


def test_an_element_type_that_is_refused_is_left_to_pytorch(ran, said):
    eager, own = models(DECODERS["llama"], dtype=torch.float64)
    assert batched(own) == alone(eager)
    assert ran == []
    assert "not torch.float64" in said()[0]


def test_padding_is_no_sequence():
    """Where steps are compiled, there are queries past the last one, and sequences of none."""
    rows = torch.tensor([32, 33, 34, 48, 0, 0])
    bounds = torch.tensor([0, 3, 4, 4, 4], dtype=torch.int32)
    tables = batching._step_tables(rows.numpy(), bounds.numpy(), bounds.numpy(), 16)
    assert np.asarray(tables.block_table).tolist() == [[2], [3], [0], [0]]
    assert np.asarray(tables.context_lens).tolist() == [3, 1, 0, 0]
    step = {"cu_seq_lens_q": bounds, "cu_seq_lens_k": bounds}
    assert batching.sequences(step) == [(slice(0, 3), slice(0, 3)), (slice(3, 4), slice(3, 4))]
