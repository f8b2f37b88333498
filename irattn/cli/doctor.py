"""`irattn doctor`."""

import platform
import sys
from dataclasses import asdict
from typing import Any

import click

from irattn import targets
from irattn.cli.common import echo_json, echo_table, json_option
from irattn.cli.installation import hip_advice, installation
from irattn.compiling.store import default_root
from irattn.core.packages import COMPILER, RUNTIME, installed_version
from irattn.lab.emulated_gpu.device import EMULATORS
from irattn.runtime import auto_device, registry

_PACKAGES = ("irattn", COMPILER, RUNTIME, "numpy", "ml-dtypes", "jinja2")


@click.command("doctor")
@json_option
def doctor_command(as_json: bool) -> None:
    """Say what is installed, which devices are there, and what would be used.

    Exits 1 if nothing can run, or if the compiler is here and does not do its work; without one,
    what is compiled runs.
    """
    packages = {name: installed_version(name) for name in _PACKAGES}
    found = installation()
    providers = [provider.status().to_dict() for provider in registry()]
    report: dict[str, Any] = {
        "python": platform.python_version(),
        "packages": packages,
        "versions_match": packages[COMPILER] == packages[RUNTIME] is not None,
        "installation": asdict(found),
        "store": str(default_root()),
        "drivers": [provider for provider in providers if provider["driver"] not in EMULATORS],
        "hip_advice": [
            advice
            for one in providers
            if one["driver"] == "hip" and one["problem"]
            for advice in hip_advice(one["problem"])
        ],
        "emulators": [provider for provider in providers if provider["driver"] in EMULATORS],
        "devices_for_targets": [_for_target(name) for name in ("gfx1100", "sm_89", "cpu")],
    }
    if as_json:
        echo_json(report)
    else:
        _print_report(report)
    if not found.is_sound:
        sys.exit(1)


def _for_target(name: str) -> dict[str, Any]:
    target = targets.get(name)
    device, reason = auto_device(target)
    decisions = [decision.to_dict() for decision in registry().decide(target, None, "auto")]
    return {"target": name, "device": device, "reason": reason, "providers": decisions}


def _print_report(report: dict[str, Any]) -> None:
    packages = report["packages"].items()
    rows = [
        ("python", report["python"]),
        *((name, here or "missing") for name, here in packages),
    ]
    echo_table(rows, ["package", "version"])
    found = report["installation"]
    click.echo(f"\n{found['state']}: {found['meaning']}")
    if found["advice"]:
        click.echo(f"  {found['advice']}")
    click.echo()
    providers = [
        (
            device["driver"],
            f"none: {device['problem']}" if device["problem"] else ", ".join(device["devices"]),
        )
        for device in [*report["drivers"], *report["emulators"]]
    ]
    echo_table(providers, ["device", "what is there"])
    if report["hip_advice"]:
        click.echo("\nfor an AMD card:")
    for advice in report["hip_advice"]:
        click.echo(f"  - {advice}")
    click.echo()
    used = [
        (choice["target"], choice["device"], choice["reason"])
        for choice in report["devices_for_targets"]
    ]
    echo_table(used, ["target", "device auto", "because"])
    click.echo(f"\nartifacts are kept in {report['store']}")
