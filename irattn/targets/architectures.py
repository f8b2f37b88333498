"""Which code runs on which GPU, by the names that drivers give architectures."""

_NVIDIA = "sm_"


def runs(target: str, arch: str) -> bool:
    """Whether a GPU of this architecture runs a target's code: `gfx90a:xnack-`, `sm_90`.

    AMD machine code names one gfx, and the loader refuses it on every other, of the same family
    too (generic targets such as gfx11-generic are not compiled for). Suffixes are settings that
    code for the bare name leaves open. Code for NVIDIA is PTX, which later GPUs translate.
    """
    if target.startswith(_NVIDIA):
        return arch.startswith(_NVIDIA) and capability(arch) >= capability(target)
    return arch.partition(":")[0] == target


def capability(name: str) -> int:
    """NVIDIA's number of an architecture: 90 of `sm_90`."""
    return int(name.removeprefix(_NVIDIA))
