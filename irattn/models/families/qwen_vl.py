"""The language models of Qwen 2, 2.5 and 3 VL, which rotate by positions along three axes."""

from dataclasses import replace

from irattn.models.families.common import LAYER
from irattn.models.families.family import AXES
from irattn.models.families.qwen import QWEN_2, QWEN_3, QWEN_3_MOE
from irattn.models.families.tensor_names import PACKED_EXPERTS, TensorNames

QWEN_2_VL = replace(QWEN_2, reads=QWEN_2.reads | AXES, defaults={"rope_theta": 1000000.0})
QWEN_3_VL = replace(
    QWEN_3, reads=LAYER | AXES | {"attention_bias"}, defaults={"rope_theta": 500000.0}
)
QWEN_3_VL_MOE = replace(
    QWEN_3_MOE,
    reads=(QWEN_3_MOE.reads - {"norm_topk_prob"}) | AXES,
    # The code has shares of the chosen experts add up to 1, whatever the file says.
    only={**QWEN_3_MOE.only, "norm_topk_prob": (True,)},
    defaults={"norm_topk_prob": True, "rope_theta": 500000.0, "tie_word_embeddings": True},
    # Of all experts at once. Published files have them the other way round, those that transformers
    # writes do not.
    tensors=TensorNames(
        expert_gate_up=PACKED_EXPERTS[:1],
        expert_down=PACKED_EXPERTS[1],
        turned_experts=None,
    ),
)
