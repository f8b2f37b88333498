"""Renews the certificate of an artifact of the same machine code with another text."""

from dataclasses import replace

from irattn.binary.launches import LaunchPlan, launch_plan_and_files
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


def renew_certificate(
    certificate: Certificate, artifact: Artifact, before: Artifact | None = None
) -> Certificate:
    """The certificate of the same machine code beside another `module.mlir` or manifest.

    `module.vmfb` is the same, or that of `before`, the artifact that the certificate is of, has the
    same code objects and launches. What needs no execution is proved again; what executions have
    shown is of the code, and stands as stated. CertificateError where the code, the spec, or the
    versions of what proved it are others.
    """
    subjects, described, versions = subjects_of(artifact), description_of(artifact), versions_here()
    module = certificate.subjects[VMFB]
    if before and subjects_of(before)[VMFB] == module and _launched(before) == _launched(artifact):
        module = subjects[VMFB]
    compared = {
        VMFB: (module, subjects[VMFB]),
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


def _launched(artifact: Artifact) -> tuple[LaunchPlan, dict[str, bytes]]:
    plan, code_objects = launch_plan_and_files(artifact)
    return replace(plan, vmfb_sha256=""), code_objects
