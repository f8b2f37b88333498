"""Bundles: one file for several devices, and the variant that a device takes."""

import io
import json
import logging
import stat
import zipfile

import numpy as np
import pytest

import irattn
from irattn import targets
from irattn.compiling import catalog
from irattn.compiling.bundles import read_bundle
from irattn.core.errors import ArgumentError, ArtifactError, DeviceError
from irattn.core.stored_zip import read_stored, write_stored
from irattn.lab.inputs import random_tensors
from irattn.reference import reference
from irattn.runtime import devices, driver_status, iree_providers, select, session
from support.command import run

NAMES = ["gqa_causal_tiny", "gqa_decode_tiny"]
TARGETS = ["gfx942", "gfx1100"]

without_hip = pytest.mark.skipif(
    driver_status("hip").problem is None, reason="an AMD GPU is here: another variant is taken"
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("bundle") / "two.irattn"
    irattn.bundle(NAMES, path, target=TARGETS)
    return path


def check(found, name):
    tensors = random_tensors(catalog.get(name))
    np.testing.assert_allclose(
        found(**tensors), reference(found.spec, tensors)[0], rtol=0, atol=1e-5
    )


@pytest.mark.slow
@without_hip
@pytest.mark.parametrize("name", NAMES)
def test_without_its_gpu_an_entry_runs_on_the_cpu_and_says_why(file, name, caplog):
    with caplog.at_level(logging.INFO, "irattn"):
        found = irattn.load(file, name=name)
        check(found, name)
    assert found.artifact.target == found.selection.accepted == "x86-64-v3"
    assert [target for target, _ in found.selection.rejected] == TARGETS
    assert all(reason.startswith("device hip: ") for _, reason in found.selection.rejected)
    # It is what a bundle is for, and nothing to be warned of.
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    assert record.message.startswith(f"{name}: x86-64-v3 is taken; gfx942: device hip: ")


@pytest.mark.slow
def test_equal_artifacts_give_equal_bytes(file, tmp_path):
    again = tmp_path / "again.irattn"
    irattn.bundle(reversed(NAMES), again, target=TARGETS)
    assert again.read_bytes() == file.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["again.irattn"]


def test_python_shows_what_it_is_and_not_its_bytes(file):
    bundle = read_bundle(file)
    assert repr(bundle) == f"<Bundle {file} of gqa_causal_tiny, gqa_decode_tiny>"
    artifact = bundle.artifact("gqa_decode_tiny", "gfx942")
    assert repr(artifact) == f"<Artifact gqa_decode_tiny for gfx942 in {artifact.path}>"


def test_common_tools_open_it(file):
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        paths = archive.namelist()
        index = json.loads(archive.read("bundle.json"))
    assert paths[0] == "bundle.json"
    assert paths[1:] == sorted(index["sha256"])
    assert index["entries"] == {name: [*TARGETS, "x86-64-v3"] for name in NAMES}
    assert "gfx1100/gqa_causal_tiny/module.vmfb" in paths


class FakeSession:
    """A session on a GPU that is not here; its launches fail."""

    def __init__(self, artifact, driver):
        if driver == "hip" and artifact.target in self.refused:
            raise DeviceError("does not load")
        self.artifact, self.spec, self.driver = artifact, artifact.spec, driver

    def run(self, arrays):
        raise DeviceError("launch failed")


@pytest.fixture
def fake_gpu(monkeypatch):
    """Pretend that a GPU of this architecture is here, or one that the runtime does not name."""

    def pretend(arch, refused=()):
        real = session.Session

        def open_either(artifact, driver):
            return (FakeSession if driver == "hip" else real)(artifact, driver)

        monkeypatch.setattr(FakeSession, "refused", refused, raising=False)

        def device_of(driver):
            return status if driver == "hip" else devices.open_device(driver)

        monkeypatch.setattr(iree_providers, "Session", open_either)
        monkeypatch.setattr(iree_providers, "open_device", device_of)
        monkeypatch.setattr(iree_providers, "device_arch", lambda driver: arch)
        status = devices.DriverStatus("hip", ("a GPU",), None)
        monkeypatch.setattr(iree_providers, "driver_status", lambda driver: status)

    return pretend


@pytest.mark.parametrize("arch", ["gfx1100", "gfx942:sramecc+:xnack-"])
def test_the_exact_gfx_is_taken(file, fake_gpu, arch):
    fake_gpu(arch)
    found = irattn.load(file, name=NAMES[0])
    accepted = arch.partition(":")[0]
    assert (found.artifact.target, found.driver) == (accepted, "hip")
    reasons = dict(found.selection.rejected)
    other = next(target for target in TARGETS if target != accepted)
    if other == "gfx942":
        assert reasons == {"gfx942": "does not run on gfx1100", "x86-64-v3": "gfx1100 comes first"}
    else:
        assert reasons == dict.fromkeys(["gfx1100", "x86-64-v3"], "gfx942 comes first")


def test_another_gfx_of_the_family_is_not_taken(file, fake_gpu, caplog):
    fake_gpu("gfx1101")
    with caplog.at_level(logging.WARNING, "irattn"):
        found = irattn.load(file, name=NAMES[0])
    check(found, NAMES[0])
    assert "gfx1100: does not run on gfx1101" in caplog.text
    assert dict(found.selection.rejected)["gfx1100"] == "does not run on gfx1101"
    with pytest.raises(DeviceError, match="no variant runs here: gfx942: does not run on gfx1101"):
        irattn.load(file, name=NAMES[0], device="hip")


def test_where_the_runtime_names_no_gfx_loading_decides(file, fake_gpu):
    fake_gpu(None, refused=["gfx942"])
    found = irattn.load(file, name=NAMES[0])
    assert found.artifact.target == "gfx1100"
    assert found.selection.rejected[0] == ("gfx942", "does not load")


def test_a_failed_launch_takes_the_cpu_variant(file, fake_gpu, caplog):
    fake_gpu("gfx1100")
    found = irattn.load(file, name=NAMES[0])
    with caplog.at_level(logging.WARNING, "irattn"):
        check(found, NAMES[0])
    assert caplog.messages == ["launch failed; falling back to the CPU"]
    assert found.artifact.target == "x86-64-v3"
    with pytest.raises(DeviceError, match="launch failed"):
        irattn.load(file, name=NAMES[0], device="hip")(**random_tensors(catalog.get(NAMES[0])))


def test_a_processor_that_lacks_something_is_told(file, monkeypatch):
    flags = targets.host_cpu_flags() - {"avx2"}
    monkeypatch.setattr(targets, "host_cpu_flags", lambda: flags)
    with pytest.raises(DeviceError, match=r"x86-64-v3: .*this processor lacks avx2"):
        irattn.load(file, name=NAMES[0], device="cpu")


def test_names_and_targets_that_are_not_there(file):
    with pytest.raises(ArgumentError, match="name: expected one of gqa_causal_tiny, gqa_decode"):
        irattn.load(file)
    with pytest.raises(ArgumentError, match=r"name: expected one of .*, got x"):
        irattn.load(file, name="x")
    with pytest.raises(ArgumentError, match=r"target: expected one of gfx942, .*, got gfx1200"):
        irattn.load(file, name=NAMES[0], target="gfx1200")
    assert irattn.load(file, name=NAMES[0], target="x86-64-v3").selection.rejected == ()
    with pytest.raises(ArtifactError, match="no such bundle"):
        irattn.load("missing.irattn")


def test_what_is_no_bundle_is_not_replaced(tmp_path):
    place = tmp_path / "mine.irattn"
    place.write_text("precious")
    for path in (place, tmp_path / "mine.zip", tmp_path):
        with pytest.raises(ArgumentError):
            irattn.bundle(NAMES[:1], path, target="gfx1100")
    assert place.read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.irattn"]


def test_a_damaged_bundle_is_replaced(file, tmp_path):
    place = tmp_path / "damaged.irattn"
    place.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(ArtifactError, match=r"truncated.*bundle it again: `irattn bundle -o FILE"):
        read_bundle(place)
    irattn.bundle(NAMES, place, target=TARGETS)
    assert place.read_bytes() == file.read_bytes()


def test_a_failure_while_writing_leaves_what_was_there(file, tmp_path, monkeypatch):
    place = tmp_path / "mine.irattn"
    place.write_bytes(file.read_bytes())

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("irattn.compiling.bundles.os.replace", fail)
    with pytest.raises(OSError, match="No space"):
        irattn.bundle(NAMES[:1], place, target="gfx1100")
    assert place.read_bytes() == file.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.irattn"]


def zip_of(*members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for info, data in members:
            archive.writestr(info, data)
    return buffer.getvalue()


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def deflated(name):
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


GOOD = write_stored({"bundle.json": b"{}", "a": b"12345678"})


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "does not end as a ZIP file"),
        (GOOD + b"x", "followed by something"),
        (b"x" + GOOD, "bytes belong to none"),
        (GOOD[:-23], "truncated"),
        (GOOD.replace(b"12345678", b"12345679"), "its checksum differs"),
        (zip_of(("/a", b"")), "'/a': its path leads out"),
        (zip_of(("a/../../b", b"")), "its path leads out"),
        (zip_of(("C:/a", b"")), "its path leads out"),
        (zip_of(("a\\b", b"")), "its path leads out"),
        (zip_of(("a//b", b"")), "expected the plain path"),
        (zip_of(("a/", b"")), "expected the plain path"),
        (zip_of(("a", b"1"), ("a", b"2")), "member a: it is there twice"),
        (zip_of((link("a"), b"/etc/passwd")), "member a: it is a symbolic link"),
        (zip_of((deflated("a"), b"0" * 10**6)), "expected stored bytes, got compressed ones"),
        # The directory says 8 bytes and both headers say so; now one of them says 7.
        (GOOD.replace(b"\x08\0\0\0\x08\0\0\0", b"\x08\0\0\0\x07\0\0\0", 1), "its sizes disagree"),
        (GOOD.replace(b"\x08\0\0\0\x08\0\0\0", b"\xff\xff\0\0\xff\xff\0\0"), "more than the file"),
    ],
)
def test_a_zip_that_two_readers_could_take_for_two_things_is_refused(data, message):
    assert read_stored(GOOD) == {"bundle.json": b"{}", "a": b"12345678"}
    with pytest.raises(ArtifactError, match=message):
        read_stored(data)


def test_the_architecture_is_read_from_what_the_driver_says():
    assert devices.arch_in("- gpu-arch-name: gfx90a:sramecc+:xnack-\n- x") == (
        "gfx90a:sramecc+:xnack-"
    )
    assert devices.arch_in("\n- gpu-compute-capability: 9.0\n") == "sm_90"
    assert devices.arch_in("nothing") is None
    assert targets.get("gfx90a").runs_on("gfx90a:sramecc+:xnack-")
    assert not targets.get("gfx1100").runs_on("gfx1101")
    assert targets.get("sm_89").runs_on("sm_90")
    assert not targets.get("sm_89").runs_on("sm_80")


@without_hip
def test_the_command_line(file, tmp_path):
    place = tmp_path / "cli.irattn"
    made = run("bundle", "-o", place, *NAMES, "--target", "mi300x", "--target", "gfx1100")
    assert made.stdout.endswith(f"6 artifacts of 2 entries in {place}\n")
    assert place.read_bytes() == file.read_bytes()
    listing = run("bundle", "--list", place).stdout
    assert "gqa_decode_tiny  x86-64-v3" in listing
    assert listing.count("would run here") == 2
    found = json.loads(run("bundle", "--list", place, "--json").stdout)["entries"][NAMES[0]]
    assert found["accepted"] == "x86-64-v3"
    assert [reason["target"] for reason in found["rejected"]] == TARGETS
    assert found["spec"] == catalog.get(NAMES[0]).to_dict()
    assert "output f32 [1, 4, 1, 32]" in run("run", place, "--name", NAMES[1]).stdout
    assert "expected one of gqa_causal_tiny" in run("run", place, code=2).stderr
    assert "2 of 2 passed" in run("verify", place).stdout


def test_the_command_line_refuses(file, tmp_path):
    assert "expected -o FILE.irattn" in run("bundle", NAMES[0], code=2).stderr
    for more in ((NAMES[0],), ("--cpu", "none"), ("--set", "q_len=3"), ("--size", "tiny")):
        assert "give no NAMES" in run("bundle", *more, "--list", file, code=2).stderr
    kept = run("run", file, "--name", NAMES[0], "--store", tmp_path / "art", code=2).stderr
    assert "--store go with a catalogue name, not a bundle" in kept
    assert "expected at least one" in (
        run("bundle", NAMES[0], "-o", tmp_path / "a.irattn", "--cpu", "none", code=2).stderr
    )
    assert select(read_bundle(file), NAMES[0]).entry == NAMES[0]
    assert list(tmp_path.iterdir()) == []
