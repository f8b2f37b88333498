"""The MLPs of layers that have others than the rest of their model."""

from dataclasses import dataclass
from typing import Any

from irattn.core import numbers
from irattn.core.errors import ConfigError, shown
from irattn.models.names import INNER
from irattn.models.values import Fields, texts

# Of each layer, where files tell, if it has an MLP, experts or nothing behind its attention.
MLPS, NO_MLP = "mlp_layer_types", "none"
_SPARSITY, _SIZE = "activation_sparsity_pattern", INNER[0]
# Where a file says nothing, so many of the first layers are sparse, if there are more.
_SPARSE_LAYERS = 10


@dataclass(frozen=True)
class OwnMlp:
    """The size of a layer's MLP, where files list one for each, and how sparse its gate is.

    Where it `is_missing`, the layer has neither an MLP nor experts.
    """

    size: int | None = None
    sparsity: float | None = None
    is_missing: bool = False


def own_mlps(fields: Fields, count: int) -> list[OwnMlp]:
    """The MLPs of so many layers; ConfigError for lists that are too short, and for no numbers."""
    sizes = _listed(fields, _SIZE, count)
    shares = _listed(fields, _SPARSITY, count)
    missing = [kind == NO_MLP for kind in texts(fields, MLPS)]
    if shares is None and (share := fields.get(_SPARSITY)) is not None:
        sparse = _SPARSE_LAYERS if count > _SPARSE_LAYERS else 0
        shares = [share if number < sparse else 0.0 for number in range(count)]
    return [
        OwnMlp(
            None if sizes is None else numbers.whole(_SIZE, sizes[number], error=ConfigError),
            None if shares is None else _share(shares[number]),
            number < len(missing) and missing[number],
        )
        for number in range(count)
    ]


def _share(value: Any) -> float | None:
    words = "shares from 0 to 0.999"
    return numbers.real(_SPARSITY, value, 0, 0.999, expected=words, error=ConfigError) or None


def _listed(fields: Fields, key: str, count: int) -> list[Any] | None:
    """A list with a value for each layer; None where there is no list."""
    given = fields.get(key)
    if not isinstance(given, list):
        return None
    if len(given) < count:
        raise ConfigError(
            f"{key}: expected a number for each of the {count} layers, got {shown(given)}"
        )
    return given
