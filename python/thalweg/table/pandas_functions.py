"""Functions over whole columns: pandas Series in, a Series (or for a ROW a DataFrame) out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thalweg.common.types import Row
from thalweg.table.nested_types import ArrayType, RowType
from thalweg.table.simple_types import (
    BigIntType,
    BitmapType,
    DataType,
    DoubleType,
    FloatType,
    IntType,
    LocalZonedTimestampType,
    SmallIntType,
    TimestampType,
    TinyIntType,
)
from thalweg.table.type_text import parse_type
from thalweg.table.udf import AggregateFunction, DelegatingPandasAggregateFunction, FunctionContext

NUMPY: dict[type[DataType], str] = {
    TinyIntType: "int8", SmallIntType: "int16", IntType: "int32", BigIntType: "int64", FloatType: "float32", DoubleType: "float64",
}  # fmt: skip


def _pandas() -> Any:
    try:
        import pandas
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError("functions of func_type 'pandas' need pandas and pyarrow: pip install pandas pyarrow") from error
    return pandas


class VectorizedFunction:
    """A pandas function with its types; `run` is called with the columns of many rows."""

    def __init__(self, name: str, function: Callable[..., Any], argument_types: Sequence[str], result_type: str,
                 row_names: Sequence[str] | None, zone: str) -> None:  # fmt: skip
        self._pd = _pandas()
        self._name = name
        self._function = function
        self._arguments = [_ArgumentReader(self._pd, parse_type(text), zone) for text in argument_types]
        self._result = parse_type(result_type)
        self._row_names = row_names

    def run(self, columns: Sequence[Any], rows: int) -> Any:
        """Takes numpy arrays, Arrow's capsules or lists of values; gives what `_result_of` does."""
        series = [reader.read(column) for column, reader in zip(columns, self._arguments)]
        if self._row_names is not None:
            series = [self._frame(series)]
        found = self._function(*series)
        self._check(found, rows)
        if isinstance(found, self._pd.DataFrame):
            if not isinstance(self._result, RowType):
                raise TypeError(f"the pandas function {self._name} gave a DataFrame, but its result type is no ROW")
            return tuple(_result_of(found.iloc[:, i], f.data_type) for i, f in enumerate(self._result.fields))
        return _result_of(found, self._result)

    def _frame(self, series: list[Any]) -> Any:
        """One argument with all columns; the fields of nested rows are columns of their own, as in Flink."""
        named = [s if hasattr(s, "columns") else s.rename(n) for s, n in zip(series, self._row_names or ())]
        return self._pd.concat(named, axis=1)

    def _check(self, found: Any, rows: int) -> None:
        if not isinstance(found, (self._pd.Series, self._pd.DataFrame)):
            raise TypeError(f"The result type of Pandas UDF '{self._name}' must be pandas.Series or pandas.DataFrame, got {type(found)}")
        if len(found) != rows:
            raise ValueError(f"The result length '{len(found)}' of Pandas UDF '{self._name}' is not equal to the input length '{rows}'")


class _ArgumentReader:
    """Makes the Series of one argument."""

    def __init__(self, pd: Any, data_type: DataType, zone: str) -> None:
        import pyarrow

        self._pd = pd
        self._import = pyarrow.Array._import_from_c_capsule
        self._data_type = data_type
        self._number = NUMPY.get(type(data_type))
        self._is_time = isinstance(data_type, (TimestampType, LocalZonedTimestampType))
        self._arrow_type = arrow_type(data_type)
        self._zone = zone if isinstance(data_type, LocalZonedTimestampType) else None

    def read(self, column: Any) -> Any:
        if isinstance(column, tuple):
            return self._of_arrow(self._import(*column))
        if isinstance(column, list):
            return to_series(self._pd, column, self._data_type)
        # The engine's 64-bit integers have C's `long long`, which numpy tells from int64.
        return self._pd.Series(column.view(self._number), copy=False)

    def _of_arrow(self, array: Any) -> Any:
        if not self._is_time:
            return array.to_pandas()
        series = array.cast(self._arrow_type).to_pandas()
        return series if self._zone is None else series.dt.tz_localize(self._zone)


def _result_of(series: Any, data_type: DataType) -> Any:
    """A numpy array of the type's own numbers, an Arrow array, or for nested types a list of values. What pandas calls missing is NULL."""
    number = NUMPY.get(type(data_type))
    if number is not None and series.dtype == number:
        numbers = series.to_numpy()
        if numbers.flags.c_contiguous and (numbers.dtype.kind != "f" or not (numbers != numbers).any()):
            return numbers
    if isinstance(data_type, ArrayType) and arrow_type(data_type) is not None:
        import pyarrow as pa

        values: list[Any] = pa.Array.from_pandas(series, type=arrow_type(data_type)).to_pylist()
        return values
    if not travels_by_arrow(data_type):
        return [None if _is_missing(v) else v for v in series.tolist()]
    return arrow_values(series, data_type)


def travels_by_arrow(data_type: DataType) -> bool:
    """Whether columns of the type go to the engine as Arrow arrays: flat ones whose bytes it need not check."""
    return arrow_type(data_type) is not None and not isinstance(data_type, (ArrayType, BitmapType))


def arrow_values(series: Any, data_type: DataType) -> Any:
    """The values of a Series as an Arrow array of a flat type; times are wall clocks and keep their unit."""
    import pyarrow as pa

    kind = arrow_type(data_type)
    if pa.types.is_timestamp(kind):
        if getattr(series.dtype, "tz", None) is not None:
            series = series.dt.tz_localize(None)
        kind = pa.timestamp(series.dt.unit if series.dtype.kind == "M" else "us")
    found = pa.Array.from_pandas(series, mask=series.isnull(), type=kind)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


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


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def arrow_type(data_type: DataType) -> Any:
    """Arrow's type for a column, as PyFlink chooses it; None where there is none."""
    import pyarrow as pa

    name = type(data_type).__name__
    simple = {
        "BooleanType": pa.bool_, "TinyIntType": pa.int8, "SmallIntType": pa.int16, "IntType": pa.int32, "BigIntType": pa.int64,
        "FloatType": pa.float32, "DoubleType": pa.float64, "CharType": pa.utf8, "VarCharType": pa.utf8, "BinaryType": pa.binary,
        "VarBinaryType": pa.binary, "BitmapType": pa.binary, "DateType": pa.date32,
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
    """A function over Series as an aggregate: the columns of a group's rows are kept, the function is called for the result.

    An accumulator is a list for each argument; the engine appends to them itself.
    """

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

    def create_accumulator(self) -> list[list[Any]]:
        return [[] for _ in range(len(self._types) if self._row_names is None else 1)]

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        for column, value in zip(accumulator, args):
            column.append(value)

    def retract(self, accumulator: Any, *args: Any) -> None:
        place = list(zip(*accumulator)).index(args)
        for column in accumulator:
            del column[place]

    def merge(self, accumulator: Any, accumulators: Any) -> None:
        for other in accumulators:
            for column, more in zip(accumulator, other):
                column.extend(more)

    def get_value(self, accumulator: Any) -> Any:
        columns: list[list[Any]] = accumulator
        if self._row_names is not None:
            columns = [[row[i] for row in accumulator[0]] for i in range(len(self._types))]
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
