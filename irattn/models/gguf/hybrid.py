"""The architectures of GGUF files most of whose layers are delta nets: Qwen 3.5, Qwen3-Next."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from irattn.models.families.state_tensor_names import DeltaNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.gguf.architecture import EXPERTS, NAMES, WIDTH, Architecture

_DELTA = DeltaNames(
    qkv=("attn_qkv",),
    gate=("attn_gate",),
    rates=("ssm_beta", "ssm_alpha"),
    conv=("ssm_conv1d",),
    is_flat=True,
    decay_log="ssm_a",
    time_bias="ssm_dt.bias",
    norm="ssm_norm",
    output="ssm_out",
)
_TENSORS = replace(NAMES, mlp_norm="post_attention_norm", has_gates=True, delta=_DELTA)
_JOINT = "ssm_in"


def _next_stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names of Qwen3-Next's files, the first of which left its tensors as they were."""
    if not any(name.endswith(f".{_JOINT}.weight") for name in there):
        return names
    assert names.delta is not None
    joint = replace(names.delta, qkv=(_JOINT,), gate=(_JOINT,), is_grouped=True)
    return replace(names, delta=joint)


_SIZES = {
    "full_attention_interval": "full_attention_interval",
    "ssm.conv_kernel": "linear_conv_kernel_dim",
    "ssm.group_count": "linear_num_key_heads",
    "ssm.state_size": "linear_key_head_dim",
    "ssm.time_step_rank": "linear_num_value_heads",
}
# The columns of all heads' values, and the layers; fields are made of them.
_READ = ("attention.recurrent_layers", "ssm.inner_size")
_AXES = ("rope.dimension_sections",)
_SHARED = {"expert_shared_feed_forward_length": "shared_expert_intermediate_size"}
_OF_EXPERTS: dict[str, Any] = {
    "keys": _SIZES | EXPERTS | WIDTH | _SHARED,
    "needs": (*_SIZES.keys() - {"full_attention_interval"}, "ssm.inner_size", *EXPERTS, *WIDTH),
}

HYBRID: dict[str, Architecture] = {
    "qwen35": Architecture(
        model_type="qwen3_5_text",
        tensors=_TENSORS,
        keys=_SIZES,
        needs=(*_SIZES.keys() - {"full_attention_interval"}, "ssm.inner_size"),
        silent=(*_READ, *_AXES),
        tiles_heads=True,
    ),
    "qwen35moe": Architecture(
        model_type="qwen3_5_moe_text",
        tensors=_TENSORS,
        **_OF_EXPERTS,
        silent=(*_READ, *_AXES),
        tiles_heads=True,
    ),
    "qwen3next": Architecture(
        model_type="qwen3_next",
        tensors=replace(_TENSORS, delta=replace(_DELTA, rates=("ssm_ba",)), as_stored=_next_stored),
        **_OF_EXPERTS,
        silent=_READ,
        fixed={"norm_topk_prob": True},
    ),
}
