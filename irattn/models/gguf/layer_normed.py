"""The architectures of GGUF files whose norms subtract means: GPT-2's kin, Falcon, Cohere's …"""

from collections.abc import Collection
from dataclasses import replace

from irattn.models.families.tensor_names import TensorNames
from irattn.models.gguf.architecture import CLIP, LAYER_EPS, NAMES, WINDOW, Architecture, Told

_PLACES = replace(NAMES, positions="position_embd")
_LOGITS = {"logit_scale": "logit_scale"}
_PARALLEL = {"use_parallel_residual": "use_parallel_residual"}
_SECOND = ".attn_norm_2.weight"


def _falcon_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of a Falcon with two norms, whose first one is that of the MLP."""
    if not any(name.endswith(_SECOND) for name in there):
        return names
    return replace(names, attention_norm="attn_norm_2", mlp_norm="attn_norm")


LAYER_NORMED: dict[str, Architecture] = {
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
