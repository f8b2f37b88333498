"""The emulator's library as a GPU of the launcher's."""

import sys

import pytest

from support.lent import StandIn


@pytest.fixture(params=["dlpack", "torch"])
def kind(request):
    """The library of a call's arrays."""
    if request.param == "torch":
        pytest.importorskip("torch", reason="needs PyTorch: pip install 'irattn[torch]'")
    return request.param


@pytest.fixture
def gpu(monkeypatch):
    """The emulator's library, which is told of tensors that the launcher has PyTorch make."""
    pytest.importorskip("tinygrad", reason="needs AMD's tables: pip install 'irattn[isa]'")
    stand_in = StandIn()
    if torch := sys.modules.get("torch"):
        empty = torch.empty
        monkeypatch.setattr(torch, "empty", lambda *a, **how: stand_in.told(empty(*a, **how)))
    yield stand_in
    stand_in.close()
