"""Templates read as MLIR: lines that fit, macros that say what they read, and have two callers."""

import pytest
from jinja2 import meta

from irattn.rendering.environment import environment
from support.macro_calls import places_of_macros
from support.places import ROOT

TEMPLATES = ROOT / "templates"

# Templates of linalg that have lines above 110 characters: they were written before the rule.
LONG = (
    *("attention_backward_cpu", "attention_backward_lanes", "attention_backward_whole"),
    *("attention_scores", "bias_scores", "block_position_embedding", "cache_write"),
    *("convolution_layer", "decoder_layer", "delta_layer", "drawn_choice"),
    *("gated_delta_rule_chunks", "gated_delta_rule_cpu", "gated_delta_rule_gpu"),
    *("gated_rms_norm", "head_projection", "l2_norm", "latent_projection", "layer_norm", "linear"),
    *("lm_head", "mask_scores", "merge_states", "mixture_of_experts", "mlp", "output_projection"),
    *("position_embedding", "qkv_projection", "replicate_kv", "rms_norm", "rope"),
    *("short_convolution", "split_streams", "state_space_layer", "weighted_values"),
)
FITTING = sorted(
    path
    for room in ("attention", "shared", "linalg")
    for path in TEMPLATES.glob(f"{room}/*.j2")
    if room != "linalg" or path.name.removesuffix(".mlir.j2") not in LONG
)

KERNELS = sorted(
    path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.glob("attention/?pu_*")
)

# Macros that one place calls: kernels of products as wholes, and the largest steps of these. One
# text of them all would have a thousand lines, and no names for its parts. A new macro of one
# caller is said where it is called.
CALLED_ONCE = 18


@pytest.mark.parametrize("path", FITTING, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_lines_fit(path):
    assert long_lines(path) == []


@pytest.mark.parametrize("name", LONG)
def test_what_may_have_long_lines_has_some(name):
    """Else it leaves the list, and its lines fit from then on."""
    assert long_lines(TEMPLATES / f"linalg/{name}.mlir.j2")


def test_no_macro_reads_the_context_of_its_caller():
    found = [p.name for p in TEMPLATES.glob("**/*.j2") if "with context" in p.read_text("utf-8")]
    assert found == []


def test_a_macro_has_two_callers():
    """Else its text stands where it is called, and is read there."""
    counts = places_of_macros()
    once = sorted(f"{template}: {name}" for (template, name), n in counts.items() if n == 1)
    assert [macro for macro, n in counts.items() if n == 0] == []
    assert len(once) <= CALLED_ONCE, f"say one of these where it is called: {', '.join(once)}"


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_of_attention_is_read_in_four_files(kernel):
    """Besides the kernels that merge what its parts give."""
    merging = {"attention/merge.mlir.j2", "attention/merge_few.mlir.j2"}
    assert len(files_read(kernel) - merging) <= 4


def files_read(template):
    """A template, and all that it takes from others, and these from others."""
    read, left = set(), {template}
    while left:
        name = left.pop()
        read.add(name)
        tree = environment(None, False).parse((TEMPLATES / name).read_text(encoding="utf-8"))
        left |= set(meta.find_referenced_templates(tree)) - read
    return read


def long_lines(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if len(line) > 110]
