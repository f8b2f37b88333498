"""Chat templates of a small model's folder."""

import json

from irattn.generation.chat import ChatTemplate
from irattn.generation.folder import ModelFolder
from support.model_folder import config_of, write_model

HELLO = [{"role": "user", "content": "é"}]


def template_of(tmp_path, source=None, **config):
    """The template of a new folder, in a file of its own or among what its tokenizer is told."""
    write_model(tmp_path, config_of("llama"))
    if source is not None:
        (tmp_path / "chat_template.jinja").write_text(source)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config))
    return ChatTemplate(ModelFolder(tmp_path))
