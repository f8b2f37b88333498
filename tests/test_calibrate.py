"""`tools/calibrate.py`: traces of cards are read, and nothing in them is run."""

import os
import pickle
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))

import calibrate


class Event:
    def __init__(self, **state):
        self.__dict__.update(state)


class ProfileProgramEvent(Event):
    pass


class ProfilePMCEvent(Event):
    pass


class PMCSample(Event):
    pass


class Malice:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.system, (f"touch {self.path}",)


def trace(folder, *more):
    """Two counters of two units each, and a kernel that cannot be read."""
    names = ("SQ_INSTS_VALU", "SQC_LDS_IDX_ACTIVE")
    samples = [PMCSample(name=name, off=16 * i, size=16) for i, name in enumerate(names)]
    file = folder / "gfx1100" / "profile_some_run_0.pkl"
    file.parent.mkdir()
    program = ProfileProgramEvent(tag=3, name="E_3", lib=b"no code")
    counted = ProfilePMCEvent(kern=3, sched=samples, blob=struct.pack("<4Q", 1, 2, 30, 40))
    file.write_bytes(pickle.dumps([program, *more, counted]))
    return file


def test_a_trace_is_read(tmp_path):
    (found,) = calibrate.read(trace(tmp_path))
    assert (found.trace, found.name, found.code) == ("gfx1100 some_run_0", "E_3", b"no code")
    assert found.counted == {"INSTS_VALU": 3, "LDS_IDX_ACTIVE": 70}
    assert calibrate.compared(found)[2].startswith("not executed: ")


def test_nothing_that_a_trace_names_is_run(tmp_path):
    run = tmp_path / "run"
    assert list(calibrate.read(trace(tmp_path, Malice(run))))
    assert not run.exists()
