"""`tools/calibrate.py`: traces of cards are read, and nothing in them is run."""

import os
import pickle
import struct

import pytest

from irattn.core.errors import ArtifactError

pytest.importorskip("tinygrad")

import calibrate


class Event:
    def __init__(self, **state):
        self.__dict__.update(state)


class ProfileProgramEvent(Event):
    pass


class ProfilePMCEvent(Event):
    pass


class ProfileSQTTEvent(Event):
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


def waves():
    """A trace of instructions: a wave starts, and ends 19 + 3 cycles later; another goes on."""
    header = 0b0010001 | 3 << 7
    start, other, later, end = 0b01100, 0b01100 | 2 << 8, 8 | 15 << 4, 0b10101 | 3 << 5
    packed = header | start << 64 | other << 96 | later << 128 | end << 136
    return ProfileSQTTEvent(kern=3, blob=packed.to_bytes(32, "little"))


def test_a_trace_is_read(tmp_path):
    (found,) = calibrate.read(trace(tmp_path, waves()))
    assert (found.trace, found.name, found.code) == ("gfx1100 some_run_0", "E_3", b"no code")
    assert found.counted == {"INSTS_VALU": 3, "LDS_IDX_ACTIVE": 70}
    assert found.lives == [22]
    with pytest.raises(ArtifactError):
        calibrate.execute(found)


def test_nothing_that_a_trace_names_is_run(tmp_path):
    run = tmp_path / "run"
    assert list(calibrate.read(trace(tmp_path, Malice(run))))
    assert not run.exists()
