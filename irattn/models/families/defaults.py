"""The defaults of transformers' configuration classes for keys left out, by model type.

`tools/model_types.py` writes `defaults.json`.
"""

import json
from pathlib import Path
from typing import Any

CLASS_DEFAULTS: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_suffix(".json").read_text(encoding="utf-8")
)
