"""Tables from and to pandas."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg.table.element_source import value_converter
from thalweg.table.nested_types import ArrayType, RowField, RowType, sql_type
from thalweg.table.simple_types import DataType, LocalZonedTimestampType
from thalweg.table.types import DataTypes

if TYPE_CHECKING:
    from thalweg._native import Relation, Result, Session

_FETCH = 4096
_UNIT_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}

_BY_DTYPE: dict[str, DataType] = {
    "bool": DataTypes.BOOLEAN(), "boolean": DataTypes.BOOLEAN(), "int8": DataTypes.TINYINT(), "int16": DataTypes.SMALLINT(),
    "int32": DataTypes.INT(), "int64": DataTypes.BIGINT(), "float32": DataTypes.FLOAT(), "float64": DataTypes.DOUBLE(),
    "string": DataTypes.STRING(), "str": DataTypes.STRING(),
}  # fmt: skip


def to_pandas(relation: Relation) -> Any:
    """Runs a query and gives its rows as a DataFrame; changes are applied."""
    pd = _pandas("Table.to_pandas")
    result = relation.execute()
    if result.is_arrow:
        try:
            import pyarrow
        except ImportError:
            pass
        else:
            return _frame_of_batches(pd, pyarrow, result)
    return _frame_of_rows(pd, result)


def _pandas(what: str) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(f"{what} needs pandas: pip install pandas (with pyarrow it is many times faster)") from None
    return pd


def _frame_of_batches(pd: Any, pyarrow: Any, result: Result) -> Any:
    """Whole columns at a time, by Arrow's C data interface."""
    batches: list[Any] = []
    changes: list[tuple[list[int] | None, int]] = []
    while (fetched := result.next_arrow()) is not None:
        own, schema, array = fetched
        batch = pyarrow.RecordBatch._import_from_c_capsule(schema, array)
        batches.append(batch)
        changes.append((own, batch.num_rows))
    names = [name for name, _ in result.columns()]
    if not batches:
        return _frame_of_columns(pd, [[] for _ in names], result)
    table = pyarrow.Table.from_batches(batches)
    if any(own is not None for own, _ in changes):
        kinds = [kind for own, rows in changes for kind in own or [0] * rows]
        table = table.take(pyarrow.array(_rows_left(table, kinds)))
    series = [_arrow_series(table.column(i), text) for i, (_, text) in enumerate(result.columns())]
    frame = pd.concat(series, axis=1)
    frame.columns = names
    return frame


def _rows_left(table: Any, kinds: list[int]) -> list[int]:
    """The places of the rows that are there when all changes are applied."""
    places: dict[tuple[Any, ...], list[int]] = {}
    left: dict[int, None] = {}
    columns = [table.column(i).to_pylist() for i in range(table.num_columns)]
    for place, (kind, row) in enumerate(zip(kinds, zip(*columns))):
        if kind in (0, 2):
            places.setdefault(row, []).append(place)
            left[place] = None
        elif places.get(row):
            del left[places[row].pop()]
    return list(left)


def _arrow_series(column: Any, type_text: str) -> Any:
    """A column with the dtype that PyFlink gives it: times in the unit of their digits, dates and decimals as objects."""
    series = column.to_pandas(date_as_object=True)
    return series.dt.as_unit(_time_unit(type_text)) if series.dtype.kind == "M" else series


def _time_unit(type_text: str) -> str:
    """Of a TIMESTAMP's text, "TIMESTAMP(3) NOT NULL"."""
    digits = int(type_text.partition("(")[2].partition(")")[0] or 6)
    return "s" if digits == 0 else "ms" if digits <= 3 else "us" if digits <= 6 else "ns"


def _frame_of_rows(pd: Any, result: Result) -> Any:
    """Row by row: for nested values, and where pyarrow is missing."""
    rows: list[tuple[Any, ...]] = []
    while (fetched := result.next_rows(_FETCH, True)) is not None:
        for kind, values in fetched:
            if kind in (0, 2):
                rows.append(values)
            else:
                rows.remove(values)
    columns = [list(column) for column in zip(*rows)] if rows else [[] for _ in result.columns()]
    return _frame_of_columns(pd, columns, result)


def _frame_of_columns(pd: Any, columns: list[list[Any]], result: Result) -> Any:
    series = [_series(pd, column, text) for column, (_, text) in zip(columns, result.columns())]
    frame = pd.concat(series, axis=1) if series else pd.DataFrame()
    frame.columns = [name for name, _ in result.columns()]
    return frame


def _series(pd: Any, values: list[Any], type_text: str) -> Any:
    """A column with the dtype that Arrow would give it: integers with NULLs become floats."""
    base = type_text.split("(")[0].split(" ")[0].split("<")[0]
    dtypes = {"TINYINT": "int8", "SMALLINT": "int16", "INT": "int32", "BIGINT": "int64", "FLOAT": "float32", "DOUBLE": "float64"}
    if base in dtypes:
        if any(value is None for value in values):
            return pd.Series(values, dtype="float32" if base == "FLOAT" else "float64")
        return pd.Series(values, dtype=dtypes[base])
    if base == "BOOLEAN" and not any(value is None for value in values):
        return pd.Series(values, dtype="bool")
    if base in ("TIMESTAMP", "TIMESTAMP_LTZ"):
        return pd.to_datetime(pd.Series(values)).dt.as_unit(_time_unit(type_text))
    if base in ("ARRAY", "ROW"):
        from thalweg.table.type_text import parse_type

        nested = _nested(parse_type(type_text))
        values = [nested(value) for value in values]
    return pd.Series(values, dtype="object")


def _nested(data_type: DataType) -> Callable[[Any], Any]:
    """Makes of a value what Arrow would: arrays are numpy's, rows are dicts."""
    if isinstance(data_type, RowType):
        fields = [(field.name, _nested(field.data_type)) for field in data_type.fields]
        return lambda row: None if row is None else {name: convert(value) for (name, convert), value in zip(fields, row)}
    if isinstance(data_type, ArrayType):
        import numpy

        from thalweg.table.pandas_functions import NUMPY

        element, dtype = _nested(data_type.element_type), NUMPY.get(type(data_type.element_type), "object")

        def array(values: list[Any] | None) -> Any:
            if values is None:
                return None
            made = numpy.empty(len(values), dtype="float64" if None in values and dtype != "object" else dtype)
            for i, value in enumerate(values):
                made[i] = element(value)
            return made

        return array
    return lambda value: value


def table_of_frame(session: Session, frame: Any, schema: Any) -> Relation:
    """The relation of `TableEnvironment.from_pandas`."""
    pd = _pandas("TableEnvironment.from_pandas")
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"Unsupported type, expected pandas.DataFrame, got {type(frame)}")
    row_type = schema if isinstance(schema, RowType) else None
    if row_type is None:
        names = [str(c) for c in (schema if isinstance(schema, (list, tuple)) else frame.columns)]
        types = schema if isinstance(schema, (list, tuple)) and schema and isinstance(schema[0], DataType) else None
        labels = [str(c) for c in frame.columns] if types else names
        found = types or [_column_type(frame.iloc[:, i]) for i in range(len(names))]
        row_type = RowType([RowField(n, t) for n, t in zip(labels, found)])
    fields = [(field.name, sql_type(field.data_type)) for field in row_type.fields]
    values = [_column_values(pd, frame.iloc[:, i], field.data_type) for i, field in enumerate(row_type.fields)]
    return session.from_columns(fields, values, len(frame))


def _column_values(pd: Any, series: Any, data_type: DataType) -> Any:
    """An Arrow array where there is one for the type, else a list of the engine's values. Zoned times become UTC's wall clock."""
    if not isinstance(data_type, LocalZonedTimestampType):
        try:
            import pyarrow

            from thalweg.table.pandas_functions import arrow_values, travels_by_arrow
        except ImportError:
            pass
        else:
            if travels_by_arrow(data_type):
                if getattr(series.dtype, "tz", None) is not None:
                    series = series.dt.tz_convert("UTC")
                try:
                    return arrow_values(series, data_type)
                except pyarrow.ArrowException as error:
                    raise ValueError(f"the column {series.name} is not of type {data_type}: {error}") from error
    convert = value_converter(data_type)
    return [convert(_value(pd, value)) for value in series.tolist()]


def _column_type(series: Any) -> DataType:
    name = str(series.dtype).lower()
    if name in _BY_DTYPE:
        return _BY_DTYPE[name]
    if name.startswith("datetime64"):
        return DataTypes.TIMESTAMP(_UNIT_DIGITS.get(name.partition("[")[2].rstrip("]").partition(",")[0], 9))
    from thalweg.table.type_inference import _infer_type

    for value in series:
        if value is not None and value == value:
            return _decimal_type(series) if isinstance(value, decimal.Decimal) else _infer_type(value)
    return DataTypes.STRING()


def _decimal_type(series: Any) -> DataType:
    """The narrowest that holds all values with the digits that they have, as Arrow chooses it."""
    whole = scale = 0
    for value in series:
        if isinstance(value, decimal.Decimal) and value.is_finite():
            _, digits, exponent = value.as_tuple()
            assert isinstance(exponent, int)  # of a finite number
            whole, scale = max(whole, len(digits) + exponent), max(scale, -exponent)
    return DataTypes.DECIMAL(max(whole + scale, 1), scale)


def _value(pd: Any, value: Any) -> Any:
    """A pandas value as Python's; zoned times become UTC's wall clock, as in Flink."""
    if value is None or value is pd.NaT or value is pd.NA or value != value:
        return None
    if isinstance(value, pd.Timestamp):
        if value.tzinfo is not None:
            value = value.tz_convert("UTC").tz_localize(None)
        return value.to_pydatetime(warn=False)
    if hasattr(value, "item"):
        return value.item()
    return value
