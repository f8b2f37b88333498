"""transformers' models with the attention of a package for the hub, on the stand-in for HIP."""

import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")

import torch
from transformers import AutoModelForCausalLM, ContinuousBatchingConfig, LlamaConfig
from transformers.generation.continuous_batching import initialization
from transformers.integrations import hub_kernels

from support.hub_package import asked_of, loaded, put_on, written
from support.lent import StandIn
from support.random_models import LLAMA

pytestmark = pytest.mark.slow

# transformers decodes over pages only with "flash" and a 2 in the name.
NAME = "irattn/tiny-flash-2"
NEW = 3
PROMPTS = ([5, 9, 33, 12, 7], [8], [3, 4, 5, 60, 61, 62, 63, 64, 65])


@pytest.fixture(scope="session")
def package(tmp_path_factory):
    """The package: one for the process, as transformers keeps the functions that it got first."""
    folder = tmp_path_factory.mktemp("hub") / "tiny-flash-2"
    package = loaded(written(folder, "gfx1100", io_dtype="f32", head_dim=16))
    gpu = StandIn()
    with pytest.MonkeyPatch.context() as monkeypatch:
        put_on(gpu, package, "gfx1100", monkeypatch)
        yield package
    gpu.close()


@pytest.fixture(autouse=True)
def offered(package, monkeypatch):
    """Let transformers find the package where it asks `kernels`."""
    monkeypatch.setattr(hub_kernels, "is_kernels_available", lambda: True)
    monkeypatch.setattr(hub_kernels, "get_kernel", lambda name, **how: package)


@pytest.fixture
def asked(package, monkeypatch):
    return asked_of(package, monkeypatch)


@pytest.fixture
def models(package):
    """A random Llama with PyTorch's attention, and the same one with the package's."""
    torch.manual_seed(0)
    sdpa = AutoModelForCausalLM.from_config(LlamaConfig(**LLAMA), attn_implementation="sdpa").eval()
    for name, weight in sdpa.named_parameters():
        torch.nn.init.normal_(weight, 1.0 if "norm" in name else 0.0, 0.2)
    own = AutoModelForCausalLM.from_config(LlamaConfig(**LLAMA), attn_implementation=NAME).eval()
    own.load_state_dict(sdpa.state_dict())
    return sdpa, own


def alone(model):
    """The new tokens of each prompt."""
    how = {"max_new_tokens": NEW, "do_sample": False}
    with torch.no_grad():
        found = [model.generate(torch.tensor([prompt]), **how)[0] for prompt in PROMPTS]
    return [one[len(prompt) :].tolist() for one, prompt in zip(found, PROMPTS, strict=True)]


def test_the_tokens_of_sdpa(models, asked):
    sdpa, own = models
    assert alone(own) == alone(sdpa)
    # Prompts, and decodes over a cache whose keys lie by heads.
    assert set(asked) == {"packed", "by_head"}


def test_prompts_of_a_batch_with_padding(models):
    ids, mask = torch.tensor([[0, 0, 5, 9], [8, 2, 3, 4]]), torch.tensor([[0, 0, 1, 1], [1] * 4])
    with torch.no_grad():
        found, wanted = (model(ids, attention_mask=mask).logits for model in reversed(models))
    torch.testing.assert_close(found[mask.bool()], wanted[mask.bool()], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("in_pages", [True, False])
def test_continuous_batching(models, asked, in_pages, monkeypatch):
    sdpa, own = models
    wanted = alone(sdpa)
    if in_pages:
        # It asks for a CUDA device before it decodes over pages.
        unchecked = "ensure_decode_fast_path_is_available"
        monkeypatch.setattr(initialization, unchecked, lambda *given, **how: None)
    sizes = {"page_size": 32, "num_blocks": 16, "max_batch_tokens": 24}
    pool = ContinuousBatchingConfig(**sizes, max_blocks_per_request=4 if in_pages else 0)
    results = own.generate_batch(
        [list(one) for one in PROMPTS],
        max_new_tokens=NEW,
        continuous_batching_config=pool,
        progress_bar=False,
    )
    by_prompt = sorted(results.values(), key=lambda one: int(one.request_id.rpartition("_")[2]))
    assert [one.error for one in by_prompt] == [None] * len(PROMPTS)
    assert [one.generated_tokens for one in by_prompt] == wanted
    assert ("paged" in asked) == in_pages
