"""Functions over whole columns: pandas Series in, a Series (or for a ROW a DataFrame) out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thalweg.common.types import Row
from thalweg.table.nested_types import ArrayType, MapType, RowType
from thalweg.table.simple_types import DataType
from thalweg.table.type_text import parse_type
from thalweg.table.udf import AggregateFunction, DelegatingPandasAggregateFunction, FunctionContext

_NUMPY = {"TINYINT": "int8", "SMALLINT": "int16", "INT": "int32", "BIGINT": "int64", "FLOAT": "float32", "DOUBLE": "float64"}


def _pandas() -> Any:
    try:
        import pandas
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("functions of func_type 'pandas' need pandas and pyarrow: pip install pandas pyarrow") from error
    return pandas


class VectorizedFunction:
    """A pandas function with its types. `run` takes a batch's columns: numpy arrays where there are no NULLs, else lists."""

    def __init__(self, name: str, function: Callable[..., Any], argument_types: Sequence[str], result_type: str,
                 row_names: Sequence[str] | None, zone: Any) -> None:  # fmt: skip
        self._pd = _pandas()
        self._name = name
        self._function = function
        self._arguments = [parse_type(text) for text in argument_types]
        self._result = parse_type(result_type)
        self._row_names = row_names
        self._zone = zone
        self._dtype = _NUMPY.get(result_type.partition(" ")[0])

    def run(self, columns: Sequence[Any], rows: int) -> Any:
        """A numpy array of the result's own dtype, (array, list of rows that are NULL), or a list of values."""
        series = [self._series(column, data_type) for column, data_type in zip(columns, self._arguments)]
        if self._row_names is not None:
            series = [self._frame(series)]
        found = self._function(*series)
        self._check(found, rows)
        if isinstance(found, self._pd.DataFrame):
            if not isinstance(self._result, RowType):
                raise TypeError(f"the pandas function {self._name} gave a DataFrame, but its result type is no ROW")
            fields = [_values(self._pd, found.iloc[:, i], f.data_type) for i, f in enumerate(self._result.fields)]
            return list(zip(*fields)) if fields else [()] * rows
        if self._dtype is not None and found.dtype == self._dtype:
            return _numbers(found)
        return _values(self._pd, found, self._result)

    def _series(self, column: Any, data_type: DataType) -> Any:
        if isinstance(column, list):
            return to_series(self._pd, column, data_type)
        return self._pd.Series(column, copy=False)

    def _frame(self, series: list[Any]) -> Any:
        """One argument with all columns; the fields of nested rows are columns of their own, as in Flink."""
        named = [s if hasattr(s, "columns") else s.rename(n) for s, n in zip(series, self._row_names or ())]
        return self._pd.concat(named, axis=1)

    def _check(self, found: Any, rows: int) -> None:
        if not isinstance(found, (self._pd.Series, self._pd.DataFrame)):
            raise TypeError(f"The result type of Pandas UDF '{self._name}' must be pandas.Series or pandas.DataFrame, got {type(found)}")
        if len(found) != rows:
            raise ValueError(f"The result length '{len(found)}' of Pandas UDF '{self._name}' is not equal to the input length '{rows}'")


def _numbers(series: Any) -> Any:
    """Numbers as they are; NaN is NULL, as when Arrow reads from pandas."""
    array = series.to_numpy()
    if array.dtype.kind == "f":
        missing = array != array
        if missing.any():
            return array, missing.nonzero()[0].tolist()
    return array


def to_series(pd: Any, values: list[Any], data_type: DataType) -> Any:
    """A Series of the dtype that Arrow would give it: integers with NULLs become floats, rows a DataFrame."""
    if isinstance(data_type, RowType):
        columns = {
            f.name: to_series(pd, [None if v is None else v[i] for v in values], f.data_type) for i, f in enumerate(data_type.fields)
        }
        return pd.DataFrame(columns)
    import pyarrow as pa

    kind = arrow_type(data_type)
    if kind is None:
        return pd.Series(values, dtype="object")
    if pa.types.is_timestamp(kind):
        zone = values[0].tzinfo if values and values[0] is not None else None
        naive = [None if v is None else v.replace(tzinfo=None) for v in values]
        series = pa.array(naive, type=kind).to_pandas()
        return series if zone is None else series.dt.tz_localize(str(zone))
    return pa.array(values, type=kind).to_pandas()


def _values(pd: Any, series: Any, data_type: DataType) -> list[Any]:
    """The values of a Series as the engine takes them; what pandas calls missing is None."""
    import pyarrow as pa

    kind = arrow_type(data_type)
    if kind is None or isinstance(data_type, (ArrayType, MapType, RowType)):
        return [None if _is_missing(v) else v for v in series.tolist()]
    if pa.types.is_timestamp(kind):
        if getattr(series.dtype, "tz", None) is not None:
            series = series.dt.tz_localize(None)
        kind = pa.timestamp("us")
        return list(pa.Array.from_pandas(series, type=kind, safe=False).to_pylist())
    return list(pa.Array.from_pandas(series, mask=series.isnull(), type=kind).to_pylist())


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def arrow_type(data_type: DataType) -> Any:
    """Arrow's type for a column, as PyFlink chooses it; None where there is none."""
    import pyarrow as pa

    name = type(data_type).__name__
    simple = {
        "BooleanType": pa.bool_, "TinyIntType": pa.int8, "SmallIntType": pa.int16, "IntType": pa.int32, "BigIntType": pa.int64,
        "FloatType": pa.float32, "DoubleType": pa.float64, "CharType": pa.utf8, "VarCharType": pa.utf8, "BinaryType": pa.binary,
        "VarBinaryType": pa.binary, "DateType": pa.date32,
    }  # fmt: skip
    if name in simple:
        return simple[name]()
    if name == "DecimalType":
        return pa.decimal128(data_type.precision, data_type.scale)  # type: ignore[attr-defined]
    if name == "TimeType":
        return pa.time32("ms")
    if name in ("TimestampType", "LocalZonedTimestampType"):
        precision = data_type.precision  # type: ignore[attr-defined]
        return pa.timestamp("s" if precision == 0 else "ms" if precision <= 3 else "us" if precision <= 6 else "ns")
    if isinstance(data_type, ArrayType):
        element = arrow_type(data_type.element_type)
        return None if element is None else pa.list_(element)
    return None


class PandasAggregate(AggregateFunction):
    """A function over Series as an aggregate: the rows of a group are kept, the function is called for the result."""

    def __init__(self, delegate: DelegatingPandasAggregateFunction) -> None:
        self._function: Any = delegate.func
        self._types: list[DataType] = []
        self._row_names: Sequence[str] | None = None

    def bind(self, argument_types: Sequence[str], row_names: Sequence[str] | None) -> None:
        """Called once, before the first row."""
        self._types = [parse_type(text) for text in argument_types]
        self._row_names = row_names

    def open(self, function_context: FunctionContext) -> None:
        self._pd = _pandas()
        if hasattr(self._function, "open"):
            self._function.open(function_context)
        self._call = self._function if callable(self._function) else self._function.eval

    def close(self) -> None:
        if hasattr(self._function, "close"):
            self._function.close()

    def create_accumulator(self) -> list[Any]:
        return []

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator.append(args)

    def retract(self, accumulator: Any, *args: Any) -> None:
        accumulator.remove(args)

    def merge(self, accumulator: Any, accumulators: Any) -> None:
        for other in accumulators:
            accumulator.extend(other)

    def get_value(self, accumulator: Any) -> Any:
        if self._row_names is not None:
            columns: list[Any] = [[row[0][i] for row in accumulator] for i in range(len(self._types))]
        else:
            columns = [[row[i] for row in accumulator] for i in range(len(self._types))]
        series = [to_series(self._pd, column, t) for column, t in zip(columns, self._types)]
        if self._row_names is not None:
            named = [s if hasattr(s, "columns") else s.rename(n) for s, n in zip(series, self._row_names)]
            series = [self._pd.concat(named, axis=1)]
        return _plain(self._call(*series))


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, Row)):
        return tuple(_plain(v) for v in value)
    if hasattr(value, "item") and not hasattr(value, "__len__"):
        value = value.item()
    return None if _is_missing(value) else value
