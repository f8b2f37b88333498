"""What tests of transformers' models share."""

import logging

import pytest


@pytest.fixture
def said(caplog):
    """What was logged as left to PyTorch."""
    # Where transformers is not installed, no test asks for it.
    from irattn.integrations import transformers as integration

    integration._say_once.cache_clear()
    caplog.set_level(logging.WARNING, logger="irattn")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "irattn"]
