"""How accumulators are copied and pickled for checkpoints."""

from __future__ import annotations

import copy
import pickle
from typing import Any


def dumps(value: Any) -> bytes:
    """The accumulator as bytes."""
    return pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)


def loads(data: bytes) -> Any:
    """The accumulator that `dumps` was given."""
    return pickle.loads(data)


def deepcopy(value: Any) -> Any:
    """A copy that shares nothing which changes."""
    return copy.deepcopy(value)
