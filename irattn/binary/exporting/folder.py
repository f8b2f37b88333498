"""The folder of an export."""

from pathlib import Path

from irattn.binary.compiled import Compiled
from irattn.binary.exporting.source import sources
from irattn.binary.launches import LaunchPlan, launch_plan_and_files
from irattn.core.errors import UsageError
from irattn.core.folders import new_folder
from irattn.targets import get as get_target

LAUNCH_JSON = "launch.json"


def write_hsaco(artifact: Compiled, folder: Path) -> LaunchPlan:
    """Write code objects, constants, `launch.json`, header, example and README into a new folder.

    It appears complete or not at all. UsageError for an artifact that is not for an AMD GPU, and
    for a folder that holds anything already; ArtifactError where the module is not understood.
    """
    _check_amd(artifact)
    plan, code = launch_plan_and_files(artifact)
    files = {
        **code,
        LAUNCH_JSON: plan.to_json().encode(),
        **{name: text.encode() for name, text in sources(plan).items()},
    }
    with new_folder(folder, "-o", f"{plan.name} for {plan.gfx}") as staging:
        for name, data in files.items():
            (staging / name).write_bytes(data)
    return plan


def _check_amd(artifact: Compiled) -> None:
    if get_target(artifact.target).driver != "hip":
        raise UsageError(
            f"{artifact.path}: compiled for {artifact.target}, which has no AMD code objects; "
            "compile it for an AMD GPU, e.g. with --target gfx1100"
        )
