"""Read certificates, and refuse what is none."""

from pathlib import Path
from typing import Any

from irattn.binary.manifest import CERTIFICATE_SUFFIX, MANIFEST, MLIR, VMFB
from irattn.compiling.artifact import PLAIN_NAME
from irattn.core.errors import ArtifactError, CertificateError, printable
from irattn.core.strict_json import TYPE_NAMES, check_names, parse_json
from irattn.lab.certificates.certificate import PREDICATE, STATEMENT, Certificate
from irattn.lab.certificates.claims import SAYS, STATUSES, Claim
from irattn.lab.certificates.proofs import Settings
from irattn.targets import is_target

_FILES = (VMFB, MLIR, MANIFEST)
_PREDICATE_FIELDS = (
    *("summary", "artifact", "versions", "settings"),
    *("claims", "not_seen", "proved_again_by"),
)
_AGAIN = "certify the artifact again: `irattn certify ARTIFACT`"


def read_certificate(path: Path) -> Certificate:
    """The certificate in a file; CertificateError where it is none, or not one of this version."""
    try:
        return _certificate(parse_json(path.read_bytes()))
    except (ArtifactError, CertificateError) as error:
        raise CertificateError(f"{path}: {printable(error)}; {_AGAIN}") from error
    except OSError as error:
        raise CertificateError(f"{path}: not readable: {error.strerror or error}") from error


def certificates_in(folder: Path) -> list[Path]:
    """The certificates of a folder, in order of their paths."""
    depths = ("", "*/", "*/*/")
    return sorted(
        {file for depth in depths for file in folder.glob(f"{depth}*{CERTIFICATE_SUFFIX}")}
    )


def _certificate(fields: dict[str, Any]) -> Certificate:
    if fields.get("_type") != STATEMENT:
        hint = "; of a signed one, give the payload" if "dsseEnvelope" in fields else ""
        raise CertificateError(
            f"_type: expected {STATEMENT}, got {fields.get('_type')!r:.60}{hint}"
        )
    if fields.get("predicateType") != PREDICATE:
        raise CertificateError(
            f"predicateType: expected {PREDICATE}, got {fields.get('predicateType')!r:.60}"
        )
    check_names(fields, ("_type", "subject", "predicateType", "predicate"), "statement: ")
    predicate = _typed("predicate", fields["predicate"], dict)
    check_names(predicate, _PREDICATE_FIELDS, "predicate: ")
    artifact = _typed("artifact", predicate["artifact"], dict)
    for name in ("name", "target", "key"):
        _typed(f"artifact.{name}", artifact.get(name), str)
    if not PLAIN_NAME.fullmatch(artifact["name"]) or not is_target(artifact["target"]):
        raise CertificateError(
            f"artifact: expected a plain name and a target, got {artifact['name']!r:.80} and "
            f"{artifact['target']!r:.40}"
        )
    made = Certificate(
        subjects=_subjects(fields["subject"], f"{artifact['target']}/{artifact['name']}"),
        artifact=artifact,
        versions=_typed("versions", predicate["versions"], dict),
        settings=_settings(_typed("settings", predicate["settings"], dict)),
        claims=_claims(_typed("claims", predicate["claims"], list)),
    )
    _check_summary(made, predicate["summary"])
    return made


def _check_summary(made: Certificate, stated: object) -> None:
    try:
        summary = made.summary
    except (KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"claims: a figure is missing or no number: {error!r}") from error
    if stated != summary:
        raise CertificateError("summary: says something else than the claims")


def _subjects(listed: object, folder: str) -> dict[str, str]:
    digests = {}
    for one in _typed("subject", listed, list):
        subject = _typed("subject", one, dict)
        check_names(subject, ("name", "digest"), "subject: ")
        digest = _typed("digest", subject["digest"], dict)
        check_names(digest, ("sha256",), "digest: ")
        digests[subject["name"]] = _typed("sha256", digest["sha256"], str)
    expected = [f"{folder}/{file}" for file in _FILES]
    if list(digests) != expected:
        raise CertificateError(f"subject: expected {', '.join(expected)}, got {', '.join(digests)}")
    return dict(zip(_FILES, digests.values(), strict=True))


def _settings(fields: dict[str, Any]) -> Settings:
    check_names(fields, tuple(Settings().to_dict()), "settings: ")
    for name, value in fields.items():
        if type(value) is not int or value < 0:
            raise CertificateError(f"settings.{name}: expected a whole number, got {value!r:.40}")
    return Settings(**fields)


def _claims(listed: list[Any]) -> tuple[Claim, ...]:
    claims = tuple(_claim(_typed("claims", one, dict)) for one in listed)
    names = [claim.name for claim in claims]
    if names != list(SAYS):
        raise CertificateError(f"claims: expected {', '.join(SAYS)}, got {', '.join(names)}")
    return claims


def _claim(fields: dict[str, Any]) -> Claim:
    name = _typed("claim", fields.get("claim"), str)
    if name not in SAYS:
        raise CertificateError(f"claim: expected one of {', '.join(SAYS)}, got {name!r:.40}")
    if fields.get("says") != SAYS[name]:
        raise CertificateError(f"{name}.says: expected {SAYS[name]!r}")
    if fields.get("status") not in STATUSES:
        known, got = ", ".join(STATUSES), repr(fields.get("status"))
        raise CertificateError(f"{name}.status: expected one of {known}, got {got:.40}")
    rest = {key: value for key, value in fields.items() if key not in ("claim", "says")}
    for key, kind in (("how", str), ("why", str), ("figures", dict)):
        if key in rest:
            _typed(f"{name}.{key}", rest[key], kind)
    for key in rest.keys() - {"status", "how", "why", "figures"}:
        raise CertificateError(f"{name}.{key:.40}: not a field")
    return Claim(name, **rest)


def _typed(name: str, value: Any, kind: type) -> Any:
    if type(value) is not kind:
        got = TYPE_NAMES.get(type(value), type(value).__name__)
        raise CertificateError(f"{name}: expected {TYPE_NAMES[kind]}, got {got}")
    return value
