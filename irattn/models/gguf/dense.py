"""The architectures of GGUF files of models in Llama's kind that have MLPs in all layers."""

from dataclasses import replace

from irattn.models.gguf.architecture import NAMES, POST_NORMS, WINDOW, Architecture, Told

# The rows of gates stand above those of what they gate.
_JOINT_MLP = ("ffn_up",)
# Positions along several axes, which are the same for text.
_AXES = ("rope.dimension_sections",)

DENSE: dict[str, Architecture] = {
    "arcee": Architecture(model_type="arcee", tensors=NAMES, turns_neighbours=True),
    "chatglm": Architecture(model_type="glm", tensors=replace(NAMES, gate_up=_JOINT_MLP)),
    "ernie4_5": Architecture(
        model_type="ernie4_5", tensors=NAMES, renamed={"attention_bias": "use_bias"}
    ),
    "exaone": Architecture(model_type="exaone", tensors=NAMES),
    # Files without a window are of models that have none, whatever their code fills in.
    "exaone4": Architecture(
        model_type="exaone4",
        tensors=POST_NORMS,
        keys=WINDOW,
        defaults={"sliding_window": None, "sliding_window_pattern": 4},
    ),
    "glm4": Architecture(model_type="glm4", tensors=replace(POST_NORMS, gate_up=_JOINT_MLP)),
    "hunyuan-dense": Architecture(model_type="hunyuan_v1_dense", tensors=NAMES),
    "internlm2": Architecture(model_type="llama", tensors=NAMES, turns_neighbours=True),
    "qwen2vl": Architecture(model_type="qwen2_vl_text", tensors=NAMES, silent=_AXES),
    "qwen3vl": Architecture(
        model_type="qwen3_vl_text", tensors=NAMES, silent=(*_AXES, "n_deepstack_layers")
    ),
    "seed_oss": Architecture(
        model_type="seed_oss",
        tensors=replace(NAMES, mlp_norm="post_attention_norm"),
        told={"attention_out_bias": Told(tensor=".attn_output.bias", here=True, without=False)},
    ),
}
