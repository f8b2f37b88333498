"""Attention and what goes with it as functions of arrays: no spec, no target, no compilation."""

from irattn.functional.contiguous import attention

__all__ = ["attention"]
