"""Families of language models: the tokens of transformers' models, and how likely these are.

Llama, Mistral, Qwen 2 and Qwen 3 are in the tests of generation.
"""

import pytest

pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[transformers]'")
pytest.importorskip("transformers", reason="needs: pip install 'irattn[transformers]'")
pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")

import irattn
from support.family_models import (
    FAMILIES,
    SIZES,
    assert_tokens_of,
    layers_of,
    nearness,
    write_family,
)
from support.joined import build_together

pytestmark = pytest.mark.slow


def asked_for(request):
    """The families whose tests run, in their order."""
    tests = [one for one in request.session.items if one.path == request.path]
    names = {one.callspec.params["name"] for one in tests}
    return [name for name in FAMILIES if name in names]


@pytest.fixture(scope="module")
def folders(request, tmp_path_factory):
    """The folder of each model that is asked for, and the model; layers are compiled together."""
    root, layers, made = tmp_path_factory.mktemp("families"), [], {}
    for name in asked_for(request):
        model = write_family(root / name, name)
        layers += layers_of(root / name)
        made[name] = (root / name, model)
    with pytest.MonkeyPatch.context() as patch:
        build_together(patch, layers)
        yield made


@pytest.mark.parametrize("name", ["llama4"])
def test_chunks_give_the_same_bits_alone_and_in_company(folders, name):
    """Of texts that go on through three chunks, each of which begins in another step."""
    generator = irattn.Generator(folders[name][0], **SIZES)
    prompts = [[7, 3, 9, 4, 5], [8, 2, 6]]
    together = [generator.request(ids, 25, logprobs=3) for ids in prompts]
    list(generator.run(together))
    for ids, one in zip(prompts, together, strict=True):
        alone = generator.request(ids, 25, logprobs=3)
        list(generator.run([alone]))
        found, expected = (
            [told.likeliest for told in request.likelihoods] for request in (alone, one)
        )
        assert found == expected


@pytest.mark.parametrize(("name", "io_dtype"), [("granite", "bf16"), ("olmo2", "f16")])
def test_narrow_types_are_as_near_as_transformers(folders, name, io_dtype):
    """Logarithms of likelihoods beside those of f32, and tokens of transformers' in that type."""
    near = nearness(*folders[name], io_dtype)
    assert near.ours <= 2 * near.theirs
    # Where two logits are as near as their rounding, the other may come first.
    assert near.equal >= near.count - 2


@pytest.mark.parametrize("name", FAMILIES)
def test_the_tokens_of_transformers(folders, name):
    """The likeliest ones, and the logarithms of their likelihoods to f32's own rounding."""
    path, model = folders[name]
    generator = irattn.Generator(path, **SIZES)
    assert_tokens_of(model, generator)
