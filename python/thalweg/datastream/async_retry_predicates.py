"""Ready-made conditions for trying again."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["empty_result_predicate", "exception_type_predicate", "has_exception_predicate"]


def empty_result_predicate(result: list[Any]) -> bool:
    """True for a result without records."""
    return len(result) == 0


def has_exception_predicate(error: Exception | None) -> bool:
    """True for every exception."""
    return error is not None


def exception_type_predicate(error: Exception, expected_error_type: type[Exception]) -> bool:
    """True for exceptions of that type; to be bound with functools.partial."""
    return isinstance(error, expected_error_type)


use_flink_names(globals())
