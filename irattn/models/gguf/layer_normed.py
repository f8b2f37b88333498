"""The architectures of GGUF files whose norms subtract means: GPT-2's kin, Falcon, Cohere's …"""

from collections.abc import Collection
from dataclasses import replace

from irattn.models.families.tensor_names import TensorNames
from irattn.models.gguf.architecture import (
    CLIP,
    EXPERTS,
    LAYER_EPS,
    LOCAL_EXPERTS,
    NAMES,
    WINDOW,
    Architecture,
    Told,
)

_PLACES = replace(NAMES, positions="position_embd")
_LOGITS = {"logit_scale": "logit_scale"}
_PARALLEL = {"use_parallel_residual": "use_parallel_residual"}
_SECOND = ".attn_norm_2.weight"


def _falcon_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of a Falcon with two norms, whose first one is that of the MLP."""
    if not any(name.endswith(_SECOND) for name in there):
        return names
    return replace(names, attention_norm="attn_norm_2", mlp_norm="attn_norm")


_OLD_WORDS = {
    "hidden_size": "d_model",
    "max_position_embeddings": "max_seq_len",
    "num_attention_heads": "n_heads",
    "num_hidden_layers": "n_layers",
}
LAYER_NORMED: dict[str, Architecture] = {
    "bloom": Architecture(
        model_type="bloom",
        tensors=replace(NAMES, embedding_norm="token_embd_norm"),
        eps=LAYER_EPS,
    ),
    "command-r": Architecture(
        model_type="cohere", tensors=NAMES, eps=LAYER_EPS, keys=_LOGITS, needs=("logit_scale",)
    ),
    "cohere2": Architecture(
        model_type="cohere2",
        tensors=NAMES,
        eps=LAYER_EPS,
        keys=_LOGITS | WINDOW,
        needs=("logit_scale", "attention.sliding_window"),
    ),
    "dbrx": Architecture(
        model_type="dbrx",
        tensors=replace(NAMES, mlp_norm="attn_output_norm"),
        eps=LAYER_EPS,
        # That of the code.
        only={LAYER_EPS: 1e-5},
        keys=CLIP | {"expert_count": "moe_num_experts", "expert_used_count": "moe_top_k"},
        needs=tuple(EXPERTS),
        renamed=_OLD_WORDS,
        fixed={"moe_normalize_expert_weights": 1},
    ),
    # Whatever the model, its converter writes the rows of all queries, keys and values in turn.
    "falcon": Architecture(
        model_type="falcon",
        tensors=replace(NAMES, as_stored=_falcon_stored),
        eps=LAYER_EPS,
        only={"tensor_data_layout": "jploski"},
        told={"num_ln_in_parallel_attn": Told(tensor=_SECOND, here=2, without=1)},
        renamed={"attention_bias": "bias"},
        fixed={"new_decoder_architecture": True},
    ),
    "gpt2": Architecture(model_type="gpt2", tensors=_PLACES, eps=LAYER_EPS),
    "gptneox": Architecture(
        model_type="gpt_neox",
        tensors=NAMES,
        eps=LAYER_EPS,
        keys=_PARALLEL,
        needs=("use_parallel_residual",),
        renamed={"partial_rotary_factor": "rotary_pct", "rope_theta": "rotary_emb_base"},
    ),
    "jais2": Architecture(model_type="jais2", tensors=NAMES, eps=LAYER_EPS),
    "mpt": Architecture(
        model_type="mpt",
        tensors=NAMES,
        eps=LAYER_EPS,
        only={"attention.max_alibi_bias": 8},
        needs=("attention.max_alibi_bias",),
        keys=CLIP,
        renamed=_OLD_WORDS,
    ),
    # The 1 that the code adds to weights of norms is in the file.
    "nemotron": Architecture(model_type="nemotron", tensors=NAMES, eps=LAYER_EPS),
    "olmo": Architecture(
        model_type="olmo",
        tensors=replace(NAMES, has_norm_weights=False),
        eps=LAYER_EPS,
        # That of the code.
        only={LAYER_EPS: 1e-5},
        keys=CLIP,
        turns_neighbours=True,
    ),
    "phi2": Architecture(
        model_type="phi", tensors=replace(NAMES, has_head_bias=True), eps=LAYER_EPS
    ),
    # llama.cpp reads the epsilon as that of norms without means, the model's code does not.
    "phimoe": Architecture(
        model_type="phimoe",
        tensors=replace(NAMES, has_head_bias=True),
        keys=WINDOW | LOCAL_EXPERTS,
        needs=tuple(LOCAL_EXPERTS),
        told={"lm_head_bias": Told(tensor="output.bias", here=True, without=False)},
    ),
    "stablelm": Architecture(
        model_type="stablelm",
        tensors=NAMES,
        eps=LAYER_EPS,
        # Where the model's own file says nothing, converters write another value than its code has.
        keys=_PARALLEL,
        told={
            "use_parallel_residual": Told(tensor=".ffn_norm.weight", here=False, without=True),
        },
        renamed={"attention_bias": "use_qkv_bias"},
    ),
    "starcoder": Architecture(
        model_type="gpt_bigcode",
        tensors=_PLACES,
        eps=LAYER_EPS,
        only={"attention.head_count_kv": 1},
        needs=("attention.head_count_kv",),
        fixed={"multi_query": True},
    ),
    "starcoder2": Architecture(
        model_type="starcoder2",
        tensors=NAMES,
        eps=LAYER_EPS,
        renamed={"attention_bias": "use_bias"},
    ),
}
