"""Renews the certificate of an artifact whose text is another, and whose module is the same."""

from dataclasses import replace

from irattn.binary.manifest import VMFB
from irattn.compiling.artifact import Artifact
from irattn.core.errors import CertificateError
from irattn.lab.certificates.certificate import (
    Certificate,
    description_of,
    subjects_of,
    versions_here,
)
from irattn.lab.certificates.proofs import prove_without_executing


def renew_certificate(certificate: Certificate, artifact: Artifact) -> Certificate:
    """The certificate of the same `module.vmfb` beside another `module.mlir` or manifest.

    What needs no execution is proved again; what executions have shown is of the module, and
    stands as stated. CertificateError where the module, the spec, or the versions of what proved
    it are others.
    """
    subjects, described, versions = subjects_of(artifact), description_of(artifact), versions_here()
    compared = {
        VMFB: (certificate.subjects[VMFB], subjects[VMFB]),
        **{of: (certificate.artifact[of], described[of]) for of in ("name", "target", "spec")},
        "versions": (certificate.versions, versions),
    }
    for what, (stated, found) in compared.items():
        if stated != found:
            raise CertificateError(
                f"{certificate.name} for {certificate.target}: {what}: the certificate says "
                f"{stated!r:.200}, found {found!r:.200}; certify the artifact without --renew"
            )
    again = {claim.name: claim for claim in prove_without_executing(artifact)}
    claims = tuple(again.get(claim.name, claim) for claim in certificate.claims)
    return replace(certificate, subjects=subjects, artifact=described, claims=claims)
