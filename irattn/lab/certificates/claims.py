"""A claim of a certificate: what it says of an artifact, and how far that is proved."""

from dataclasses import dataclass, field
from typing import Any

PROVED, REFUTED = "proved", "refuted"
NOT_PROVED, DOES_NOT_APPLY = "not proved", "does not apply"
STATUSES = (PROVED, REFUTED, NOT_PROVED, DOES_NOT_APPLY)

# What each claim says, in the order of a certificate.
SAYS = {
    "files": "module.mlir, module.vmfb and manifest.json are whole, and belong together",
    "text": "module.mlir is what irattn renders for the spec",
    "numbers": (
        "on these inputs, each element compared is as near to exact arithmetic as the roundings of "
        "its own computation allow"
    ),
    "hidden": "on this input, NaN or infinity where nothing counts changes no bit of an output",
    "batch_invariance": (
        "on this input, no bit of a sequence's outputs depends on the others in its batch, or on "
        "its place there"
    ),
    "schedules": "on this input, no order of waves changes a bit, and no waves race in LDS",
    "waits": "no register or LDS is used before what was loaded is there, and no hazard is missed",
    "opcodes": "every instruction of the machine code is known to the emulator",
    "mutants": "these proofs notice wrong code: single instructions deleted or altered",
}


@dataclass(frozen=True)
class Claim:
    """One claim: its name in `SAYS`, how far it is proved, by what, or why not, and figures."""

    name: str
    status: str
    how: str | None = None
    why: str | None = None
    figures: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """JSON form; what there is nothing to say of is left out."""
        said = {"how": self.how, "why": self.why, "figures": self.figures}
        return {
            "claim": self.name,
            "says": SAYS[self.name],
            "status": self.status,
            **{name: value for name, value in said.items() if value},
        }


def proved(name: str, how: str, **figures: Any) -> Claim:
    """A claim that holds."""
    return Claim(name, PROVED, how, figures=figures)


def refuted(name: str, how: str, why: str, **figures: Any) -> Claim:
    """A claim that does not hold."""
    return Claim(name, REFUTED, how, why, figures)


def not_proved(name: str, why: str, **figures: Any) -> Claim:
    """A claim that may hold."""
    return Claim(name, NOT_PROVED, why=why, figures=figures)


def does_not_apply(name: str, why: str) -> Claim:
    """A claim of something that the artifact does not have."""
    return Claim(name, DOES_NOT_APPLY, why=why)
