"""vLLM's engine on a CPU with irattn's attention: prints the greedy tokens of a model's folder.

    python vllm_engine.py FOLDER COUNT PROMPTS

where PROMPTS are lists of token ids as JSON. The tokens and the sizes of the batches that irattn's
attention saw come as one line of JSON.
"""

import json
import os
import sys

os.environ |= {"VLLM_TARGET_DEVICE": "cpu", "VLLM_PLUGINS": "irattn"}
# In this process, where the stand-ins are.
os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
os.environ["VLLM_NO_USAGE_STATS"] = "1"

import torch
from vllm import LLM, SamplingParams
from vllm.v1.worker.block_table import BlockTable

from irattn.integrations import vllm as integration

LIBRARY = torch.library.Library("_C", "FRAGMENT")
SIZES = {"max_model_len": 128, "max_num_seqs": 4, "max_num_batched_tokens": 64, "block_size": 32}


def stand_in() -> None:
    """What only vLLM's build for CPUs has, and the one for CUDA on the package index lacks."""
    LIBRARY.define("init_cpu_memory_env(SymInt[] nodes) -> ()")
    LIBRARY.impl("init_cpu_memory_env", lambda nodes: None, "CompositeExplicitAutograd")
    LIBRARY.define("greedy_argmax(Tensor logits) -> Tensor")
    LIBRARY.impl("greedy_argmax", lambda logits: logits.argmax(-1), "CPU")
    BlockTable.compute_slot_mapping = slots


def slots(self, count, starts, positions):
    """The slot of each token of a batch, and -1 behind them."""
    starts, size = starts[: count + 1], self.block_size
    positions = positions[: int(starts[-1])]
    sequence = torch.arange(count).repeat_interleave(starts.diff().long())
    blocks = self.block_table.gpu[sequence, positions // size].long()
    self.slot_mapping.gpu.fill_(-1)
    self.slot_mapping.gpu[: len(positions)] = blocks * size + positions % size


def main() -> None:
    folder, count, prompts = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
    if not hasattr(torch.ops._C, "greedy_argmax"):
        stand_in()
    seen, attend = [], integration.LayerAttention._attend

    def note(self, query, halves, batch):
        seen.append(query.shape[0])
        return attend(self, query, halves, batch)

    integration.LayerAttention._attend = note
    # Also where the package is not installed, and vLLM does not find its entry point.
    integration.register()
    engine = LLM(
        folder,
        **SIZES,
        skip_tokenizer_init=True,
        enforce_eager=True,
        dtype="float32",
        kv_cache_memory_bytes=32 << 20,
        compilation_config={"custom_ops": ["none"]},
    )
    greedy = SamplingParams(temperature=0, max_tokens=count, ignore_eos=True, detokenize=False)
    given = [{"prompt_token_ids": prompt} for prompt in prompts]
    tokens = [list(one.outputs[0].token_ids) for one in engine.generate(given, greedy)]
    print(json.dumps({"tokens": tokens, "seen": seen}))


if __name__ == "__main__":
    main()
