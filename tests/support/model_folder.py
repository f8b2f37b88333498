"""Folders of small random language models, as Hugging Face keeps them."""

import json

import numpy as np

SIZES = {
    "vocab_size": 300,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 128,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "hidden_act": "silu",
    "torch_dtype": "float32",
    "eos_token_id": None,
    "bos_token_id": None,
    "tie_word_embeddings": False,
}

CONFIGS = {
    "llama": {"architectures": ["LlamaForCausalLM"], "model_type": "llama"},
    # Layers of two kinds.
    "qwen2": {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "use_sliding_window": True,
        "sliding_window": 11,
        "max_window_layers": 1,
        "layer_types": ["full_attention", "sliding_attention"],
    },
    "qwen3": {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "attention_bias": False,
        "tie_word_embeddings": True,
    },
    "mistral": {
        "architectures": ["MistralForCausalLM"],
        "model_type": "mistral",
        "sliding_window": 11,
    },
}


def config_of(name, **changes):
    return {**SIZES, **CONFIGS[name], **changes}


def shapes_of(config):
    """The shape of each tensor, by name."""
    size, inner = config["hidden_size"], config["intermediate_size"]
    queries, keys = (
        config[heads] * config["head_dim"]
        for heads in ("num_attention_heads", "num_key_value_heads")
    )
    qkv = {"q_proj": queries, "k_proj": keys, "v_proj": keys}
    layer = {
        "input_layernorm.weight": (size,),
        "post_attention_layernorm.weight": (size,),
        **{f"self_attn.{name}.weight": (rows, size) for name, rows in qkv.items()},
        "self_attn.o_proj.weight": (size, queries),
        "mlp.gate_proj.weight": (inner, size),
        "mlp.up_proj.weight": (inner, size),
        "mlp.down_proj.weight": (size, inner),
    }
    if config["model_type"] == "qwen2":
        layer |= {f"self_attn.{name}.bias": (rows,) for name, rows in qkv.items()}
    if config["model_type"] == "qwen3":
        layer |= {f"self_attn.{name}_norm.weight": (config["head_dim"],) for name in "qk"}
    embedding = (config["vocab_size"], size)
    shapes = {"model.embed_tokens.weight": embedding, "model.norm.weight": (size,)}
    for number in range(config["num_hidden_layers"]):
        shapes |= {f"model.layers.{number}.{name}": shape for name, shape in layer.items()}
    return shapes if config["tie_word_embeddings"] else {**shapes, "lm_head.weight": embedding}


def tensors_of(config, seed=0, dtype=np.float32):
    """Random ones of a size that keeps hidden states of order one."""
    rng = np.random.default_rng(seed)
    return {
        name: (
            rng.standard_normal(shape) / np.sqrt(shape[-1])
            if len(shape) > 1 and "embed" not in name
            else rng.standard_normal(shape)
        ).astype(dtype)
        for name, shape in shapes_of(config).items()
    }


def write_tokenizer(path):
    """A token for each byte."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {character: number for number, character in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.save(str(path))


def write_model(folder, config, tensors=None):
    """A model's folder; gives its tensors."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = tensors_of(config) if tensors is None else tensors
    (folder / "config.json").write_text(json.dumps(config))
    save_file(tensors, folder / "model.safetensors")
    write_tokenizer(folder / "tokenizer.json")
    return tensors
