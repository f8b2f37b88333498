"""CPU devices have a worker for each core of the process, whatever thread opens them."""

import json
import os
import subprocess
import sys
import threading

import pytest

from irattn.runtime import cores

CPUS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []

pytestmark = pytest.mark.skipif(not CPUS, reason="Linux alone binds threads")

# Prints the threads that came with the device, the CPUs that any of them may use, those of the
# thread that opened it when it is done, and the cores that are counted.
PROGRAM = """
import json, os, sys, threading
from pathlib import Path
from iree import runtime
from irattn.runtime import cores
from irattn.runtime.devices import driver_status, open_device

def masks():
    return {int(task.name): sorted(os.sched_getaffinity(int(task.name)))
            for task in Path("/proc/self/task").iterdir()}

def open_it():
    os.sched_setaffinity(0, bound)
    before = set(masks())
    driver_status("local-task")
    open_device("local-task")
    new = [cpus for task, cpus in masks().items() if task not in before]
    used = sorted({cpu for cpus in new for cpu in cpus})
    print(json.dumps([len(new), used, sorted(os.sched_getaffinity(0)), cores.cores()]))

bound, main, given = json.loads(sys.argv[1])
os.sched_setaffinity(0, main)
cores.give_cores(given)
opener = threading.Thread(target=open_it)
opener.start()
opener.join()
"""


def opened(bound, main, given=()):
    """The CPUs that workers use, and those of the thread that opened the device."""
    arguments = json.dumps([bound, main, list(given)])
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, arguments], capture_output=True, text=True, check=True
    )
    threads, used, after, counted = json.loads(ended.stdout)
    # One more looks after what the workers wait for.
    assert threads == counted + 1
    return used, after


needs_two = pytest.mark.skipif(len(CPUS) < 2, reason="needs two CPUs")


@pytest.mark.slow
@needs_two
def test_workers_have_the_cores_of_the_process():
    assert opened(CPUS[:1], CPUS) == (CPUS, CPUS[:1])


@needs_two
def test_a_process_of_one_core_has_one():
    assert opened(CPUS[1:2], CPUS[1:2]) == (CPUS[1:2], CPUS[1:2])


@pytest.mark.slow
@needs_two
def test_workers_have_the_cores_that_are_given():
    assert opened(CPUS[:1], CPUS[:1], CPUS) == (CPUS, CPUS[:1])


@needs_two
def test_a_bound_thread_counts_the_cores_of_the_process():
    found = []

    def count():
        os.sched_setaffinity(0, CPUS[:1])
        found.append((cores.allowed(), cores.cores()))

    thread = threading.Thread(target=count)
    thread.start()
    thread.join()
    assert found == [(frozenset(CPUS), cores.cores())]


@pytest.mark.parametrize("refused", [PermissionError, AttributeError])
def test_where_threads_cannot_be_bound_they_stay_as_they_are(monkeypatch, refused):
    def refuse(*_):
        raise refused

    monkeypatch.setattr(os, "sched_setaffinity", refuse)
    with cores.on_all_cores():
        assert sorted(os.sched_getaffinity(0)) == CPUS
