"""Jamba: selective scans of Mamba 1 between layers with attention, and experts in some of both."""

from irattn.core.errors import ConfigError
from irattn.models.families.common import PARTIAL, SILU
from irattn.models.families.expert_style import ExpertStyle
from irattn.models.families.family import ROPE, LayerStyle, ModelFamily
from irattn.models.families.mamba1 import expanded, with_rank
from irattn.models.families.state_tensor_names import ScanNames
from irattn.models.families.tensor_names import TensorNames
from irattn.models.names import SCAN_CHANNELS
from irattn.models.values import Fields, missing, whole

_ATTENDING = ("attn_layer_period", "attn_layer_offset")
_EXPERT_LAYERS = ("expert_layer_period", "expert_layer_offset")
_EXPAND, _RANK, _EXPERTS = "mamba_expand", "mamba_dt_rank", "num_experts"


def _every(fields: Fields, keys: tuple[str, str], count: int) -> list[bool]:
    """For each of so many layers whether it is the one of every so many."""
    period, offset = (whole(fields, key, least=int(key == keys[0])) for key in keys)
    if period is None or offset is None:
        raise missing(keys[0] if period is None else keys[1])
    if offset >= period:
        raise ConfigError(f"{keys[1]}: expected less than {keys[0]} = {period}, got {offset}")
    return [number % period == offset for number in range(count)]


def _without_experts(fields: Fields, count: int) -> list[bool]:
    return [not one for one in _every(fields, _EXPERT_LAYERS, count)]


def _layer(fields: Fields) -> LayerStyle:
    """One expert is an MLP."""
    experts = ExpertStyle(width="intermediate_size", is_normalized=False, dense=_without_experts)
    has_experts = (whole(fields, _EXPERTS) or 1) > 1
    return LayerStyle(rotates=False, norms_steps=True, experts=experts if has_experts else None)


def _as_read(fields: Fields) -> Fields:
    """Jamba's file by the keys of others: the kind of each layer, and the sizes that it lacks."""
    own = {**with_rank(fields, _RANK), SCAN_CHANNELS: expanded(fields, _EXPAND)}
    count = whole(fields, "num_hidden_layers") or 0
    _every(fields, _EXPERT_LAYERS, 0)
    own["layer_types"] = [
        "full_attention" if attends else "selective_scan"
        for attends in _every(fields, _ATTENDING, count)
    ]
    return own


JAMBA = ModelFamily(
    reads=(PARTIAL - ROPE - {"partial_rotary_factor", "hidden_act", "quantization_config"})
    | {*_ATTENDING, *_EXPERT_LAYERS, _EXPAND, _RANK, _EXPERTS, "num_local_experts"}
    | {"num_experts_per_tok", "mamba_d_state", "mamba_d_conv", "mamba_conv_bias"},
    only={**SILU, "mamba_proj_bias": (False,), "sliding_window": (), "quantization_config": ()},
    harmless=frozenset(
        {
            # What computes prompts, and losses.
            *("use_mamba_kernels", "use_mambapy", "use_associative_scan", "router_aux_loss_coef"),
            # What transformers' class does not read.
            *("mamba_inner_layernorms", "layers_block_type", "layer_types", "layers_num_experts"),
        }
    ),
    needs=(("num_hidden_layers",),),
    layer=_layer,
    tensors=TensorNames(
        norm="final_layernorm",
        mlp_norm="pre_ff_layernorm",
        gate_up=("feed_forward.gate_proj", "feed_forward.up_proj"),
        down="feed_forward.down_proj",
        router="feed_forward.router",
        expert_gate_up=(
            "feed_forward.experts.{expert}.gate_proj",
            "feed_forward.experts.{expert}.up_proj",
        ),
        expert_down="feed_forward.experts.{expert}.down_proj",
        packed_experts=("feed_forward.experts.gate_up_proj", "feed_forward.experts.down_proj"),
        scan=ScanNames(
            into="mamba.in_proj",
            conv="mamba.conv1d",
            selection="mamba.x_proj",
            norms=("mamba.dt_layernorm", "mamba.b_layernorm", "mamba.c_layernorm"),
            steps="mamba.dt_proj",
            decay_log="mamba.A_log",
            skip="mamba.D",
            output="mamba.out_proj",
        ),
    ),
    as_read=_as_read,
)
