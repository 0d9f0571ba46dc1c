"""Tables of Python values."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg.table.expression import Expression
from thalweg.table.nested_types import ArrayType, MapType, RowField, RowType, sql_type
from thalweg.table.simple_types import DataType, DoubleType, FloatType, LocalZonedTimestampType

if TYPE_CHECKING:
    from thalweg._native import Relation, Session


def table_of_elements(session: Session, elements: Any, schema: Any, verify: bool) -> Relation:
    """The relation of `TableEnvironment.from_elements`."""
    if not isinstance(elements, list):
        elements = list(elements)
    if elements and all(isinstance(e, Expression) for e in elements):
        return _table_of_expressions(session, elements, schema)
    elements = [_materialised(e) for e in elements]
    row_type = _row_type(elements, schema)
    if verify and isinstance(schema, DataType):
        from thalweg.table.type_verifier import _create_type_verifier

        check = _create_type_verifier(row_type)
        for element in elements:
            check(element if isinstance(schema, RowType) else (element,))
    elif not isinstance(schema, (RowType, type(None), list, tuple, DataType)):
        raise TypeError(f"schema should be RowType, list, tuple or None, but got: {schema}")
    wrap = isinstance(schema, DataType) and not isinstance(schema, RowType)
    rows = [_values(row_type, (e,) if wrap else e) for e in elements]
    return session.from_rows([(field.name, sql_type(field.data_type)) for field in row_type.fields], rows)


def _materialised(element: Any) -> Any:
    """The element itself; a generator or the like as a tuple."""
    return tuple(element) if hasattr(element, "__next__") else element


def _row_type(elements: list[Any], schema: Any) -> RowType:
    if isinstance(schema, RowType):
        return schema
    if isinstance(schema, DataType):
        return RowType([RowField("value", schema)])
    from thalweg.table.type_inference import _infer_schema_from_data

    return _infer_schema_from_data(elements, None if schema is None else list(schema))


def _values(row_type: RowType, element: Any) -> tuple[Any, ...]:
    """An element as one value a column, missing ones None, in the form the engine takes."""
    if isinstance(element, dict):
        values = [element.get(name) for name in row_type.names]
    elif hasattr(element, "_is_retract_msg") or isinstance(element, (tuple, list)):
        names = getattr(element, "_fields", None)
        values = [element[name] if name in names else None for name in row_type.names] if names else list(element)
        values += [None] * (len(row_type.fields) - len(values))
    else:
        values = [element.__dict__.get(name) for name in row_type.names]
    return tuple(value_converter(field.data_type)(value) for field, value in zip(row_type.fields, values))


def value_converter(data_type: DataType) -> Callable[[Any], Any]:
    """Makes a value of Python's one that the engine takes."""
    if isinstance(data_type, LocalZonedTimestampType):
        return _instant
    if isinstance(data_type, (DoubleType, FloatType)):
        return lambda value: None if value is None else float(value)
    if isinstance(data_type, RowType):
        return lambda value: None if value is None else _values(data_type, value)
    if isinstance(data_type, ArrayType):
        element = value_converter(data_type.element_type)
        return lambda value: None if value is None else [element(v) for v in value]
    if isinstance(data_type, MapType):
        key, item = value_converter(data_type.key_type), value_converter(data_type.value_type)
        return lambda value: None if value is None else {key(k): item(v) for k, v in value.items()}
    return data_type.to_sql_type


def _instant(value: Any) -> Any:
    """A naive datetime is a wall clock of this machine, as in Flink."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc)
    return value


def _table_of_expressions(session: Session, elements: list[Expression], schema: Any) -> Relation:
    rows = []
    for element in elements:
        tree = element._tree
        rows.append(list(tree[2]) if tree[0] == "call" and tree[1] == "ROW" else [tree])
    if schema is None:
        return session.values(rows, [f"f{i}" for i in range(len(rows[0]))])
    if isinstance(schema, RowType):
        rows = [[("cast", t, sql_type(f.data_type)) for t, f in zip(row, schema.fields)] for row in rows]
        return session.values(rows, schema.names)
    return session.values(rows, list(schema))
