"""Functions that make expressions."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.expression import Expression, JsonOnNull, TimePointUnit
from thalweg.table.expression_tree import Tree, literal, symbol
from thalweg.table.expression_tree import call as call_tree
from thalweg.table.types import DataType

__all__ = [
    "CURRENT_RANGE",
    "CURRENT_ROW",
    "UNBOUNDED_RANGE",
    "UNBOUNDED_ROW",
    "and_",
    "array",
    "atan2",
    "call",
    "call_sql",
    "coalesce",
    "col",
    "concat",
    "concat_ws",
    "convert_tz",
    "current_database",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_watermark",
    "date_format",
    "descriptor",
    "e",
    "from_unixtime",
    "if_then_else",
    "json",
    "json_array",
    "json_array_agg",
    "json_object",
    "json_object_agg",
    "json_string",
    "lit",
    "local_time",
    "local_timestamp",
    "log",
    "map_",
    "map_from_arrays",
    "negative",
    "not_",
    "null_of",
    "object_of",
    "or_",
    "pi",
    "rand",
    "rand_integer",
    "range_",
    "row",
    "row_interval",
    "source_watermark",
    "temporal_overlaps",
    "timestamp_diff",
    "to_date",
    "to_timestamp",
    "to_timestamp_ltz",
    "typeof",
    "unix_timestamp",
    "uuid",
    "with_all_columns",
    "with_columns",
    "without_columns",
]  # fmt: skip


def _expr(tree: Tree) -> Expression:
    return Expression(tree)


def _call(name: str, *args: Any) -> Expression:
    return Expression(call_tree(name, *args))


def col(name: str) -> Expression:
    """A column, for example `col("id")`."""
    return _expr(("col", name))


def lit(v: Any, data_type: DataType | None = None) -> Expression:
    """A literal; its type follows from the value unless `data_type` is given."""
    return _expr(literal(v, data_type))


def range_(start: str | int, end: str | int) -> Expression:
    """A range of columns, both ends included, by name or by position from 1."""
    return _call("$RANGE", start, end)


def and_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression:
    """Whether all predicates hold."""
    return _call("AND", predicate0, predicate1, *predicates)


def or_(predicate0: Any, predicate1: Any, *predicates: Any) -> Expression:
    """Whether one of the predicates holds."""
    return _call("OR", predicate0, predicate1, *predicates)


def not_(expression: Any) -> Expression:
    """The opposite; NULL stays NULL."""
    return _call("NOT", expression)


def current_database() -> Expression:
    """The session's current database."""
    return _call("CURRENT_DATABASE")


def current_date() -> Expression:
    """Today, in the session's zone."""
    return _call("CURRENT_DATE")


def current_time() -> Expression:
    """The time of day, in the session's zone."""
    return _call("CURRENT_TIME")


def current_timestamp() -> Expression:
    """The current instant, a TIMESTAMP_LTZ(3)."""
    return _call("CURRENT_TIMESTAMP")


def current_watermark(rowtimeAttribute: Any) -> Expression:  # noqa: N803 (Flink's parameter)
    """The watermark before this row; NULL before the first."""
    return _call("CURRENT_WATERMARK", rowtimeAttribute)


def local_time() -> Expression:
    """The time of day, in the session's zone."""
    return _call("LOCALTIME")


def local_timestamp() -> Expression:
    """Date and time of the session's zone, a TIMESTAMP(3)."""
    return _call("LOCALTIMESTAMP")


def to_date(date_str: Any, format: Any = None) -> Expression:  # noqa: A002 (Flink's parameter)
    """A text as a DATE, yyyy-MM-dd by default."""
    return _call("TO_DATE", date_str, *(() if format is None else (format,)))


def to_timestamp(timestamp_str: Any, format: Any = None) -> Expression:  # noqa: A002
    """A text as a TIMESTAMP, yyyy-MM-dd HH:mm:ss by default."""
    return _call("TO_TIMESTAMP", timestamp_str, *(() if format is None else (format,)))


def to_timestamp_ltz(*args: Any) -> Expression:
    """An instant of a number since the epoch (and its precision), or of a text (with format and zone)."""
    return _call("TO_TIMESTAMP_LTZ", *args)


def temporal_overlaps(left_time_point: Any, left_temporal: Any, right_time_point: Any, right_temporal: Any) -> Expression:
    """Whether two spans of time overlap; each is a start with an end or a length."""
    left, right = call_tree("ROW", left_time_point, left_temporal), call_tree("ROW", right_time_point, right_temporal)
    return _expr(("call", "OVERLAPS", (left, right)))


def date_format(timestamp: Any, format: Any) -> Expression:  # noqa: A002
    """A time as text of a format such as yyyy-MM-dd."""
    return _call("DATE_FORMAT", timestamp, format)


def timestamp_diff(time_point_unit: TimePointUnit, time_point1: Any, time_point2: Any) -> Expression:
    """How many units lie between two times."""
    return _call("TIMESTAMPDIFF", symbol(time_point_unit.value), time_point1, time_point2)


def convert_tz(date_str: Any, tz_from: Any, tz_to: Any) -> Expression:
    """A wall clock's text in another zone."""
    return _call("CONVERT_TZ", date_str, tz_from, tz_to)


def from_unixtime(unixtime: Any, format: Any = None) -> Expression:  # noqa: A002
    """Seconds since the epoch as text in the session's zone."""
    return _call("FROM_UNIXTIME", unixtime, *(() if format is None else (format,)))


def unix_timestamp(date_str: Any = None, format: Any = None) -> Expression:  # noqa: A002
    """Seconds since the epoch: now, or of a text."""
    if date_str is None:
        return _call("UNIX_TIMESTAMP")
    return _call("UNIX_TIMESTAMP", date_str, *(() if format is None else (format,)))


def array(head: Any, *tail: Any) -> Expression:
    """An array of these elements."""
    return _call("ARRAY", head, *tail)


def row(head: Any, *tail: Any) -> Expression:
    """A row of these values."""
    return _call("ROW", head, *tail)


def map_(key: Any, value: Any, *tail: Any) -> Expression:
    """A map of keys and values in turn."""
    return _call("MAP", key, value, *tail)


def map_from_arrays(key: Any, value: Any) -> Expression:
    """A map of an array of keys and one of values."""
    return _call("MAP_FROM_ARRAYS", key, value)


def object_of(class_name: Any, *args: Any) -> Expression:
    """A structured object: its type's name, then names and values in turn."""
    return _call("OBJECT_OF", class_name, *args)


def descriptor(*column_names: str) -> Expression:
    """Names of columns, as an argument of a table function."""
    return _expr(("descriptor", tuple(column_names)))


def row_interval(rows: int) -> Expression:
    """A number of rows, for the size of a count window."""
    return _call("$ROW_INTERVAL", rows)


def pi() -> Expression:
    """The ratio of a circle's circumference to its diameter."""
    return _call("PI")


def e() -> Expression:
    """Euler's number."""
    return _call("E")


def rand(seed: Any = None) -> Expression:
    """A random number from 0 to below 1."""
    return _call("RAND", *(() if seed is None else (seed,)))


def rand_integer(bound: Any, seed: Any = None) -> Expression:
    """A random integer from 0 to below `bound`."""
    return _call("RAND_INTEGER", *((bound,) if seed is None else (seed, bound)))


def atan2(y: Any, x: Any) -> Expression:
    """The angle of the point (x, y)."""
    return _call("ATAN2", y, x)


def negative(v: Any) -> Expression:
    """The number with the other sign."""
    return _call("-", v)


def concat(first: Any, *others: Any) -> Expression:
    """All texts, one after the other; NULL where one is NULL."""
    return _call("CONCAT", first, *others)


def concat_ws(separator: Any, first: Any, *others: Any) -> Expression:
    """All texts with a separator between them; NULLs are left out."""
    return _call("CONCAT_WS", separator, first, *others)


def uuid() -> Expression:
    """A random UUID."""
    return _call("UUID")


def null_of(data_type: DataType) -> Expression:
    """NULL of a type."""
    return _expr(literal(None, data_type))


def log(v: Any, base: Any = None) -> Expression:
    """The logarithm of `v`, natural unless a base is given."""
    return _call("LOG", v) if base is None else _call("LOG", base, v)


def source_watermark() -> Expression:
    """The watermark that the source itself gives; for a watermark declaration."""
    return _call("SOURCE_WATERMARK")


def if_then_else(condition: Any, if_true: Any, if_false: Any) -> Expression:
    """`if_true` where the condition holds, otherwise `if_false`."""
    return _call("CASE", condition, if_true, if_false)


def coalesce(*args: Any) -> Expression:
    """The first argument that is not NULL."""
    return _call("COALESCE", *args)


def typeof(input: Any) -> Expression:  # noqa: A002
    """The name of the argument's type."""
    return _call("TYPEOF", input)


def with_columns(head: Any, *tails: Any) -> Expression:
    """The columns given by name, position or range."""
    return _call("$WITH_COLUMNS", head, *tails)


def without_columns(head: Any, *tails: Any) -> Expression:
    """All columns but those given by name, position or range."""
    return _call("$WITHOUT_COLUMNS", head, *tails)


def with_all_columns() -> Expression:
    """All columns."""
    return _expr(("col", "*"))


def json(value: Any) -> Expression:
    """A text that is JSON already, inside json_object or json_array."""
    return _call("JSON", value)


def json_string(value: Any) -> Expression:
    """The value as JSON text."""
    return _call("JSON_STRING", value)


def _on_null(on_null: JsonOnNull) -> Tree:
    return symbol(f"{on_null.value} ON NULL")


def json_object(on_null: JsonOnNull = JsonOnNull.NULL, *args: Any) -> Expression:
    """A JSON object of keys and values in turn."""
    return _call("JSON_OBJECT", *args, _on_null(on_null))


def json_object_agg(on_null: JsonOnNull, key_expr: Any, value_expr: Any) -> Expression:
    """Aggregate: a JSON object of the rows' keys and values."""
    return _call("JSON_OBJECTAGG", key_expr, value_expr, _on_null(on_null))


def json_array(on_null: JsonOnNull = JsonOnNull.ABSENT, *args: Any) -> Expression:
    """A JSON array of the values."""
    return _call("JSON_ARRAY", *args, _on_null(on_null))


def json_array_agg(on_null: JsonOnNull, item_expr: Any) -> Expression:
    """Aggregate: a JSON array of the rows' values."""
    return _call("JSON_ARRAYAGG", item_expr, _on_null(on_null))


def call(f: Any, *args: Any) -> Expression:
    """A function by its registered name, or a Python function made by `udf` and its kin."""
    if isinstance(f, str):
        return _call("$SUM0" if f.upper() == "SUM0" else f, *args)
    result: Expression = f(*args)
    return result


def call_sql(sql_expression: str) -> Expression:
    """An expression in SQL."""
    return _expr(("sql", sql_expression))


UNBOUNDED_ROW = _expr(("bound", "UNBOUNDED", "ROWS"))
UNBOUNDED_RANGE = _expr(("bound", "UNBOUNDED", "RANGE"))
CURRENT_ROW = _expr(("bound", "CURRENT", "ROWS"))
CURRENT_RANGE = _expr(("bound", "CURRENT", "RANGE"))

use_flink_names(globals())
