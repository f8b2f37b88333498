"""The parameters of small models, read from folders and GGUF files, and folders of random ones."""

import json
from types import SimpleNamespace

import numpy as np

from irattn.generation.folder import ModelFolder
from irattn.generation.model_graphs import graphs_of
from irattn.generation.parameters import parameters_of
from irattn.generation.sizes import Sizes
from irattn.generation.weights import Weights
from support.model_folder import write_tokenizer


def graphs_of_small(model):
    return graphs_of(model, Sizes.of_model(model, batch=2, context=64), None)


def parts_of(model, weights):
    graphs = graphs_of_small(model)
    return graphs, parameters_of(model, graphs, weights)


def pieces_of(parameters):
    """Each parameter by its place."""
    layers = enumerate(parameters.layers)
    places = ("positions", "split", "join", "head_bias")
    some = {place: getattr(parameters, place) for place in places}
    return {
        "embedding": parameters.embedding,
        **{name: pieces for name, pieces in some.items() if pieces is not None},
        **{
            f"{number} {name}": pieces for number, layer in layers for name, pieces in layer.items()
        },
        **{f"embedding {name}": pieces for name, pieces in parameters.embedding_norm.items()},
        **parameters.norm,
        "head": parameters.head,
    }


_NO_FILES = SimpleNamespace(names=(), shape_of=lambda name: None)


def write_folder(path, config):
    """A folder with random weights; gives them."""
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(config))
    write_tokenizer(path / "tokenizer.json")
    _, parameters = parts_of(ModelFolder(path), _NO_FILES)
    rng = np.random.default_rng(0)
    tensors = {
        name: rng.standard_normal(shape).astype(np.float32)
        for pieces in pieces_of(parameters).values()
        for name, shape in pieces.shapes.items()
    }
    from safetensors.numpy import save_file

    save_file(tensors, path / "model.safetensors")
    return tensors


def read_of(model):
    """The layers of a model and its parameters."""
    weights = Weights(model)
    graphs, parameters = parts_of(model, weights)
    parameters.check(weights)
    arrays = {key: one.read(weights, "f32") for key, one in pieces_of(parameters).items()}
    return graphs, arrays
