"""vLLM's engine on a CPU with irattn's attention: prints the greedy tokens of a model's folder.

    python vllm_engine.py FOLDER COUNT PROMPTS AGAIN

where PROMPTS, and AGAIN, which are given when these have ended, are lists of token ids as JSON. The
tokens, the sizes of the batches that irattn's attention saw and in how many of them what sequences
share was read once come as one line of JSON. Whatever they share is worth that here.
"""

import json
import os
import sys

os.environ |= {"VLLM_TARGET_DEVICE": "cpu", "VLLM_PLUGINS": "irattn"}
# In this process, where the batches are noted.
os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
os.environ["VLLM_NO_USAGE_STATS"] = "1"

from vllm import LLM, SamplingParams

from irattn.integrations import vllm as integration
from irattn.integrations.vllm import cascade
from irattn.integrations.vllm.cpu import CpuAttention

SIZES = {"max_model_len": 128, "max_num_seqs": 4, "max_num_batched_tokens": 64, "block_size": 32}


def main() -> None:
    folder, count, *rounds = sys.argv[1], int(sys.argv[2]), *map(json.loads, sys.argv[3:])
    seen, shared, forward = [], [], CpuAttention.forward
    cascade.LEAST_BYTES_OF_CPUS = 1

    def note(self, layer, query, key, value, kv_cache, attn_metadata, *others, **named):
        if attn_metadata is not None:
            seen.append(attn_metadata.num_actual_tokens)
            shared.append(attn_metadata.shared is not None)
        return forward(self, layer, query, key, value, kv_cache, attn_metadata, *others, **named)

    CpuAttention.forward = note
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
    tokens = []
    for prompts in rounds:
        given = [{"prompt_token_ids": prompt} for prompt in prompts]
        tokens += [list(one.outputs[0].token_ids) for one in engine.generate(given, greedy)]
    print(json.dumps({"tokens": tokens, "seen": seen, "shared": sum(shared)}))


if __name__ == "__main__":
    main()
