"""Chat templates of a model's folder: messages to the text that the model was trained on."""

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any

from irattn.core.errors import ConfigError, ModelError, UsageError, printable
from irattn.generation.folder import ModelFolder

Message = Mapping[str, str]

_FILE, _CONFIG = "chat_template.jinja", "tokenizer_config.json"
# Of a processor of images and text, and of a tokenizer's special tokens, in older folders.
_PROCESSOR, _TOKENS = "chat_template.json", "special_tokens_map.json"
_SPECIAL = (
    *("bos_token", "cls_token", "eos_token", "mask_token", "pad_token", "sep_token", "unk_token"),
)
# What transformers gives a template besides, which may ask whether it is none.
_NONE = dict.fromkeys(("documents", "tools"))
# Messages have no more lines as JSON, times how deep they are.
_MOST_LINES = 2**15
_FAILS = (*(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),)


class ChatTemplate:
    """The template of a folder, in `chat_template.jinja` or in `tokenizer_config.json`.

    It runs in Jinja's sandbox, as transformers runs it: a folder's file may be anyone's.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder

    def render(self, messages: Sequence[Message]) -> str:
        """The text of a conversation up to where the model's next message begins.

        Each message has a `role`, system, user or assistant, and `content`. UsageError where the
        folder has no template, ModelError where it is none or refuses the messages.
        """
        from jinja2 import TemplateError

        config = self._folder.json_object(_CONFIG)
        source = self._source(config)
        said = {**self._folder.json_object(_TOKENS), **config}
        tokens = {name: _text_of(said[name]) for name in _SPECIAL if said.get(name)}
        try:
            template = _environment().from_string(source)
            text: str = template.render(
                messages=messages, add_generation_prompt=True, **_NONE, **tokens
            )
        except (TemplateError, *_FAILS) as error:
            raise ModelError(
                f"chat template of {self._folder.path}: does not take the messages: "
                f"{printable(error)}"
            ) from error
        return text

    def _source(self, config: Mapping[str, Any]) -> str:
        path = self._folder.path / _FILE
        if path.is_file():
            try:
                return path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise ModelError(f"{path}: expected text in UTF-8: {error}") from error
        given = config.get("chat_template")
        if isinstance(given, list):
            named = {one.get("name"): one.get("template") for one in given if isinstance(one, dict)}
            given = named.get("default")
        if given is None:
            given = self._folder.json_object(_PROCESSOR).get("chat_template")
        if given is None:
            raise UsageError(
                f"chat template: {self._folder.path} has no {self._folder.template_places}; it is "
                "a model that only goes on with a text: leave out --chat"
            )
        if not isinstance(given, str):
            raise ConfigError(f"{_CONFIG}: chat_template: expected text")
        return given


def _text_of(token: object) -> str:
    """A special token, which files have as text or as an object with its `content`."""
    return str(token.get("content", "")) if isinstance(token, dict) else str(token)


def _environment() -> Any:
    from jinja2 import nodes
    from jinja2.exceptions import TemplateError
    from jinja2.ext import Extension, loopcontrols

    from irattn.generation.bounded_templates import bounded_environment, check_size
    from irattn.generation.made_sizes import widths_in

    class Generation(Extension):
        """Marks what the model says, `{% generation %}`, for training: here it says nothing."""

        tags = {"generation"}  # noqa: RUF012

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    def raise_exception(message: str) -> None:
        raise TemplateError(message)

    def to_json(
        value: object,
        ensure_ascii: bool = False,
        indent: int | str | None = None,
        separators: tuple[str, str] | None = None,
        sort_keys: bool = False,
    ) -> str:
        # In transformers' order, as templates may leave the names out.
        check_size((indent if isinstance(indent, int) else len(indent or "")) * _MOST_LINES)
        return json.dumps(
            value,
            ensure_ascii=ensure_ascii,
            indent=indent,
            separators=separators,
            sort_keys=sort_keys,
        )

    def strftime_now(form: str) -> str:
        # The C library pads numbers to the widths that a form has.
        check_size(widths_in(form))
        return datetime.datetime.now().strftime(form)

    environment = bounded_environment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = to_json
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = strftime_now
    return environment
