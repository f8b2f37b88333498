"""What the README and the page of features say is so; test_pages runs every block."""

import dataclasses
from dataclasses import MISSING

import features
import pytest

from irattn.specs.features import AttentionFeatures
from support.places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FEATURES_PAGE = (ROOT / "irattn" / "pages" / "features.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 150


@pytest.mark.slow
def test_the_table_of_features_is_what_the_code_says():
    assert features.table() + "\n" in FEATURES_PAGE


def test_the_table_has_every_feature():
    told = {field for changes in features.FEATURES.values() for field in changes}
    optional = {f.name for f in dataclasses.fields(AttentionFeatures) if f.default is not MISSING}
    assert optional - {"io_dtype", "batch"} <= told
