"""Rows."""

from __future__ import annotations

import pickle

import pytest
from pyflink.common import Row, RowKind


def test_rows_with_and_without_names() -> None:
    named, plain = Row(name="Alice", age=11), Row("Alice", 11)
    assert (named.name, named["age"], named[0], plain[1]) == ("Alice", 11, "Alice", 11)
    assert (repr(named), repr(plain)) == ("Row(name='Alice', age=11)", "<Row('Alice', 11)>")
    assert named.as_dict() == {"name": "Alice", "age": 11}
    assert not hasattr(plain, "_fields")
    assert list(plain) == ["Alice", 11]
    assert ("age" in named, 11 in named) == (True, False)
    assert ("age" in plain, 11 in plain) == (False, True)
    with pytest.raises(ValueError, match="both args and kwargs"):
        Row(1, a=2)


def test_a_row_of_names_makes_rows() -> None:
    person = Row("name", "age")("Bob", 7)
    assert person.age == 7
    person.age = 8
    assert person["age"] == 8


def test_kinds_and_pickles() -> None:
    row = Row.of_kind(RowKind.UPDATE_BEFORE, 1, "x")
    assert str(row.get_row_kind()) == "-U"
    assert pickle.loads(pickle.dumps(row)) == row
    assert row != Row(1, "x")
