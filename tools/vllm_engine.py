#!/usr/bin/env python3
"""Time vLLM's engine with irattn's attention beside vLLM's own, on this machine's CPU.

    build/environments/vllm/bin/python tools/vllm_engine.py [TYPE ...] [--turns N] [--cache TYPE]

Two engines with the same random Llama, of 4 layers with 16/4 heads of 128, answer in turns: 8
prompts of 512 with 64 new tokens each, a prompt of 2,000 with one, and steps of 8 decodes after
2,000 tokens. Medians of wall-clock time, and of the ratios of neighbours; and what irattn compiled
after the engine's start. Before that, with nothing timed: how many tokens are equal, and how many
answers part at a near-tie, where in both engines the two tokens' logits differ by at most the
element type's tolerance times the larger. TYPE is bf16 or f32; `--cache` is the element type of the
cache (auto, fp8, fp8_e5m2). Run it on an idle machine, with 6 GiB of memory.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from irattn.core.dtypes import dtype as element_type

TYPES = {"bf16": "bfloat16", "f32": "float32"}
VOCABULARY = 2048
# Prompts, their tokens, and new tokens.
ROWS = {"8 x 512 + 64": (8, 512, 64), "first token of 2000": (1, 2000, 1)}
DECODES, AFTER, STEPS = 8, 2000, 24
# How often tokens are compared, and of how many candidates for each the logits are told.
COMPARED, CANDIDATES = 4, 8


def answer(folder: str, dtype: str, cache: str) -> None:
    """The engine's process: a task as JSON a line, what it took and its tokens as another."""
    from vllm import LLM, SamplingParams

    engine: Any = LLM(
        folder,
        skip_tokenizer_init=True,
        enforce_eager=True,
        dtype=dtype,
        kv_cache_dtype=cache,
        max_model_len=2304,
        max_num_seqs=16,
        max_num_batched_tokens=2048,
        kv_cache_memory_bytes=1 << 30,
        logprobs_mode="raw_logits",
        disable_log_stats=True,
    )
    told = sys.__stdout__
    print("there", file=told, flush=True)
    for line in sys.stdin:
        prompts, new, candidates = json.loads(line)
        greedy = SamplingParams(
            temperature=0, max_tokens=new, logprobs=candidates, ignore_eos=True, detokenize=False
        )
        for i, prompt in enumerate(prompts):
            engine.llm_engine.add_request(str(i), {"prompt_token_ids": prompt}, greedy)
        times, outputs = [time.perf_counter()], {}
        while engine.llm_engine.has_unfinished_requests():
            outputs |= {int(one.request_id): one.outputs[0] for one in engine.llm_engine.step()}
            times.append(time.perf_counter())
        ended = [outputs[i] for i, _ in enumerate(prompts)]
        found = {
            "times": times,
            "tokens": [list(one.token_ids) for one in ended],
            "logits": [
                [{token: its.logprob for token, its in each.items()} for each in one.logprobs or ()]
                for one in ended
            ],
        }
        print(json.dumps(found), file=told, flush=True)


class Engine:
    """A process with an engine."""

    def __init__(self, folder: Path, dtype: str, cache: str, plugins: str) -> None:
        self.log = folder / f"log-{plugins}-{dtype}"
        environment = {
            **os.environ,
            **{"VLLM_TARGET_DEVICE": "cpu", "VLLM_PLUGINS": plugins, "VLLM_NO_USAGE_STATS": "1"},
            # Both cores: vLLM would keep one for the process that plans steps.
            **{"VLLM_LOGGING_STREAM": "ext://sys.stderr", "VLLM_CPU_OMP_THREADS_BIND": "0-1"},
        }
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--answer", folder, dtype, cache],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log.open("w"),
            text=True,
            env=environment,
        )
        start = time.perf_counter()
        self._read("there")
        self.start_s = time.perf_counter() - start
        self.kernels = self._kernels()

    def _read(self, wanted: str = "{") -> str:
        stream: Any = self.process.stdout
        for line in stream:
            if line.startswith(wanted):
                return str(line)
        sys.exit(self.log.read_text()[-3000:])

    def _kernels(self) -> int:
        return self.log.read_text().count("irattn: attention of")

    def ask(
        self, prompts: list[list[int]], new: int, candidates: int | None = None
    ) -> dict[str, Any]:
        stream: Any = self.process.stdin
        print(json.dumps([prompts, new, candidates]), file=stream, flush=True)
        found: dict[str, Any] = json.loads(self._read())
        return found

    def end(self) -> int:
        """Stop the process; how many kernels it made after its start."""
        stream: Any = self.process.stdin
        stream.close()
        self.process.wait()
        return self._kernels() - self.kernels


def drawn(count: int, length: int) -> list[list[int]]:
    return [[random.randrange(VOCABULARY) for _ in range(length)] for _ in range(count)]


def compare(engines: list[Engine], dtype: str) -> None:
    """Print how many tokens are equal, and what the answers' first differences are."""
    equal = of = 0
    gaps: list[float] = []
    for _ in range(COMPARED):
        for count, length, new in ROWS.values():
            prompts = drawn(count, length)
            found = [engine.ask(prompts, new, CANDIDATES) for engine in engines]
            for both in zip(*(one["tokens"] for one in found), strict=True):
                equal += sum(x == y for x, y in zip(*both, strict=True))
                of += new
            gaps += [gap for i in range(count) if (gap := parting(found, i)) is not None]
    near = sum(gap <= element_type(dtype).tolerance for gap in gaps)
    print(
        f"{dtype:8} {equal} of {of} tokens are equal; {len(gaps)} answers part, {near} at a "
        f"near-tie and {len(gaps) - near} not; their gaps are up to {max(gaps, default=0):.2g} of "
        f"the logit, and {element_type(dtype).tolerance} is near",
        flush=True,
    )


def parting(found: list[dict[str, Any]], answer: int) -> float | None:
    """How far apart the two tokens are where an answer parts: their logits' difference over theirs.

    The greater of both engines' differences; None where the answers are the same.
    """
    pairs = zip(*(one["tokens"][answer] for one in found), strict=True)
    for i, chosen in enumerate(pairs):
        if chosen[0] != chosen[1]:
            return max(
                _gap(one["logits"][answer][i], own, other)
                for one, own, other in zip(found, chosen, reversed(chosen), strict=True)
            )
    return None


def _gap(logits: dict[str, float], own: int, other: int) -> float:
    # A token that is not even among the candidates is no near-tie.
    mine, theirs = logits[str(own)], logits.get(str(other), float("-inf"))
    return (mine - theirs) / abs(mine)


def measure(engines: list[Engine], dtype: str, turns: int) -> None:
    """Print the rows; engines are vLLM's own and irattn's."""
    times: dict[str, list[list[float]]] = {name: [] for name in (*ROWS, "a step")}
    for turn in range(turns + 1):
        order = [0, 1] if turn % 2 else [1, 0]
        for name, (count, length, new) in ROWS.items():
            prompts = drawn(count, length)
            found = {i: engines[i].ask(prompts, new) for i in order}
            times[name].append([found[i]["times"][-1] - found[i]["times"][0] for i in (0, 1)])
    for turn in range(turns + 1):
        # The prompts are the same, so that only their first turn reads them.
        random.seed(1)
        prompts, both = drawn(DECODES, AFTER), [0.0, 0.0]
        for i in [0, 1] if turn % 2 else [1, 0]:
            at = engines[i].ask(prompts, STEPS)["times"]
            both[i] = median(
                later - sooner for sooner, later in zip(at[-17:-1], at[-16:], strict=True)
            )
        times["a step"].append(both)
    for name, found in times.items():
        theirs, ours = (1e3 * median(each) for each in zip(*found[1:], strict=True))
        ratio = median(their / our for their, our in found[1:])
        print(
            f"{dtype:8} {name:20} vLLM {theirs:9.1f} ms  irattn {ours:9.1f} ms  {ratio:.2f}",
            flush=True,
        )


def main() -> None:
    if sys.argv[1:2] == ["--answer"]:
        answer(*sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("types", nargs="*", metavar="TYPE", default=list(TYPES))
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--cache", default="auto")
    args = parser.parse_args()
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"hidden_size": 1024, "intermediate_size": 2816, "head_dim": 128}
    heads = {"num_attention_heads": 16, "num_key_value_heads": 4, "num_hidden_layers": 4}
    config = LlamaConfig(
        vocab_size=VOCABULARY, max_position_embeddings=4096, eos_token_id=None, **sizes, **heads
    )
    with TemporaryDirectory() as place:
        folder = Path(place)
        LlamaForCausalLM(config).save_pretrained(folder)
        for name in args.types:
            engines = [
                Engine(folder, TYPES[name], args.cache, plugins) for plugins in ("", "irattn")
            ]
            compare(engines, name)
            measure(engines, name, args.turns)
            after = [one.end() for one in engines][1]
            print(f"{name:8} irattn's kernels: {engines[1].kernels} at the start, {after} after it")


if __name__ == "__main__":
    main()
