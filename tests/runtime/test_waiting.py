"""Who waits for workers takes no core from them, and is as before afterwards."""

import os

import pytest

import irattn
from irattn import DeviceArray
from irattn.core.errors import DeviceError
from irattn.lab.inputs import random_tensors
from irattn.runtime.devices import open_device
from irattn.runtime.queue import Launched, Queue
from irattn.runtime.waiting import without_preempting

pytestmark = pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="Linux alone has policies")


class Waits:
    """Stands in for what waits in IREE: notes the thread's policy, and fails if it is to."""

    def __init__(self, error=None):
        self._error = error

    def wait(self, *_):
        self.policy = policy()
        if self._error:
            raise self._error
        return self.policy

    invoke = wait


def policy():
    return os.sched_getscheduler(0)


def test_a_queue_is_waited_for_without_preempting():
    device, fence = open_device("local-task"), Waits()
    Launched(device.queue, "it", device.hal.create_semaphore(0), fence).wait()
    assert fence.policy == os.SCHED_BATCH
    assert policy() == os.SCHED_OTHER


NUMPY, IDLE, BUSY = "NumPy", "device arrays", "device arrays behind a launch"
DURING = {
    ("local-task", NUMPY): "SCHED_BATCH",
    ("local-task", IDLE): "SCHED_OTHER",
    ("local-task", BUSY): "SCHED_BATCH",
    ("local-sync", NUMPY): "SCHED_OTHER",
    ("local-sync", IDLE): "SCHED_OTHER",
}


@pytest.mark.parametrize(("how", "during"), DURING.items(), ids=map(" ".join, DURING))
def test_a_call_waits_without_preempting_where_there_are_workers(how, during, monkeypatch):
    """One in a queue only behind another: to allocate, IREE waits for what was launched before."""
    driver, given = how
    kernel, context = irattn.load("cache_write_tiny", device=driver), Waits(RuntimeError("broke"))
    tensors = random_tensors(kernel.spec)
    if given != NUMPY:
        tensors = {n: DeviceArray.from_numpy(a, kernel.device) for n, a in tensors.items()}
    monkeypatch.setattr(Queue, "is_idle", given == IDLE)
    kernel._session._idle.append(context)
    try:
        with pytest.raises(DeviceError, match="broke"):
            kernel.outputs(**tensors)
    finally:
        kernel._session._idle.remove(context)
    assert context.policy == getattr(os, during)
    assert policy() == os.SCHED_OTHER


@pytest.mark.parametrize("refused", [PermissionError, AttributeError])
def test_where_no_policy_can_be_changed_it_waits_as_it_is(monkeypatch, refused):
    def refuse(*_):
        raise refused

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    assert without_preempting(Waits().wait) == os.SCHED_OTHER


def test_a_thread_of_another_policy_keeps_it():
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    try:
        assert without_preempting(Waits().wait) == os.SCHED_BATCH
        assert policy() == os.SCHED_BATCH
    finally:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
