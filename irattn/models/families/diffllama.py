"""DiffLlama: heads that are subtracted from others, of values that pairs of KV heads share."""

from irattn.core.errors import ConfigError
from irattn.models.families.common import BIAS, LAYER, WHOLE_HEADS
from irattn.models.families.family import LayerStyle, ModelFamily
from irattn.models.families.tensor_names import DifferenceNames, TensorNames
from irattn.models.values import Fields, whole

_HEADS, _KV_HEADS, _HEAD = "num_attention_heads", "num_key_value_heads", "head_dim"


def _as_read(fields: Fields) -> Fields:
    """A file by the keys of others.

    Each head has the values of two KV heads, which are as wide together as irattn's heads; of its
    query and its key the second half is zeros, and the first alone is rotated.
    """
    kv_heads, columns = _sizes(fields)
    if kv_heads is not None and kv_heads % 2:
        raise ConfigError(
            f"{_KV_HEADS}: expected an even number, as each head has the values of two, got "
            f"{kv_heads}"
        )
    if columns is None:
        return fields
    if columns < 2 or columns % 2:
        hint = f", which is hidden_size / {_HEADS}" if fields.get(_HEAD) is None else ""
        raise ConfigError(
            f"{_HEAD}: expected an even number, as halves of heads rotate, got {columns}{hint}"
        )
    return {
        **fields,
        _HEAD: 2 * columns,
        _KV_HEADS: kv_heads,
        "softmax_scale": columns**-0.5,
        "partial_rotary_factor": 0.5,
    }


def _sizes(fields: Fields) -> tuple[int | None, int | None]:
    """The KV heads and the columns of heads, as far as a file tells."""
    heads, columns = whole(fields, _HEADS), whole(fields, _HEAD)
    if columns is None and heads and (size := whole(fields, "hidden_size")):
        columns = size // heads
    return whole(fields, _KV_HEADS) or heads, columns


DIFF_LLAMA = ModelFamily(
    reads=(LAYER | {"attention_bias"}) - {"quantization_config"},
    only={**WHOLE_HEADS, "quantization_config": ()},
    layer=LayerStyle(**BIAS, subtracts_heads=True),
    tensors=TensorNames(difference=DifferenceNames()),
    as_read=_as_read,
)
