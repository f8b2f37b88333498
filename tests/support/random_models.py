"""Small models of transformers with random weights, in eager attention and in another."""

import copy

import torch
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    Gemma3TextConfig,
    GPT2Config,
    GptOssConfig,
    LlamaConfig,
    MistralConfig,
    Qwen3Config,
)

TOKENS = {"vocab_size": 97, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": None}
LLAMA = {
    **TOKENS, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "head_dim": 16,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128,
}  # fmt: skip
BOTH = {**LLAMA, "sliding_window": 8, "layer_types": ["sliding_attention", "full_attention"]}
GEMMA = {**BOTH, "query_pre_attn_scalar": 20}

DECODERS = {
    "llama": LlamaConfig(**LLAMA),
    "mistral": MistralConfig(**LLAMA, sliding_window=8),
    "qwen3": Qwen3Config(**LLAMA),
    "gemma2": Gemma2Config(**GEMMA, attn_logit_softcapping=0.5),
    "gemma3": Gemma3TextConfig(**GEMMA),
    "gpt_oss": GptOssConfig(**BOTH, num_local_experts=4, num_experts_per_tok=2),
    "gpt2": GPT2Config(**TOKENS, n_embd=64, n_layer=2, n_head=4, n_positions=128),
}


def models(config, kind=AutoModelForCausalLM, dtype=torch.float32):
    """Two models with the same random weights: eager attention and irattn's."""
    torch.manual_seed(0)
    # The implementation is written into the config.
    eager, own = (
        kind.from_config(copy.deepcopy(config), attn_implementation=name, dtype=dtype).eval()
        for name in ("eager", "irattn")
    )
    for name, weight in eager.named_parameters():
        # As learned ones are: the first random ones would hardly tell one token from another.
        torch.nn.init.normal_(weight, 1.0 if "norm" in name else 0.0, 0.2)
    own.load_state_dict(eager.state_dict())
    return eager, own
