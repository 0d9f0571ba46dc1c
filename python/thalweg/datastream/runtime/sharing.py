"""Results leave by reference, where Flink would have serialized them: what a function may change later is copied."""

from __future__ import annotations

import copy
import datetime
import decimal
from sys import getrefcount
from typing import Any

__all__ = ["IMMUTABLE", "detached"]

IMMUTABLE = frozenset(
    [int, str, float, bool, bytes, type(None), decimal.Decimal, datetime.date, datetime.datetime, datetime.time, datetime.timedelta]
)


def detached(value: Any) -> Any:
    """`value`, or a copy where somebody else than the caller's one variable refers to it, or to a field of a tuple."""
    kind = type(value)
    if kind in IMMUTABLE:
        return value
    if kind is tuple:
        for field in value:
            # The tuple, this variable and getrefcount's own.
            if type(field) not in IMMUTABLE and (type(field) is tuple or getrefcount(field) > 3):
                return copy.deepcopy(value)
        return value
    # The caller's variable, this one and getrefcount's own.
    return copy.deepcopy(value) if getrefcount(value) > 3 else value
