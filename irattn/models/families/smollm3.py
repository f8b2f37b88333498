"""SmolLM 3: some layers do not rotate."""

from dataclasses import replace

from irattn.models.families.common import NO_WINDOWS, TIED, WHOLE_HEADS
from irattn.models.families.llama import LLAMA

SMOLLM_3 = replace(
    LLAMA,
    reads=LLAMA.reads | {"no_rope_layer_interval", "no_rope_layers"},
    only=WHOLE_HEADS | NO_WINDOWS,
    harmless=frozenset({"max_window_layers", "sliding_window"}),
    defaults={**TIED, "no_rope_layer_interval": 4, "rope_theta": 2000000.0},
)
