"""The architectures of GGUF files that irattn reads: whose models they are, and how they differ.

What llama.cpp's converters write is the source: https://github.com/ggml-org/llama.cpp, conversion.
"""

from dataclasses import replace

from irattn.models.families.state_tensor_names import ConvolutionNames
from irattn.models.gguf.architecture import (
    EXPERTS,
    LOCAL_EXPERTS,
    NAMES,
    POST_NORMS,
    SCALES,
    WIDTH,
    WINDOW,
    Architecture,
)
from irattn.models.gguf.deepseek import DEEPSEEK_2
from irattn.models.gguf.dense import DENSE
from irattn.models.gguf.experts import OF_EXPERTS
from irattn.models.gguf.gemma3n import GEMMA_3N
from irattn.models.gguf.gemma4 import GEMMA_4
from irattn.models.gguf.hybrid import HYBRID
from irattn.models.gguf.latents import OF_LATENTS
from irattn.models.gguf.layer_normed import LAYER_NORMED
from irattn.models.gguf.llama4 import LLAMA_4
from irattn.models.gguf.mimo import MIMO_2
from irattn.models.gguf.mistral import MISTRAL_3
from irattn.models.gguf.state_space import STATE_SPACE

_LLAMA = Architecture(
    model_type="llama",
    tensors=NAMES,
    keys=WINDOW | LOCAL_EXPERTS,
    windowed="mistral",
    expert="mixtral",
    turns_neighbours=True,
)
_GEMMA = Architecture(model_type="gemma", tensors=NAMES, exceeds_f16=True)

_CONVOLUTIONS = {"shortconv.l_cache": "conv_L_cache"}
# Layers without KV heads are convolutions; the width of MLPs is as it comes out.
_LFM_2 = Architecture(
    model_type="lfm2",
    tensors=replace(
        NAMES,
        # The last one, whatever it is called.
        norm="token_embd_norm",
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
    **LAYER_NORMED,
    **DENSE,
    **OF_EXPERTS,
    **HYBRID,
    **STATE_SPACE,
    **OF_LATENTS,
    "deepseek2": DEEPSEEK_2,
    "gemma": _GEMMA,
    "gemma2": replace(
        _GEMMA,
        model_type="gemma2",
        tensors=POST_NORMS,
        keys=WINDOW
        | {
            "attn_logit_softcapping": "attn_logit_softcapping",
            "final_logit_softcapping": "final_logit_softcapping",
        },
        needs=("attention.sliding_window",),
    ),
    "gemma3": replace(
        _GEMMA,
        model_type="gemma3_text",
        tensors=POST_NORMS,
        keys=WINDOW
        | {
            "final_logit_softcapping": "final_logit_softcapping",
            "rope.freq_base_swa": "rope_local_base_freq",
        },
        needs=("attention.sliding_window", "rope.freq_base"),
    ),
    "gemma3n": GEMMA_3N,
    "gemma4": GEMMA_4,
    "gpt-oss": Architecture(
        model_type="gpt_oss",
        tensors=replace(NAMES, mlp_norm="post_attention_norm"),
        keys=WINDOW | LOCAL_EXPERTS | {"expert_feed_forward_length": "intermediate_size"},
        needs=("attention.sliding_window", "expert_count", "rope.scaling.type"),
        fixed={"attention_bias": True},
    ),
    "granite": Architecture(
        model_type="granite",
        tensors=NAMES,
        keys=SCALES,
        needs=("attention.scale",),
        turns_neighbours=True,
    ),
    "granitemoe": Architecture(
        model_type="granitemoe",
        tensors=NAMES,
        keys=SCALES
        | LOCAL_EXPERTS
        | {"expert_shared_feed_forward_length": "shared_intermediate_size"},
        shared="granitemoeshared",
        needs=("attention.scale", "expert_count"),
        turns_neighbours=True,
    ),
    "lfm2": _LFM_2,
    "lfm2moe": replace(
        _LFM_2,
        model_type="lfm2_moe",
        keys=_CONVOLUTIONS | EXPERTS | WIDTH | {"leading_dense_block_count": "num_dense_layers"},
        needs=(*_LFM_2.needs, *EXPERTS, *WIDTH),
        # Sigmoids.
        only={"expert_gating_func": 2},
        defaults={"num_dense_layers": 0},
        fixed={"norm_topk_prob": True, "use_expert_bias": True},
    ),
    "llama": _LLAMA,
    "llama4": LLAMA_4,
    "mimo2": MIMO_2,
    "mistral3": MISTRAL_3,
    "olmo2": Architecture(model_type="olmo2", tensors=POST_NORMS, keys=WINDOW, windowed="olmo3"),
    "phi3": Architecture(
        model_type="phi3",
        tensors=replace(NAMES, qkv=("attn_qkv",), gate_up=("ffn_up",)),
        keys=WINDOW,
    ),
    "qwen2": Architecture(model_type="qwen2", tensors=NAMES, fixed={"use_sliding_window": False}),
    "qwen2moe": Architecture(
        model_type="qwen2_moe",
        tensors=NAMES,
        keys=EXPERTS
        | WIDTH
        | {"expert_shared_feed_forward_length": "shared_expert_intermediate_size"},
        needs=(*EXPERTS, *WIDTH, "expert_shared_feed_forward_length"),
        # The file does not say it: llama.cpp's code does.
        fixed={"norm_topk_prob": False},
    ),
    "qwen3": Architecture(model_type="qwen3", tensors=NAMES, fixed={"use_sliding_window": False}),
    "qwen3moe": Architecture(
        model_type="qwen3_moe",
        tensors=NAMES,
        keys=EXPERTS | WIDTH,
        needs=(*EXPERTS, *WIDTH),
        fixed={"norm_topk_prob": True},
    ),
    # Every fourth layer does not rotate, which the file does not say.
    "smollm3": Architecture(
        model_type="smollm3",
        tensors=NAMES,
        fixed={"no_rope_layer_interval": 4},
        turns_neighbours=True,
    ),
}
