"""Sizes that catalogue entries share: tiny ones for every test, base ones as a current model has.

A catalogue name is `<entry>_<size>`. Tiny entries are f32; base entries are f16; the entries that
`irattn bench` times say their length and type in the name: `causal_512_f32_bench`.
"""

from typing import Any

TINY_HEADS: dict[str, Any] = {"num_q_heads": 4, "head_dim": 32, "io_dtype": "f32"}
BASE_HEADS: dict[str, Any] = {"num_q_heads": 32, "head_dim": 128, "io_dtype": "f16"}
TINY_TOKENS: dict[str, Any] = {"q_len": 32, "kv_len": 32}
BASE_TOKENS: dict[str, Any] = {"q_len": 512, "kv_len": 512}
TINY_HIDDEN: dict[str, Any] = {**TINY_HEADS, "hidden_size": 128}
BASE_HIDDEN: dict[str, Any] = {**BASE_HEADS, "hidden_size": 4096}
TINY_PAGES: dict[str, Any] = {"block_size": 16, "num_blocks": 8, "max_blocks": 4}
BASE_PAGES: dict[str, Any] = {"block_size": 16, "num_blocks": 512, "max_blocks": 128}
# Of a current model, of a small one.
BENCH_GQA: dict[str, Any] = {"num_q_heads": 32, "num_kv_heads": 8, "head_dim": 128}
BENCH_MHA: dict[str, Any] = {"num_q_heads": 8, "num_kv_heads": 8, "head_dim": 64}

# Sizes that no step of an engine reaches: one artifact with these, dynamic, takes every mix.
ANY_STEP: dict[str, Any] = {"batch": 2**16, "q_tokens": 2**20}
ANY_STEP_OVER_KEYS: dict[str, Any] = {**ANY_STEP, "kv_tokens": 2**24}
ANY_STEP_OVER_PAGES: dict[str, Any] = {**ANY_STEP, "num_blocks": 2**24, "max_blocks": 2**16}
