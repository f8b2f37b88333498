"""Where a folder without config.json has a model nevertheless."""

from pathlib import Path


def elsewhere(folder: Path) -> str:
    """The words for what to give in the place of a folder; none where it has no model."""
    snapshots = sorted(folder.glob("snapshots/*/config.json"))
    if snapshots:
        return f": it is a folder of the hub's cache; give {snapshots[-1].parent}"
    ggufs = sorted(folder.glob("*.gguf"))
    if ggufs and not any(folder.glob("*.safetensors")):
        return f", but {ggufs[0].name}; give that file, {ggufs[0]}"
    return ""
