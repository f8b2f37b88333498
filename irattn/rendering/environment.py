"""Jinja's environment for templates: what their lines may say besides Jinja's own words."""

import math
import re
from collections.abc import Iterable
from functools import cache

import jinja2
import numpy as np
from jinja2.ext import Extension

from irattn.core.dtypes import dtype
from irattn.rendering.compiled_templates import compiled_templates
from irattn.rendering.dynamic import dynamic_sizes, dynamic_values, extent, has_dynamic, sizes
from irattn.rendering.template_root import template_root
from irattn.rendering.values import tensor_type

_TAG = re.compile(r"\{\{|\{%|\}\}|%\}")
# Jinja takes the end of a line away that a tag ends, or `-}}`, but not one of `+%}`.
_GOES_ON = re.compile(r"(?:(?<!\+)%|-\})\}\s*$")
_COMMENT = re.compile(r"((?:^[ \t]*\n)*)^[ \t]*//#(.*)((?:\n[ \t]*(?=\n))*)$", re.MULTILINE)

# An empty line, or one of marks alone, as `_MarkOrigin` makes them.
_SAYS_NOTHING = re.compile(r"(?: //@\S+:\d+)*")


@cache
def environment(part_name: str | None, marked: bool) -> jinja2.Environment:
    """The environment of a graph, or of a part by its name; `marked` lines name their origin."""
    marks: list[type[Extension]] = [_MarkOrigin] if marked else []
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_root()),
        line_statement_prefix="//%",
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_ended_by_its_caller,
        extensions=[*marks, _DropComments],
        autoescape=False,
        bytecode_cache=compiled_templates("marked" if marked else "plain"),
    )
    made.globals["part_name"] = part_name
    made.globals["tensor"] = _tensor
    made.globals["dynamic_sizes"] = dynamic_sizes
    made.filters["has_dynamic"] = has_dynamic
    made.filters["sizes"] = sizes
    made.filters["dynamic"] = dynamic_values
    made.filters["extent"] = extent
    made.filters["type"] = lambda tensor: _tensor(*tensor.shape, dtype(tensor.dtype).mlir)
    made.filters["element"] = lambda tensor: dtype(tensor.dtype).mlir
    made.filters["each"] = _each
    made.filters["chain"] = _chain
    made.filters["product"] = math.prod
    made.filters["real"] = _real
    made.filters["literal"] = _literal
    made.filters["log2e"] = lambda value: value * math.log2(math.e)
    return made


def _ended_by_its_caller(value: object) -> object:
    """A macro's text without the end of its last line, which the line that calls it ends.

    Nor has it marked lines that say nothing there, as a macro's that said nothing.
    """
    return _without_last_ends(value) if isinstance(value, str) else value


def _without_last_ends(text: str) -> str:
    """A text up to its last line that says something.

    Looked for from its end: most of what is rendered passes here once for each macro around it.
    """
    end = len(text)
    while end >= 0:
        before = text.rfind("\n", 0, end)
        if not _SAYS_NOTHING.fullmatch(text, before + 1, end):
            return text[:end]
        end = before
    return ""


def _tensor(*dims_and_element: int | list[int] | tuple[int, ...] | str) -> str:
    """A tensor type; a list stands for several dimensions."""
    *dims, element = dims_and_element
    groups = (part if isinstance(part, list | tuple) else [part] for part in dims)
    return tensor_type((size for group in groups for size in group), str(element))


def _each(names: Iterable[object], pattern: str) -> str:
    """A list of names, each put into a pattern in the place of `{}`."""
    return ", ".join(pattern.format(name) for name in names)


def _chain(items: Iterable[object], first: str, last: str) -> list[tuple[object, str, str]]:
    """The items of a fold, each with the value before it and the value after it.

    The fold begins with `first` and ends with `last`; values between them are numbered. Without
    items there is no fold.
    """
    folded = list(items)
    values = [first, *(f"{last}_{number}" for number in range(1, len(folded))), last]
    return list(zip(folded, values, values[1:], strict=False))


def _real(value: float) -> str:
    """An MLIR float literal: digits on both sides of a point, whatever the exponent."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{e}{exponent}"


def _literal(value: float | int | bool) -> str:
    """An MLIR literal of a number: f32's bits where it is infinite or NaN."""
    if isinstance(value, int):
        # Of bools, too: MLIR writes no type after `true`.
        return str(int(value))
    return _real(value) if math.isfinite(value) else f"0x{np.float32(value).view(np.uint32):08X}"


class _DropComments(Extension):
    """Comments of templates, `//#` to the end of a line: no line of theirs is left in the text.

    Nor are the empty lines around it, which tell sections of a template apart.
    """

    # After what tells these lines from others.
    priority = 200

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with Jinja's own comments, whose lines are trimmed as those of blocks are."""
        return _COMMENT.sub(r"{#\1\2 \3#}", source)


def _is_before_comment(lines: list[str]) -> bool:
    """Whether a comment comes first, with which the empty lines before it are dropped."""
    return next((line for line in lines if line.strip()), "").lstrip().startswith("//#")


class _MarkOrigin(Extension):
    """Ends every template line with a comment that names it, so that output lines can be traced."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source with the comments.

        A line that ends inside a tag of Jinja's has none, nor has one that goes on in the next.
        """
        is_inside = False
        marked: list[str] = []
        lines = source.splitlines(keepends=True)
        for number, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True), 1):
            for tag in _TAG.findall(line):
                is_inside = tag in ("{{", "{%")
            is_text = line.strip() and not line.lstrip().startswith(("//%", "//#", "{#"))
            goes_on = bool(_GOES_ON.search(line)) or after.lstrip().startswith(("{%-", "{{-"))
            ends = not line.strip() and bool(marked and _GOES_ON.search(marked[-1]))
            is_end = ends and not _is_before_comment(lines[number:])
            mark = f"{line.rstrip()} //@{name}:{number}\n"
            marked.append(mark if is_end or (is_text and not (is_inside or goes_on)) else line)
        return "".join(marked)
