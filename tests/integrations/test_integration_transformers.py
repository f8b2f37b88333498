"""Hugging Face's models with `attn_implementation="irattn"`; needs the extra `transformers`."""

import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")

import torch
import transformers
from torch._subclasses.fake_tensor import FakeTensorMode
from transformers import (
    AutoModel,
    AutoModelForSeq2SeqLM,
    BartConfig,
    BertConfig,
    DeepseekV3Config,
    LlamaConfig,
    QuantizedCache,
    Qwen3_5TextConfig,
    Qwen3NextConfig,
    T5Config,
    ViTConfig,
)

from irattn.core.dtypes import dtype, float_name
from irattn.core.errors import CompileError
from irattn.functional import arrays, calls, contiguous, head_numbers, places
from irattn.integrations import masks
from irattn.integrations import transformers as integration
from irattn.runtime.kernel_cache import KernelCache
from support.lent import StandIn, ToldCalls
from support.random_models import DECODERS, LLAMA, TOKENS, models

pytestmark = pytest.mark.slow

BERT = {
    **TOKENS, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
    "num_attention_heads": 4, "max_position_embeddings": 128,
}  # fmt: skip
BART = {
    **TOKENS, "d_model": 64, "max_position_embeddings": 128, "decoder_start_token_id": 1,
    "encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 96,
    "decoder_layers": 2, "decoder_attention_heads": 4, "decoder_ffn_dim": 96,
    "forced_eos_token_id": None,
}  # fmt: skip
T5 = {
    **TOKENS, "d_model": 64, "d_kv": 16, "num_heads": 4, "d_ff": 96, "num_layers": 2,
    "decoder_start_token_id": 1,
}  # fmt: skip
VIT = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "image_size": 24, "patch_size": 8,
}  # fmt: skip

PADDING = {"none": (0, 0, 0), "left": (0, 5, 11), "right": (0, -5, -11)}


def prompts(padding="none"):
    """Tokens of three prompts, and which of them are real."""
    torch.manual_seed(1)
    real = torch.ones(3, 20, dtype=torch.int64)
    for row, count in zip(real, PADDING[padding], strict=True):
        row[slice(count, None) if count < 0 else slice(count)] = 0
    return {"input_ids": torch.randint(3, 97, (3, 20)) * real, "attention_mask": real}


def is_close(output, expected, layers=2):
    """Whether outputs agree as well as the element type lets those of several layers."""
    error = (output.double() - expected.double()).norm() / expected.double().norm()
    return float(error) <= 2 * layers * dtype(float_name(output.dtype)).tolerance


@pytest.fixture
def ran(monkeypatch):
    """The specs that irattn ran."""
    specs = []

    def outputs(self, call, tensors, **others):
        specs.append(call)
        return attend(self, call, tensors, **others)

    attend = KernelCache.outputs
    monkeypatch.setattr(KernelCache, "outputs", outputs)
    return specs


@pytest.fixture(autouse=True)
def without_gradients(request):
    with torch.set_grad_enabled("training" in request.node.name):
        yield


@pytest.mark.parametrize("padding", PADDING)
@pytest.mark.parametrize("name", DECODERS)
def test_decoders_give_eagers_logits_and_tokens(ran, said, name, padding):
    eager, own = models(DECODERS[name])
    given = prompts(padding)
    real = given["attention_mask"].bool()
    positions = (given["attention_mask"].cumsum(-1) - 1).clamp(min=0)
    expected, logits = (m(**given, position_ids=positions).logits[real] for m in (eager, own))
    assert is_close(logits, expected)
    assert (len(ran), said()) == (2, [])
    if padding != "right":
        # Prefill, then one token at a time with the cache.
        kept = {"max_new_tokens": 12, "do_sample": False}
        tokens = own.generate(**given, **kept)
        assert torch.equal(tokens, eager.generate(**given, **kept))
        assert len(tokens.unique()) > 10
        assert (len(ran), said()) == (2 + 2 * 12, [])


def test_latent_attention_is_that_of_the_keys_and_values_of_heads(ran, said):
    """With experts, which are transformers'; keys are wider than values."""
    sizes = {"kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 20}
    config = DeepseekV3Config(
        **{**LLAMA, **sizes, "head_dim": 8, "num_key_value_heads": 4, "q_lora_rank": 24},
        **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32},
        **{"first_k_dense_replace": 1, "n_group": 2, "topk_group": 1},
    )
    eager, own = models(config)
    how = {"max_new_tokens": 4, "do_sample": False}
    assert torch.equal(
        own.generate(**prompts("left"), **how), eager.generate(**prompts("left"), **how)
    )
    assert (len(ran), said()) == (2 * 4, [])
    assert {(spec.num_kv_heads, spec.head_dim, spec.v_dim) for spec in ran} == {(4, 24, 20)}


@pytest.mark.parametrize("config", [Qwen3NextConfig, Qwen3_5TextConfig])
def test_hybrid_models_have_their_full_attention_of_irattn(ran, said, config):
    """Delta layers, and gates of what is attended to, stay transformers'."""
    delta = {
        **{"layer_types": ["linear_attention", "full_attention"], "linear_num_key_heads": 1},
        **{"linear_num_value_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 8},
        **{"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32},
        "shared_expert_intermediate_size": 32,
    }
    eager, own = models(config(**{**LLAMA, **delta}))
    how = {"max_new_tokens": 4, "do_sample": False}
    for padding in ("none", "left"):
        given = prompts(padding)
        assert torch.equal(own.generate(**given, **how), eager.generate(**given, **how))
    expected, logits = (model(**prompts()).logits for model in (eager, own))
    assert is_close(logits, expected)
    # One layer of the two, in each of the eight steps and in the last call.
    assert (len(ran), said()) == (9, [])
    assert {(spec.num_q_heads, spec.num_kv_heads) for spec in ran} == {(4, 2)}


def test_windows_are_the_kernels_own(ran):
    """What a causal mask hides is not computed; padding still is a mask, of keys alone."""
    eager, own = models(DECODERS["gpt_oss"])
    how = {"max_new_tokens": 2, "do_sample": False}
    assert torch.equal(own.generate(**prompts(), **how), eager.generate(**prompts(), **how))
    assert [spec.window for spec in ran] == [(7, None), None] * 2
    assert {(spec.keep_mask, spec.causal) for spec in ran[:2]} == {(None, True)}
    assert all(spec.keep_mask is None for spec in ran)
    ran.clear()
    own(**prompts("left"))
    said = [(spec.window, spec.keep_mask, spec.causal) for spec in ran]
    assert said == [((7, None), "bk", True), (None, "bk", True)]


def test_a_prompt_in_pieces_is_causal(ran):
    eager, own = models(DECODERS["mistral"])
    given = prompts("left")
    expected = eager(**given).logits[:, 12:]
    first = own(given["input_ids"][:, :12], attention_mask=given["attention_mask"][:, :12])
    ran.clear()
    logits = own(
        given["input_ids"][:, 12:],
        attention_mask=given["attention_mask"],
        position_ids=torch.arange(12, 20)[None],
        past_key_values=first.past_key_values,
    ).logits
    assert is_close(logits, expected)
    assert {(spec.q_len, spec.kv_len, spec.window) for spec in ran} == {(8, 15, (7, None))}
    assert {(spec.causal, spec.keep_mask) for spec in ran} == {(True, "bk")}


def test_a_mask_of_the_caller_stays_a_mask(ran):
    query, key = torch.randn(2, 4, 5, 16), torch.randn(2, 4, 9, 16)
    mask = torch.ones(5, 9, dtype=torch.bool).tril(4).triu(2)[None, None]
    given = (torch.nn.Module(), query, key, key, mask)
    output, _ = integration.attention_forward(*given, sliding_window=3)
    expected = torch.nn.functional.scaled_dot_product_attention(query, key, key, mask)
    torch.testing.assert_close(output, expected.transpose(1, 2), rtol=1e-4, atol=1e-5)
    assert [(spec.window, spec.keep_mask, spec.ragged) for spec in ran] == [(None, "qk", False)]


def made(**how):
    """A mask as transformers asks for it."""
    own = {"batch_size": 2, "q_length": 5, "kv_length": 9, "q_offset": 4}
    return transformers.AttentionMaskInterface()["irattn"](**own | how)


def test_what_a_mask_says_is_known_while_nobody_changes_it():
    real = torch.ones(2, 9, dtype=torch.bool)
    real[0, :3] = False
    mask = made(attention_mask=real)
    assert torch.equal(masks.pattern_of(mask, None).padding, real)
    # A layer that has another window than the mask was made with is not told.
    assert masks.pattern_of(mask, 3) is None
    changed = mask.clone()
    assert masks.pattern_of(changed, None) is None
    mask[:, :, 0, 0] = True
    assert masks.pattern_of(mask, None) is None
    assert masks.lengths_of(mask, 2) == {}


@pytest.mark.parametrize(
    "how",
    [
        {"use_vmap": True},
        {"allow_is_causal_skip": False},
        {"q_offset": torch.tensor(4)},
        {"q_offset": 2},
        {"attention_mask": torch.tensor([[True] * 3, [False] * 3])},
    ],
    ids=str,
)
def test_what_a_mask_says_is_not_guessed(how):
    mask = made(**how)
    assert masks.pattern_of(mask, None) is None
    seen = mask.any(1).any(1)
    lengths = masks.lengths_of(mask, 2)
    assert lengths["q_lens"].tolist() == [5, 5]
    assert lengths["context_lens"].tolist() == [
        max((j + 1 for j in range(9) if row[j]), default=0) for row in seen.tolist()
    ]


@pytest.mark.parametrize("element", [torch.float16, torch.bfloat16], ids=str)
def test_halves(ran, element):
    eager, own = models(DECODERS["llama"], dtype=element)
    expected, logits = (model(**prompts("left")).logits[0] for model in (eager, own))
    assert is_close(logits, expected)
    assert len(ran) == 2


@pytest.mark.parametrize("padding", ["none", "left"])
@pytest.mark.parametrize("name", ["llama", "gpt_oss"])
def test_a_static_cache(ran, said, name, padding):
    eager, own = models(DECODERS[name])
    how = {"max_new_tokens": 6, "do_sample": False, "cache_implementation": "static"}
    how["disable_compile"] = True
    given = prompts(padding)
    assert torch.equal(own.generate(**given, **how), eager.generate(**given, **how))
    assert (len(ran), said()) == (2 * 6, [])
    # The room for later tokens is neither read by a prompt nor by the tokens after it.
    full = [spec for spec in ran if spec.window is None]
    assert {spec.kv_len for spec in full if spec.q_len > 1} == {20 if padding == "none" else 25}
    assert all(spec.ragged for spec in full if spec.q_len == 1)


def test_a_quantised_cache_is_widened_before_it_is_attended_to(ran, said):
    eager, own = models(DECODERS["llama"])
    given, how = prompts(), {"max_new_tokens": 6, "do_sample": False}
    if transformers.__version__.startswith("5.19."):
        # The oldest release that irattn takes has none that needs no other package.
        with pytest.raises(ValueError, match="Unknown quantization backend"):
            QuantizedCache("fp8", own.config)
        return
    caches = [QuantizedCache("fp8", model.config) for model in (eager, own)]
    expected, tokens = (
        model.generate(**given, **how, past_key_values=cache)
        for model, cache in zip((eager, own), caches, strict=True)
    )
    assert torch.equal(tokens, expected)
    assert (len(ran), said()) == (2 * 6, [])


def static_step(own, given, room=32):
    """A static cache with a prompt, and the step that gives the next token's logits."""
    cache = transformers.StaticCache(config=own.config, max_cache_len=room)
    first = own(**given, past_key_values=cache).logits[:, -1:].argmax(-1)

    def step(token):
        return own(token, past_key_values=cache, use_cache=True).logits

    return first, step


@pytest.mark.parametrize("name", ["llama", "gpt_oss"])
def test_a_decode_of_a_static_cache_compiles_without_a_break(name):
    eager, own = models(DECODERS[name])
    given = {"input_ids": prompts()["input_ids"]}
    token, wanted = static_step(eager, given)
    same, step = static_step(own, given)
    assert torch.equal(token, same)
    compiled = torch.compile(step, backend="aot_eager", fullgraph=True)
    for _ in range(3):
        expected = wanted(token)
        assert is_close(compiled(token), expected)
        token = expected[:, -1:].argmax(-1)


@pytest.mark.parametrize("name", ["llama", "mistral", "gemma3"])
def test_a_decode_of_a_static_cache_reads_nothing_back(name, monkeypatch):
    """Tensors without contents stand for a GPU's: who asks for contents fails."""
    asked = []
    attend = integration.scaled_dot_product_attention
    monkeypatch.setattr(
        integration,
        "scaled_dot_product_attention",
        lambda *a, **how: asked.append(how) or attend(*a, **how),
    )
    with FakeTensorMode(allow_non_fake_inputs=True):
        _, own = models(DECODERS[name])
        cache = transformers.StaticCache(config=own.config, max_cache_len=32)
        cache.early_initialization(3, 2, 16, torch.float32, torch.device("cpu"))
        token, real = torch.ones(3, 1, dtype=torch.int64), torch.ones(3, 32, dtype=torch.bool)
        logits = own(token, attention_mask=real, past_key_values=cache).logits
    assert logits.shape == (3, 1, 97)
    assert [how["exact_sizes"] for how in asked] == [True] * 2
    assert all(how["context_lens"].shape == (3,) for how in asked)


@pytest.mark.parametrize("padding", ["none", "right"])
def test_bert(ran, said, padding):
    eager, own = models(BertConfig(**BERT), AutoModel)
    given = prompts(padding)
    real = given["attention_mask"].bool()
    expected, states = (model(**given).last_hidden_state[real] for model in (eager, own))
    assert is_close(states, expected)
    assert (len(ran), said()) == (2, [])


def test_bert_as_a_decoder():
    eager, own = models(BertConfig(**BERT, is_decoder=True))
    expected, logits = (model(**prompts()).logits for model in (eager, own))
    assert is_close(logits, expected)


def test_vit(ran, said):
    eager, own = models(ViTConfig(**VIT), AutoModel)
    pixels = torch.randn(2, 3, 24, 24)
    expected, states = (model(pixels).last_hidden_state for model in (eager, own))
    assert is_close(states, expected)
    assert (len(ran), said()) == (2, [])


@pytest.mark.parametrize("config", [BartConfig(**BART), T5Config(**T5)], ids=["bart", "t5"])
@pytest.mark.parametrize("padding", ["none", "right"])
def test_encoders_with_decoders(ran, said, config, padding):
    eager, own = models(config, AutoModelForSeq2SeqLM)
    kept = {"max_new_tokens": 8, "do_sample": False}
    tokens = own.generate(**prompts(padding), **kept)
    assert torch.equal(tokens, eager.generate(**prompts(padding), **kept))
    assert (len(ran), said()) == (2 + 4 * 8, [])
    decoder = prompts()["input_ids"][:, :7]
    expected, logits = (
        model(**prompts(padding), decoder_input_ids=decoder).logits for model in (eager, own)
    )
    assert is_close(logits, expected, layers=6)


def test_a_model_compiled_without_a_break():
    _, own = models(DECODERS["llama"])
    given = prompts("left")
    expected = own(**given, use_cache=False).logits
    compiled = torch.compile(own, backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(**given, use_cache=False).logits, expected)


def test_an_implementation_chosen_later(ran):
    eager, _ = models(DECODERS["llama"])
    expected = eager(**prompts()).logits
    eager.set_attn_implementation("irattn")
    assert is_close(eager(**prompts()).logits, expected)
    assert len(ran) == 2


@pytest.mark.parametrize("name", ["llama", "gemma2", "gpt_oss"])
def test_training(ran, said, name):
    eager, own = models(DECODERS[name])
    given = prompts()
    for model in (eager, own):
        model(**given, labels=given["input_ids"]).loss.backward()
    for (weight, expected), (_, got) in zip(
        eager.named_parameters(), own.named_parameters(), strict=True
    ):
        torch.testing.assert_close(got.grad, expected.grad, rtol=1e-3, atol=1e-5, msg=weight)
    assert [spec.op for spec in ran] == 2 * ["attention"] + 2 * ["attention_backward"]
    assert said() == []


@pytest.mark.parametrize(
    ("changes", "element", "reason"),
    [
        ({"head_dim": 264}, torch.float32, "it takes no heads of 264, 264 columns"),
        ({}, torch.float64, "it takes float32, float16 and bfloat16, not torch.float64"),
    ],
    ids=["head_dim", "float64"],
)
def test_what_is_refused_is_left_to_pytorch(ran, said, changes, element, reason):
    eager, own = models(LlamaConfig(**{**LLAMA, **changes}), dtype=element)
    given = prompts("right")
    real = given["attention_mask"].bool()
    expected, logits = (model(**given).logits[real] for model in (eager, own))
    torch.testing.assert_close(logits, expected, rtol=1e-4, atol=1e-4)
    assert said() == [f"attn_implementation 'irattn' is left to PyTorch: {reason}"]
    assert ran == []


@pytest.mark.parametrize("name", ["llama", "gemma2", "gpt_oss"])
@pytest.mark.parametrize("padding", ["none", "left"])
def test_a_kernel_that_does_not_compile_is_left_to_pytorch(monkeypatch, said, name, padding):
    def refuse(*call, **named):
        raise CompileError("the compiler refuses it")

    monkeypatch.setattr(KernelCache, "outputs", refuse)
    eager, own = models(DECODERS[name])
    given = prompts(padding)
    real = given["attention_mask"].bool()
    expected, logits = (model(**given).logits[real] for model in (eager, own))
    assert is_close(logits, expected)
    assert said() == ["attn_implementation 'irattn' is left to PyTorch: the compiler refuses it"]


def test_dropout_is_left_to_pytorch(said):
    _, own = models(LlamaConfig(**LLAMA, attention_dropout=0.5))
    own.train()
    given = prompts()
    first, second = (own(**given).logits for _ in range(2))
    assert not torch.equal(first, second)
    assert "it drops nothing; model.eval() turns dropout off" in said()[0]


def placed(array):
    """Where tensors lie: they stand for a GPU's memory."""
    return places.GpuPlace("emulator", "gfx1100") if isinstance(array, torch.Tensor) else None


@pytest.fixture
def gpu(monkeypatch):
    """Tensors that stand for a GPU's: the emulator is told of all that calls have."""
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    stand_in, empty, run = StandIn(), torch.empty, contiguous.run
    monkeypatch.setattr(torch, "empty", lambda *a, **how: stand_in.told(empty(*a, **how)))
    for module in (arrays, calls, head_numbers, places):
        monkeypatch.setattr(module, "place_of", placed)
    made_before = ToldCalls(contiguous._calls, stand_in)
    monkeypatch.setattr(contiguous, "_calls", made_before)

    def told(call, tensors, **how):
        return run(call, {name: stand_in.told(x) for name, x in tensors.items()}, **how)

    monkeypatch.setattr(contiguous, "run", told)
    yield made_before
    stand_in.close()


@pytest.mark.parametrize("cache", ["dynamic", "static"])
@pytest.mark.parametrize("name", ["llama", "mistral"])
def test_a_model_on_a_gpu(ran, said, gpu, name, cache):
    eager, own = models(DECODERS[name])
    given = {key: x[:2, :9] for key, x in prompts("left" if name == "mistral" else "none").items()}
    how = {"max_new_tokens": 3, "do_sample": False, "disable_compile": True}
    how |= {"cache_implementation": "static"} if cache == "static" else {}
    assert torch.equal(own.generate(**given, **how), eager.generate(**given, **how))
    # Of a token's two layers one says what the other does; with a static cache, so do tokens.
    assert (len(ran), len(gpu.repeated)) == ((2, 4) if cache == "static" else (3, 3))
    assert said() == []
