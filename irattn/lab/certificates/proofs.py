"""Proves all claims of a certificate, one after the other."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from irattn.compiling.artifact import Artifact
from irattn.core.errors import DeviceError, EmulatorError, TooLargeError
from irattn.core.progress import steps
from irattn.lab.certificates import executed, static
from irattn.lab.certificates.batch_invariance import batch_invariance
from irattn.lab.certificates.claims import SAYS, Claim, does_not_apply, not_proved, refuted
from irattn.lab.certificates.executions import Emulation, NotExecutedError, execution_of
from irattn.lab.emulator.faults import UnknownInstructionError

# Claims of AMD code that is executed; a CPU's code runs as it is.
_OF_WAVES = ("schedules", "mutants")


@dataclass(frozen=True)
class Settings:
    """How thorough proofs are: `workgroups` of each kernel that are executed, 0 for all; how many
    mutants; what all that is random is drawn with.
    """

    workgroups: int = 32
    mutants: int = 8
    seed: int = 0

    def to_dict(self) -> dict[str, int]:
        """JSON form."""
        return asdict(self)


def prove(artifact: Artifact, settings: Settings) -> tuple[Claim, ...]:
    """All claims, in the order of `SAYS`."""
    made = {claim.name: claim for claim in prove_without_executing(artifact)}
    made |= {claim.name: claim for claim in _executed(artifact, settings)}
    return tuple(made[name] for name in SAYS)


def prove_without_executing(artifact: Artifact) -> list[Claim]:
    """The claims about the files of an artifact, and about its code as it stands."""
    proofs = (static.files, static.text, static.waits, static.opcodes)
    return [prove_one(artifact) for prove_one in steps(proofs, lambda one: one.__name__)]


def _executed(artifact: Artifact, settings: Settings) -> list[Claim]:
    names = ("numbers", "hidden", "batch_invariance", *_OF_WAVES)
    try:
        execution = execution_of(artifact, settings.workgroups, settings.seed)
    except NotExecutedError as error:
        return [not_proved(name, str(error)) for name in names]
    evidence = executed.Evidence(execution, artifact.spec, settings.seed)
    proofs: dict[str, Callable[[], Claim]] = {
        "numbers": partial(executed.numbers, evidence),
        "hidden": partial(executed.hidden, evidence),
        "batch_invariance": partial(batch_invariance, evidence),
        "schedules": partial(executed.schedules, evidence),
        "mutants": partial(executed.mutants, evidence, settings.mutants),
    }
    claims: list[Claim] = []
    for name in steps(names, str):
        if name in _OF_WAVES and not isinstance(execution, Emulation):
            claims.append(does_not_apply(name, "the emulator executes AMD code only"))
        elif claims and not evidence.kept:
            claims.append(not_proved(name, "no call came to its end: see numbers"))
        else:
            claims.append(_attempt(name, proofs[name]))
    return claims


def _attempt(name: str, prove_one: Callable[[], Claim]) -> Claim:
    """A claim, or what stopped its proof."""
    try:
        return prove_one()
    except TooLargeError as error:
        return not_proved(name, str(error))
    except (EmulatorError, DeviceError) as error:
        if isinstance(error.__cause__, UnknownInstructionError):
            return not_proved(name, str(error))
        return refuted(name, "executed", str(error))
