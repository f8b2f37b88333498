"""The sizes up to which a graph is rendered."""

from math import prod
from typing import Any

from irattn.core.errors import RenderError
from irattn.core.tensors import largest
from irattn.rendering.logits import MOST_TOKENS
from irattn.specs import Spec
from irattn.specs.features import AttentionFeatures
from irattn.specs.mixture_of_experts import MixtureOfExpertsSpec
from irattn.targets import Target

# Of one column IREE 3.13.0 makes no code for GPUs, and wrong numbers on CPUs.
_FEWEST_COLUMNS = 2

# What IREE's runtime counts bytes in, and graphs rows and blocks.
_MOST_BYTES, _LONGEST_AXIS = 2**63 - 1, 2**31


def check_sizes(spec: Spec) -> None:
    """RenderError for tensors that no memory holds, and for sizes that a graph cannot count."""
    for tensor in (*spec.inputs, *spec.outputs):
        if max(tensor.largest_shape) > _LONGEST_AXIS:
            raise RenderError(f"{tensor.name}: expected at most 2**31 of anything, got {tensor}")
        if tensor.bytes > _MOST_BYTES:
            raise RenderError(f"{tensor.name}: expected less than 2**63 bytes, got {tensor}")
    if isinstance(spec, AttentionFeatures):
        for what, length in (("queries", spec.num_queries), ("keys", spec.num_keys)):
            if largest(length) > MOST_TOKENS:
                raise RenderError(
                    f"{spec.op}: expected at most 2**30 {what} in a sequence, as graphs count "
                    f"positions in int32, got {largest(length)}"
                )


def check_columns(spec: Spec) -> None:
    """RenderError for heads of fewer columns than a fused graph can have."""
    attention: Any = getattr(spec, "attention", spec)
    for name, columns in (("head_dim", attention.head_dim), ("value_dim", attention.v_dim)):
        if columns < _FEWEST_COLUMNS:
            raise RenderError(
                f"{name}: expected at least {_FEWEST_COLUMNS} in a fused graph, got {columns}; "
                "for CPUs, the formulation blocked takes it"
            )


def check_quantised(spec: AttentionFeatures, target: Target, *, is_of_lanes: bool) -> None:
    """RenderError for quantised caches in a fused graph that is not written for lanes."""
    cache_dtype = getattr(spec, "cache_dtype", None)
    if cache_dtype is None or is_of_lanes:
        return
    if target.lane_matrix:
        _check_masks_of_quantised(spec, target, cache_dtype)
    raise RenderError(
        f"cache_dtype: in a fused graph expected a chip with matrix instructions, f16 or bf16, "
        f"and heads of 64, 128, 192 or 256 columns, whose kernels read {cache_dtype}, and "
        f"values of 64, 128 or 256, no wider than keys; leave it out, or choose a CPU as target"
    )


def _check_masks_of_quantised(spec: AttentionFeatures, target: Target, cache_dtype: str) -> None:
    """RenderError for numbers beside logits that kernels of quantised caches do not read."""
    if target.driver != "cuda":
        return
    for name in ("bias", "keep_mask"):
        if axes := getattr(spec, name):
            raise RenderError(
                f"{name}: over caches of {cache_dtype} expected none on NVIDIA GPUs, got {axes}; "
                f"leave {name} or cache_dtype out, or choose a CPU as target"
            )


def check_scales(spec: Spec) -> None:
    """RenderError for scales of tokens beside caches whose rows on GPUs are counted otherwise."""
    attention: Any = getattr(spec, "attention", spec)
    is_joint = getattr(attention, "joint_cache", False)
    if is_joint and getattr(attention, "makes_scales", False):
        raise RenderError(
            f"cache_scale: expected tensor or head with joint_cache on a GPU, got "
            f"{attention.cache_scale}"
        )


def check_activations(spec: Spec) -> None:
    """RenderError for rounded activations, which graphs for GPUs have no products for."""
    experts = getattr(spec, "experts", None)
    if any(getattr(part, "activation_format", None) for part in (spec, experts)):
        raise RenderError(
            "activation_format: products of whole numbers are rendered for CPUs; leave it out, or "
            "choose a CPU as target"
        )


def check_experts(spec: Any) -> None:
    """RenderError for tokens of one column, in 16 bits, whose experts have biases.

    IREE 3.13.0 has no code for the sums of several on GPUs, or adds up what lies behind them.
    """
    experts: Any = (
        spec if isinstance(spec, MixtureOfExpertsSpec) else getattr(spec, "experts", None)
    )
    if not getattr(experts, "has_bias", False) or spec.hidden_size != 1 or spec.io_dtype == "f32":
        return
    if prod(spec.inputs[0].largest_shape) > 1:
        raise RenderError(
            f"hidden_size: expected at least 2 for experts with biases in {spec.io_dtype} on GPUs, "
            "got 1; use f32, or choose a CPU as target"
        )
