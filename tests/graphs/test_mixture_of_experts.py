"""Experts: the router by hand, and what compiled code reads and keeps apart."""

import ctypes
import mmap
from multiprocessing import get_context

import numpy as np
import pytest

import irattn
from irattn import MixtureOfExpertsSpec, targets
from irattn.core.errors import RenderError, SpecError
from irattn.lab.inputs import random_tensors
from irattn.lab.profiling import execute
from irattn.reference import reference
from irattn.reference.mixture_of_experts import choose
from irattn.rendering import GraphRequest
from support.emulated import failed_cases
from support.joined import artifact_of, together
from support.machine_code import kernels, matrix_instructions

SPEC = MixtureOfExpertsSpec(
    batch=2,
    q_len=50,
    hidden_size=40,
    intermediate_size=24,
    num_experts=6,
    experts_per_token=2,
    io_dtype="f32",
    dynamic=("batch", "q_len"),
)
GROUPS = MixtureOfExpertsSpec(
    batch=3,
    q_len=7,
    hidden_size=33,
    intermediate_size=20,
    num_experts=8,
    experts_per_token=3,
    io_dtype="f32",
    scores="sigmoid",
    has_choice_bias=True,
    has_bias=True,
    num_groups=4,
    chosen_groups=2,
    routed_scale=2.5,
    shared_size=12,
    has_shared_gate=True,
)
# Llama 4's.
SCALED = GROUPS.replace(
    has_bias=False, has_choice_bias=False, num_groups=1, chosen_groups=1, is_normalized=False,
    scales_input=True,
)  # fmt: skip
# ERNIE 4.5's, whose preferences are added to shares of all experts.
PREFERRED = GROUPS.replace(scores="softmax", has_bias=False, num_groups=1, chosen_groups=1)
# Nemotron 3's, of which none has a gate.
UNGATED = GROUPS.replace(
    has_bias=False, is_plain=True, activation="relu_squared", has_shared_gate=False
)
# Kolibri's, whose preferences are added to logits.
BIASED = PREFERRED.replace(scores="sigmoid", biases_logits=True)
# Gemma 4's.
ROUTED = MixtureOfExpertsSpec(
    batch=2, q_len=7, hidden_size=33, intermediate_size=20, num_experts=8, experts_per_token=3,
    io_dtype="f32", has_router_input=True, has_expert_scales=True,
)  # fmt: skip
# An expert has whole pages of each weight, which are so large that calls read them where they lie.
DECODED = MixtureOfExpertsSpec(
    q_len=1, hidden_size=128, intermediate_size=64, num_experts=8, experts_per_token=2,
    io_dtype="f32",
)  # fmt: skip
ROUTER = MixtureOfExpertsSpec(
    q_len=1, hidden_size=1, intermediate_size=1, num_experts=4, experts_per_token=2
)


def chosen(spec, *logits, bias=(0, 0, 0, 0)):
    """The experts of a token whose hidden state is 1, and their weights."""
    tensors = {"router_weight": np.array(logits)[:, None], "choice_bias": np.array(bias)}
    experts, weights = choose(spec, np.ones((1, 1)), tensors)
    return experts[0].tolist(), weights[0]


def test_the_best_are_chosen_and_of_equals_the_first():
    experts, weights = chosen(ROUTER, 0.0, np.log(3), 0.0, np.log(0.5))
    assert experts == [1, 0]
    np.testing.assert_allclose(weights, [0.75, 0.25])
    experts, weights = chosen(ROUTER.replace(is_normalized=False), 0.0, np.log(3), 0.0, -np.inf)
    assert experts == [1, 0]
    np.testing.assert_allclose(weights, [0.6, 0.2])


def test_a_bias_chooses_and_weighs_nothing():
    spec = ROUTER.replace(scores="sigmoid", has_choice_bias=True, routed_scale=2.0)
    experts, weights = chosen(spec, 0.0, np.log(3), 0.0, -40.0, bias=(0, 0, 0, 5))
    assert experts == [3, 1]
    np.testing.assert_allclose(weights, [0, 2], atol=1e-9)


def test_a_bias_of_logits_is_added_to_these():
    """Where both sigmoids are near 1, a bias of logits of 2 is not enough, one of scores is."""
    spec = ROUTER.replace(scores="sigmoid", has_choice_bias=True, experts_per_token=1)
    given = (5.0, 9.0, 0.0, 0.0)
    assert chosen(spec, *given, bias=(2, 0, 0, 0))[0] == [0]
    assert chosen(spec.replace(biases_logits=True), *given, bias=(2, 0, 0, 0))[0] == [1]
    experts, weights = chosen(spec.replace(biases_logits=True), *given, bias=(5, 0, 0, 0))
    assert (experts, weights.tolist()) == ([0], [1.0])


def test_scores_that_round_to_the_same_are_told_apart():
    """By their logits: sigmoids of both are 1."""
    spec = ROUTER.replace(scores="sigmoid", is_normalized=False, scales_input=True)
    assert chosen(spec, 40.0, 50.0, 0.0, 0.0)[0] == [1, 0]


def test_groups_are_chosen_by_their_two_best():
    spec = ROUTER.replace(scores="sigmoid", num_groups=2, has_choice_bias=True)
    assert chosen(spec, 9.0, -9.0, 1.0, 1.0)[0] == [2, 3]
    # Of softmax by the best alone.
    assert chosen(ROUTER.replace(num_groups=2), 9.0, -9.0, 1.0, 1.0)[0] == [0, 1]


def test_the_clamped_swiglu_by_hand():
    spec = ROUTER.replace(num_experts=1, experts_per_token=1, activation="clamped_swiglu")
    tensors = {
        "hidden": np.ones((1, 1, 1)),
        "router_weight": np.ones((1, 1)),
        "gate_up_weight": np.array([[[9.0], [-8.0]]]),
        "down_weight": np.ones((1, 1, 1)),
    }
    # A gate of 7, whose share is all but 1, times 1 - 7.
    np.testing.assert_allclose(reference(spec, tensors)[0], -42, rtol=1e-4)


def test_the_router_reads_its_own_and_experts_are_scaled():
    spec = ROUTER.replace(experts_per_token=1, has_router_input=True, has_expert_scales=True)
    tensors = {
        "hidden": np.full((1, 1, 1), 2.0),
        "router_hidden": np.full((1, 1, 1), -1.0),
        "router_weight": np.array([[3.0], [2.0], [1.0], [0.0]]),
        "expert_scale": np.array([1.0, 1.0, 1.0, 5.0]),
        "gate_up_weight": np.ones((4, 2, 1)),
        "down_weight": np.ones((4, 1, 1)),
    }
    # The last one is the best of the negated.
    expected = 5 * 2 * 2 / (1 + np.exp(-2))
    np.testing.assert_allclose(reference(spec, tensors)[0], expected, rtol=1e-9)


SINGLE = {"dynamic": (), "batch": 1, "q_len": 1}
# On CPUs, rows of experts that are many.
MANY = SPEC.replace(
    dynamic=(), q_len=48, hidden_size=512, num_experts=2, experts_per_token=1, intermediate_size=16
)
COMPILED = together(
    [
        *(SPEC, SPEC.replace(**SINGLE, io_dtype="bf16"), GROUPS, MANY),
        *(SCALED, SCALED.replace(**SINGLE), ROUTED, ROUTED.replace(**SINGLE, hidden_size=32)),
        *(PREFERRED, UNGATED, UNGATED.replace(**SINGLE), UNGATED.replace(scales_input=True)),
        BIASED,
    ]
)


@pytest.fixture(scope="module")
def kernel():
    return COMPILED[0].load()


@pytest.mark.parametrize("one", COMPILED, ids=range(len(COMPILED)))
def test_compiled(one):
    verdict = one.verdict()
    assert verdict.passed, verdict


def test_experts_that_no_token_has_are_not_multiplied(kernel):
    """Numbers of another expert would spoil a sum."""
    tensors = random_tensors(SPEC)
    tensors["hidden"] = np.abs(tensors["hidden"])
    tensors["router_weight"] = np.linspace(-1, 1, 6, dtype=np.float32)[:, None].repeat(40, axis=1)
    for name in ("gate_up_weight", "down_weight"):
        tensors[name][:4] = np.nan
    found = kernel(**tensors)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found, reference(SPEC, tensors)[0], atol=1e-5)


def test_a_token_is_alone_what_it_is_in_company(kernel):
    tensors = random_tensors(SPEC)
    together = kernel(**tensors)
    tensors["hidden"][0, 3] = np.nan
    spoiled = kernel(**tensors)
    assert np.isnan(spoiled[0, 3]).all()
    for place in ((0, 2), (0, 4), (1, 49)):
        np.testing.assert_array_equal(spoiled[place], together[place])
        alone = {**tensors, "hidden": tensors["hidden"][place][None, None]}
        np.testing.assert_array_equal(kernel(**alone)[0, 0], together[place])


def test_all_tokens_may_have_the_same_experts(kernel):
    tensors = random_tensors(SPEC)
    tensors["router_weight"][...] = 0
    expected = reference(SPEC, tensors)[0]
    np.testing.assert_allclose(kernel(**tensors), expected, atol=1e-5)


def call_without_other_experts(folder):
    """A call that may not read the pages of experts that are not chosen: a process of its own."""
    kernel, tensors = irattn.load(folder, device="cpu"), random_tensors(DECODED)
    expected = kernel(**tensors)
    experts, _ = choose(DECODED, tensors["hidden"][0], tensors)
    for name in ("gate_up_weight", "down_weight"):
        weight = tensors[name]
        memory = mmap.mmap(-1, weight.nbytes)
        tensors[name] = np.frombuffer(memory, weight.dtype).reshape(weight.shape)
        tensors[name][...] = weight
        for number in set(range(len(weight))) - set(experts[0].tolist()):
            one = tensors[name][number]
            address = ctypes.c_void_p(one.ctypes.data)
            assert ctypes.CDLL(None).mprotect(address, ctypes.c_size_t(one.nbytes), 0) == 0
    np.testing.assert_array_equal(kernel(**tensors), expected)


def test_one_token_reads_the_chosen_experts_alone():
    folder = irattn.compile(DECODED, target="cpu").path
    child = get_context("spawn").Process(target=call_without_other_experts, args=(folder,))
    child.start()
    child.join()
    assert child.exitcode == 0


def test_tokens_go_to_their_experts_without_a_race():
    """A scatter of numbers went through LDS, where waves read before others had written."""
    spec = MixtureOfExpertsSpec(
        batch=3, q_len=5, hidden_size=20, intermediate_size=8, num_experts=12, experts_per_token=1,
        io_dtype="f32", has_choice_bias=True, is_normalized=False, scales_input=True,
    )  # fmt: skip
    assert failed_cases(irattn.compile(spec, target="gfx1100")) == []


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_one_token_reads_little_more_than_the_chosen_experts(target):
    """Lines of memory that any workgroup asks for, of weights, numbers of tokens and all else."""
    spec = DECODED.replace(io_dtype="f16", hidden_size=256, intermediate_size=128)
    dispatches = execute(irattn.compile(spec, target=target)).dispatches
    touched = sum(dispatch.counts.traffic.touched_bytes for dispatch in dispatches)
    experts = 2 * spec.experts_per_token * 3 * spec.hidden_size * spec.intermediate_size
    router = 2 * spec.num_experts * spec.hidden_size
    assert experts < touched - router < 1.05 * experts


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"scores": "relu"}, r"scores: expected one of softmax, sigmoid, sparse_mixer, got 'relu'"),
        ({"experts_per_token": 7}, r"experts_per_token: expected at most 6, the experts chosen"),
        ({"num_groups": 4}, r"num_groups: expected a divisor of num_experts = 6, got 4"),
        ({"num_groups": 2, "chosen_groups": 3}, r"chosen_groups: expected at most 2"),
        (
            {"has_choice_bias": True, "has_router_bias": True},
            r"has_router_bias: none beside has_choice_bias and softmax",
        ),
        ({"has_bias": True, "scales_input": True}, r"scales_input: no experts with biases"),
        ({"biases_logits": True}, r"biases_logits: only scores of sigmoid with has_choice_bias"),
        ({"has_shared_gate": True}, r"has_shared_gate: no expert is shared; give shared_size"),
        ({"scores": "sigmoid", "num_groups": 6, "chosen_groups": 2}, r"num_groups: a group's sc"),
    ],
)
def test_specs_that_are_none(fields, error):
    with pytest.raises(SpecError, match=error):
        SPEC.replace(**fields)


# Of one column, one row, one expert: sums are whole waves, groups have an expert each.
OF_ONE = MixtureOfExpertsSpec(
    q_len=1, hidden_size=1, intermediate_size=64, num_experts=2, experts_per_token=1,
    num_groups=2, has_bias=True,
)  # fmt: skip
ROW = OF_ONE.replace(hidden_size=33, has_bias=False, num_groups=1)
OF_MATRICES = SPEC.replace(io_dtype="f16", dynamic=(), hidden_size=64, intermediate_size=64)
ON_AMD = [
    # Of 33 columns a lane has one, and sums of 256 are whole waves.
    UNGATED.replace(q_len=3, intermediate_size=32),
    *(GROUPS.replace(q_len=3), SCALED.replace(q_len=3, intermediate_size=256)),
    # Where the compiler takes dimensions away.
    *(OF_ONE, OF_ONE.replace(q_len=2, io_dtype="f32"), ROW, ROW.replace(num_experts=1)),
    OF_MATRICES,
]


def test_tokens_of_one_column_are_refused_where_sums_would_be_wrong():
    """Three tokens were 9 off with 100 columns inside, and did not compile with 128."""
    with pytest.raises(RenderError, match="hidden_size: expected at least 2 for experts"):
        GraphRequest(OF_ONE.replace(q_len=3), targets.get("gfx1100"))
    GraphRequest(OF_ONE, targets.get("gfx1100"))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ON_AMD, ids=lambda spec: spec.digest)
def test_amd_code(spec):
    artifact = artifact_of(spec, ON_AMD, "gfx1100")
    assert failed_cases(artifact) == []


@pytest.mark.slow
def test_matrix_instructions_multiply_the_tokens_of_an_expert():
    assert matrix_instructions(kernels(OF_MATRICES, "gfx1100", ON_AMD)) > 0


@pytest.mark.slow
def test_a_router_of_many_experts_spills_nothing():
    """Of one token, whose experts a loop over one row ranks, and of many, with their product."""
    many = SPEC.replace(
        **{"io_dtype": "f16", "dynamic": (), "batch": 1, "num_experts": 64},
        **{"q_len": 512, "hidden_size": 2048, "intermediate_size": 64},
    )
    one = many.replace(q_len=1)
    for spec in (many, one):
        assert not [kernel.name for kernel in kernels(spec, "gfx1100") if kernel.spills]
    assert failed_cases(irattn.compile(one, target="gfx1100")) == []
