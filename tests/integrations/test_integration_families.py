"""Families of language models: the tokens of transformers' models, and how likely these are.

Llama, Mistral, Qwen 2 and Qwen 3 are in the tests of generation.
"""

from copy import deepcopy

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

import torch
from transformers import AutoModelForCausalLM, Mistral4ForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

import irattn
from irattn.generation import Sizes
from irattn.generation.folder import ModelFolder
from irattn.generation.graphs import graphs_of
from support.joined import build_together
from support.model_folder import write_tokenizer

pytestmark = pytest.mark.slow

# The same sizes and, where the code has them, the same features: kernels are compiled once for all.
TOKENS = {"vocab_size": 300, "pad_token_id": 0, "bos_token_id": None, "eos_token_id": None}
SMALL = {
    **TOKENS,
    **{"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "head_dim": 8},
    **{"num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128},
    "tie_word_embeddings": True,
}
RMS = {**SMALL, "rms_norm_eps": 1e-5}
BOTH = {"sliding_window": 9, "layer_types": ["sliding_attention", "full_attention"]}
GEMMA = {**RMS, **BOTH, "query_pre_attn_scalar": 8}
OLDER = {**TOKENS, "tie_word_embeddings": True, "layer_norm_epsilon": 1e-5}
FALCON = {
    **OLDER,
    **{"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4},
    **{"max_position_embeddings": 128, "ffn_hidden_size": 48},
}
MULTIPLIERS = {
    **{"attention_multiplier": 0.3, "embedding_multiplier": 5.0, "logits_scaling": 3.0},
    "residual_multiplier": 0.6,
}
YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 16, "mscale": 1.0, "mscale_all_dim": 1.0},
    **{"llama_4_scaling_beta": 0.5, "max_position_embeddings": 128},
}
LLAMA_4 = {
    **{"attention_chunk_size": 12, "no_rope_layers": [1, 0], "moe_layers": [1]},
    **{"intermediate_size_mlp": 40, "floor_scale": 8, "attn_scale": 0.5},
}
DELTA = {
    # One after the other, on a device where the first is still to come.
    **{"layer_types": [*["linear_attention"] * 2, "full_attention"], "num_hidden_layers": 3},
    "linear_num_key_heads": 1,
    **{"linear_num_value_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
}
GEMMA_4 = {
    **{"sliding_window": 9, "num_hidden_layers": 5, "num_kv_shared_layers": 2},
    **{"layer_types": ["sliding_attention", "full_attention"] * 2 + ["full_attention"]},
    **{"global_head_dim": 16, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
    **{"hidden_size_per_layer_input": 0, "use_double_wide_mlp": True},
    "final_logit_softcapping": 3.0,
}
LATENT = {
    **{**RMS, "num_key_value_heads": 4, "kv_lora_rank": 16, "q_lora_rank": 12},
    **{"qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
}
# The code's own: that of the rotated part, or of both.
del LATENT["head_dim"]
LONG = {**YARN, "mscale": 0.7, "mscale_all_dim": 0.9}
del LONG["llama_4_scaling_beta"]
EXPERTS = {"num_local_experts": 4, "num_experts_per_tok": 2}
WIDE = {"num_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20}
HYBRID = ["linear_attention", "full_attention"]
SHARED = {**WIDE, "shared_expert_intermediate_size": 24}
OSS_YARN = {
    **{"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "beta_fast": 32.0, "beta_slow": 1.0},
    **{"original_max_position_embeddings": 32, "truncate": False},
}
ONE = {**RMS, "num_hidden_layers": 1}
GROUPS = {
    **{"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 20},
    **{"n_group": 2, "topk_group": 1, "n_shared_experts": 1},
}
SMALL_GROUP = {"n_group": 1, "topk_group": 1}
FAMILIES = {
    "deepseek_v2": (
        "deepseek_v2",
        {
            **{**LATENT, **GROUPS, "q_lora_rank": None, "num_hidden_layers": 1},
            **{"first_k_dense_replace": 0, "topk_method": "group_limited_greedy"},
        },
    ),
    "deepseek_v3": (
        "deepseek_v3",
        {**LATENT, **GROUPS, "rope_parameters": LONG, "first_k_dense_replace": 1},
    ),
    "glm4_moe_lite": (
        "glm4_moe_lite",
        {
            **{**LATENT, **GROUPS, "mlp_layer_types": ["dense", "sparse"]},
            "rope_interleave": False,
        },
    ),
    "mistral4": (
        "mistral4",
        {**LATENT, **GROUPS, **SMALL_GROUP, "rope_parameters": YARN, "first_k_dense_replace": 1},
    ),
    "youtu": ("youtu", {**LATENT, "num_hidden_layers": 1}),
    "mixtral": ("mixtral", {**ONE, **EXPERTS}),
    "qwen2_moe": ("qwen2_moe", {**ONE, **SHARED}),
    "qwen3_moe": ("qwen3_moe", {**RMS, **WIDE, "norm_topk_prob": True, "decoder_sparse_step": 2}),
    "granitemoe": ("granitemoe", {**ONE, **EXPERTS, **MULTIPLIERS}),
    "gpt_oss": ("gpt_oss", {**RMS, **BOTH, **EXPERTS, "rope_parameters": OSS_YARN}),
    "glm4_moe": (
        "glm4_moe",
        {
            **{**RMS, **GROUPS, "first_k_dense_replace": 1},
            **{"use_qk_norm": True, "routed_scaling_factor": 1.5},
        },
    ),
    "minimax_m2": ("minimax_m2", {**ONE, **EXPERTS, "rotary_dim": 4}),
    "llama4": ("llama4_text", {**RMS, **LLAMA_4, "num_local_experts": 4}),
    "qwen3.5": ("qwen3_5_text", {**RMS, **DELTA}),
    "qwen3.5 experts": (
        "qwen3_5_moe_text",
        {**RMS, **DELTA, **SHARED, "layer_types": HYBRID, "num_hidden_layers": 2},
    ),
    "qwen3 next": ("qwen3_next", {**RMS, **DELTA, **SHARED, "mlp_only_layers": [0]}),
    "gemma4": ("gemma4_text", {**RMS, **GEMMA_4}),
    "gemma4 inputs": (
        "gemma4_text",
        {**RMS, **GEMMA_4, "hidden_size_per_layer_input": 12, "vocab_size_per_layer_input": 300},
    ),
    "gemma4 experts": (
        "gemma4_text",
        {
            **{**ONE, **GEMMA_4, "num_hidden_layers": 1, "num_kv_shared_layers": 0},
            # Tied, a single layer says the last token again.
            **{"layer_types": ["full_attention"], "tie_word_embeddings": False},
            "enable_moe_block": True,
            **{"num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 20},
        },
    ),
    "ministral3": ("ministral3", {**RMS, "rope_parameters": YARN}),
    "gemma": ("gemma", {**RMS, "num_hidden_layers": 1}),
    "gemma2": (
        "gemma2",
        {**GEMMA, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 3.0},
    ),
    "gemma3": ("gemma3_text", GEMMA),
    "phi3": (
        "phi3",
        {**RMS, "rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}},
    ),
    "glm4": ("glm4", {**RMS, "num_hidden_layers": 1}),
    "smollm3": ("smollm3", {**RMS, "no_rope_layers": [1, 0]}),
    "granite": ("granite", {**RMS, **MULTIPLIERS}),
    "granite4": (
        "granitemoehybrid",
        {
            **{**ONE, **MULTIPLIERS, "layer_types": ["full_attention"], "num_local_experts": 0},
            **{"shared_intermediate_size": 48, "position_embedding_type": "rope"},
            "mamba_n_heads": 4,
        },
    ),
    "olmo2": ("olmo2", {**RMS, "num_hidden_layers": 1}),
    "olmo3": ("olmo3", {**RMS, **BOTH}),
    "cohere2": ("cohere2", {**SMALL, **BOTH, "logit_scale": 0.3}),
    "falcon 40B": (
        "falcon",
        {**FALCON, "new_decoder_architecture": True, "num_kv_heads": 2},
    ),
    "falcon 7B": ("falcon", FALCON),
    "gpt2": ("gpt2", {**OLDER, "n_embd": 32, "n_layer": 1, "n_head": 4, "n_positions": 128}),
}
SIZES = {"batch": 2, "step_tokens": 16, "context": 64, "block_size": 4}
PROMPTS = ["Hello", "The quick brown fox jumps over", "a"]


def model_of(name):
    """A model with random weights of a size that tells tokens apart."""
    model_type, fields = FAMILIES[name]
    torch.manual_seed(0)
    # What is given is changed.
    config = CONFIG_MAPPING[model_type](**deepcopy(fields))
    # The automatic class has no Mistral 4 alone.
    kind = {"mistral4": Mistral4ForCausalLM._from_config}.get(
        model_type, AutoModelForCausalLM.from_config
    )
    model = kind(config, attn_implementation="eager")
    for parameter, weight in model.named_parameters():
        is_norm = "norm" in parameter and not parameter.endswith("bias")
        torch.nn.init.normal_(weight, float(is_norm), 0.3)
    for buffer, numbers in model.named_buffers():
        if buffer.endswith("layer_scalar"):
            numbers.fill_(0.7)
        if buffer.endswith("correction_bias"):
            torch.nn.init.normal_(numbers)
    return model.float().eval()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of each model, and the model; layers are compiled together."""
    root, layers, made = tmp_path_factory.mktemp("families"), [], {}
    for name in FAMILIES:
        model = model_of(name)
        # All experts of a layer in one tensor, as Qwen 3.5's published files have them.
        model.save_pretrained(root / name, save_original_format=name != "qwen3.5 experts")
        write_tokenizer(root / name / "tokenizer.json")
        folder = ModelFolder(root / name)
        graphs = graphs_of(folder, Sizes.of_model(folder, **SIZES), None)
        layers += graphs.phases[0].layers
        made[name] = (root / name, model)
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, layers)
        yield made


def test_chunks_give_the_same_bits_alone_and_in_company(folders):
    """Of texts that go on through three chunks, each of which begins in another step."""
    generator = irattn.Generator(folders["llama4"][0], **SIZES)
    prompts = [[7, 3, 9, 4, 5], [8, 2, 6]]
    together = [generator.request(ids, 25, logprobs=3) for ids in prompts]
    list(generator.run(together))
    for ids, one in zip(prompts, together, strict=True):
        alone = generator.request(ids, 25, logprobs=3)
        list(generator.run([alone]))
        found, expected = (
            [told.likeliest for told in request.likelihoods] for request in (alone, one)
        )
        assert found == expected


@pytest.mark.parametrize(("name", "io_dtype"), [("granite", "bf16"), ("olmo2", "f16")])
def test_narrow_types_are_as_near_as_transformers(folders, name, io_dtype):
    """Logarithms of likelihoods beside those of f32, and tokens of transformers' in that type."""
    path, model = folders[name]
    narrow = deepcopy(model).to({"bf16": torch.bfloat16, "f16": torch.float16}[io_dtype])
    generator = irattn.Generator(path, io_dtype=io_dtype, **SIZES)
    requests = [generator.request(prompt, 10, logprobs=5) for prompt in PROMPTS]
    list(generator.run(requests))
    off, equal = [], 0
    for request in requests:
        ids, count = [*request.prompt, *request.tokens], len(request.tokens)
        with torch.no_grad():
            exact, theirs = (
                torch.log_softmax(one(torch.tensor([ids]), use_cache=False).logits.double(), -1)[
                    0, -count - 1 : -1
                ].numpy()
                for one in (model, narrow)
            )
        equal += sum(theirs.argmax(-1) == request.tokens)
        for row, narrow_row, told in zip(exact, theirs, request.likelihoods, strict=True):
            numbers, found = zip(*told.likeliest, strict=True)
            chosen = list(numbers)
            pair = (found - row[chosen], narrow_row[chosen] - row[chosen])
            off.append([np.abs(error).max() for error in pair])
    ours, theirs = np.max(off, axis=0)
    assert ours <= 2 * theirs
    # Where two logits are as near as their rounding, the other may come first.
    assert equal >= 28


@pytest.mark.parametrize("name", FAMILIES)
def test_the_tokens_of_transformers(folders, name):
    """The likeliest ones, and the logarithms of their likelihoods to f32's own rounding."""
    path, model = folders[name]
    generator = irattn.Generator(path, **SIZES)
    requests = [generator.request(prompt, 10, logprobs=5) for prompt in PROMPTS]
    list(generator.run(requests))
    for request in requests:
        ids, count = [*request.prompt, *request.tokens], len(request.tokens)
        with torch.no_grad():
            logits = model(torch.tensor([ids]), use_cache=False, output_hidden_states=True).logits[
                0, -count - 1 : -1
            ]
        logprobs = torch.log_softmax(logits.double(), dim=-1)
        assert logprobs.argmax(dim=-1).tolist() == request.tokens
        for row, told in zip(logprobs.numpy(), request.likelihoods, strict=True):
            numbers, found = zip(*told.likeliest, strict=True)
            np.testing.assert_allclose(found, row[list(numbers)], atol=2e-4)
    assert len({token for request in requests for token in request.tokens}) > 3
