"""Specs drawn at random: those of every op can be."""

import pytest

import irattn
from irattn.specs import SPEC_NAMES
from support.draws import of_op

OPS = sorted(getattr(irattn, name).op for name in SPEC_NAMES if name != "Spec")


@pytest.mark.parametrize("op", OPS)
def test_specs_of_every_op_are_drawn(op):
    draw = of_op(op)
    assert len({draw(seed) for seed in range(8)}) > 3
