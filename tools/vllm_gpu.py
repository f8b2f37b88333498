#!/usr/bin/env python3
"""Call the plug-in for vLLM as vLLM does, on a GPU that may have PyTorch alone.

    python tools/vllm_gpu.py TARGET [compile]

compiles the kernels of a few layers for TARGET into `build/vllm_gpu`, where PyTorch and a compiler
are; with `compile` that is all, so that the folder can be taken to a machine with the GPU. There
each layer takes steps of prompts and decodes, queries, keys and values as views of one projection,
a cache as vLLM lays it out, and 64-bit slots: eager, and in a captured graph that is padded and
replayed with other contents. Outputs and caches are compared with float64 NumPy, and a call is
timed in microseconds: the host's share, eager, and in a graph. Where vLLM is not installed, bare
classes take the place of its own.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import torch
from launching import microseconds

import irattn
from irattn.core.dtypes import any_name, dtype

STORE = Path("build") / "vllm_gpu"
BLOCK, BLOCKS, PAGES, PADDED = 16, 1200, 140, 4
CALLS = 50


@dataclass
class Layer:
    """A layer as vLLM makes it, and what its logits go through, for the reference."""

    heads: int
    kv_heads: int
    size: int
    element: Any
    options: dict[str, Any] = field(default_factory=dict)
    attention: Any = None


LAYERS = {
    "gqa_f16": Layer(32, 8, 128, torch.float16),
    "gqa_bf16": Layer(32, 8, 128, torch.bfloat16),
    "window_cap_bf16": Layer(
        8, 4, 256, torch.bfloat16, {"sliding_window": 200, "logits_soft_cap": 50.0}
    ),
    "sinks_bf16": Layer(16, 2, 64, torch.bfloat16, {"sinks": True, "sliding_window": 128}),
    "alibi_f32": Layer(8, 8, 80, torch.float32, {"alibi": True}),
}
# Queries and contexts.
STEPS = {
    "prompts": [(300, 300), (37, 37)],
    "mixed": [(120, 900), (1, 1700), (1, 1), (4, 700), (1, 16)],
    "decode": [(1, 2000), (1, 600), (1, 17), (1, 1), (1, 1024), (1, 333), (1, 15), (1, 2048)],
}


def stand_in() -> None:
    """Bare classes in the place of vLLM's, of which the plug-in's are made."""

    class CudaGraphs(Enum):
        ALWAYS = 3

    class Layouts(Enum):
        LBHNC = 0

    class Builder:
        def __init__(self, kv_cache_spec: Any, names: Any, config: Any, device: Any) -> None:
            self.kv_cache_spec = kv_cache_spec

    import logging

    modules: dict[str, dict[str, Any]] = {
        "vllm": {},
        "vllm.v1.attention.backend": {
            "AttentionBackend": type("AttentionBackend", (), {}),
            "AttentionImpl": type("AttentionImpl", (), {}),
            "AttentionMetadata": type("AttentionMetadata", (), {}),
            "AttentionMetadataBuilder": Builder,
            "AttentionCGSupport": CudaGraphs,
        },
        "vllm.v1.attention.backends.registry": {},
        "vllm.v1.kv_cache_interface": {"KVCacheLayout": Layouts},
        "vllm.logger": {"init_logger": logging.getLogger},
    }
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        sys.modules[name] = module


def main() -> None:
    target, *others = sys.argv[1:]
    if find_spec("vllm") is None:
        stand_in()
    from irattn.integrations.vllm import gpu

    compiling = others == ["compile"]
    gpu.place_of = lambda tensor: SimpleNamespace(target=target, device="cuda")
    for name, layer in LAYERS.items():
        gpu.loaded = kernel_of(name, target, compiling)
        device = torch.device("cpu" if compiling else "cuda:0")
        make(layer, gpu.GpuAttention)
        layer.attention.prepare(layer.element, BLOCK, device)
        if not compiling:
            print(f"{name}: {', '.join(measured(layer, gpu.GpuBatchBuilder, device))}", flush=True)


def kernel_of(name: str, target: str, compiling: bool) -> Callable[..., Any]:
    """What the plug-in asks for kernels: they are compiled here, or were so before."""

    def loaded(spec: Any, *where: Any) -> Any:
        if compiling:
            irattn.compile(spec, target=target, name=name, out=STORE)
            return SimpleNamespace(prepare=lambda device: None)
        return irattn.load(STORE / target / name, launcher="direct")

    return loaded


def make(layer: Layer, attention: type) -> None:
    options = dict(layer.options)
    if options.pop("alibi", False):
        options["alibi_slopes"] = [2.0**-i for i in range(1, layer.heads + 1)]
    if options.pop("sinks", False):
        options["sinks"] = torch.linspace(-1, 2, layer.heads).to(layer.element)
    layer.attention = attention(
        layer.heads, layer.size, layer.size**-0.5, layer.kv_heads, **options
    )


class Step:
    """A step over a cache of two layers, as vLLM's runner gives it; the second layer attends.

    `padded` are sequences, and tokens, that only pad a graph.
    """

    def __init__(self, layer: Layer, step: list[tuple[int, int]], device: Any, padded: int = 0):
        generator = torch.Generator().manual_seed(len(step))
        self.layer, self.step, self.device = layer, step, device
        q_lens, contexts = zip(*step, strict=True)
        self.tokens, of_k = sum(q_lens), (layer.kv_heads, layer.size)
        rows = self.tokens + padded
        columns = (layer.heads + 2 * layer.kv_heads) * layer.size
        self.qkv = torch.randn(rows, columns, generator=generator).to(device, layer.element)
        split = [layer.heads * layer.size] + 2 * [layer.kv_heads * layer.size]
        self.query, self.key, self.value = (
            part.view(rows, -1, layer.size) for part in self.qkv.split(split, 1)
        )
        caches = torch.randn(2, BLOCKS, of_k[0], BLOCK, 2 * of_k[1], generator=generator)
        self.caches = caches.to(device, layer.element)
        table = torch.randperm(BLOCKS, generator=generator)[: len(step) * (BLOCKS // len(step))]
        table = table.view(len(step), -1)[:, :PAGES].int()
        table = torch.nn.functional.pad(table, (0, PAGES - table.shape[1], 0, padded))
        slots = [
            table[i, place // BLOCK] * BLOCK + place % BLOCK
            for i, (q_len, n) in enumerate(step)
            for place in range(n - q_len, n)
        ]
        ends = np.cumsum([0, *q_lens]).tolist()
        count = len(step) + padded
        of_device = {
            "query_start_loc": torch.tensor([*ends, *[ends[-1]] * padded], dtype=torch.int32),
            "seq_lens": torch.tensor([*contexts, *[0] * padded], dtype=torch.int32),
            "block_table_tensor": table,
            "slot_mapping": torch.tensor([*map(int, slots), *[-1] * padded]),
        }
        self.common = SimpleNamespace(
            num_reqs=count, num_actual_tokens=rows, max_seq_len=max(contexts), causal=True,
            **{name: tensor.to(device) for name, tensor in of_device.items()},
        )  # fmt: skip
        self.output = torch.full((rows, layer.heads, layer.size), 7.0, device=device).to(
            layer.element
        )
        self.before = self.caches.cpu()

    def given(self) -> tuple[Any, ...]:
        """What forward takes before the batch."""
        return None, self.query, self.key, self.value, self.caches[1]

    def take_up(self, other: "Step") -> None:
        """The contents of another step of the same shapes, where these tensors lie."""
        self.qkv.copy_(other.qkv)
        self.caches.copy_(other.caches)
        for name, tensor in vars(self.common).items():
            if isinstance(tensor, torch.Tensor):
                tensor.copy_(getattr(other.common, name))

    def error(self, of: "Step | None" = None) -> float:
        """The relative error of the output; AssertionError where a cache is not as it should be."""
        of = of or self
        expected, written = of.expected()
        bits = torch.int32 if self.layer.element == torch.float32 else torch.int16
        assert torch.equal(self.caches.cpu().view(bits), written.view(bits)), "the cache"
        found = self.output.cpu().double().numpy()
        assert not found[self.tokens :].any(), "padding"
        found = found[: self.tokens]
        return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))

    def expected(self) -> tuple[np.ndarray, torch.Tensor]:
        """The output in float64, and the caches with the new tokens."""
        layer, attention = self.layer, self.layer.attention
        caches, half = self.before.clone(), self.common.slot_mapping.tolist()
        blocks = caches[1].view(BLOCKS, layer.kv_heads, 2 * BLOCK, layer.size)
        for token, slot in enumerate(half):
            if slot >= 0:
                blocks[slot // BLOCK, :, slot % BLOCK] = self.key[token].cpu()
                blocks[slot // BLOCK, :, BLOCK + slot % BLOCK] = self.value[token].cpu()
        exact = blocks.double().numpy()
        query, table = self.query.cpu().double().numpy(), self.common.block_table_tensor.cpu()
        outputs, start = [], 0
        for i, (q_len, n) in enumerate(self.step):
            tokens = np.arange(n)
            places = table[i].numpy()[tokens // BLOCK], slice(None), tokens % BLOCK
            key = exact[places].swapaxes(0, 1).repeat(layer.heads // layer.kv_heads, 0)
            value = exact[places[0], :, BLOCK + tokens % BLOCK].swapaxes(0, 1)
            value = value.repeat(layer.heads // layer.kv_heads, 0)
            logits = query[start : start + q_len].swapaxes(0, 1) @ key.swapaxes(1, 2)
            outputs.append(attended(attention, logits * attention.scale, value).swapaxes(0, 1))
            start += q_len
        return np.concatenate(outputs), caches


def attended(attention: Any, logits: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The weighted values of one sequence's heads, by what vLLM told the layer."""
    heads, q_len, n = logits.shape
    words = attention._words
    if cap := words["logits_soft_cap"]:
        logits = cap * np.tanh(logits / cap)
    behind = np.arange(n - q_len, n)[:, None] - np.arange(n)
    if attention.alibi_slopes is not None:
        logits = logits - np.array(attention.alibi_slopes)[:, None, None] * behind
    logits[:, (behind < 0) | (behind >= (words["sliding_window"] or n))] = -np.inf
    if attention.sinks is not None:
        sinks = attention.sinks.cpu().double().numpy()[:, None, None]
        logits = np.concatenate([logits, np.broadcast_to(sinks, (heads, q_len, 1))], -1)
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    weights = (weights / weights.sum(-1, keepdims=True))[..., :n]
    result: np.ndarray = weights @ value
    return result


def measured(layer: Layer, builder_of: Any, device: Any) -> list[str]:
    """What came of a layer's steps; AssertionError where one is wrong."""
    spec = SimpleNamespace(dtype=layer.element, block_size=BLOCK)
    config = SimpleNamespace(
        compilation_config=SimpleNamespace(
            static_forward_context={"layer": SimpleNamespace(impl=layer.attention)}
        ),
        scheduler_config=SimpleNamespace(max_num_batched_tokens=1024),
    )
    builder = builder_of(spec, ["layer"], config, device)
    said = []
    for name, step in STEPS.items():
        one = Step(layer, step, device)
        batch = builder.build(0, one.common)

        def call(one: Step = one, batch: Any = batch) -> None:
            layer.attention.forward(*one.given(), batch, one.output)

        call()
        check(layer, name, one.error())
        times = [microseconds(call, CALLS, waits=False), microseconds(call, CALLS)]
        times.append(replayed(layer, builder, name, step, device))
        said.append(f"{name} host {times[0]:.1f} eager {times[1]:.1f} in a graph {times[2]:.1f}")
    return said


def replayed(layer: Layer, builder: Any, name: str, step: Any, device: Any) -> float:
    """The time of a padded step in a graph, once it is right, with other contents too."""
    one = Step(layer, step, device, PADDED)
    other = Step(layer, [(q_len, max(q_len, n // 2)) for q_len, n in step], device, PADDED)
    batch = builder.build(0, one.common)
    layer.attention.forward(*one.given(), batch, one.output)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        layer.attention.forward(*one.given(), batch, one.output)
    graph.replay()
    check(layer, f"{name} in a graph", one.error())
    one.take_up(other)
    builder.build(0, one.common)
    graph.replay()
    check(layer, f"{name} replayed", one.error(other))
    return microseconds(graph.replay, CALLS)


def check(layer: Layer, name: str, error: float) -> None:
    tolerance = dtype(any_name(layer.element) or "").tolerance
    assert error <= tolerance, f"{name}: error {error:.2e}, tolerance {tolerance:.0e}"


if __name__ == "__main__":
    main()
