"""Whether compiled code computes what its spec says: it runs beside the float64 reference."""

from irattn.lab.verification.accuracy import Accuracy, measure, measured, strain
from irattn.lab.verification.artifacts import Verdict, verify_artifact, verify_entry, verify_spec
from irattn.lab.verification.cases import KnownCase, known_case, known_cases
from irattn.lab.verification.stages import StagesVerdict, StageVerdict, verify_stages
from irattn.lab.verification.verifier import Verifier

__all__ = [
    "Accuracy",
    "KnownCase",
    "StageVerdict",
    "StagesVerdict",
    "Verdict",
    "Verifier",
    "known_case",
    "known_cases",
    "measure",
    "measured",
    "strain",
    "verify_artifact",
    "verify_entry",
    "verify_spec",
    "verify_stages",
]
