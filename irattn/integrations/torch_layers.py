"""The calls of the parts around attention that operators of PyTorch make."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from irattn.core.dtypes import any_name
from irattn.functional.calls import spec_of
from irattn.functional.rotary import rope_spec_of
from irattn.integrations.torch_calls import apart, given, run_on_tensors
from irattn.specs import Spec
from irattn.specs.layer_norm import LayerNormSpec
from irattn.specs.mlp import MlpSpec
from irattn.specs.projections import OutputProjectionSpec, QkvProjectionSpec
from irattn.specs.rms_norm import RmsNormSpec

Tensor: TypeAlias = Any


def rope(
    query: Tensor,
    key: Tensor,
    positions: Tensor,
    cos: Tensor | None = None,
    sin: Tensor | None = None,
    *,
    theta: float = 10000.0,
    rope_style: str = "rotate_half",
    rotary_dim: int | None = None,
    exact_sizes: bool = False,
) -> tuple[Tensor, ...]:
    """Query and key turned by the angles of their positions, or those that the tables have."""
    fields: dict[str, Any] = {"rope_style": rope_style, "rotary_dim": rotary_dim, "theta": theta}
    if cos is not None:
        fields |= {"given_tables": True, "max_positions": cos.shape[0]}
    spec = rope_spec_of(query, key, **fields)
    tensors = {"query": query, "key": key, "positions": positions}
    tensors |= given({"cos": cos, "sin": sin})
    return apart(run_on_tensors(spec, tensors, {"exact_sizes": exact_sizes}))


def rms_norm(x: Tensor, weight: Tensor, **options: Any) -> Tensor:
    """Rows divided by their root mean square, times a weight."""
    return _norm(RmsNormSpec, x, {"weight": weight}, **options)


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor | None = None, **options: Any) -> Tensor:
    """Rows less their mean, divided by their deviation, times a weight and with a bias."""
    fields = {"has_bias": bias is not None}
    return _norm(LayerNormSpec, x, {"weight": weight, "bias": bias}, fields, **options)


def _norm(
    make: type[Spec],
    x: Tensor,
    parameters: Mapping[str, Tensor | None],
    fields: Mapping[str, Any] = MappingProxyType({}),
    *,
    exact_sizes: bool = False,
    **numbers: float,
) -> Tensor:
    columns = x.shape[-1]
    rows = x.reshape(-1, columns)
    sizes = {"io_dtype": any_name(x.dtype), "rows": rows.shape[0], "columns": columns}
    spec = spec_of(make, **sizes, **fields, **numbers)
    (output,) = run_on_tensors(spec, {"x": rows, **given(parameters)}, {"exact_sizes": exact_sizes})
    return output.reshape(x.shape)


def qkv_projection(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    num_q_heads: int,
    num_kv_heads: int,
    exact_sizes: bool = False,
) -> tuple[Tensor, ...]:
    """The heads of query, key and value that one product makes of a hidden state."""
    spec = spec_of(
        QkvProjectionSpec,
        **_tokens(hidden),
        num_q_heads=num_q_heads,
        num_kv_heads=num_kv_heads,
        head_dim=weight.shape[0] // (num_q_heads + 2 * num_kv_heads),
        has_bias=bias is not None,
    )
    tensors = {"hidden": hidden, "weight": weight, **given({"bias": bias})}
    return apart(run_on_tensors(spec, tensors, {"exact_sizes": exact_sizes}))


def output_projection(
    attended: Tensor, weight: Tensor, bias: Tensor | None = None, *, exact_sizes: bool = False
) -> Tensor:
    """The heads of each token side by side, back in the hidden state."""
    batch, num_q_heads, q_len, head_dim = attended.shape
    spec = spec_of(
        OutputProjectionSpec,
        io_dtype=any_name(attended.dtype),
        batch=batch,
        num_q_heads=num_q_heads,
        q_len=q_len,
        head_dim=head_dim,
        hidden_size=weight.shape[0],
        has_bias=bias is not None,
    )
    tensors = {"attended": attended, "weight": weight, **given({"bias": bias})}
    return run_on_tensors(spec, tensors, {"exact_sizes": exact_sizes})[0]


def mlp(
    hidden: Tensor,
    up_weight: Tensor,
    down_weight: Tensor,
    up_bias: Tensor | None = None,
    down_bias: Tensor | None = None,
    *,
    activation: str = "silu",
    gated: bool = True,
    exact_sizes: bool = False,
) -> Tensor:
    """The MLP of a layer; where it is `gated`, `up_weight` has the rows of the gate, then of up."""
    spec = spec_of(
        MlpSpec,
        **_tokens(hidden),
        intermediate_size=down_weight.shape[1],
        activation=activation,
        gated=gated,
        has_bias=up_bias is not None,
    )
    up = spec.up_name
    tensors = {"hidden": hidden, f"{up}_weight": up_weight, f"{up}_bias": up_bias}
    tensors |= {"down_weight": down_weight, "down_bias": down_bias}
    return run_on_tensors(spec, given(tensors), {"exact_sizes": exact_sizes})[0]


def _tokens(hidden: Tensor) -> dict[str, Any]:
    """The sizes of a hidden state."""
    batch, q_len, hidden_size = hidden.shape
    sizes = {"batch": batch, "q_len": q_len, "hidden_size": hidden_size}
    return {"io_dtype": any_name(hidden.dtype), **sizes}
