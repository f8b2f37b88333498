"""Text over quantised caches: beside exact ones, in company, by the command; what is refused."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import irattn
from irattn.cli import main
from irattn.core.errors import RenderError, SpecError
from irattn.generation import Sizes
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from support.model_folder import config_of, write_model

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

pytestmark = pytest.mark.slow

SIZES = {"batch": 2, "step_tokens": 16, "context": 48, "block_size": 4}
PROMPTS = ["The quick brown fox jumps", "Hello", "over the lazy"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model whose heads have as many columns as blocks of four bits need."""
    path = tmp_path_factory.mktemp("models") / "llama"
    write_model(path, config_of("llama", head_dim=32))
    return path


@pytest.fixture(scope="module")
def exact(folder):
    """The logits over exact caches."""
    return logits_of(irattn.Generator(folder, **SIZES), PROMPTS[:1])


def logits_of(generator, prompts):
    """The logits after the last token of the first prompt."""
    batch, seen = generator.batch(), []
    requests = [generator.request(one, 1, logprobs=0) for one in prompts]
    requests[0].note = lambda token, row: seen.append(row.copy())
    for request in requests:
        batch.add(request)
    while not batch.is_idle:
        batch.step()
    return seen[0]


def test_logits_are_near_those_of_exact_caches_and_no_others(folder, exact):
    quantised = irattn.Generator(folder, cache_dtype="int8", **SIZES)
    alone = logits_of(quantised, PROMPTS[:1])
    off = np.linalg.norm(alone - exact) / np.linalg.norm(exact)
    assert 1e-5 < off < 1e-2
    assert quantised._model.cache.caches(0)[0].dtype == np.int8
    quantised._model.cache.evict()
    np.testing.assert_array_equal(logits_of(quantised, PROMPTS), alone)


def test_four_bits_are_less_near(folder, exact):
    found = logits_of(irattn.Generator(folder, cache_dtype="int4", **SIZES), PROMPTS[:1])
    assert 1e-3 < np.linalg.norm(found - exact) / np.linalg.norm(exact) < 1e-1


def test_the_command_takes_it(folder):
    words = [str(folder), "--prompt", PROMPTS[0], "--max-new-tokens", "2", "--json"]
    sizes = [f"--{name.replace('_', '-')}={size}" for name, size in SIZES.items()]
    result = CliRunner().invoke(main, ["generate", *words, *sizes, "--cache-dtype", "int8"])
    assert result.exit_code == 0, result.output
    assert len(json.loads(result.stdout)["prompts"][0]["tokens"]) == 2


def test_the_cache_takes_half_of_the_bytes(tmp_path):
    write_model(tmp_path, config_of("llama"))
    read = ModelFolder(tmp_path)
    sizes = Sizes.of_model(read, **SIZES | {"num_blocks": 4000})
    exact, quantised = (
        graphs_of(read, sizes, "f16", cache_dtype).bytes for cache_dtype in (None, "fp8_e4m3")
    )
    # Of 8 columns, the scale is half as much as the numbers.
    assert quantised < 0.8 * exact


def test_heads_that_no_gpu_reads_are_refused(folder):
    with pytest.raises(RenderError, match="cache_dtype: in a fused graph expected a chip"):
        irattn.Generator(
            folder, cache_dtype="int8", target="gfx1100", device="emulator", **SIZES
        ).load()


def test_a_type_that_is_none(folder):
    with pytest.raises(SpecError, match="cache_dtype: expected one of"):
        irattn.Generator(folder, cache_dtype="int3", **SIZES)
