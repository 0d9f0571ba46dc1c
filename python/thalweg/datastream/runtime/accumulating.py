"""The reductions behind sum, min, max, min_by and max_by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalweg.common.types import Row

__all__ = ["accumulator"]

Reduce = Callable[[Any, Any], Any]
Field = int | str

_COMBINE: dict[str, Reduce] = {
    "sum": lambda old, new: old + new,
    "min": lambda old, new: new if new < old else old,
    "max": lambda old, new: new if new > old else old,
}


def accumulator(position: Field, kind: str) -> Reduce:
    """The function of (so far, record) for `kind` on a field of tuples, lists and rows, or on field 0 of basic values."""
    if kind in _COMBINE:
        return _of_field(position, _COMBINE[kind])
    is_less = kind == "min_by"

    def choose(old: Any, new: Any) -> Any:
        before, now = _value(old, position), _value(new, position)
        return new if (now < before if is_less else now > before) else old

    return choose


def _is_composite(record: Any) -> bool:
    return isinstance(record, (tuple, list, Row))


def _value(record: Any, position: Field) -> Any:
    if _is_composite(record):
        return record[position]
    _check_basic(position)
    return record


def _check_basic(position: Field) -> None:
    if position != 0:
        raise TypeError(
            f"The {position} field selected on a basic type. A field expression on a basic type can only select the 0th field "
            "(which means selecting the entire basic type)."
        )


def _of_field(position: Field, combine: Reduce) -> Reduce:
    def reduce(old: Any, new: Any) -> Any:
        if not _is_composite(old):
            _check_basic(position)
            return combine(old, new)
        value = combine(old[position], new[position])
        if isinstance(old, Row):
            row = Row(*old)
            if old._names() is not None:
                row.set_field_names(list(old._names() or ()))
            row.set_row_kind(old.get_row_kind())
            row[position] = value
            return row
        values = list(old)
        values[int(position)] = value
        return tuple(values) if isinstance(old, tuple) else values

    return reduce
