#!/usr/bin/env python3
"""Measure `irattn generate` beside llama.cpp on GGUF files, on the CPU.

    python tools/gguf_generation.py [--turns 5] [--tokens 512] [--new 32] [TYPE ...]

Writes a random Llama of 8 layers that is 2,048 wide as a GGUF file of each TYPE (BF16, F16, Q8_0,
Q4_0, Q4_K), and lets both read a prompt of so many tokens and generate some more, in turns, each
with 2 threads: tokens read a second, and milliseconds for each new token, as medians, with how many
times as long llama.cpp takes in a turn. Of two lines of a quantised type the second has
`activation_format="int8"`, as llama.cpp always rounds. Needs the packages `gguf`, `tokenizers` and
`llama-cpp-python`, and says so in one line where one is missing.
"""

import argparse
import importlib.util
import os
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

TYPES = ("BF16", "F16", "Q8_0", "Q4_0", "Q4_K")
PACKAGES = {"gguf": "gguf", "tokenizers": "tokenizers", "llama_cpp": "llama-cpp-python"}
LAYERS, WIDTH, INNER, VOCABULARY = 8, 2048, 5632, 32000
HEADS, KV_HEADS, HEAD_DIM, CONTEXT = 16, 8, 128, 1024
THREADS = 2

# Read and a step, in seconds.
Times = tuple[float, float]


def main() -> None:
    missing = [name for module, name in PACKAGES.items() if not importlib.util.find_spec(module)]
    if missing:
        print(f"skipped: needs {', '.join(missing)}; pip install {' '.join(missing)}")
        return
    options = asked()
    for kind in options.types or TYPES:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"{kind}.gguf"
            write_model(path, kind)
            for activations in (None, "int8") if kind.startswith("Q") else (None,):
                measure(path, kind, activations, options)


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("turns", 5), ("tokens", 512), ("new", 32)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("types", nargs="*", metavar="TYPE")
    return parser.parse_args()


def measure(path: Path, kind: str, activations: str | None, options: argparse.Namespace) -> None:
    ours, theirs = of_irattn(path, kind, activations), of_llama_cpp(path)
    rng = np.random.default_rng(0)
    turns = []
    for _ in range(options.turns + 1):
        # A new prompt each time: of another the caches still have what they read.
        prompt = rng.integers(3, VOCABULARY, options.tokens).tolist()
        turns.append((ours(prompt, options.new), theirs(prompt, options.new)))
    of_irattn_s, of_llama_cpp_s = zip(*turns[1:], strict=True)
    name = f"{kind}{', rounded' if activations else ''}"
    for place, what in enumerate(("reads", "a token")):
        our, their = ([turn[place] for turn in one] for one in (of_irattn_s, of_llama_cpp_s))
        ratio = median(b / a for a, b in zip(our, their, strict=True))
        shown = [f"{median(one) * 1e3:.1f} ms" for one in (our, their)]
        if what == "reads":
            shown = [f"{options.tokens / median(one):.0f} tokens/s" for one in (our, their)]
        print(f"{name}, {what}: irattn {shown[0]}, llama.cpp {shown[1]}: {ratio:.2f}", flush=True)


def of_irattn(path: Path, kind: str, activations: str | None) -> Any:
    """Times a prompt and its new tokens, of a generator with all its code loaded."""
    from irattn import Generator

    io_dtype = "bf16" if kind == "BF16" else "f16"
    generator = Generator(
        path, io_dtype=io_dtype, context=CONTEXT, activation_format=activations, target="cpu"
    )

    def call(prompt: list[int], new: int) -> Times:
        times = [time.perf_counter()]
        for _ in generator.run([generator.request(prompt, new)]):
            times.append(time.perf_counter())
        return times[1] - times[0], (times[-1] - times[1]) / (len(times) - 2)

    return call


def of_llama_cpp(path: Path) -> Any:
    """Times a prompt and its new tokens, of llama.cpp's greedy generation."""
    import llama_cpp

    model = llama_cpp.Llama(
        str(path), n_ctx=CONTEXT, n_batch=512, n_ubatch=512, n_threads=THREADS,
        n_threads_batch=THREADS, verbose=False,
    )  # fmt: skip

    def call(prompt: list[int], new: int) -> Times:
        times = [time.perf_counter()]
        for _ in model.generate(prompt, top_k=1, temp=0.0, repeat_penalty=1.0):
            times.append(time.perf_counter())
            if len(times) > new:
                break
        return times[1] - times[0], (times[-1] - times[1]) / (len(times) - 2)

    return call


def write_model(path: Path, kind: str) -> None:
    """A file of random weights; of quantised ones the embeddings are Q8_0."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(LAYERS)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_rope_dimension_count(HEAD_DIM)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(VOCABULARY)
    add_tokenizer(writer)
    rng = np.random.default_rng(0)
    for name, shape in shapes().items():
        if len(shape) == 1:
            writer.add_tensor(name, np.ones(shape, np.float32))
            continue
        numbers = rng.standard_normal(shape, np.float32) * np.float32(shape[-1] ** -0.5)
        is_embedding = kind.startswith("Q") and "embd" in name
        stored, raw = quantised(numbers, "Q8_0" if is_embedding else kind)
        writer.add_tensor(name, stored, raw_dtype=raw)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add_tokenizer(writer: Any) -> None:
    """Pieces that are no words, with the marks that a SentencePiece model has."""
    words = [f"<{number}>" for number in range(VOCABULARY - 259)]
    marks, of_bytes = ["<unk>", "<s>", "</s>"], [f"<0x{number:02X}>" for number in range(256)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*marks, *of_bytes, *words])
    writer.add_token_scores([0.0] * 259 + [-float(number) for number in range(len(words))])
    writer.add_token_types([2, 3, 3] + [6] * 256 + [1] * len(words))
    writer.add_bos_token_id(1)


def shapes() -> dict[str, tuple[int, ...]]:
    made: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (VOCABULARY, WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (VOCABULARY, WIDTH),
    }
    for number in range(LAYERS):
        of_layer = {
            "attn_norm": (WIDTH,),
            "attn_q": (HEADS * HEAD_DIM, WIDTH),
            "attn_k": (KV_HEADS * HEAD_DIM, WIDTH),
            "attn_v": (KV_HEADS * HEAD_DIM, WIDTH),
            "attn_output": (WIDTH, HEADS * HEAD_DIM),
            "ffn_norm": (WIDTH,),
            "ffn_gate": (INNER, WIDTH),
            "ffn_up": (INNER, WIDTH),
            "ffn_down": (WIDTH, INNER),
        }
        made |= {f"blk.{number}.{name}.weight": shape for name, shape in of_layer.items()}
    return made


def quantised(numbers: np.ndarray, kind: str) -> tuple[np.ndarray, Any]:
    import gguf

    raw = gguf.GGMLQuantizationType[kind]
    return (q4_k(numbers) if kind == "Q4_K" else gguf.quantize(numbers, raw)), raw


def q4_k(numbers: np.ndarray) -> np.ndarray:
    """Blocks of 256, of which the package has no quantiser: all parts of one have the same scale.

    A block is its scale and minimum in f16, 12 bytes of six bits a part for both, and halves.
    """
    blocks = numbers.reshape(-1, 256)
    most = np.abs(blocks).max(1, keepdims=True)
    scale = (most / np.float32(7.5 * 32)).astype(np.float16)
    step = np.maximum(scale.astype(np.float32) * 32, np.float32(1e-12))
    halves = np.clip(np.rint(blocks / step + np.float32(7.5)), 0, 15).astype(np.uint8)
    made = np.empty((len(blocks), 144), np.uint8)
    made[:, 0:2] = scale.view(np.uint8)
    # Six bits of each part are 32, of the scale and of the minimum, which is 7.5 steps.
    made[:, 2:4] = (scale.astype(np.float32) * np.float32(7.5)).astype(np.float16).view(np.uint8)
    made[:, 4:12] = 0x20 | 0x80
    made[:, 12:16] = 0
    parts = halves.reshape(-1, 4, 2, 32)
    made[:, 16:] = (parts[:, :, 0] | parts[:, :, 1] << 4).reshape(len(blocks), 128)
    return made.reshape(*numbers.shape[:-1], -1)


if __name__ == "__main__":
    # Threads that spin after a call take the cores from the next one.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    main()
