"""Old words of options: hidden, with the meaning of the new one, and never both."""

import click
import pytest

from irattn.cli.renamed import RenamedOption
from support.command import run
from support.commands import COMMANDS

RENAMED = [
    (path, option, word)
    for path, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, RenamedOption)
    for word in option.old_words
]

all_old_words = pytest.mark.parametrize(
    ("path", "option", "old"), RENAMED, ids=[" ".join((*path, word)) for path, _, word in RENAMED]
)


def new_word(option):
    return max(option.opts, key=len)


def value_of(path, option, *words):
    """What the command's function is given for an option."""
    command = COMMANDS[path]
    context = click.Context(command, info_name=path[-1])
    parsed, _, _ = command.make_parser(context).parse_args(list(words))
    return option.handle_parse_result(context, parsed, [])[0]


@all_old_words
def test_they_mean_what_the_new_word_means(path, option, old, tmp_path, capsys):
    value = "3" if isinstance(option.type, click.types.IntParamType) else str(tmp_path)
    new = new_word(option)
    expected = value_of(path, option, new, value)
    assert capsys.readouterr().err == ""
    for words in ((old, value), (f"{old}={value}",)):
        assert value_of(path, option, *words) == expected != option.default
        told = f"Note: {old} is called {new} now; the old word will go\n"
        assert capsys.readouterr().err == told


@all_old_words
def test_help_shows_the_new_word_alone(path, option, old):
    shown = run(*path, "--help").stdout.split()
    assert old not in shown
    assert new_word(option) in shown


@all_old_words
def test_both_words_are_one_too_many(path, option, old):
    new = new_word(option)
    told = run(*path, old, "a", new, "b", code=2).stderr
    assert told.endswith(
        f"Error: {new}: expected once, got it 2 times; {old} is an old word for it\n"
    )
    told = run(*path, old, "", code=2).stderr
    assert told.endswith(f"Error: {new}: expected a value, got ''\n")


def test_an_option_means_the_same_in_all_commands():
    """The store is --store, what is written -o or --output, a seed --seed."""
    meanings = {}
    for path, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                meanings.setdefault(option.name, set()).add((new_word(option), *path))
    for name, word in (("store", "--store"), ("output", "--output"), ("seed", "--seed")):
        assert {found for found, *_ in meanings[name]} == {word}
    words = {word for option in RENAMED for word in option[1].opts}
    assert words == {"--store", "-o", "--output", "--seed", "--step-tokens"}
    assert not words & {old for _, _, old in RENAMED}


def test_no_two_options_of_a_command_share_a_word():
    for command in COMMANDS.values():
        words = [word for option in command.params for word in option.opts]
        words += [word for option in command.params for word in getattr(option, "old_words", ())]
        assert len(words) == len({*words})


def test_a_suggestion_is_no_old_word():
    assert "--out?" not in run("compile", "--ou", "x", code=2).stderr


def test_they_work(tmp_path):
    result = run("compile", "mha_full_tiny", "--target", "cpu", "--out", tmp_path, "--json")
    assert result.stderr == "Note: --out is called --store now; the old word will go\n"
    assert (tmp_path / "cpu" / "mha_full_tiny").is_dir()
