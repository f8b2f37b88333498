"""A.X K1: DeepSeek 3 with a norm of what experts add."""

from collections.abc import Collection
from dataclasses import replace

from irattn.models.families.deepseek import DEEPSEEK_3
from irattn.models.families.family import LayerStyle
from irattn.models.families.tensor_names import TensorNames
from irattn.models.values import Fields


def _layer(fields: Fields) -> LayerStyle:
    of_deepseek = DEEPSEEK_3.style_of(fields)
    assert of_deepseek is not None
    return replace(of_deepseek, norms_experts=True)


def _stored(names: TensorNames, there: Collection[str]) -> TensorNames:
    """The names in files, of which published ones have no biases of choices."""
    has_biases = any(name.endswith(names.choice_bias) for name in there)
    return names if has_biases else replace(names, choice_bias="")


def _tensors(fields: Fields) -> TensorNames:
    of_deepseek = DEEPSEEK_3.tensors_of(fields)
    assert of_deepseek is not None
    return replace(of_deepseek, mlp_post_norm="post_mlp_layernorm", as_stored=_stored)


AXK_1 = replace(
    DEEPSEEK_3,
    reads=DEEPSEEK_3.reads | {"mlp_layer_types"},
    defaults={"first_k_dense_replace": 1},
    layer=_layer,
    tensors=_tensors,
)
