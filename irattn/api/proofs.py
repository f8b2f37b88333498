"""The verbs that say what artifacts do: compare and certify."""

from collections.abc import Iterable
from pathlib import Path

from irattn.api.given import count_of, folder_of, path_of
from irattn.compiling.artifact import Artifact
from irattn.core.errors import ArgumentError
from irattn.lab import certificates
from irattn.lab.certificates import Certificate, Check, Settings, certify_each, read_certificate
from irattn.lab.comparison import Comparison, compare_sources


def compare(
    baseline: Artifact | str | Path,
    candidate: Artifact | str | Path,
    *,
    baseline_revision: str | None = None,
    policy: str | Path | None = None,
    numerics: bool = True,
    execute: bool = False,
    seed: int = 0,
) -> Comparison:
    """Compare artifacts layer by layer, with a verdict and its reasons for each.

    A side is an artifact, its folder, a folder of artifacts (`<root>/<target>/<name>/`) or of
    baseline files (`<root>/<target>/<name>.json`), one such file, or `REVISION:PATH` of git; with
    `baseline_revision` the baseline's path is read as it was at that revision. Artifacts whose
    graph, flags or compiler changed are run against the reference unless `numerics` is false.
    With `execute` the machine code of both sides runs in the emulator where anything changed, and
    what it executes is compared. `policy` is a TOML file that says which changes count. Raises
    SourceError, PolicyError or ArtifactError.
    """
    return compare_sources(
        baseline,
        candidate,
        baseline_revision=baseline_revision,
        policy=None if policy is None else path_of(policy, "policy"),
        numerics=numerics,
        execute=execute,
        seed=count_of(seed, "seed"),
    )


def certify(
    artifacts: Artifact | str | Path | Iterable[Artifact | str | Path],
    *,
    workgroups: int = Settings.workgroups,
    mutants: int = Settings.mutants,
    seed: int = 0,
    out: str | Path | None = None,
) -> list[Certificate]:
    """Prove what can be proved of artifacts here; gives a certificate for each.

    Takes an artifact, its folder, a folder of artifacts, a bundle, or several of these. AMD code
    is executed by the emulator: of kernels whose results no later kernel reads at most `workgroups`
    (0: all). `mutants` wrong versions of the code are tried, which the proofs must notice. With
    `out` certificates are written there, as `<out>/<target>/<name>.certificate.json`: in-toto
    Statements. A claim that is found wrong is `refuted`, and such a certificate is not written:
    `Certificate.holds` tells. Raises ArgumentError for anything else than artifacts, ArtifactError
    for what is not sound.
    """
    counts = {"workgroups": workgroups, "mutants": mutants, "seed": seed}
    settings = Settings(**{name: count_of(count, name) for name, count in counts.items()})
    return list(certify_each(_artifacts(artifacts, "artifacts"), settings, folder_of(out)))


def check_certificate(
    certificate: Certificate | str | Path, artifact: Artifact | str | Path
) -> Check:
    """Prove a certificate, or one in a file, again from its artifact, or from its folder.

    Hashes come first; `Check.problems` are the claims that no longer hold, each with the reason.
    Raises CertificateError for what is no certificate, and what `certify` raises.
    """
    if not isinstance(certificate, Certificate):
        certificate = read_certificate(path_of(certificate, "certificate"))
    artifacts = _artifacts(artifact, "artifact")
    if len(artifacts) != 1:
        raise ArgumentError(f"artifact: expected one, got {len(artifacts)} in {artifact}")
    return certificates.check_certificate(certificate, artifacts[0])


def _artifacts(given: object, argument: str) -> list[Artifact]:
    """Artifacts, or those of folders and bundles; ArgumentError for anything else."""
    if isinstance(given, Artifact | str | Path) or not isinstance(given, Iterable):
        given = [given]
    artifacts = []
    for one in given:
        if not isinstance(one, Artifact | str | Path):
            raise ArgumentError(
                f"{argument}: expected an artifact or the path of its folder, got "
                f"{type(one).__name__}"
            )
        artifacts += [one] if isinstance(one, Artifact) else certificates.artifacts_at(Path(one))
    return artifacts
