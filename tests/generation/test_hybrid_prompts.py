"""Prompts of a hybrid model share what they begin with, where states are kept."""

from dataclasses import replace

import numpy as np
import pytest

import irattn
from irattn.core.errors import ArgumentError, OutOfBlocksError
from irattn.generation import Sizes
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from support.joined import build_together
from support.model_folder import SIZES as OF_MODEL
from support.model_folder import shapes_of, write_model

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

CONFIG = {
    **OF_MODEL,
    **{"model_type": "qwen3_5_text", "attn_output_gate": True, "tie_word_embeddings": True},
    "layer_types": ["linear_attention", "full_attention"],
    **{"linear_num_key_heads": 1, "linear_num_value_heads": 2, "linear_conv_kernel_dim": 4},
    **{"linear_key_head_dim": 8, "linear_value_head_dim": 12},
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
}
SIZES = {"batch": 2, "step_tokens": 40, "context": 64, "block_size": 4}
PROMPT = "The quick brown fox jumps over it"


# Of as many layers, and as long texts, as models have more than one of.
LONG = {
    **{**CONFIG, "num_hidden_layers": 8, "max_position_embeddings": 2048},
    "layer_types": (["linear_attention"] * 3 + ["full_attention"]) * 2,
}
LONG_SIZES = {"batch": 3, "step_tokens": 256, "context": 2048, "block_size": 16}


def hybrid_tensors(config):
    """Tensors of delta nets in place of attention, and queries with gates in the other layers."""
    shapes = shapes_of(config)
    for number, kind in enumerate(config["layer_types"]):
        shapes = {"full_attention": of_attention, "linear_attention": of_delta}[kind](
            shapes, number
        )
    rng = np.random.default_rng(0)
    return {n: 0.3 * rng.standard_normal(s, dtype=np.float32) for n, s in shapes.items()}


def of_attention(shapes, number):
    before = f"model.layers.{number}.self_attn."
    norms = {f"{before}{name}_norm.weight": (8,) for name in "qk"}
    return {**shapes, f"{before}q_proj.weight": (64, 32), **norms}


def of_delta(shapes, number):
    attention = f"model.layers.{number}.self_attn."
    delta = {
        **{"in_proj_qkv.weight": (40, 32), "in_proj_z.weight": (24, 32)},
        **{"in_proj_b.weight": (2, 32), "in_proj_a.weight": (2, 32), "conv1d.weight": (40, 1, 4)},
        **{"A_log": (2,), "dt_bias": (2,), "norm.weight": (12,), "out_proj.weight": (32, 24)},
    }
    others = {name: shape for name, shape in shapes.items() if not name.startswith(attention)}
    own = {f"model.layers.{number}.linear_attn.{name}": shape for name, shape in delta.items()}
    return {**others, **own}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("hybrid")
    write_model(path, CONFIG, hybrid_tensors(CONFIG))
    return path


@pytest.fixture(scope="module")
def long_folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("long")
    write_model(path, LONG, hybrid_tensors(LONG))
    return path


@pytest.fixture(scope="module", autouse=True)
def compiled_together(folder, long_folder):
    """Layers of both models share kernels, which the compiler then has once."""
    layers = []
    for path, sizes in ((folder, SIZES), (long_folder, LONG_SIZES)):
        read = ModelFolder(path)
        phases = graphs_of(read, Sizes.of_model(read, **sizes), None).phases
        layers += [spec for phase in phases for spec in phase.layers]
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, layers)
        yield


@pytest.fixture(scope="module")
def roomy(folder):
    return irattn.Generator(folder, **SIZES)


@pytest.fixture
def generator(roomy, monkeypatch):
    """The roomy generator, in steps of fewer tokens than its graphs take; nothing is kept yet."""
    monkeypatch.setattr(roomy, "sizes", replace(roomy.sizes, step_tokens=16))
    forget(roomy)
    return roomy


def forget(generator):
    """Let nothing be kept of what was computed, if anything was."""
    if generator._model is not None:
        generator._model.cache.evict()
        generator._model.states.evict()


def likelihoods_of(generator, prompts, watched=0, keeps=False):
    """The tokens of one of some prompts with their likelihoods, and what all reused."""
    requests = [generator.request(prompt, 6, logprobs=0) for prompt in prompts]
    for request in requests:
        request.keeps = keeps
    list(generator.run(requests))
    told = [(one.token, one.logprob) for one in requests[watched].likelihoods]
    return told, generator.figures.reused_tokens


def test_what_prompts_share_is_not_computed_again(generator):
    """Likelihoods are the same bits, alone and in company, and reuse ends where states are kept."""
    first, reused = likelihoods_of(generator, [PROMPT])
    assert reused == 0
    again, reused = likelihoods_of(generator, [PROMPT])
    assert (again, reused) == (first, 32)
    # The first step's end of 16 tokens is in common, and kept.
    beside, reused = likelihoods_of(generator, [PROMPT[:20] + "xyz and more", PROMPT], 1)
    assert (beside, reused) == (first, 16 + 32)
    # What is kept makes room for what others need: after four tokens another prompt's are.
    beside, reused = likelihoods_of(generator, [PROMPT[:7], "as long as that", PROMPT], 2)
    assert ([token for token, _ in beside], reused) == ([token for token, _ in first], 4)
    assert len({token for token, _ in first}) > 2


def test_company_that_cuts_a_prompt_elsewhere_changes_no_bit(roomy):
    """Delta nets take some tokens at once: the room that others leave must not cut them apart."""
    prompt = (PROMPT * 2)[:50]
    forget(roomy)
    alone, _ = likelihoods_of(roomy, [prompt])
    forget(roomy)
    # One token less of room.
    beside, reused = likelihoods_of(roomy, ["x", prompt], 1)
    assert (beside, reused) == (alone, 0)


def test_a_conversation_goes_on_from_its_last_block(generator):
    told, _ = likelihoods_of(generator, [PROMPT], keeps=True)
    longer = [*generator.tokenizer.encode(PROMPT), *(token for token, _ in told)]
    found, reused = likelihoods_of(generator, [longer])
    assert reused == 36
    generator._model.states.evict()
    anew, reused = likelihoods_of(generator, [longer])
    assert reused == 0
    assert [token for token, _ in anew] == [token for token, _ in found]
    np.testing.assert_allclose([p for _, p in anew], [p for _, p in found], atol=1e-4)


def test_long_and_short_prompts_join_and_leave_and_are_as_alone(long_folder):
    """Of 1 to 2,000 tokens, through eight layers, in batches of three: bits of likelihoods."""
    generator = irattn.Generator(long_folder, **LONG_SIZES)
    rng = np.random.default_rng(1)
    prompts = [rng.integers(0, 300, count).tolist() for count in (2000, 1, 17, 650, 5, 256, 33)]
    together = [generator.request(ids, 8, logprobs=0) for ids in prompts]
    for _ in generator.run(together):
        if len(together[3].tokens) == 2:
            # Its place is another's from now on.
            together[3].cancel()
    for ids, beside in zip(prompts, together, strict=True):
        forget(generator)
        alone = generator.request(ids, 8, logprobs=0)
        list(generator.run([alone]))
        found, expected = (
            [(told.token, told.logprob) for told in one.likelihoods] for one in (beside, alone)
        )
        assert found == expected[: len(found)]
        assert len(found) == (2 if beside is together[3] else 8)


def test_prompts_of_models_without_attention_share_what_they_begin_with(tmp_path):
    """Tokens of models that keep states alone are counted in blocks, in which nothing lies."""
    config = {**CONFIG, "layer_types": ["linear_attention"] * 2}
    write_model(tmp_path, config, hybrid_tensors(config))
    generator = irattn.Generator(tmp_path, **SIZES)
    first, reused = likelihoods_of(generator, [PROMPT])
    assert reused == 0
    assert len({token for token, _ in first}) > 2
    again, reused = likelihoods_of(generator, [PROMPT])
    assert (again, reused) == (first, 32)
    forget(generator)
    prompts = ["x", PROMPT, "The quick red fox and more", "as long as that"]
    beside, _ = likelihoods_of(generator, prompts, 1)
    assert beside == first
    assert generator._model.cache.sequences == []


def test_models_without_attention_have_as_many_tokens_as_their_blocks(tmp_path):
    config = {**CONFIG, "layer_types": ["linear_attention"] * 2}
    write_model(tmp_path, config, hybrid_tensors(config))
    with pytest.raises(OutOfBlocksError, match="num_blocks"):
        irattn.Generator(tmp_path, **SIZES, num_blocks=8).request(PROMPT, 6)
    with pytest.raises(ArgumentError, match="context"):
        irattn.Generator(tmp_path, **SIZES).request(PROMPT * 2, 6)
