"""Comparison of artifacts: every mutation gets the verdict that a reviewer would give it."""

import dataclasses
import json

import pytest

import irattn
from irattn import AttentionSpec, targets
from irattn.artifact import MLIR, VMFB, sha256
from irattn.comparison.differences import differences
from irattn.comparison.normalise import normalised, normalised_sha256
from irattn.comparison.policy import DEFAULT, read_policy
from irattn.comparison.subjects import Subject
from irattn.comparison.verdicts import judged
from irattn.compiler import compile_mlir
from irattn.errors import PolicyError
from irattn.figures import KernelFigures, ModuleFigures, Occupancy, Step
from irattn.store import Store

# Small, and with the matrix tiles of a real one.
SPEC = AttentionSpec(num_q_heads=2, num_kv_heads=1, q_len=64, kv_len=64, head_dim=32, causal=True)

KERNEL = KernelFigures(
    name="attention_dispatch_0",
    vgprs=96,
    agprs=0,
    sgprs=30,
    vgpr_spills=0,
    sgpr_spills=0,
    scratch_bytes=0,
    lds_bytes=8192,
    wave_size=32,
    workgroup_size=(128, 1, 1),
    code_bytes=4000,
    code_sha256="a" * 64,
    occupancy=Occupancy(8, 10, 8, 16),
    instructions={"matrix": 32, "vector": 400, "scalar": 60, "lds": 20, "global": 16,
                  "scratch": 0, "wait": 30, "branch": 4},
)  # fmt: skip
MODULE = ModuleFigures(
    bytecode_version="16.0",
    signature="0rr_r",
    steps=(Step("dispatch", KERNEL.name, (1, 2, 1), None, 1.0e6),),
    transient_bytes=4096,
    kernels=(KERNEL,),
)


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """The artifact that every mutation is held against."""
    out = tmp_path_factory.mktemp("original")
    return irattn.compile(SPEC, target="gfx1100", name="small", out=out)


def mutated(artifact, root, *edits, **manifest_fields):
    """The artifact with its MLIR text edited, compiled for its target and published."""
    text = artifact.mlir
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    target = targets.get(artifact.target)
    vmfb = compile_mlir(text, target.flags)
    hashes = {MLIR: sha256(text.encode()), VMFB: sha256(vmfb)}
    manifest = dataclasses.replace(artifact.manifest, key="0" * 64, sha256=hashes)
    return Store(root).publish(dataclasses.replace(manifest, **manifest_fields), text, vmfb)


def only_entry(*sides, **options):
    (entry,) = irattn.compare(*sides, **options).entries
    return entry


def recorded(module=MODULE, name="small", **manifest_fields):
    """A subject as a baseline file keeps it, with figures made by hand."""
    manifest = irattn.build._manifest(SPEC, targets.get("gfx1100"), name, "fused", "linalg", "text")
    manifest.sha256[VMFB] = sha256(repr(module).encode())
    manifest = dataclasses.replace(manifest, **manifest_fields)
    fields = {"module": module.to_dict(), "mlir_normalised_sha256": "0" * 64}
    return Subject(manifest, recorded=json.loads(json.dumps(fields)))


def verdict_on(module, **manifest_fields):
    policy = read_policy()
    found = differences(recorded(), recorded(module, **manifest_fields), policy)
    return judged(found, None, policy)


def with_kernel(**changes):
    return dataclasses.replace(MODULE, kernels=(dataclasses.replace(KERNEL, **changes),))


# Normalisation


def test_comments_layout_and_names_mean_nothing():
    text = irattn.render(SPEC)
    renamed = text.replace("%scale_log2e", "%factor").replace("!query", "!q").replace("#tile", "#t")
    old = "#row = affine_map<(b, h, g, m, n) -> (b, h, g, m)>"
    assert old in renamed
    renamed = renamed.replace(old, "#row = affine_map<(a, b, c, d, e) -> (a, b, c, d)>")
    loose = "// new\n" + renamed.replace("\n", "\n\n").replace(" = ", "   =  ")
    assert normalised(loose) == normalised(text)


def test_what_means_something_is_kept():
    text = irattn.render(SPEC)
    seen = {normalised_sha256(text)}
    for old, new in (
        ("sle, %ahead", "sge, %ahead"),
        ("%q_position = arith.addi %m_i32, %first", "%q_position = arith.addi %t_i32, %first"),
        ("(b, h, g, m, n) -> (b, h, g, m)>", "(b, h, g, m, n) -> (b, g, h, m)>"),
        ("workgroup = [1, 64", "workgroup = [1, 32"),
        ("0.0 : f16", "1.0 : f16"),
    ):
        assert old in text
        seen.add(normalised_sha256(text.replace(old, new)))
    assert len(seen) == 6


def test_regions_may_use_a_name_again():
    one = '^bb0(%a: f32):\n "x"(%a)\n}, {\n^bb0(%a: f32):\n "x"(%a)\n}'
    other = one[: one.index("}")] + one[one.index("}") :].replace("%a", "%b")
    assert normalised("{" + one) == normalised("{" + other)
    assert normalised('"a // b"') == '"a // b"'


# Verdicts on figures


def test_equal_figures_are_identical():
    assert verdict_on(MODULE) == ("identical", ())


@pytest.mark.parametrize(
    ("changes", "verdict", "reason"),
    [
        ({"vgpr_spills": 4}, "slower-likely", "spilled VGPRs 0 → 4"),
        ({"occupancy": Occupancy(4, 4, 8, 16)}, "slower-likely", "waves per SIMD 8 → 4 (-50%)"),
        ({"occupancy": Occupancy(10, 10, 12, 16)}, "better", "waves per SIMD 8 → 10 (+25%)"),
        ({"vgprs": 100}, "equivalent", "VGPRs 96 → 100 (+4%)"),
        ({"code_sha256": "b" * 64}, "equivalent", "other machine code"),
        ({"code_bytes": 6000}, "slower-likely", "bytes of code 4,000 → 6,000 (+50%)"),
        ({"code_bytes": 2000}, "equivalent", "bytes of code 4,000 → 2,000 (-50%)"),
    ],
)
def test_figures_of_a_kernel(changes, verdict, reason):
    found, reasons = verdict_on(with_kernel(**changes))
    assert found == verdict
    assert reasons[0] == f"attention_dispatch_0: {reason}"


def test_figures_of_the_host_side():
    step = MODULE.steps[0]
    more = dataclasses.replace(MODULE, steps=(*MODULE.steps, step))
    assert verdict_on(more)[1][:2] == ("dispatches 1 → 2 (+100%)", _doubled_work())
    groups = dataclasses.replace(step, workgroups=(4, 2, 1))
    many = dataclasses.replace(MODULE, steps=(groups,))
    assert verdict_on(many) == (
        "slower-likely", ("attention_dispatch_0: workgroups 2 → 8 (+300%)",),
    )  # fmt: skip
    dynamic = dataclasses.replace(step, workgroups=("n", 2, 1))
    found = verdict_on(dataclasses.replace(MODULE, steps=(dynamic,)))
    assert found == ("equivalent", ("attention_dispatch_0: workgroups 2 → n * 2 * 1",))


def _doubled_work():
    work = 1.0e6 / SPEC.flops
    return f"matrix FLOPs executed per FLOP needed {work:.3g} → {2 * work:.3g} (+100%)"


def test_other_contracts_are_incompatible():
    changed = SPEC.replace(softmax_scale=0.5).to_dict()
    assert verdict_on(MODULE, spec=changed) == (
        "incompatible", ("softmax_scale None → 0.5",),
    )  # fmt: skip
    inputs = recorded().manifest.inputs[:-1]
    verdict, reasons = verdict_on(MODULE, inputs=inputs)
    assert verdict == "incompatible"
    assert reasons[0].startswith("value: inputs f16 [1, 1, 64, 32]")


# The policy


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[metrics.dispatches]", "[metrics.dispatchs]", "got 'dispatchs'"),
        ('worse = "less"', 'worse = "fewer"', 'expected "more" or "less", got \'fewer\''),
        ("most_growth = 8.0", "most_growth = -1", "most_growth: expected a number of at least 0"),
        ("most_growth = 8.0", "", "most_growth: expected a number of at least 0, got None"),
        ('"wrong", "inc', '"bad", "inc', "verdicts.fall_short: expected only wrong, incompatible"),
        ("gains = false", "gains = 0", "gains: expected true or false, got 0"),
        ("[numerics]", "numerics]", "not readable as TOML"),
    ],
)
def test_a_wrong_policy_says_what_is_wrong(tmp_path, old, new, message):
    path = tmp_path / "policy.toml"
    text = DEFAULT.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(PolicyError) as error:
        read_policy(path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


# Mutations of an artifact


def test_a_comment_changes_nothing_that_counts(original, tmp_path):
    edits = ("  %ln2 = ", "  // Nothing.\n  %log = "), ("%ln2,", "%log,")
    other = mutated(original, tmp_path, *edits)
    found = only_entry(original, other)
    assert found.verdict == "equivalent"
    assert found.reasons == ("the MLIR text changed in comments, names or layout only",)
    assert found.numerics is None


def test_a_mask_the_wrong_way_round_is_wrong(original, tmp_path):
    found = only_entry(original, mutated(original, tmp_path, ("sle, %ahead", "sge, %ahead")))
    assert found.verdict == "wrong"
    assert found.reasons[0].startswith("case normal: relative error 1.")
    assert found.numerics.baseline.worst.strain < 1 < found.numerics.candidate.worst.strain
    assert "its own graph, without gfx1100 tiles" in found.note
    (graph,) = (item for item in found.differences if item.what == "graph")
    assert "+    %causal = arith.cmpi sge, %ahead, %here : i32" in graph.diff


def test_a_wrong_scale_is_wrong(original, tmp_path):
    scale = "%scale_log2e = arith.constant 0.2550"
    found = only_entry(
        original, mutated(original, tmp_path, (scale, scale.replace("0.25", "0.26")))
    )
    assert found.verdict == "wrong"


def test_without_numerics_a_wrong_graph_is_unverified(original, tmp_path):
    other = mutated(original, tmp_path, ("sle, %ahead", "sge, %ahead"))
    found = irattn.compare(original, other, numerics=False)
    assert found.unverified == 1
    assert found.entries[0].note == "numerics not verified: not asked for"
    assert found.summary.endswith("; 1 changed without verified numerics")
