"""How much packed queries over pages multiply on GPUs, beside what a step of an engine needs.

A matrix instruction multiplies 16 rows: those that a sequence has too few of are needed with it.
What is more than needed are the keys of a step that some rows of a wave do not see, where causal
prompts end, and rows of a wave in two instructions that a sequence has too few of (gfx942).
"""

import numpy as np
import pytest

from irattn import PackedPagedAttentionSpec
from irattn.binary.inspection import inspect_artifact
from irattn.lab.emulated_gpu.session import EmulatedSession
from irattn.lab.inputs import random_tensors
from irattn.runtime.kernel import Kernel
from support.joined import artifact_of
from support.mixes import with_lengths

pytestmark = pytest.mark.slow

CONTEXT, ROWS = 2048, 16
SPEC = PackedPagedAttentionSpec(
    num_q_heads=4, num_kv_heads=1, head_dim=128, io_dtype="f16", batch=18, q_tokens=528,
    num_blocks=18 * CONTEXT // 16, max_blocks=CONTEXT // 16,
    dynamic=("batch", "q_tokens", "num_blocks", "max_blocks"),
)  # fmt: skip

# Prompts, and decodes of CONTEXT keys.
MIXES = {
    "505 and 7 of 1": [505] + [1] * 7,
    "2 of 256 and 16 of 1": [256] * 2 + [1] * 16,
    "300 and 1": [300, 1],
}
MOST = 1.1
# 20 of the last 32 rows of 300 are nobody's, which is 0.07 of what is needed. Waves of 16 rows
# would take twice as long for prompts, by the emulator's model.
MOST_OF = {("gfx942", "300 and 1"): 1.2}


def needed(lengths):
    """The FLOPs of both products, for the keys that each row sees."""
    pairs = sum(of_prompt(count) if count > 1 else of_decode() for count in lengths)
    return pairs * 4 * SPEC.head_dim


def of_prompt(count):
    missing = -count % ROWS
    return SPEC.num_q_heads * (count * (count + 1) // 2 + missing * count)


def of_decode():
    return SPEC.num_kv_heads * -(-SPEC.group_size // ROWS) * ROWS * CONTEXT


def call(lengths):
    """A call whose prompts have no context but themselves."""
    contexts = np.array([count if count > 1 else CONTEXT for count in lengths], np.int32)
    spec = SPEC.replace(batch=len(lengths), q_tokens=sum(lengths), dynamic=())
    tensors = with_lengths(spec, random_tensors(spec), lengths)
    tensors["context_lens"] = contexts
    table = np.arange(len(lengths) * SPEC.max_blocks).reshape(len(lengths), -1).astype(np.int32)
    return tensors | {"block_table": table}


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201", "gfx942"])
def test_little_more_is_multiplied_than_needed(target):
    artifact = artifact_of(SPEC, (SPEC,), target)
    kernels = inspect_artifact(artifact).module.kernels
    assert not any(kernel.vgpr_spills or kernel.sgpr_spills for kernel in kernels)
    session = EmulatedSession(artifact, "emulator")
    for mix, lengths in MIXES.items():
        Kernel(session).outputs(**call(lengths))
        share = sum(one.matrix_flops for one in session.counts) / needed(lengths)
        print(f"{target}: {mix}: {share:.3f}")
        assert 1 <= share <= MOST_OF.get((target, mix), MOST)
