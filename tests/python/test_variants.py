"""VARIANT and structured types in the Table API and as Python values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyflink.common import Row
from pyflink.table import DataTypes, Table, TableEnvironment
from pyflink.table.expressions import call, col, json_string, object_of
from pyflink.table.udf import udf
from thalweg.table.nested_types import StructuredType

VALUE = {"a": {"c": [1, 2.5, "x", True, None]}, "b": -70000}


def rows_of(table: Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.execute().collect()]


def variants(environment: TableEnvironment, *values: Any) -> Table:
    texts = environment.from_elements([(json.dumps(value),) for value in values], ["j"])
    return texts.select(call("PARSE_JSON", col("j")).alias("v"))


def test_access_and_text(streaming: TableEnvironment) -> None:
    table = variants(streaming, VALUE)
    v = col("v")
    assert rows_of(table.select(v, v.at("a").at("c").at(2), v.at("zz"), json_string(v.at("a")))) == [
        (VALUE, 2.5, None, '{"c":[1,2.5,"x",true,null]}')
    ]
    assert table.get_schema().get_field_data_type("v") == DataTypes.VARIANT()


def test_functions_take_and_give_values(streaming: TableEnvironment) -> None:
    @udf(input_types=[DataTypes.VARIANT()], result_type=DataTypes.VARIANT())
    def wrap(value: Any) -> Any:
        return None if value == 1 else {"was": value}

    assert rows_of(variants(streaming, VALUE, 1, [2]).select(wrap(col("v")))) == [({"was": VALUE},), (None,), ({"was": [2]},)]


def test_elements(streaming: TableEnvironment) -> None:
    schema = DataTypes.ROW([DataTypes.FIELD("v", DataTypes.VARIANT())])
    table = streaming.from_elements([(VALUE,), (None,), ("text",)], schema)
    assert rows_of(table.select(col("v"), json_string(col("v")))) == [
        (VALUE, '{"a":{"c":[1,2.5,"x",true,null]},"b":-70000}'),
        (None, None),
        ("text", '"text"'),
    ]
    with pytest.raises(Exception, match="VARIANT"):
        streaming.from_elements([({1, 2},)], schema)


def test_structured_values(streaming: TableEnvironment) -> None:
    names = streaming.from_elements([("Bob", 42)], ["name", "age"])
    users = names.select(object_of("com.example.User", "name", col("name"), "age", col("age")).alias("u"))
    u = col("u")
    assert rows_of(users.select(u, u.get("name"), u.get(1))) == [(Row("Bob", 42), "Bob", 42)]
    assert rows_of(users.select(u.object_update("age", 43).get("age"))) == [(43,)]
    assert rows_of(users.select(u.flatten)) == [("Bob", 42)]
    found = users.get_schema().get_field_data_type("u")
    assert isinstance(found, StructuredType)
    assert found.class_name == "com.example.User"
    assert found.names == ["name", "age"]
    assert users.select(u.cast(found)).get_schema().get_field_data_type(0) == found
