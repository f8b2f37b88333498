"""`irattn doctor`."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from irattn import targets
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.runtime import EMULATORS, auto_device, registry
from irattn.store import default_root

_PACKAGES = ("irattn", "iree-base-compiler", "iree-base-runtime", "numpy", "ml-dtypes", "jinja2")


@click.command("doctor")
@json_option
def doctor_command(as_json: bool) -> None:
    """Say what is installed, which devices are there, and what would be used.

    Exits 1 if compiler and runtime do not match.
    """
    packages = {name: _version(name) for name in _PACKAGES}
    matching = packages["iree-base-compiler"] == packages["iree-base-runtime"] is not None
    providers = [provider.status().to_dict() for provider in registry()]
    report: dict[str, Any] = {
        "python": platform.python_version(),
        "packages": packages,
        "versions_match": matching,
        "store": str(default_root()),
        "drivers": [provider for provider in providers if provider["driver"] not in EMULATORS],
        "emulators": [provider for provider in providers if provider["driver"] in EMULATORS],
        "devices_for_targets": [_for_target(name) for name in ("gfx1100", "sm_89", "cpu")],
    }
    if as_json:
        echo_json(report)
    else:
        _print_report(report)
    if not matching:
        sys.exit(1)


def _for_target(name: str) -> dict[str, Any]:
    target = targets.get(name)
    device, reason = auto_device(target)
    decisions = [decision.to_dict() for decision in registry().decide(target, None, "auto")]
    return {"target": name, "device": device, "reason": reason, "providers": decisions}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _print_report(report: dict[str, Any]) -> None:
    packages = report["packages"].items()
    rows = [
        ("python", report["python"]),
        *((name, here or "missing") for name, here in packages),
    ]
    echo_table(rows, ["package", "version"])
    click.echo(
        "\ncompiler and runtime match\n"
        if report["versions_match"]
        else "\ncompiler and runtime are NOT both here in the same version: install both alike\n"
    )
    providers = [
        (
            device["driver"],
            f"none: {device['problem']}" if device["problem"] else ", ".join(device["devices"]),
        )
        for device in [*report["drivers"], *report["emulators"]]
    ]
    echo_table(providers, ["device", "what is there"])
    click.echo()
    used = [
        (choice["target"], choice["device"], choice["reason"])
        for choice in report["devices_for_targets"]
    ]
    echo_table(used, ["target", "device auto", "because"])
    click.echo(f"\nartifacts are kept in {report['store']}")
