"""The process of a side: `python -m irattn.lab.benchmark.worker SIDE THREADS DEVICE`.

It reads questions from its input and writes answers to its output, pickled: a question is the name
of one of the side's methods with arguments, an answer whether it went well with what came.
"""

import os
import pickle
import sys
from importlib import import_module
from typing import Any

from irattn.core.errors import IrattnError
from irattn.lab.benchmark.problems import NoWayError


def main() -> None:
    """Answer until there are no more questions."""
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not come between the answers.
    os.dup2(2, 1)
    name, threads, device = sys.argv[1:]
    side: Any = None
    while True:
        try:
            verb, arguments = pickle.load(questions)
        except EOFError:
            return
        try:
            if side is None:
                module = import_module(f"irattn.lab.benchmark.sides.{name}")
                side = module.Side(int(threads), device)
            answer = ("done", getattr(side, verb)(*arguments))
        except (NoWayError, IrattnError) as error:
            answer = ("refused", error)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
