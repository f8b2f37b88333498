"""The errors that stop an emulated kernel, before it is known at which instruction."""

import numpy as np


class FaultError(Exception):
    """A mistake of the code that runs; `lanes` says which lanes made it, as bool [waves, lanes]."""

    def __init__(self, message: str, lanes: np.ndarray | None = None) -> None:
        super().__init__(message)
        self.lanes = lanes


class UnknownInstructionError(Exception):
    """An instruction, or a form of it, that the emulator does not execute."""
