"""Files that `irattn run` reads and writes."""

import zipfile

import ml_dtypes
import numpy as np

from support.command import run

STATES = {"out_a": "output", "lse_a": "lse", "out_b": "output", "lse_b": "lse"}


def test_run_reads_what_it_writes(tmp_path):
    """bf16 lies in files as V2; of several arrays the name says which."""
    bf16 = ("--set", "io_dtype=bfloat16")
    run("run", "lse_tiny", *bf16, "--output", tmp_path / "o.npz")
    merge = ("run", "merge_states_tiny", *bf16, "--set", "batch=1")
    chosen = [f"{name}={tmp_path}/o.npz:{array}" for name, array in STATES.items()]
    inputs = [word for choice in chosen for word in ("--input", choice)]
    run(*merge, *inputs, "--output", tmp_path / "merged.npz")
    first, merged = np.load(tmp_path / "o.npz"), np.load(tmp_path / "merged.npz")
    # Of two equal states the merged one is equal, and its lse is larger by log 2.
    outputs = [part["output"].view(ml_dtypes.bfloat16) for part in (first, merged)]
    np.testing.assert_allclose(*(array.astype(np.float64) for array in outputs), atol=1e-2)
    np.testing.assert_allclose(merged["lse"], first["lse"] + np.log(2), rtol=1e-4)
    refused = run("run", "lse_tiny", "--input", f"query={tmp_path}/o.npz", code=2)
    assert refused.stderr == (
        f"Error: query: {tmp_path}/o.npz holds output, lse, and no array query; choose one with "
        f"--input query={tmp_path}/o.npz:ARRAY\n"
    )


def test_one_output_goes_where_it_is_told(tmp_path):
    for name in ("o.npy", "o.npz", "o"):
        output = tmp_path / name
        run("run", "gqa_causal_tiny", "--output", output)
        query = f"query={output}" + (":output" if name == "o.npz" else "")
        run("run", "gqa_causal_tiny", "--input", query)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o", "o.npy", "o.npz"]
    assert set(np.load(tmp_path / "o.npz")) == {"output"}


def test_inputs_that_are_no_arrays_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "text.npz", "w") as archive:
        archive.writestr("query", "text")
    (tmp_path / "cut.npz").write_bytes((tmp_path / "text.npz").read_bytes()[:40])
    (tmp_path / "text.npy").write_text("text")
    np.savez(tmp_path / "empty.npz")
    for name, why in {
        "text.npz": "holds query, and no array query",
        "cut.npz": "is not a readable .npz file",
        "empty.npz": "holds nothing, and no array query",
        # NumPy takes it for pickled, and tells how to unpickle it.
        "text.npy": "is not a readable .npy file: expected numbers as np.save",
        "none.npy": "is not a readable .npy file: No such file or directory",
    }.items():
        refused = run("run", "mha_full_tiny", "--input", f"query={tmp_path / name}", code=2)
        assert refused.stderr.startswith(f"Error: query: {tmp_path / name} {why}")
    refused = run("run", "mha_full_tiny", "--input", "query=", code=2)
    assert refused.stderr.startswith("Error: query: '' is not a readable")
