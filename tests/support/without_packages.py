"""Run irattn where some packages are not installed, as far as it can tell: `-NAME ... -- WORDS`.

WORDS are a command line, or `-c` and Python code.
"""

import importlib.abc
import importlib.metadata
import sys

# What each is imported as.
MODULES = {"iree-base-compiler": "iree.compiler", "iree-base-runtime": "iree.runtime"}


class Blocker(importlib.abc.MetaPathFinder):
    """Finds none of these packages, nor what is in them."""

    def __init__(self, packages):
        self.modules = [MODULES[name] for name in packages]

    def find_spec(self, fullname, path, target=None):
        if any(f"{fullname}.".startswith(f"{module}.") for module in self.modules):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def hide(packages):
    """Let neither imports nor metadata find these packages."""
    found = importlib.metadata.Distribution.from_name

    def from_name(name):
        if name in packages:
            raise importlib.metadata.PackageNotFoundError(name)
        return found(name)

    importlib.metadata.Distribution.from_name = from_name
    sys.meta_path.insert(0, Blocker(packages))


def main():
    at = sys.argv.index("--")
    hide([word.removeprefix("-") for word in sys.argv[1:at]])
    words = sys.argv[at + 1 :]
    if words[0] == "-c":
        exec(words[1], {})
        return
    sys.argv[1:] = words
    from irattn.__main__ import run

    run()


if __name__ == "__main__":
    main()
