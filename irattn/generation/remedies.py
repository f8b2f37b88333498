"""Say how to make a folder of safetensors from a model in another form."""

import re
from pathlib import Path

from irattn.models.elsewhere import elsewhere

EXPECTED = "a folder with config.json, tokenizer.json and *.safetensors, or a GGUF file"

# Weights in other forms, with how transformers reads them.
_TORCH = (".bin", ".pt", ".pth", ".ckpt")
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


def not_a_folder(path: Path) -> str:
    """The words for what was given in place of a folder, and how to get one."""
    if not path.exists():
        return f"{path}, where nothing is{_download(path)}"
    if path.suffix == ".safetensors":
        return f"a file of it; give the folder, {path.parent}"
    if path.suffix in _TORCH:
        return f"{path}, which is no safetensors; {_from_torch(path.parent)}"
    return f"the file {path}"


def lacking(folder: Path, name: str) -> str:
    """The message that a folder has no such file, with what to do with what it has."""
    said = f"{folder} has no {name}"
    if other := elsewhere(folder):
        return f"{said}{other}"
    others = [file.name for file in sorted(folder.iterdir()) if file.suffix in _TORCH]
    if others and name.endswith(".safetensors"):
        return f"{said}, but {others[0]}; {_from_torch(folder)}"
    if name == "tokenizer.json" and any(folder.glob("tokenizer*")):
        load = f"AutoTokenizer.from_pretrained({str(folder)!r})"
        return f"{said}; transformers' {load}.save_pretrained({str(folder)!r}) makes it"
    return f"{said}; expected {EXPECTED}"


def _download(path: Path) -> str:
    if not _HUB_NAME.fullmatch(str(path)):
        return ""
    return f"; if it is a model on the hub: `hf download {path} --local-dir {path.name}`, then " + (
        f"give {path.name} (irattn downloads nothing)"
    )


def _from_torch(folder: Path) -> str:
    return (
        "make safetensors of it with transformers: for each of AutoModelForCausalLM and "
        f"AutoTokenizer .from_pretrained({str(folder)!r}).save_pretrained('FOLDER')"
    )
