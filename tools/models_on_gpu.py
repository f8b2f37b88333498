#!/usr/bin/env python3
"""Compare transformers' models on a GPU: irattn's attention beside `sdpa`, eager and captured.

    python tools/models_on_gpu.py TARGET [compile]

with `compile` writes all kernels that the models ask for into a bundle in `build/models_on_gpu`, by
running them on this CPU. On the machine with the GPU, which then needs no compiler, the tokens of a
small Llama with random weights must be those of `sdpa`, in f32 and f16: with a cache that grows, a
static one, one in a graph that is captured by hand and one that `generate` compiles and captures.
Then it prints the microseconds of a captured decode of four layers as large as those of Llama 3 8B,
over a static cache that is nearly empty and one that is nearly full, and of an eager decode over
caches of both kinds.
"""

import copy
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FOLDER = Path("build") / "models_on_gpu"
os.environ["IRATTN_CACHE"] = str(FOLDER)

import torch  # noqa: E402
import transformers  # noqa: E402
from launching import microseconds  # noqa: E402

import irattn  # noqa: E402
import irattn.integrations.transformers  # noqa: E402
from irattn.runtime.kernel_cache import KernelCache  # noqa: E402
from irattn.specs import Spec  # noqa: E402

SMALL = transformers.LlamaConfig(
    vocab_size=997, hidden_size=256, intermediate_size=512, num_hidden_layers=2, head_dim=64,
    num_attention_heads=4, num_key_value_heads=2, eos_token_id=None, pad_token_id=0,
)  # fmt: skip
LARGE = transformers.LlamaConfig(
    vocab_size=997, hidden_size=4096, intermediate_size=14336, num_hidden_layers=4, head_dim=128,
    num_attention_heads=32, num_key_value_heads=8, eos_token_id=None, pad_token_id=0,
)  # fmt: skip
DTYPES = (torch.float32, torch.float16)
NEW_TOKENS, ROOM = 32, 4096
FILLED = (64, ROOM - 64)


def main() -> None:
    target, *others = sys.argv[1:]
    torch.set_grad_enabled(False)
    if others == ["compile"]:
        compile_for(target)
        return
    failed = [not same_tokens(dtype) for dtype in DTYPES]
    sdpa, own = models(LARGE, torch.float16, "cuda")
    for filled in FILLED:
        figures = {"sdpa": step_time(sdpa, filled), "irattn": step_time(own, filled)}
        print(f"captured, after {filled} tokens, room for {ROOM}:", figures, flush=True)
    for cache in ("dynamic", "static"):
        figures = {"sdpa": token_time(sdpa, cache), "irattn": token_time(own, cache)}
        print(f"eager, {cache} cache, after {FILLED[0]} tokens:", figures, flush=True)
    sys.exit(any(failed))


def compile_for(target: str) -> None:
    """Write the bundle of what the models ask for."""
    with recorded() as specs:
        for dtype in DTYPES:
            for tokens in all_tokens(dtype, "cpu").values():
                tokens()
        # Attention is as large, and what is around it is not.
        config = copy.deepcopy(LARGE)
        config.hidden_size = config.intermediate_size = 64
        config.num_hidden_layers = 1
        _, model = models(config, torch.float16, "cpu")
        for filled in FILLED:
            decode, _ = decode_of(model, prompts("cpu", 1, filled), ROOM)
            decode()
        for cache in ("dynamic", "static"):
            grown(model, prompts("cpu", 1, FILLED[0]), cache)
    # Queries that lie by tokens have kernels of their own on a GPU.
    for spec in [spec for spec in specs if spec.q_len > 1]:
        specs[spec.replace(layout="NHD")] = None
    named = {f"{spec.op}-{spec.digest}": spec for spec in specs}
    irattn.bundle(named, FOLDER / "models.irattn", target=target, cpu=None)


@contextmanager
def recorded() -> Iterator[dict[Any, None]]:
    """A time in which the specs of kernels that calls ask for are noted, in order."""
    specs: dict[Any, None] = {}
    theirs = KernelCache.kernel

    def kernel(self: KernelCache, call: Spec) -> Any:
        specs[self.spec_of(call)] = None
        return theirs(self, call)

    KernelCache.kernel = kernel  # type: ignore[method-assign]
    try:
        yield specs
    finally:
        KernelCache.kernel = theirs  # type: ignore[method-assign]


def same_tokens(dtype: torch.dtype) -> bool:
    """Whether all ways to generate give the tokens of `sdpa`; says which do not."""
    is_same = True
    expected = None
    for way, generate in all_tokens(dtype, "cuda").items():
        tokens = generate().cpu()
        expected = tokens if way.startswith("sdpa") else expected
        differing = int((tokens != expected).sum())
        is_same &= not differing
        print(f"{dtype} {way}: {differing} of {tokens.numel()} tokens differ", flush=True)
    return is_same


def all_tokens(dtype: torch.dtype, device: str) -> dict[str, Callable[[], torch.Tensor]]:
    """Functions that generate, by what they do; those of `sdpa` are what others must give."""
    sdpa, own = models(SMALL, dtype, device)
    given = prompts(device, 2, 9)
    padded = given.clone()
    padded[0, :4] = 0
    ways = {}
    for words, ids in (("", given), (", padded", padded)):
        how = {"max_new_tokens": NEW_TOKENS, "do_sample": False}
        how |= {"attention_mask": (ids != 0).long()}
        static = {**how, "cache_implementation": "static"}
        ways[f"sdpa{words}"] = lambda how=how, ids=ids: sdpa.generate(ids, **how)
        ways[f"dynamic{words}"] = lambda how=how, ids=ids: own.generate(ids, **how)
        ways[f"static{words}"] = lambda how=static, ids=ids: own.generate(
            ids, **how, disable_compile=True
        )
        if device == "cuda":
            ways[f"compiled{words}"] = lambda how=static, ids=ids: own.generate(ids, **how)
        if ids is given:
            ways["captured"] = lambda: generated(own, given)
    return ways


def models(config: Any, dtype: torch.dtype, device: str) -> list[Any]:
    """Models with the same random weights: sdpa's and irattn's."""
    torch.manual_seed(0)
    with torch.device(device):
        made = [
            transformers.AutoModelForCausalLM.from_config(
                copy.deepcopy(config), attn_implementation=name, dtype=dtype
            ).eval()
            for name in ("sdpa", "irattn")
        ]
    for name, weight in made[0].named_parameters():
        torch.nn.init.normal_(weight, 1.0 if "norm" in name else 0.0, 0.1)
    made[1].load_state_dict(made[0].state_dict())
    return made


def prompts(device: str, batch: int, length: int) -> torch.Tensor:
    """Random tokens `[batch, length]`."""
    torch.manual_seed(1)
    return torch.randint(3, 997, (batch, length)).to(device)


def generated(model: Any, ids: torch.Tensor) -> torch.Tensor:
    """A prompt and the tokens after it, each by a decode step that is captured where it can be."""
    decode, token = decode_of(model, ids, ids.shape[1] + NEW_TOKENS)
    tokens = [ids, token.clone()]
    decode()
    tokens.append(token.clone())
    replay = captured(decode) if ids.is_cuda else decode
    while len(tokens) <= NEW_TOKENS:
        replay()
        tokens.append(token.clone())
    return torch.cat(tokens, dim=1)


def decode_of(model: Any, ids: torch.Tensor, room: int) -> tuple[Callable[[], None], torch.Tensor]:
    """A decode step over a static cache that has the prompt, and its token, which it replaces."""
    cache = transformers.StaticCache(config=model.config, max_cache_len=room)
    token = model(ids, past_key_values=cache).logits[:, -1:].argmax(-1)

    def decode() -> None:
        token.copy_(model(token, past_key_values=cache).logits[:, -1:].argmax(-1))

    return decode, token


def captured(step: Callable[[], None]) -> Callable[[], None]:
    """A step in a graph, after one call of it."""
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def step_time(model: Any, filled: int) -> float:
    """The microseconds of a captured decode of one sequence."""
    decode, _ = decode_of(model, prompts("cuda", 1, filled), ROOM)
    decode()
    # No more tokens than there is room for.
    return round(microseconds(captured(decode), 4), 1)


def token_time(model: Any, cache: str) -> float:
    """The microseconds of a token of `generate`, prompt and all."""
    ids = prompts("cuda", 1, FILLED[0])
    return round(microseconds(lambda: grown(model, ids, cache), 2) / NEW_TOKENS, 1)


def grown(model: Any, ids: torch.Tensor, cache: str) -> torch.Tensor:
    """A prompt and the tokens that `generate` gives after it, eager."""
    how = {"cache_implementation": "static", "disable_compile": True} if cache == "static" else {}
    return model.generate(ids, max_new_tokens=NEW_TOKENS, do_sample=False, **how)


if __name__ == "__main__":
    main()
