"""Read names of GPUs as people write them."""

import re

# Words that tell no product from another.
_BRANDS = frozenset(
    ("ai", "amd", "geforce", "graphics", "instinct", "nvidia", "pro", "radeon", "rx", "tm")
)


def plain_name(name: str) -> str:
    """A name as it is looked up: `Radeon RX 7900 XTX`, `rx-7900-xtx` and `rx7900xtx` are one."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "".join(word for word in words if word not in _BRANDS).removeprefix("rx")
