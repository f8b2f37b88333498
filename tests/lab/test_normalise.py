"""MLIR text without what means nothing: renamed values are the same, other graphs are not."""

import re

import pytest
from iree.compiler import ir

import irattn
from irattn.lab.comparison.normalise import normalised, normalised_sha256
from support.comparisons import SPEC


def test_comments_layout_and_names_mean_nothing():
    text = irattn.render(SPEC, target="gfx1100")
    renamed = text.replace("%logits", "%found").replace("!query", "!q").replace("#tile", "#t")
    old = "#of_row = affine_map<(m, t) -> (m)>"
    assert old in renamed
    renamed = renamed.replace(old, "#of_row = affine_map<(a, b) -> (a)>")
    loose = "// new\n" + renamed.replace("\n", "\n\n").replace(" = ", "   =  ")
    assert normalised(loose) == normalised(text)


def test_what_means_something_is_kept():
    text = irattn.render(SPEC, target="gfx1100")
    seen = {normalised_sha256(text)}
    for old, new in (
        ("sle, %ahead", "sge, %ahead"),
        ("%position = arith.addi %first, %row", "%position = arith.addi %row, %row"),
        ("#of_row = affine_map<(m, t) -> (m)>", "#of_row = affine_map<(m, t) -> (t)>"),
        ("workgroup_size = [256", "workgroup_size = [128"),
        ("0.0 : f32", "1.0 : f32"),
    ):
        assert old in text
        seen.add(normalised_sha256(text.replace(old, new)))
    assert len(seen) == 6


def test_regions_may_use_a_name_again():
    one = '^bb0(%a: f32):\n "x"(%a)\n}, {\n^bb0(%a: f32):\n "x"(%a)\n}'
    other = one[: one.index("}")] + one[one.index("}") :].replace("%a", "%b")
    assert normalised("{" + one) == normalised("{" + other)
    outer = '{ %a = "x"() "region"() {\n%b = "y"()\n"use"(%b) } "use"(%a) }'
    assert normalised(outer) == normalised(outer.replace("%b", "%a"))
    assert normalised('"a // b"') == '"a // b"'


@pytest.mark.parametrize(
    ("name", "target"),
    [("gqa_decode_tiny", "gfx1100"), ("dynamic_causal_tiny", "cpu"), ("packed_paged_tiny", "cpu")],
)
def test_a_function_may_name_its_values_anew(name, target):
    """Values that another function, or another kernel, has the same names for; IREE numbers all."""
    text = irattn.render(name, target=target)
    printed = as_iree_prints(text)
    functions = re.split(
        r"(?=^ *(?:func\.func|util\.func|flow\.executable\.export)\b)", text, flags=re.M
    )
    for number in range(1, len(functions)):
        anew = re.sub(r"%(?=[a-z])", "%other_", functions[number])
        renamed = "".join([*functions[:number], anew, *functions[number + 1 :]])
        assert as_iree_prints(renamed) == printed
        assert normalised(renamed) == normalised(text)


def as_iree_prints(text):
    with ir.Context() as context:
        return str(ir.Module.parse(text, context=context))


def test_values_are_not_taken_for_each_other():
    text = """{
      %a, %b = "two"()
      %c:2 = scf.for %i = %a to %b step %a iter_args(%x = %a, %y = %b) -> (index, index) {
        %d = "use"(%x, %y)
      }
      "use"(%c#0, %a)
    }"""
    seen = {normalised(text)}
    for old, new in (
        ("= %a to", "= %b to"),
        ("%x = %a", "%x = %b"),
        ("%y = %b", "%y = %a"),
        ("(%x, %y)", "(%y, %x)"),
        ("(%x, %y)", "(%x, %b)"),
        ("(%c#0, %a)", "(%c#0, %b)"),
        ("(%c#0, %a)", "(%c#1, %a)"),
    ):
        assert old in text
        seen.add(normalised(text.replace(old, new)))
    assert len(seen) == 8
