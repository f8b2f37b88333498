#!/usr/bin/env python3
"""Measure `irattn generate` beside transformers with `sdpa`, on the CPU.

    python tools/generation.py [FAMILY ...] [TYPE ...]

For random models of 8 layers that are 512 wide, for one prompt and for four of 256 tokens, in
turns: milliseconds to read the prompts, and for a step of decoding, as medians, with how many times
as long transformers takes. FAMILY is a `model_type` (llama), TYPE an element type (f32, bf16).
Needs torch and transformers.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

# Threads of PyTorch that spin after a call take the cores from the next one.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from irattn import Generator

SIZES = {
    **{"num_hidden_layers": 8, "hidden_size": 512, "intermediate_size": 1408, "head_dim": 64},
    **{"num_attention_heads": 8, "num_key_value_heads": 4, "vocab_size": 32000},
}
# What some families' configurations have to be told besides.
OF_FAMILY: dict[str, dict[str, Any]] = {
    "gemma3_text": {"sliding_window": 128, "query_pre_attn_scalar": 64},
    "gpt2": {"n_layer": 8, "n_embd": 512, "n_head": 8, "n_inner": 1408, "vocab_size": 32000},
    "qwen3_5_text": {
        **{"linear_num_key_heads": 8, "linear_num_value_heads": 8},
        **{"linear_key_head_dim": 64, "linear_value_head_dim": 64},
    },
}
PROMPTS, TOKENS, NEW, TURNS = (1, 4), 256, 17, 7
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}


def write_model(folder: Path, family: str) -> None:
    own = OF_FAMILY.get(family, {})
    # GPT-2's file has other names for them, and irattn refuses sizes that it does not read.
    sizes = own if "n_embd" in own else {**SIZES, **own}
    ends = {"eos_token_id": None, "bos_token_id": None, "pad_token_id": 0}
    config = CONFIG_MAPPING[family](**sizes, **ends)
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    Tokenizer(models.BPE()).save(str(folder / "tokenizer.json"))


def seconds(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def measure(folder: Path, family: str, io_dtype: str, count: int) -> None:
    generator = Generator(folder, io_dtype=io_dtype, batch=count)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, attn_implementation="sdpa", dtype=TYPES[io_dtype]
    )
    rng = np.random.default_rng(0)

    def one(new: int) -> tuple[float, float]:
        # New prompts each time: of others the cache still has blocks.
        prompts = rng.integers(0, SIZES["vocab_size"], (count, TOKENS)).tolist()
        ids = torch.tensor(prompts)
        how = {"max_new_tokens": new, "do_sample": False, "pad_token_id": 0}
        ours = seconds(lambda: generator.generate(prompts, new))
        mask = torch.ones_like(ids)
        return ours, seconds(lambda: model.generate(ids, attention_mask=mask, **how))

    one(2)
    turns = [(one(1), one(NEW)) for _ in range(TURNS)]
    for what, times in (
        ("reading", [read for read, _ in turns]),
        ("a step", [np.subtract(all_, read) / (NEW - 1) for read, all_ in turns]),
    ):
        ours, theirs = (1e3 * median(each) for each in zip(*times, strict=True))
        ratio = median(their / our for our, their in times)
        print(
            f"{family}, {io_dtype}, {count} x {TOKENS} tokens, {what}: irattn {ours:.1f} ms, "
            f"transformers {theirs:.1f} ms: {ratio:.2f}",
            flush=True,
        )


def main() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    given = sys.argv[1:]
    types = [one for one in given if one in TYPES] or ["f32", "bf16"]
    for family in [one for one in given if one not in TYPES] or ["llama"]:
        with TemporaryDirectory() as folder:
            write_model(Path(folder), family)
            for io_dtype in types:
                for count in PROMPTS:
                    measure(Path(folder), family, io_dtype, count)


if __name__ == "__main__":
    main()
