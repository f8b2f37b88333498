"""The architectures of GGUF files of models in Llama's kind that have MLPs in all layers."""

from dataclasses import replace
from typing import Any

from irattn.core.errors import ConfigError
from irattn.core.gguf_file import GgufFile
from irattn.models.gguf.architecture import NAMES, POST_NORMS, SCALES, WINDOW, Architecture, Told
from irattn.models.gguf.heads import usual_fields
from irattn.models.gguf.said import Said

# The rows of gates stand above those of what they gate.
_JOINT_MLP = ("ffn_up",)
# Positions along several axes, which are the same for text.
_AXES = ("rope.dimension_sections",)

_SCALES = {key: SCALES[key] for key in ("embedding_scale", "residual_scale", "logit_scale")}
# Of xIELU, by the shapes that the model's own files have: a number for each layer.
_XIELU = {"xielu.alpha_p": (1,), "xielu.alpha_n": (1,), "xielu.beta": (), "xielu.eps": ()}


def _with_rotation(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads and the rotation, whose settings are there though they scale nothing."""
    fields = usual_fields(said, file, layers)
    theta = fields.pop("rope_theta")
    scaling = fields.pop("rope_scaling", {"rope_type": "default"})
    return {**fields, "rope_parameters": {**scaling, "rope_theta": theta}}


def _minicpm(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads, whose logits have the usual scale beside Granite's of other things."""
    fields = usual_fields(said, file, layers)
    return {**fields, "attention_multiplier": fields["head_dim"] ** -0.5}


def _qwen(said: Said, file: GgufFile, layers: int) -> dict[str, Any]:
    """The heads, and the columns of MLPs, of whose gates and other rows Qwen 1 counts both."""
    both = said.needed("feed_forward_length")
    if both % 2:
        raise ConfigError(
            f"{said.named('feed_forward_length')}: expected an even number, of gates and what they "
            f"gate, got {both}"
        )
    return {"intermediate_size": both // 2, **usual_fields(said, file, layers)}


DENSE: dict[str, Architecture] = {
    "apertus": Architecture(
        model_type="apertus",
        tensors=replace(NAMES, activation=tuple(_XIELU)),
        listed=_XIELU,
        made=_with_rotation,
    ),
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
    "hunyuan_vl": Architecture(model_type="hunyuan_v1_dense", tensors=NAMES, silent=_AXES),
    "internlm2": Architecture(model_type="llama", tensors=NAMES, turns_neighbours=True),
    # Granite's scales, by other words.
    "minicpm": Architecture(
        model_type="granite",
        tensors=NAMES,
        keys=_SCALES,
        needs=tuple(_SCALES),
        made=_minicpm,
        turns_neighbours=True,
    ),
    "paddleocr": Architecture(model_type="llama", tensors=NAMES, silent=_AXES),
    "pangu-embedded": Architecture(model_type="llama", tensors=NAMES),
    "qwen": Architecture(
        model_type="qwen2", tensors=NAMES, fixed={"use_sliding_window": False}, made=_qwen
    ),
    "qwen2vl": Architecture(model_type="qwen2_vl_text", tensors=NAMES, silent=_AXES),
    "qwen3vl": Architecture(
        model_type="qwen3_vl_text", tensors=NAMES, silent=(*_AXES, "n_deepstack_layers")
    ),
    "seed_oss": Architecture(
        model_type="seed_oss",
        tensors=replace(NAMES, mlp_norm="post_attention_norm"),
        told={"attention_out_bias": Told(tensor=".attn_output.bias", here=True, without=False)},
    ),
    "xverse": Architecture(model_type="llama", tensors=NAMES, turns_neighbours=True),
}
