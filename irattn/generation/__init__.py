"""A language model from its folder to tokens: read, compiled, put on a device, and run."""

from irattn.compiling.several import Built
from irattn.generation.batch import Batch
from irattn.generation.choice import Likelihood, Sampling
from irattn.generation.conversation import Conversation
from irattn.generation.figures import Figures
from irattn.generation.generator import Generated, Generator, Token
from irattn.generation.requests import Request
from irattn.generation.sizes import Sizes

__all__ = [
    "Batch",
    "Built",
    "Conversation",
    "Figures",
    "Generated",
    "Generator",
    "Likelihood",
    "Request",
    "Sampling",
    "Sizes",
    "Token",
]
