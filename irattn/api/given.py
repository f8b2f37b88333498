"""What callers of the verbs give, checked."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from irattn import catalog
from irattn.errors import ArgumentError
from irattn.specs import Spec


def spec_of(spec: Spec | str) -> Spec:
    """The spec itself or of the catalogue; ArgumentError for anything else."""
    if isinstance(spec, str):
        return catalog.get(spec)
    if not isinstance(spec, Spec):
        raise ArgumentError(f"spec: expected a spec or a catalogue name, got {type(spec).__name__}")
    return spec


def named_specs(specs: Mapping[str, Spec] | Iterable[str] | str) -> dict[str, Spec]:
    """Specs by the names of their entries; ArgumentError for what says neither."""
    if isinstance(specs, Mapping):
        return {name: spec_of(spec) for name, spec in specs.items()}
    names = [specs] if isinstance(specs, str | Spec) or not isinstance(specs, Iterable) else specs
    return {_catalogue_name(name): catalog.get(name) for name in names}


def _catalogue_name(given: object) -> str:
    if not isinstance(given, str):
        raise ArgumentError(
            "specs: expected catalogue names, or specs by names of your own, as {'mine': spec}, "
            f"got {type(given).__name__}"
        )
    return given


def folder_of(out: str | Path | None) -> Path | None:
    return path_of(out, "out") if out else None


def path_of(given: str | Path, argument: str) -> Path:
    if not isinstance(given, str | Path):
        raise ArgumentError(f"{argument}: expected a path, got {given!r}")
    return Path(given)
