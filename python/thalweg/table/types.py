"""SQL data types and the factory `DataTypes`."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.types import Row, RowKind
from thalweg.table.nested_types import (
    ArrayType,
    ListViewType,
    MapType,
    MapViewType,
    MultisetType,
    RawType,
    RowField,
    RowType,
    UserDefinedType,
)
from thalweg.table.simple_types import (
    AtomicType,
    BigIntType,
    BinaryType,
    BitmapType,
    BooleanType,
    CharType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    FractionalType,
    IntegralType,
    IntervalType,
    IntType,
    LocalZonedTimestampType,
    NullType,
    NumericType,
    SmallIntType,
    TimestampType,
    TimeType,
    TinyIntType,
    VarBinaryType,
    VarCharType,
    VariantType,
    YearMonthIntervalType,
    ZonedTimestampType,
)

__all__ = [
    "ArrayType", "AtomicType", "BigIntType", "BinaryType", "BitmapType", "BooleanType", "CharType", "DataType", "DataTypes", "DateType",
    "DayTimeIntervalType", "DecimalType", "DoubleType", "FloatType", "FractionalType", "IntType", "IntegralType", "IntervalType",
    "ListViewType", "LocalZonedTimestampType", "MapType", "MapViewType", "MultisetType", "NullType", "NumericType", "RawType", "Row",
    "RowField", "RowKind", "RowType", "SmallIntType", "TimeType", "TimestampType", "TinyIntType", "UserDefinedType", "VarBinaryType",
    "VarCharType", "VariantType", "YearMonthIntervalType", "ZonedTimestampType",
]  # fmt: skip

_MAX_LENGTH = 2147483647


class _Resolution:
    """One unit of an interval, for `DataTypes.INTERVAL`."""

    def __init__(self, unit: str, precision: int | None = None) -> None:
        self._unit = unit
        self._precision = precision

    def __str__(self) -> str:
        return self._unit if self._precision is None else f"{self._unit}({self._precision})"


class DataTypes:
    """Makes data types: `DataTypes.ROW([DataTypes.FIELD("id", DataTypes.BIGINT())])`."""

    @staticmethod
    def NULL() -> NullType:
        """The type of NULL alone."""
        return NullType()

    @staticmethod
    def CHAR(length: int, nullable: bool = True) -> CharType:
        """Text of exactly `length` characters."""
        return CharType(length, nullable)

    @staticmethod
    def VARCHAR(length: int, nullable: bool = True) -> VarCharType:
        """Text of at most `length` characters."""
        return VarCharType(length, nullable)

    @staticmethod
    def STRING(nullable: bool = True) -> VarCharType:
        """Text of any length."""
        return DataTypes.VARCHAR(_MAX_LENGTH, nullable)

    @staticmethod
    def BOOLEAN(nullable: bool = True) -> BooleanType:
        """TRUE, FALSE or unknown."""
        return BooleanType(nullable)

    @staticmethod
    def BINARY(length: int, nullable: bool = True) -> BinaryType:
        """Exactly `length` bytes."""
        return BinaryType(length, nullable)

    @staticmethod
    def VARBINARY(length: int, nullable: bool = True) -> VarBinaryType:
        """At most `length` bytes."""
        return VarBinaryType(length, nullable)

    @staticmethod
    def BYTES(nullable: bool = True) -> VarBinaryType:
        """Bytes of any length."""
        return DataTypes.VARBINARY(_MAX_LENGTH, nullable)

    @staticmethod
    def BITMAP(nullable: bool = True) -> BitmapType:
        """A set of unsigned 32-bit integers."""
        return BitmapType(nullable)

    @staticmethod
    def VARIANT(nullable: bool = True) -> VariantType:
        """Semi-structured data, as JSON has it."""
        return VariantType(nullable)

    @staticmethod
    def DECIMAL(precision: int, scale: int, nullable: bool = True) -> DecimalType:
        """`precision` digits, of which `scale` stand after the point."""
        return DecimalType(precision, scale, nullable)

    @staticmethod
    def TINYINT(nullable: bool = True) -> TinyIntType:
        """One byte."""
        return TinyIntType(nullable)

    @staticmethod
    def SMALLINT(nullable: bool = True) -> SmallIntType:
        """Two bytes."""
        return SmallIntType(nullable)

    @staticmethod
    def INT(nullable: bool = True) -> IntType:
        """Four bytes."""
        return IntType(nullable)

    @staticmethod
    def BIGINT(nullable: bool = True) -> BigIntType:
        """Eight bytes."""
        return BigIntType(nullable)

    @staticmethod
    def FLOAT(nullable: bool = True) -> FloatType:
        """A floating point number of four bytes."""
        return FloatType(nullable)

    @staticmethod
    def DOUBLE(nullable: bool = True) -> DoubleType:
        """A floating point number of eight bytes."""
        return DoubleType(nullable)

    @staticmethod
    def DATE(nullable: bool = True) -> DateType:
        """A day."""
        return DateType(nullable)

    @staticmethod
    def TIME(precision: int = 0, nullable: bool = True) -> TimeType:
        """A time of day with `precision` digits of a second's fraction."""
        return TimeType(precision, nullable)

    @staticmethod
    def TIMESTAMP(precision: int = 6, nullable: bool = True) -> TimestampType:
        """A wall clock's date and time, without a zone."""
        return TimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_WITH_LOCAL_TIME_ZONE(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:
        """An instant, shown in the session's zone."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def TIMESTAMP_LTZ(precision: int = 6, nullable: bool = True) -> LocalZonedTimestampType:
        """Short for TIMESTAMP_WITH_LOCAL_TIME_ZONE."""
        return LocalZonedTimestampType(precision, nullable)

    @staticmethod
    def ARRAY(element_type: DataType, nullable: bool = True) -> ArrayType:
        """A list of elements of one type."""
        return ArrayType(element_type, nullable)

    @staticmethod
    def LIST_VIEW(element_type: DataType) -> ListViewType:
        """A list in an accumulator that lives in state, not in the row."""
        return ListViewType(element_type)

    @staticmethod
    def MAP(key_type: DataType, value_type: DataType, nullable: bool = True) -> MapType:
        """Keys and values."""
        return MapType(key_type, value_type, nullable)

    @staticmethod
    def MAP_VIEW(key_type: DataType, value_type: DataType) -> MapViewType:
        """A map in an accumulator that lives in state, not in the row."""
        return MapViewType(key_type, value_type)

    @staticmethod
    def MULTISET(element_type: DataType, nullable: bool = True) -> MultisetType:
        """A bag: elements and how often each occurs."""
        return MultisetType(element_type, nullable)

    @staticmethod
    def ROW(row_fields: list[Any] = [], nullable: bool = True) -> RowType:  # noqa: B006 (Flink's signature)
        """Fields, given as `DataTypes.FIELD`s, as types (named f0, f1, ...) or as pairs."""
        fields = list(row_fields)
        if fields and all(isinstance(field, DataType) for field in fields):
            fields = [RowField(f"f{i}", field) for i, field in enumerate(fields)]
        return RowType([f if isinstance(f, RowField) else RowField(*f) for f in fields], nullable)

    @staticmethod
    def FIELD(name: str, data_type: DataType, description: str | None = None) -> RowField:
        """A field of a ROW."""
        return RowField(name, data_type, description)

    @staticmethod
    def SECOND(precision: int = 6) -> _Resolution:
        """Unit of a day-time interval."""
        return _Resolution("SECOND", precision)

    @staticmethod
    def MINUTE() -> _Resolution:
        """Unit of a day-time interval."""
        return _Resolution("MINUTE")

    @staticmethod
    def HOUR() -> _Resolution:
        """Unit of a day-time interval."""
        return _Resolution("HOUR")

    @staticmethod
    def DAY(precision: int = 2) -> _Resolution:
        """Unit of a day-time interval."""
        return _Resolution("DAY", precision)

    @staticmethod
    def MONTH() -> _Resolution:
        """Unit of a year-month interval."""
        return _Resolution("MONTH")

    @staticmethod
    def YEAR(precision: int = 2) -> _Resolution:
        """Unit of a year-month interval."""
        return _Resolution("YEAR", precision)

    @staticmethod
    def INTERVAL(upper_resolution: _Resolution, lower_resolution: _Resolution | None = None) -> IntervalType:
        """A length of time, for example `INTERVAL(DAY(), SECOND(3))`."""
        upper, lower = upper_resolution, lower_resolution or upper_resolution
        if upper._unit in ("YEAR", "MONTH") and lower._unit in ("YEAR", "MONTH"):
            return YearMonthIntervalType(upper._unit, lower._unit, upper._precision if upper._unit == "YEAR" else 2)
        if upper._unit in ("YEAR", "MONTH") or lower._unit in ("YEAR", "MONTH"):
            raise ValueError(f"Could not create interval with upper and lower resolution ({upper}, {lower})")
        day = upper._precision if upper._unit == "DAY" else 2
        fraction = lower._precision if lower._unit == "SECOND" else 6
        return DayTimeIntervalType(upper._unit, lower._unit, day, fraction)


# Flink has type inference and checks of values in this module; here they are apart, and imported when used.
_APART = {
    "_array_signed_int_typecode_ctype_mappings": "type_inference",
    "_array_type_mappings": "type_inference",
    "_array_unsigned_int_typecode_ctype_mappings": "type_inference",
    "_infer_type": "type_inference",
    "_infer_schema_from_data": "type_inference",
    "_merge_type": "type_inference",
    "_create_type_verifier": "type_verifier",
    "_to_java_data_type": "type_text",
    "_from_java_data_type": "type_text",
}


def __getattr__(name: str) -> Any:
    if name in _APART:
        import importlib

        return getattr(importlib.import_module("thalweg.table." + _APART[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


use_flink_names(globals())
