"""The architectures of GGUF files that irattn reads: whose models they are, and how they differ.

What llama.cpp's converters write is the source: https://github.com/ggml-org/llama.cpp, conversion.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from irattn.models.families.tensor_names import ConvolutionNames, TensorNames


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Models of one architecture, by the type that Hugging Face has for them.

    `keys` are metadata that these models have besides those of all, by what `config.json` calls
    them; those of `needs` must be there, and those of `only` say this alone. `renamed` are fields
    that the type has other names for, `defaults` those of files that say nothing or 0. `fixed` is
    what their code takes for granted. With a window they are of `windowed` type, with experts of
    `expert` type, where that is another one.
    `turns_neighbours`: rows of queries and keys are sorted so that rotation turns neighbours.
    `exceeds_f16`: hidden states do, so that files in f16 are run in bf16.
    """

    model_type: str
    tensors: TensorNames
    keys: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    only: Mapping[str, Any] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    windowed: str | None = None
    expert: str | None = None
    turns_neighbours: bool = False
    exceeds_f16: bool = False


_NAMES = TensorNames(
    bases=("",),
    embedding="token_embd",
    norm="output_norm",
    head="output",
    layer="blk.{number}.",
    attention_norm="attn_norm",
    qkv=("attn_q", "attn_k", "attn_v"),
    query_norm="attn_q_norm",
    key_norm="attn_k_norm",
    output="attn_output",
    mlp_norm="ffn_norm",
    gate_up=("ffn_gate", "ffn_up"),
    up="ffn_up",
    down="ffn_down",
    router="ffn_gate_inp",
    # Files have one tensor of all experts, which is read expert by expert.
    expert_gate_up=("ffn_gate_exps.{expert}", "ffn_up_exps.{expert}"),
    expert_down="ffn_down_exps.{expert}",
    shared_gate_up=("ffn_gate_shexp", "ffn_up_shexp"),
    shared_down="ffn_down_shexp",
    shared_gate="ffn_gate_inp_shexp",
    sinks="attn_sinks.weight",
)
_POST_NORMS = replace(_NAMES, post_norm="post_attention_norm", mlp_post_norm="post_ffw_norm")

_WINDOW = {"attention.sliding_window": "sliding_window"}
_EXPERTS = {"expert_count": "num_experts", "expert_used_count": "num_experts_per_tok"}
_LOCAL_EXPERTS = {**_EXPERTS, "expert_count": "num_local_experts"}
_WIDTH = {"expert_feed_forward_length": "moe_intermediate_size"}
_SCALES = {
    "attention.scale": "attention_multiplier",
    "embedding_scale": "embedding_multiplier",
    "residual_scale": "residual_multiplier",
    "logit_scale": "logits_scaling",
}

_LLAMA = Architecture(
    model_type="llama",
    tensors=_NAMES,
    keys=_WINDOW | _LOCAL_EXPERTS,
    windowed="mistral",
    expert="mixtral",
    turns_neighbours=True,
)
_GEMMA = Architecture(model_type="gemma", tensors=_NAMES, exceeds_f16=True)

_CONVOLUTIONS = {"shortconv.l_cache": "conv_L_cache"}
# Layers without KV heads are convolutions; the width of MLPs is as it comes out.
_LFM_2 = Architecture(
    model_type="lfm2",
    tensors=replace(
        _NAMES,
        # The last one, whatever it is called.
        norm="token_embd_norm",
        choice_bias="exp_probs_b.bias",
        convolution=ConvolutionNames(
            *("shortconv.in_proj", "shortconv.conv", "shortconv.out_proj"), is_flat=True
        ),
    ),
    keys=_CONVOLUTIONS,
    needs=("shortconv.l_cache",),
    renamed={"rms_norm_eps": "norm_eps"},
    fixed={"block_auto_adjust_ff_dim": False},
)

ARCHITECTURES: dict[str, Architecture] = {
    "gemma": _GEMMA,
    "gemma2": replace(
        _GEMMA,
        model_type="gemma2",
        tensors=_POST_NORMS,
        keys=_WINDOW
        | {
            "attn_logit_softcapping": "attn_logit_softcapping",
            "final_logit_softcapping": "final_logit_softcapping",
        },
        needs=("attention.sliding_window",),
    ),
    "gemma3": replace(
        _GEMMA,
        model_type="gemma3_text",
        tensors=_POST_NORMS,
        keys=_WINDOW
        | {
            "final_logit_softcapping": "final_logit_softcapping",
            "rope.freq_base_swa": "rope_local_base_freq",
        },
        needs=("attention.sliding_window", "rope.freq_base"),
    ),
    "gpt-oss": Architecture(
        model_type="gpt_oss",
        tensors=replace(_NAMES, mlp_norm="post_attention_norm"),
        keys=_WINDOW | _LOCAL_EXPERTS | {"expert_feed_forward_length": "intermediate_size"},
        needs=("attention.sliding_window", "expert_count", "rope.scaling.type"),
        fixed={"attention_bias": True},
    ),
    "granite": Architecture(
        model_type="granite",
        tensors=_NAMES,
        keys=_SCALES,
        needs=("attention.scale",),
        turns_neighbours=True,
    ),
    "granitemoe": Architecture(
        model_type="granitemoe",
        tensors=_NAMES,
        keys=_SCALES | _LOCAL_EXPERTS,
        needs=("attention.scale", "expert_count"),
        turns_neighbours=True,
    ),
    "lfm2": _LFM_2,
    "lfm2moe": replace(
        _LFM_2,
        model_type="lfm2_moe",
        keys=_CONVOLUTIONS | _EXPERTS | _WIDTH | {"leading_dense_block_count": "num_dense_layers"},
        needs=(*_LFM_2.needs, *_EXPERTS, *_WIDTH),
        # Sigmoids.
        only={"expert_gating_func": 2},
        defaults={"num_dense_layers": 0},
        fixed={"norm_topk_prob": True, "use_expert_bias": True},
    ),
    "llama": _LLAMA,
    "olmo2": Architecture(model_type="olmo2", tensors=_POST_NORMS, keys=_WINDOW, windowed="olmo3"),
    "phi3": Architecture(
        model_type="phi3",
        tensors=replace(_NAMES, qkv=("attn_qkv",), gate_up=("ffn_up",)),
        keys=_WINDOW,
    ),
    "qwen2": Architecture(model_type="qwen2", tensors=_NAMES, fixed={"use_sliding_window": False}),
    "qwen2moe": Architecture(
        model_type="qwen2_moe",
        tensors=_NAMES,
        keys=_EXPERTS
        | _WIDTH
        | {"expert_shared_feed_forward_length": "shared_expert_intermediate_size"},
        needs=(*_EXPERTS, *_WIDTH, "expert_shared_feed_forward_length"),
        # The file does not say it: llama.cpp's code does.
        fixed={"norm_topk_prob": False},
    ),
    "qwen3": Architecture(model_type="qwen3", tensors=_NAMES, fixed={"use_sliding_window": False}),
    "qwen3moe": Architecture(
        model_type="qwen3_moe",
        tensors=_NAMES,
        keys=_EXPERTS | _WIDTH,
        needs=(*_EXPERTS, *_WIDTH),
        fixed={"norm_topk_prob": True},
    ),
    # Every fourth layer does not rotate, which the file does not say.
    "smollm3": Architecture(
        model_type="smollm3",
        tensors=_NAMES,
        fixed={"no_rope_layer_interval": 4},
        turns_neighbours=True,
    ),
}
