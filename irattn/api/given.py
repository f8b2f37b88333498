"""Check what callers of the verbs give."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from irattn.compiling import catalog
from irattn.core.errors import ArgumentError, shown
from irattn.core.numbers import whole
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
    if isinstance(specs, str | Spec) or not isinstance(specs, Iterable):
        specs = [specs]
    if isinstance(specs, Mapping):
        named = {name: spec_of(spec) for name, spec in specs.items()}
    else:
        named = {_catalogue_name(name): catalog.get(name) for name in specs}
    if not named:
        raise ArgumentError("specs: expected at least one, got none")
    return named


def _catalogue_name(given: object) -> str:
    if not isinstance(given, str):
        raise ArgumentError(
            "specs: expected catalogue names, or specs by names of your own, as {'mine': spec}, "
            f"got {type(given).__name__}"
        )
    return given


def folder_of(out: str | Path | None) -> Path | None:
    return None if out is None else path_of(out, "out")


def path_of(given: str | Path, argument: str) -> Path:
    if not isinstance(given, str | Path) or given == "":
        raise ArgumentError(f"{argument}: expected a path, got {shown(given)}")
    return Path(given)


def count_of(given: int, argument: str) -> int:
    """A whole number from 0, Python's or NumPy's; ArgumentError for anything else."""
    return whole(argument, given, least=0, error=ArgumentError)
