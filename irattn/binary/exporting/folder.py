"""The folder of an export."""

from pathlib import Path

from irattn.binary.compiled import Compiled
from irattn.binary.exporting.source import sources
from irattn.binary.launches import LaunchPlan, launch_plan_and_files
from irattn.core.folders import new_folder

LAUNCH_JSON = "launch.json"


def write_export(artifact: Compiled, folder: Path) -> LaunchPlan:
    """Write code, constants, `launch.json`, sources, examples and README into a new folder.

    It appears complete or not at all. UsageError for an artifact that is not for a GPU, and for a
    folder that holds anything already; ArtifactError where the module is not understood.
    """
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
