"""All that generating with a GGUF file reads of it before the first graph is compiled."""

from irattn.generation.chat import ChatTemplate
from irattn.generation.gguf_model import model_at
from irattn.generation.model_graphs import graphs_of
from irattn.generation.parameters import parameters_of
from irattn.generation.sizes import Sizes
from irattn.generation.texts import Tokenizer
from irattn.generation.weights import Weights


def use(path):
    """The ids of a text, and the text of two ids; reads graphs, parameters and the template."""
    model = model_at(path)
    weights = Weights(model)
    graphs = graphs_of(model, Sizes.of_model(model, batch=1, context=8), None)
    parameters = parameters_of(model, graphs, weights)
    parameters.check(weights)
    parameters.embedding.read(weights, "f32")
    model.end_tokens, model.sampling  # noqa: B018
    tokenizer = Tokenizer(model)
    ChatTemplate(model).render([{"role": "user", "content": "ab"}])
    return tokenizer.encode("ab ab"), tokenizer.decode([3, 4])
