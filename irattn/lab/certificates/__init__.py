"""Certificates: what is proved of an artifact and how, to be signed, and proved again by others."""

from irattn.lab.certificates.certificate import Certificate, certify_artifact
from irattn.lab.certificates.checking import Check, check_certificate
from irattn.lab.certificates.claims import Claim
from irattn.lab.certificates.proofs import Settings
from irattn.lab.certificates.reading import read_certificate
from irattn.lab.certificates.several import certify_each, check_each, renew_each
from irattn.lab.certificates.sources import artifacts_at

__all__ = [
    "Certificate",
    "Check",
    "Claim",
    "Settings",
    "artifacts_at",
    "certify_artifact",
    "certify_each",
    "check_certificate",
    "check_each",
    "read_certificate",
    "renew_each",
]
