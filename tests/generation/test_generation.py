"""Text from a model's folder: beside a plain model, alone and in company, and what is refused."""

import json
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.core.errors import (
    ArgumentError,
    ConfigError,
    DeviceError,
    ModelError,
    OutOfBlocksError,
    TooLargeError,
    UsageError,
)
from irattn.generation import Batch, Request, Sampling, Sizes, texts
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from irattn.runtime import driver_status
from support.command import run
from support.joined import build_together
from support.model_folder import CONFIGS, config_of, shapes_of, tensors_of, write_model
from support.plain_model import PlainModel

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")
from safetensors.numpy import save_file

pytestmark = pytest.mark.slow

# As small as shows everything: prompts of several chunks, blocks that leave a window, a full batch.
SIZES = {"batch": 2, "step_tokens": 8, "context": 48, "block_size": 4}
PROMPTS = ["Hello", "a", "The quick brown fox jumps", "over the lazy"]
FLAGS = [f"--{name.replace('_', '-')}={size}" for name, size in SIZES.items()]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Each kind of model, once: its folder, and the same model in plain NumPy."""
    root = tmp_path_factory.mktemp("models")
    return {
        name: (root / name, PlainModel(config_of(name), write_model(root / name, config_of(name))))
        for name in CONFIGS
    }


# Llama's own graphs are for the tests of the command, too.
COMPILED_TOGETHER = [
    ("qwen2", {}),
    ("qwen3", {}),
    ("mistral", {}),
    ("llama", {"num_blocks": 12}),
]


@pytest.fixture(scope="module", autouse=True)
def compiled_together(folders):
    """Layers of several models share kernels, which the compiler then has once."""
    layers = []
    for name, changes in COMPILED_TOGETHER:
        folder = ModelFolder(folders[name][0])
        graphs = graphs_of(folder, Sizes.of_model(folder, **SIZES | changes), None)
        layers += [spec for phase in graphs.phases for spec in phase.layers]
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, layers)
        yield


@pytest.fixture(scope="module")
def llama(folders):
    generator = irattn.Generator(folders["llama"][0], **SIZES)
    generator.load()
    return generator


def expected_of(generator, plain, prompts, count):
    return [tuple(plain.greedy(generator.tokenizer.encode(prompt), count)) for prompt in prompts]


# What comes out


def gguf_of(path, tensors, types=None):
    """A file of Llama's, without marks, one of which would end a text."""
    from support.gguf_files import metadata_of, tensors_of_gguf, write_gguf

    config = config_of("llama")
    metadata = metadata_of(config) | {"tokenizer.chat_template": "{{ messages[-1].content }}"}
    for key in ("tokens", "token_type"):
        metadata[f"tokenizer.ggml.{key}"] = metadata[f"tokenizer.ggml.{key}"][:256]
    return write_gguf(path, metadata, tensors_of_gguf(config, tensors), types)


def test_a_gguf_file_gives_the_same_tokens(folders, llama, tmp_path):
    pytest.importorskip("gguf", reason="it writes the file")
    file = gguf_of(tmp_path / "llama.gguf", tensors_of(config_of("llama")))
    generator = irattn.Generator(file, **SIZES)
    found = generator.generate(PROMPTS, 12)
    assert [one.tokens for one in found] == expected_of(llama, folders["llama"][1], PROMPTS, 12)
    told = run(
        "generate", str(file), *FLAGS, "--chat", "--prompt", "Hello", "--max-new-tokens", "12"
    )
    assert generator.tokenizer.decode(found[0].tokens) in told.stdout


def test_blocks_of_a_gguf_file_give_the_tokens_of_their_numbers(llama, tmp_path):
    gguf = pytest.importorskip("gguf", reason="it writes the file")
    tensors, kind = tensors_of(config_of("llama")), gguf.GGMLQuantizationType.Q8_0
    types = {"output.weight": "Q8_0"}
    for name, array in tensors.items():
        # Rows of one block; those of the MLP's second product are none.
        if array.ndim == 2 and "embed" not in name and "mlp" not in name:
            tensors[name] = gguf.dequantize(gguf.quantize(array, kind), kind)
    parts = ("attn_q", "attn_k", "attn_v", "attn_output")
    types |= {f"blk.{layer}.{name}.weight": "Q8_0" for layer in (0, 1) for name in parts}
    generator = irattn.Generator(
        gguf_of(tmp_path / "q8.gguf", tensors, types), io_dtype="f32", **SIZES
    )
    plain = PlainModel(config_of("llama"), tensors)
    found = generator.generate(PROMPTS, 12)
    assert [one.tokens for one in found] == expected_of(llama, plain, PROMPTS, 12)


@pytest.mark.parametrize("name", CONFIGS)
def test_the_tokens_of_a_plain_model(folders, name):
    folder, plain = folders[name]
    generator = irattn.Generator(folder, **SIZES)
    found = generator.generate(PROMPTS, 12)
    assert [one.tokens for one in found] == expected_of(generator, plain, PROMPTS, 12)
    assert {one.ended for one in found} == {"length"}
    assert len({token for one in found for token in one.tokens}) > 12


def logits_of(generator, prompts, watched):
    """The logits that one of some prompts gets, and how many tokens the cache still had of all."""
    batch, seen = generator.batch(), []
    # With likelihoods, for which logits come to the host.
    drawn = Sampling(temperature=0.5, seed=3)
    requests = [generator.request(prompt, count, drawn, logprobs=0) for prompt, count in prompts]
    note = requests[watched].note

    def keep(token, row):
        seen.append(row.copy())
        note(token, row)

    requests[watched].note = keep
    for request in requests:
        batch.add(request)
    while not batch.is_idle:
        batch.step()
    return np.array(seen), batch.figures.reused_tokens


def test_company_changes_no_bit(llama):
    """Others that join and leave, and blocks that another computed in other chunks."""
    llama.load()
    llama._model.cache.evict()
    prompt, others = (PROMPTS[2], 9), [(PROMPTS[0], 3), (PROMPTS[1], 5), (PROMPTS[3], 2)]
    alone, reused = logits_of(llama, [prompt], 0)
    assert (alone.shape, reused) == ((9, 300), 0)
    again, reused = logits_of(llama, [*others[:1], prompt, *others[1:]], 1)
    assert reused == 24
    np.testing.assert_array_equal(again, alone)
    llama._model.cache.evict()
    beside, reused = logits_of(llama, [*others, prompt], 3)
    assert reused == 0
    np.testing.assert_array_equal(beside, alone)
    llama._model.cache.evict()
    # A beginning that lies athwart its chunks.
    logits_of(llama, [(PROMPTS[2][:13], 1)], 0)
    shifted, reused = logits_of(llama, [prompt], 0)
    assert reused == 12
    np.testing.assert_array_equal(shifted, alone)


def test_long_chunks_give_what_short_ones_give(folders):
    """The tokens, and their bits."""
    folder, plain = folders["llama"]
    long, short = (irattn.Generator(folder, **{**SIZES, "step_tokens": 32}) for _ in range(2))
    short.sizes = replace(short.sizes, step_tokens=20)
    prompt = " ".join(PROMPTS)[:40]
    found = long.generate([prompt], 6)
    assert [one.tokens for one in found] == expected_of(long, plain, [prompt], 6)
    # Of 31 and 9 tokens: a few alone would have another kernel.
    assert (long.figures.prompt_tokens, long.figures.prefill_steps) == (40, 2)
    long._model.cache.evict()
    beside, reused = logits_of(long, [(PROMPTS[0], 3), (prompt, 3)], 1)
    assert reused == 0
    np.testing.assert_array_equal(beside, logits_of(short, [(prompt, 3)], 0)[0])
    # Nor is a few what is left to compute where nearly all is known: not of the short prompt, whose
    # block is of a few tokens.
    long._model.cache.evict()
    logits_of(long, [(prompt, 1)], 0)
    again, reused = logits_of(long, [(prompt, 3)], 0)
    assert reused == 28
    np.testing.assert_array_equal(again, beside)


@pytest.mark.parametrize(
    ("any_tokens", "phases", "taken"),
    [
        # A CPU computes no rows besides.
        (True, [512], {1: (512, 1), 300: (512, 300), 512: (512, 512)}),
        (False, [4, 64, 512], {1: (4, 4), 4: (4, 4), 5: (64, 64), 65: (512, 512)}),
    ],
)
def test_a_step_goes_through_the_smallest_graphs(folders, any_tokens, phases, taken):
    folder = ModelFolder(folders["llama"][0])
    graphs = graphs_of(folder, Sizes.of_model(folder, any_tokens=any_tokens), None)
    assert [phase.tokens for phase in graphs.phases] == phases
    for tokens, (most, rows) in taken.items():
        phase = graphs.phase_of(tokens)
        assert (phase.tokens, phase.rows(tokens)) == (most, rows)
        assert {phase.tokens for phase in graphs.phases_for([tokens])} == {most, phases[0]}
    for phase in graphs.phases:
        dynamic = ("q_tokens",) if any_tokens else ()
        assert {layer.dynamic for layer in phase.layers} == {dynamic}
        assert phase.layers[0].inputs[0].largest_shape == (phase.tokens, 32)


def test_graphs_of_some_sizes_give_the_same_tokens(folders, monkeypatch):
    """Steps that are filled up, as on GPUs."""
    folder, plain = folders["mistral"]
    for has_any in (True, False):
        monkeypatch.setattr(
            "irattn.generation.generator._takes_any_tokens", lambda _, has=has_any: has
        )
        generator = irattn.Generator(folder, **SIZES)
        assert generator.sizes.token_counts == ((8,) if has_any else (2, 8))
        found = generator.generate(PROMPTS, 12)
        assert [one.tokens for one in found] == expected_of(generator, plain, PROMPTS, 12)


@pytest.mark.parametrize(
    ("step_tokens", "left", "room", "chunk"),
    [
        *[(256, 5, 256, 5), (256, 300, 200, 200), (256, 300, 295, 291), (256, 9, 9, 9)],
        *[(256, 20, 8, 0), (256, 17, 12, 0), (256, 18, 12, 9), (256, 8, 7, 0)],
        # Too few for a step to have more than a few of each.
        *[(8, 9, 7, 7), (21, 25, 20, 20)],
    ],
)  # fmt: skip
def test_no_prompt_is_cut_to_a_few_tokens(step_tokens, left, room, chunk):
    """In every step that has room for it, the first prompt goes on."""
    assert Sizes(step_tokens=step_tokens, num_blocks=1).chunk_of(left, room) == chunk


def test_a_step_has_decodes_and_then_chunks(folders, monkeypatch):
    """Of decodes all, and of prompts as many tokens as there is room for, the first ones first."""
    folder = ModelFolder(folders["llama"][0])
    sizes, steps = Sizes.of_model(folder, batch=5, step_tokens=10), []

    def note(batch, phase, tokens, chosen):
        steps.append(list(map(len, tokens.values())))
        ends = np.cumsum(steps[-1]) - 1
        return SimpleNamespace(last_rows=ends.tolist()), None

    def go_on(batch, requests, *_):
        for request in requests:
            request.take(7, frozenset())
        return requests

    monkeypatch.setattr(Batch, "_run", note)
    monkeypatch.setattr(Batch, "_go_on", go_on)
    graphs = graphs_of(folder, sizes, None)
    model = SimpleNamespace(graphs=graphs, prepare=lambda phases: None, has_states=False)
    batch = Batch(model, sizes, frozenset())
    counts = (5, 12, 1, 20)
    batch._running = [Request((1,) * count, 9, sequence=n) for n, count in enumerate(counts)]
    got = [len(batch._compute()) for _ in range(5)]
    assert steps == [[5, 5], [1, 7, 1, 1], [1, 1, 1, 7], [1, 1, 1, 7], [1, 1, 1, 5]]
    assert got == [1, 3, 3, 3, 4]
    assert batch.figures.prompt_tokens == 38
    batch._running = []


def test_prompts_are_read_together(folders):
    """Prompts of different lengths in one step: their logits are those of each alone."""
    folder, plain = folders["qwen3"]
    generator = irattn.Generator(folder, **SIZES)
    found = generator.generate(PROMPTS, 6)
    assert [one.tokens for one in found] == expected_of(generator, plain, PROMPTS, 6)
    # The first two prompts, of 5 and 1 tokens, in one step, and then of 25 and 13 in five.
    assert (generator.figures.prompt_tokens, generator.figures.prefill_steps) == (44, 6)
    generator._model.cache.evict()
    prompts = [(PROMPTS[2], 3), (PROMPTS[3], 3)]
    together, reused = logits_of(generator, prompts, 1)
    generator._model.cache.evict()
    alone, also_reused = logits_of(generator, prompts[1:], 0)
    assert reused == also_reused == 0
    np.testing.assert_array_equal(together, alone)


def test_requests_join_while_others_are_served(folders, llama):
    plain = folders["llama"][1]
    batch = llama.batch()
    first, second = llama.request(PROMPTS[0], 8), llama.request(PROMPTS[3], 4)
    batch.add(first)
    for _ in range(4):
        batch.step()
    batch.add(second)
    while not batch.is_idle:
        batch.step()
    for request, count in ((first, 8), (second, 4)):
        assert request.tokens == plain.greedy(request.prompt, count)
    assert llama._model.cache.sequences == []
    for wrong in (first, PROMPTS[0]):
        with pytest.raises(
            ArgumentError, match=r"request: expected a new one of Generator\.request"
        ):
            batch.add(wrong)


def test_equal_prompts_share_blocks(folders, llama):
    prompt = "one and the same prompt"
    first, second = (llama.generate([prompt], 5)[0] for _ in range(2))
    assert first == second
    # All whole blocks but those of the last token.
    assert llama.figures.reused_tokens == 20
    assert llama.figures.prompt_tokens == 3
    # Also where the prompt's end was all that was computed.
    for _ in range(2):
        llama.generate(["another prompt of three."], 1)
    assert llama.figures.reused_tokens == 20


def test_requests_wait_for_blocks(folders):
    """Where the pool holds one sequence, it serves one at a time."""
    folder, plain = folders["llama"]
    generator = irattn.Generator(folder, **SIZES, num_blocks=12)
    prompts = PROMPTS[2:]
    found = generator.generate(prompts, 12)
    assert [one.tokens for one in found] == expected_of(generator, plain, prompts, 12)
    # Of both together it would be as many as of one.
    assert generator.figures.decode_steps == 2 * 11


def test_batches_share_the_blocks_of_a_generator(folders):
    """Where two of them do not fit, the second says so before it begins, and may go on later."""
    folder, plain = folders["llama"]
    generator = irattn.Generator(folder, **SIZES, num_blocks=12)
    requests = [generator.request(prompt, 12) for prompt in PROMPTS[2:]]
    batches = [generator.batch(), generator.batch()]
    for batch, request in zip(batches, requests, strict=True):
        batch.add(request)
    batches[0].step()
    for _ in range(2):
        with pytest.raises(OutOfBlocksError, match=r"expected 6 free .*, got 3: other .* have 9"):
            batches[1].step()
    for batch in batches:
        while not batch.is_idle:
            batch.step()
    for request in requests:
        assert request.tokens == plain.greedy(request.prompt, 12)
    # One that nobody steps to its end, and that is dropped, leaves nothing.
    dropped = generator.batch()
    dropped.add(generator.request(PROMPTS[2], 12))
    dropped.step()
    del dropped
    assert generator._model.cache.sequences == generator._model.served == []


def test_a_step_that_fails_on_its_way_ends_the_batch(folders, llama, monkeypatch):
    """To go on would take tokens for written that are not: others go on without it."""
    plain, batch = folders["llama"][1], llama.batch()
    batch.add(llama.request(PROMPTS[2], 8))
    batch.step()
    run = llama._model.run

    def fail(step):
        run(step)
        raise KeyboardInterrupt

    monkeypatch.setattr(llama._model, "run", fail)
    with pytest.raises(KeyboardInterrupt):
        batch.step()
    monkeypatch.undo()
    assert batch.is_idle
    assert llama._model.cache.sequences == llama._model.served == []
    (again,) = llama.generate([PROMPTS[2]], 8)
    assert again.tokens == tuple(plain.greedy(again.prompt, 8))


def test_a_request_that_never_fits_is_refused(folders, llama):
    """As one of another generator: it, and all behind it, would wait for ever."""
    larger = irattn.Generator(folders["llama"][0], **{**SIZES, "context": 96})
    batch = llama.batch()
    with pytest.raises(ArgumentError, match="request: expected at most 49 tokens, got 65"):
        batch.add(larger.request(PROMPTS[0], 60))
    assert batch.is_idle


def test_an_end_token_ends_a_text(folders, llama, tmp_path):
    (whole,) = llama.generate([PROMPTS[3]], 12)
    end = whole.tokens[4]
    config = config_of("llama", eos_token_id=[299, end])
    write_model(tmp_path / "said", config)
    (found,) = irattn.Generator(tmp_path / "said", **SIZES).generate([PROMPTS[3]], 12)
    assert found.tokens == whole.tokens[: whole.tokens.index(end) + 1]
    assert found.ended == "end token"
    # The other file is heard first.
    (tmp_path / "said" / "generation_config.json").write_text('{"eos_token_id": 299}')
    assert irattn.Generator(tmp_path / "said", **SIZES).generate([PROMPTS[3]], 12) == [whole]


def test_the_numbers_of_transfers_do_not_depend_on_layers(llama):
    llama._model.cache.evict()
    llama._model.uploads._last.clear()
    llama.generate(["a"], 9)
    figures = llama.figures
    # Of the prompt ids, positions, bounds, lengths, slots and table go up. Then neither bounds nor
    # ids, which are where they were chosen, and the table only where a block begins.
    assert (figures.prefill_steps, figures.decode_steps) == (1, 8)
    # The only step with tokens of the prompt gives the first.
    assert figures.first_token_seconds == figures.prefill_seconds > 0
    assert figures.transferred.to_device == 6 + 8 * 3 + 2
    # The id of each token comes down: a step on a CPU computes its rows alone.
    assert (figures.transferred.to_host, figures.transferred.bytes_to_host) == (9, 9 * 4)
    # All is where the next kernel takes it; of a longer prompt the last row is copied.
    assert figures.transferred.on_device == 0
    llama.generate(["abc"], 1)
    assert llama.figures.transferred.on_device == 1


def test_drawn_tokens_come_down_without_their_logits(llama):
    """What is drawn goes on from where it is, and only the number of the step goes up each time."""
    llama._model.cache.evict()
    llama._model.uploads._last.clear()
    llama.generate(["a"], 9, Sampling(temperature=1.0))
    transferred = llama.figures.transferred
    assert transferred.to_device == 6 + 8 * 3 + 2 + 4 + 9
    assert (transferred.to_host, transferred.bytes_to_host) == (9, 9 * 4)


def test_logits_come_down_where_they_are_changed_or_told(llama):
    for sampling, logprobs in ((Sampling(repetition_penalty=1.1), None), (Sampling(), 0)):
        request = llama.request("a", 2, sampling, logprobs=logprobs)
        list(llama.run([request]))
        assert llama.figures.transferred.bytes_to_host == 2 * (300 + 1) * 4


def test_greedy_tokens_beside_drawn_ones(folders, llama):
    """Together one kernel chooses them; tokens are those of each alone."""
    plain, drawn = folders["llama"][1], Sampling(temperature=1.0, seed=7)
    (alone,) = llama.generate([PROMPTS[1]], 4, drawn)
    batch = llama.batch()
    requests = [llama.request(PROMPTS[0], 9), llama.request(PROMPTS[1], 4, drawn)]
    for request in requests:
        batch.add(request)
    while not batch.is_idle:
        batch.step()
    assert requests[0].tokens == plain.greedy(requests[0].prompt, 9)
    assert tuple(requests[1].tokens) == alone.tokens


def test_filters_and_seeds_reach_the_kernel(llama):
    """Of one token that filters leave, each draw is greedy; halves of seeds count both."""
    greedy = [one.tokens for one in llama.generate(PROMPTS[:2], 5)]
    for left in ({"top_k": 1}, {"top_p": 1e-6}, {"min_p": 1.0}, {"temperature": 1e-6}):
        found = llama.generate(PROMPTS[:2], 5, Sampling(**{"temperature": 5.0, "seed": 2, **left}))
        assert [one.tokens for one in found] == greedy
    tokens = {
        llama.generate(PROMPTS[:1], 5, Sampling(temperature=5.0, seed=seed))[0].tokens
        for seed in (0, 1, 2**32, 2**63 - 1)
    }
    assert len(tokens) == 4


def test_penalties_go_back_to_the_device(llama):
    """At a penalty of 100 no token comes twice, drawn or not, beside one that has none."""
    plain = llama.request(PROMPTS[0], 8)
    ways = [Sampling(repetition_penalty=100.0, temperature=t, top_k=9) for t in (0.0, 0.5)]
    penalised = [llama.request(PROMPTS[1], 8, way) for way in ways]
    list(llama.run([penalised[0], plain, penalised[1]]))
    assert tuple(plain.tokens) == llama.generate([PROMPTS[0]], 8)[0].tokens
    for request in penalised:
        assert len({*request.prompt, *request.tokens}) == len({*request.prompt}) + 8


def test_only_the_end_of_a_prompt_has_logits(llama):
    llama._model.cache.evict()
    llama.generate([PROMPTS[2]], 1)
    assert (llama.figures.prefill_steps, llama.figures.transferred.to_host) == (4, 1)


def test_weights_in_several_files_and_in_other_types(tmp_path):
    """In two files with an index; half precision is what the numbers are rounded to, no more."""
    tensors = tensors_of(config_of("llama"))
    write_model(tmp_path, config_of("llama"))
    (tmp_path / "model.safetensors").unlink()
    halves = {
        name: array.astype(ml_dtypes.bfloat16 if "mlp" in name else np.float16)
        for name, array in tensors.items()
    }
    names = sorted(halves)
    weight_map = {}
    for part, some in (("a", names[::2]), ("b", names[1::2])):
        save_file({name: halves[name] for name in some}, tmp_path / f"{part}.safetensors")
        weight_map |= dict.fromkeys(some, f"{part}.safetensors")
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weight_map}))
    generator = irattn.Generator(tmp_path, **SIZES)
    plain = PlainModel(config_of("llama"), halves)
    found = [one.tokens for one in generator.generate(PROMPTS[:2], 6)]
    assert found == expected_of(generator, plain, PROMPTS[:2], 6)


def test_text_comes_in_whole_characters(llama):
    prompt, text = llama.tokenizer.encode("wie "), "schön 漢 \U0001f600."
    stream = texts.TextStream(llama.tokenizer, prompt)
    parts = [stream.add(token) for token in llama.tokenizer.encode(text)]
    assert "".join(parts) + stream.rest() == text
    assert all("\ufffd" not in part for part in parts)
    # What never becomes a character is said at the end.
    stream.add(llama.tokenizer.encode("漢")[0])
    assert stream.rest() == "\ufffd"


def test_a_stream_that_nobody_reads_to_its_end_leaves_no_sequence(llama):
    tokens = llama.run([llama.request(prompt, 8) for prompt in PROMPTS[:2]])
    next(tokens)
    assert llama._model.cache.sequences
    tokens.close()
    assert llama._model.cache.sequences == []


def test_draws_depend_on_seed_and_prompt_alone(llama):
    def tokens_of(prompts, seed):
        sampling = Sampling(temperature=1.5, top_p=0.9, seed=seed)
        return [one.tokens for one in llama.generate(prompts, 10, sampling)]

    together = tokens_of(PROMPTS, 1)
    assert together == [tokens_of([prompt], 1)[0] for prompt in PROMPTS]
    assert together != tokens_of(PROMPTS, 2)
    assert together != [one.tokens for one in llama.generate(PROMPTS, 10)]


@pytest.mark.parametrize(
    "wrong",
    [{"temperature": -1.0}, {"temperature": "hot"}, {"top_p": 0.0}, {"top_p": 1.1}, {"seed": -1}],
)
def test_impossible_sampling(wrong):
    (name,) = wrong
    with pytest.raises(ArgumentError, match=f"{name}: expected"):
        Sampling(**wrong)


# What is refused, before anything is compiled


def refused(error, folder, *prompts, **options):
    def ask():
        generator = irattn.Generator(folder, **{**SIZES, **options})
        for prompt in prompts:
            generator.request(prompt, 8, name="prompt 1")

    with pytest.raises(error) as caught:
        ask()
    return str(caught.value)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_or_broken_file(tmp_path, name):
    write_model(tmp_path, config_of("llama"))
    (tmp_path / name).write_text("{ no")
    assert name in refused((ModelError, ConfigError), tmp_path)
    (tmp_path / name).unlink()
    assert (f"has no {name}" if name != "model.safetensors" else "*.safetensors") in refused(
        ModelError, tmp_path
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "encodes no text: WordLevel error: Missing [UNK] token"),
        # What the package does not see either, and panics at.
        (
            {
                "post_processor": {
                    "type": "TemplateProcessing",
                    "single": [{"SpecialToken": {"id": "[X]", "type_id": 0}}],
                    "pair": [],
                    "special_tokens": {},
                }
            },
            "encodes no text: no entry found for key",
        ),
    ],
)
def test_a_tokenizer_that_loads_and_cannot_encode(tmp_path, changes, why):
    write_model(tmp_path, config_of("llama"))
    model = {"type": "WordLevel", "vocab": {"x": 0} if changes else {}, "unk_token": "[UNK]"}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": model, **changes}))
    message = refused(ModelError, tmp_path, "x")
    assert message.startswith(f"{tmp_path / 'tokenizer.json'}: {why}")


def test_a_prompt_that_is_no_utf_8(folders):
    assert "prompt: expected text in UTF-8, got" in refused(
        ArgumentError, folders["llama"][0], "\udcff"
    )


def test_no_folder(tmp_path):
    assert "expected a folder" in refused(ModelError, tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"model_type": "minicpm"}, "model_type: expected one of afmoe, apertus, "),
        ({"hidden_act": "tanh"}, "hidden_act: tanh"),
        ({"rope_scaling": {"rope_type": "spiral", "factor": 2.0}}, "rope_type"),
        ({"quantization_config": {"bits": 4}}, "quantization_config"),
        ({"quantization_config": {"quant_method": "hqq"}}, "mxfp4, got 'hqq'; give the folder of"),
        (
            {"quantization_config": {"quant_method": "fp8"}},
            "weight_block_size: expected [128, 128]",
        ),
        ({"vocab_size": None}, "vocab_size: missing"),
        ({"num_hidden_layers": None}, "num_hidden_layers: missing"),
        ({"eos_token_id": "end"}, "eos_token_id: expected a token id"),
    ],
)
def test_a_model_that_irattn_does_not_have(tmp_path, changes, named):
    config = config_of("llama")
    write_model(tmp_path, config)
    (tmp_path / "config.json").write_text(json.dumps({**config, **changes}))
    assert named in refused(ConfigError, tmp_path)


LONGROPE = {
    "rope_scaling": {
        **{"rope_type": "longrope", "factor": 4.0, "original_max_position_embeddings": 64},
        **{"short_factor": [1.0] * 4, "long_factor": [2.0] * 4},
    },
}


def test_longrope_is_taken_as_long_as_all_sequences_are_short(tmp_path):
    config = {**config_of("llama"), **LONGROPE, "max_position_embeddings": 256}
    write_model(tmp_path, config)
    generator = irattn.Generator(tmp_path, **{**SIZES, "context": 64})
    (layer,) = set(generator._graphs.phases[0].layers)
    assert layer.scaling.factors == (1.0,) * 4
    message = refused(ConfigError, tmp_path, context=80)
    assert "long_factor for longer sequences" in message
    assert "got contexts of 80 tokens; give a context of at most 64 tokens (--context)" in message
    # The cache has whole blocks.
    message = refused(ConfigError, tmp_path, context=64, block_size=48)
    assert "give a context of at most 48 tokens (--context)" in message
    message = refused(ConfigError, tmp_path, context=64, block_size=128)
    assert "give blocks of at most 64 tokens (--block-size, --context)" in message


def test_keys_to_ignore(tmp_path):
    write_model(tmp_path, config_of("llama"))
    config = {**config_of("llama"), "attention_sparsity_topk": 64}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert "--ignore-key attention_sparsity_topk" in refused(ConfigError, tmp_path)
    assert irattn.Generator(tmp_path, **SIZES, ignore_keys=["attention_sparsity_topk"])
    message = refused(ConfigError, tmp_path, ignore_keys=["topk"])
    assert message == "ignore_keys: expected keys of the config, got topk"


def test_tensors_that_are_not_those_of_the_config(tmp_path):
    config = config_of("llama")
    tensors = tensors_of(config)
    name = "model.layers.1.self_attn.k_proj.weight"
    wrong = {**tensors, name: np.ones((16, 31), np.float32)}
    write_model(tmp_path, config, wrong)
    message = refused(ModelError, tmp_path)
    assert f"{name}: expected [16, 32]" in message
    assert "got [16, 31] of F32 in model.safetensors" in message
    write_model(tmp_path, config, {**tensors, name: np.ones((16, 32), np.int8)})
    assert "got [16, 32] of I8" in refused(ModelError, tmp_path)
    write_model(tmp_path, config, {key: array for key, array in tensors.items() if key != name})
    assert f"{name}: expected a tensor [16, 32]" in refused(ModelError, tmp_path)
    # Neither shared nor there.
    write_model(
        tmp_path, config, {k: array for k, array in tensors.items() if k != "lm_head.weight"}
    )
    assert "lm_head.weight: expected a tensor [300, 32]" in refused(ModelError, tmp_path)


def test_an_index_of_what_is_not_there(tmp_path):
    write_model(tmp_path, config_of("llama"))
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": dict.fromkeys(shapes_of(config_of("llama")), "x")}))
    assert "has no x" in refused(ModelError, tmp_path)
    index.write_text("[]")
    assert "weight_map" in refused(ModelError, tmp_path)
    index.write_text("[" * 100_000)
    assert "weight_map" in refused(ModelError, tmp_path)


def test_settings_that_nest_too_deeply(tmp_path):
    write_model(tmp_path, config_of("llama"))
    (tmp_path / "generation_config.json").write_text("[" * 100_000)
    assert "generation_config.json: expected JSON" in refused(ModelError, tmp_path)


def test_prompts_that_cannot_be_served(folders):
    folder = folders["llama"][0]
    assert "prompt 1: expected text, got an empty one" in refused(ArgumentError, folder, "")
    assert "prompt 1: expected at least one token" in refused(ArgumentError, folder, [])
    assert "0 to 299" in refused(ArgumentError, folder, [5, 300])
    message = refused(ArgumentError, folder, [1] * 42)
    assert "expected at most 49 tokens, got 50 (42 of it and 8 new ones); lower max_new" in message
    assert "to at most 7, or raise context (--context)" in message
    assert "; give a shorter prompt, or raise context" in refused(ArgumentError, folder, [1] * 49)
    message = refused(OutOfBlocksError, folder, [1] * 30, num_blocks=9)
    assert message.startswith("num_blocks: expected at least 10 blocks of 4 tokens for prompt 1")
    assert "--max-new-tokens) to at most 7, or raise num_blocks" in message
    message = refused(OutOfBlocksError, folder, [1] * 37, num_blocks=9)
    assert "; give a shorter prompt, or raise num_blocks" in message
    assert "max_position_embeddings: 128" in refused(ConfigError, folder, context=129)


def test_a_cache_beyond_memory_is_refused(folders, monkeypatch):
    monkeypatch.setattr("irattn.runtime.costs.memory", lambda: 2**20)
    message = refused(TooLargeError, folders["llama"][0], num_blocks=5000)
    assert "the model with its cache takes about" in message
    # Weights take 100 KB, and a cache of so many blocks as much.
    irattn.Generator(folders["llama"][0], **SIZES)


@pytest.mark.parametrize("name", ["batch", "step_tokens", "context", "block_size", "num_blocks"])
def test_sizes_are_whole_numbers(folders, name):
    for size in (0, 1.5, True):
        assert f"{name}: expected a whole number" in refused(
            ArgumentError, folders["llama"][0], **{name: size}
        )


def test_other_wrong_arguments(folders, llama):
    folder = folders["llama"][0]
    assert "io_dtype" in refused(ArgumentError, folder, io_dtype="f8")
    assert "device: expected one of" in refused(UsageError, folder, device="gpu")
    message = refused(DeviceError, folder, device="emulator")
    assert message.startswith("device emulator: cannot run cpu code")
    assert message.endswith("; use device auto or another target")
    place = {"target": "gfx1100", "device": "emulator-schedules"}
    message = refused(DeviceError, folder, **place)
    assert message == "device emulator-schedules: takes NumPy arrays only"
    if driver_status("cuda").problem:
        message = refused(DeviceError, folder, target="sm_89", device="cuda")
        assert message.count("cuda: ") == 1
        assert message.endswith("; `irattn doctor` shows what is there")
    with pytest.raises(ArgumentError, match="prompts: expected a list"):
        llama.generate("Hello")
    with pytest.raises(ArgumentError, match="sampling: expected a Sampling, got float"):
        llama.request("Hello", 8, 0.5)
    for prompt in (None, 7, b"Hello"):
        assert "expected text or a list of token ids" in refused(ArgumentError, folder, prompt)
    assert "folder: expected a path" in refused(ArgumentError, None)
    assert llama.request(np.array([1, 2]), 8).prompt == (1, 2)
    with pytest.raises(ArgumentError, match="max_new_tokens: expected a whole number"):
        llama.request("Hello", 0)


def test_without_the_extra(folders, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert "pip install 'irattn[generate]'" in refused(UsageError, folders["llama"][0])


def test_importing_loads_no_package_of_the_extra():
    code = "import irattn.cli, irattn, sys; irattn.Generator; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
    assert "irattn.generation.generator" in loaded.split()
    assert not {"safetensors", "tokenizers", "iree.runtime"} & set(loaded.split())


# The command


def test_the_command_streams_texts_in_order(folders, llama):
    folder = folders["llama"][0]
    prompts = PROMPTS[:3]
    found = llama.generate(prompts, 6)
    flags = [*FLAGS, "--max-new-tokens=6", *(f"--prompt={prompt}" for prompt in prompts)]
    result = run("generate", folder, *flags)
    texts_said = [
        prompt + "".join(c if c.isprintable() else "\ufffd" for c in one.text)
        for prompt, one in zip(prompts, found, strict=True)
    ]
    numbered = [f"[{number}]\n{text}\n" for number, text in enumerate(texts_said, 1)]
    assert result.stdout == "\n".join(numbered)
    assert "found" not in result.stderr
    assert "decoding: 15 tokens in" in result.stderr
    assert "ran cpu code on device local-sync" in result.stderr
    reported = json.loads(run("generate", folder, "--json", *flags).stdout)
    assert [one["tokens"] for one in reported["prompts"]] == [list(one.tokens) for one in found]
    assert reported["figures"]["new_tokens"] == 18
    assert {one["outcome"] for one in reported["graphs"]} == {"found"}


def test_the_command_takes_standard_input(folders, llama):
    folder, flags = folders["llama"][0], (*FLAGS, "--max-new-tokens=2")
    command = ["generate", str(folder), *flags, "--prompt", "-"]
    expected = run("generate", folder, *flags, "--prompt", PROMPTS[0]).stdout
    # One alone is bare text, for what reads it.
    assert expected.startswith(PROMPTS[0])
    for given in (PROMPTS[0], f"{PROMPTS[0]}\n", f"{PROMPTS[0]}\r\n"):
        assert CliRunner().invoke(main, command, input=given).stdout == expected
    for given, words, reason in (
        (b"", [], "expected text on standard input, got none"),
        (b"\n", [], "expected text on standard input, got none"),
        (b"\xff", [], "expected text in UTF-8"),
        (b"a", ["--prompt", "-"], "standard input is read once"),
    ):
        result = CliRunner().invoke(main, [*command, *words], input=given)
        assert result.exit_code == 2
        assert f"Error: --prompt -: {reason}" in result.stderr


def test_only_what_prompts_need_is_compiled(folders, monkeypatch):
    """One of many tokens adds what it needs, and no more.

    With the artifacts of the test of graphs of some sizes.
    """
    monkeypatch.setattr("irattn.generation.generator._takes_any_tokens", lambda target: False)
    generator = irattn.Generator(folders["mistral"][0], **SIZES)
    assert generator.sizes.token_counts == (2, 8)
    built = []
    generator.load(built.append, [generator.request([1] * 2, 2)])
    layers = [one.name for one in built if one.name.startswith("layer")]
    assert layers == ["layer of 2 tokens"]
    count = len(built)
    (short,) = generator.generate([[1] * 2], 2)
    assert len(built) == count
    generator.generate([[2] * 11, [3] * 11], 1)
    assert [one.name for one in built[count:]] == ["layer of 8 tokens", "embedding of 8 tokens"]
    assert generator.generate([[1] * 2], 2) == [short]


def test_the_command_reads_prompts_together(folders):
    """With the artifacts of the test of prompts that are read together; by the old word, too."""
    folder, plain = folders["qwen3"]
    flags = [flag.replace("step-tokens", "chunk") for flag in FLAGS]
    flags += ["--max-new-tokens=2", "--json"]
    result = run("generate", folder, *flags, *(f"--prompt={prompt}" for prompt in PROMPTS[:2]))
    assert "Note: --chunk is called --step-tokens now" in result.stderr
    reported = json.loads(result.stdout)
    assert "layer of up to 8 tokens" in {one["graph"] for one in reported["graphs"]}
    assert reported["figures"]["prefill_steps"] == 1
    for one in reported["prompts"]:
        assert one["tokens"] == plain.greedy(one["prompt_tokens"], 2)


def test_the_command_fails_in_words(tmp_path):
    result = run("generate", tmp_path, "--prompt", "Hello", code=2)
    assert "has no config.json" in result.stderr


def test_machine_code_gives_the_same_tokens(folders):
    """The artifacts for an AMD GPU, in the emulator: all graphs of the model on one device."""
    folder, plain = folders["llama"]
    sizes = {"batch": 2, "step_tokens": 4, "context": 16, "block_size": 4}
    generator = irattn.Generator(folder, target="gfx1100", device="emulator", **sizes)
    found = generator.generate(["He", "a"], 3)
    assert [one.tokens for one in found] == expected_of(generator, plain, ["He", "a"], 3)
    assert set(generator.where.values()) == {"gfx1100 code on device emulator"}


@pytest.mark.parametrize("name", CONFIGS)
def test_the_tokens_of_transformers(folders, name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder, _ = folders[name]
    generator = irattn.Generator(folder, **SIZES)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    for found in generator.generate(PROMPTS, 12):
        ids = torch.tensor([found.prompt])
        every = model.generate(ids, max_new_tokens=12, do_sample=False, pad_token_id=0)
        assert tuple(every[0, ids.shape[1] :].tolist()) == found.tokens
