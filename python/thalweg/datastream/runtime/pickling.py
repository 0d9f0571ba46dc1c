"""How state becomes bytes: pickle, by protocol 5."""

from __future__ import annotations

import pickle
from typing import Any

__all__ = ["dumps", "loads"]


def dumps(value: Any) -> bytes:
    """Bytes from which `loads` makes an equal value."""
    return pickle.dumps(value, 5)


def loads(data: bytes) -> Any:
    """The value that `dumps` wrote. Only for files that the program itself wrote: pickle runs code."""
    return pickle.loads(data)
