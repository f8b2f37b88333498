"""Steps of sequences that share a prefix: it is read once, and the tokens stay the same."""

import numpy as np
import pytest

import irattn
from irattn.generation import Sizes, generator
from irattn.generation.cascades import Cascade
from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from irattn.generation.steps import BatchStep
from irattn.kvcache.cascade import LEAST_BYTES_OF_CPUS
from support.joined import build_together
from support.model_folder import config_of, write_model
from support.plain_model import PlainModel

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

pytestmark = pytest.mark.slow

SIZES = {"batch": 8, "step_tokens": 40, "context": 64, "block_size": 4}
# Two prefixes in turn: those that share one are no neighbours.
PREFIXES = ("Once upon a time there was a king, ", "It was the best of times, it was ")
PROMPTS = [PREFIXES[n % 2] + tail for n, tail in enumerate("abcdefgh")]
COUNT = 6


@pytest.fixture(scope="module", autouse=True)
def compiled_together(tmp_path_factory):
    """The layers with a window and without share kernels, which the compiler then has once."""
    folder, config = tmp_path_factory.mktemp("layers"), config_of("qwen2")
    write_model(folder, config)
    read = ModelFolder(folder)
    phases = graphs_of(read, Sizes.of_model(read, **SIZES), None).phases
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, [spec for phase in phases for spec in phase.layers])
        yield


@pytest.fixture(scope="module", params=["all see everything", "one has a window"])
def model(request, tmp_path_factory):
    """A model whose layers all see everything, and one of which one has a window.

    The layers of the first are those of the second without a window: these are compiled once.
    """
    folder, config = tmp_path_factory.mktemp("qwen2"), config_of("qwen2")
    if request.param == "all see everything":
        config |= {"use_sliding_window": False, "layer_types": ["full_attention"] * 2}
    return folder, PlainModel(config, write_model(folder, config))


def test_eight_requests_read_their_prefixes_once(model, monkeypatch):
    folder, plain = model
    monkeypatch.setattr(generator, "LEAST_BYTES_OF_CPUS", 1)
    visits, real = [], BatchStep._named

    def count(step, arrays, names, *args):
        """The blocks that the rows of a step's tables make the first layer visit."""
        if "context_lens" in names and args[-1] == " 0":
            lengths = [arrays["context_lens"], arrays.get("shared_lens", np.zeros(1, int))]
            visits.append(sum(int((-(-one // 4)).sum()) for one in lengths))
        return real(step, arrays, names, *args)

    monkeypatch.setattr(BatchStep, "_named", count)
    found, figures, read = [], [], []
    for cascade in (True, False):
        made = irattn.Generator(folder, **SIZES, cascade=cascade)
        visits.clear()
        found.append([one.tokens for one in made.generate(PROMPTS, COUNT)])
        figures.append(made.figures)
        read.append(sum(visits))
        assert any(what.startswith("cascade ") for what in made.where) == cascade
    assert found[0] == found[1]
    ids = map(made.tokenizer.encode, PROMPTS)
    assert found[0] == [tuple(plain.greedy(prompt, COUNT)) for prompt in ids]
    with_it, without = figures
    # What is given together is shared, too: each prefix is computed once.
    assert with_it.reused_tokens == without.reused_tokens > 100
    assert without.cascade_steps == 0 < with_it.cascade_steps <= with_it.decode_steps
    assert read[0] < 0.75 * read[1]
    assert with_it.saved_tokens == 4 * (read[1] - read[0])


def test_what_a_batch_cannot_save_has_no_graphs(model):
    folder, _ = model
    made = irattn.Generator(folder, **SIZES)
    assert made._cascade is None
    phase, of_token = made._graphs.phases[0], 2 * 2 * 8 * 4
    most = 7 * 64 * of_token
    assert Cascade.of(phase, made.sizes, most).least_tokens == 7 * 64
    assert Cascade.of(phase, made.sizes, most + 1) is None
    assert most < LEAST_BYTES_OF_CPUS
