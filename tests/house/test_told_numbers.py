"""Every op that is told ids, lengths or places is executed with junk in each of them."""

import numpy as np
import pytest

from irattn.specs import CATALOGUE
from support.junk import call_of, clean, junk_calls, junk_of, numbers_of, roles, specs

SPECS = specs()


def test_every_op_that_is_told_numbers_has_calls():
    told = {spec.op for spec in CATALOGUE.values() if numbers_of(spec)}
    assert told == {spec.op for spec in SPECS.values()}


def test_numbers_of_every_role_become_junk():
    assert {tensor.role for spec in SPECS.values() for tensor in numbers_of(spec)} == roles()


@pytest.mark.parametrize("name", SPECS)
def test_every_number_becomes_junk_in_some_call(name):
    call = call_of(SPECS[name])
    tensors = clean(call)
    calls = [junk.tensors for junk in junk_calls(call, tensors)]
    for tensor in numbers_of(call):
        found = np.concatenate([given[tensor.name].ravel() for given in calls])
        assert set(junk_of(tensor)) <= set(found.tolist()), tensor.name
        tensor.check_limits(tensors[tensor.name])
