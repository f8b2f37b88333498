"""Names of GPUs as people write them, and those whose gfx the pinned compiler has no target for."""

import re

# Words that tell no product from another.
_BRANDS = frozenset(
    ("ai", "amd", "geforce", "graphics", "instinct", "nvidia", "pro", "radeon", "rx", "tm")
)


def plain_name(name: str) -> str:
    """A name as it is looked up: `Radeon RX 7900 XTX`, `rx-7900-xtx` and `rx7900xtx` are one."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    return "".join(word for word in words if word not in _BRANDS).removeprefix("rx")


# By gfx, from LLVM's AMDGPU page and AMD's lists of products for ROCm.
_WITHOUT_TARGET = {
    "gfx803": "rx470 rx480 rx570 rx580 rx590 mi6 mi8",
    "gfx900": "vega56 vega64 mi25",
    "gfx906": "vii radeonvii mi50 mi60",
    "gfx1010": "rx5600xt rx5700 rx5700xt w5700",
    "gfx1011": "v520",
    "gfx1012": "rx5300 rx5500 rx5500xt w5500",
    "gfx1030": "rx6800 rx6800xt rx6900xt rx6950xt w6800 v620",
    "gfx1031": "rx6700 rx6700xt rx6750xt",
    "gfx1032": "rx6600 rx6600xt rx6650xt w6600",
    "gfx1033": "steamdeck vangogh",
    "gfx1034": "rx6400 rx6500xt w6400",
    "gfx1035": "rembrandt 660m 680m",
    "gfx1102": "rx7600 rx7600xt rx7600s rx7650gre rx7700s w7500 w7600",
    "gfx1152": "krackan 840m 860m",
}

# The gfx of each product, by its plain name.
WITHOUT_TARGET = {
    plain_name(product): gfx
    for gfx, products in _WITHOUT_TARGET.items()
    for product in products.split()
}
