"""Entries of the catalogue with fewer tokens, so that they execute in seconds."""

from dataclasses import fields

from irattn.specs import Spec

_LENGTHS = ("q_len", "kv_len", "q_tokens", "kv_tokens", "rows")


def cut(spec: Spec, tokens: int = 128) -> Spec:
    """A spec with at most so many queries, and keys for each sequence; its code is the same."""
    names = {field.name for field in fields(spec)}
    least = {name: min(getattr(spec, name), tokens) for name in _LENGTHS if name in names}
    if "max_blocks" in names:
        least["max_blocks"] = min(spec.max_blocks, tokens // spec.block_size)
    return spec.replace(**least)
