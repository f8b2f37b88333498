"""irattn's command line, called in this process."""

from click.testing import CliRunner

from irattn.cli import main


def run(*args, code=0):
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def called(*words):
    """The result of a call, whichever code it ends with."""
    return CliRunner().invoke(main, [*map(str, words)])
