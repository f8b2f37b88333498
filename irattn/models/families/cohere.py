"""Command R and Command A: the MLP beside attention, behind one layer norm without bias."""

from dataclasses import replace

from irattn.models.families.common import BIAS, LAYER, TIED, WHOLE_HEADS
from irattn.models.families.family import WINDOW, LayerStyle, ModelFamily
from irattn.models.families.tensor_names import TensorNames

_LAYER = LayerStyle(**BIAS, rope_style="interleaved", norm_kind="layer", parallel_mlp="shared_norm")

COHERE = ModelFamily(
    reads=(LAYER - {"rms_norm_eps"}) | {"attention_bias", "layer_norm_eps", "logit_scale"},
    # Layer norms of queries and keys.
    only=WHOLE_HEADS | {"use_qk_norm": (False,)},
    defaults={**TIED, "rope_theta": 500000.0},
    layer=_LAYER,
    tensors=TensorNames(),
)
COHERE_2 = replace(
    COHERE,
    reads=(COHERE.reads - {"head_dim"}) | WINDOW | {"sliding_window_pattern"},
    # The code divides the width by the heads, whatever the file says.
    harmless=frozenset({"head_dim"}),
    only={**COHERE.only, "rotary_pct": (1, 1.0)},
    defaults={**TIED, "sliding_window_pattern": 4},
    layer=replace(_LAYER, rotates_windows_alone=True),
)
