"""Data types without parts: numbers, text, bytes, times, intervals."""

from __future__ import annotations

from typing import Any

_MAX_LENGTH = 2147483647


class DataType:
    """A SQL type and whether NULL is one of its values. Types are immutable values."""

    def __init__(self, nullable: bool = True) -> None:
        self._nullable = nullable

    def __init_subclass__(cls) -> None:
        cls.__module__ = "pyflink.table.types"

    @classmethod
    def type_name(cls) -> str:
        """The bare name: INT, VARCHAR, ..."""
        return cls.__name__.removesuffix("Type").upper()

    def nullable(self) -> DataType:
        """This type with NULL."""
        return self._with_nullability(True)

    def not_null(self) -> DataType:
        """This type without NULL."""
        return self._with_nullability(False)

    def bridged_to(self, conversion_cls: str) -> DataType:
        """The type itself: there are no Java classes to convert to."""
        del conversion_cls
        return self

    def need_conversion(self) -> bool:
        """Whether values need `to_sql_type` and `from_sql_type`."""
        return False

    def to_sql_type(self, obj: Any) -> Any:
        """The value as the engine takes it."""
        return obj

    def from_sql_type(self, obj: Any) -> Any:
        """The value as Python shows it."""
        return obj

    def sql_text(self) -> str:
        """The type as in a CREATE TABLE, without nullability."""
        return self.type_name()

    def _with_nullability(self, nullable: bool) -> DataType:
        result = self.__class__.__new__(self.__class__)
        result.__dict__.update(self.__dict__)
        result._nullable = nullable
        return result

    def _conversion_cls(self) -> str:
        return ""

    def __str__(self) -> str:
        return self.type_name()

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({str(self._nullable).lower()})"

    def __hash__(self) -> int:
        return hash(repr(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, self.__class__) and self.__dict__ == other.__dict__

    def __ne__(self, other: object) -> bool:
        return not self == other


DataType.__module__ = "pyflink.table.types"


class AtomicType(DataType):
    """A type without parts."""


class NullType(AtomicType):
    """The type of NULL alone."""

    def __init__(self) -> None:
        super().__init__(True)


class NumericType(AtomicType):
    """Numbers."""


class IntegralType(NumericType):
    """Whole numbers."""


class FractionalType(NumericType):
    """Numbers with fractions."""


class TinyIntType(IntegralType):
    """TINYINT."""


class SmallIntType(IntegralType):
    """SMALLINT."""


class IntType(IntegralType):
    """INT."""


class BigIntType(IntegralType):
    """BIGINT."""


class FloatType(FractionalType):
    """FLOAT."""


class DoubleType(FractionalType):
    """DOUBLE."""


class DecimalType(FractionalType):
    """DECIMAL(precision, scale)."""

    def __init__(self, precision: int = 10, scale: int = 0, nullable: bool = True) -> None:
        if not 1 <= precision <= 38:
            raise AssertionError(f"the precision of DECIMAL is 1 to 38, not {precision}")
        if not 0 <= scale <= precision:
            raise AssertionError(f"the scale of DECIMAL is 0 to the precision {precision}, not {scale}")
        super().__init__(nullable)
        self.precision = precision
        self.scale = scale

    def sql_text(self) -> str:
        return f"DECIMAL({self.precision}, {self.scale})"

    def __repr__(self) -> str:
        return f"DecimalType({self.precision}, {self.scale}, {str(self._nullable).lower()})"


class BooleanType(AtomicType):
    """BOOLEAN."""


class _LengthType(AtomicType):
    """Text or bytes with a length."""

    def __init__(self, length: int = 1, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.length = length

    def sql_text(self) -> str:
        return f"{self.type_name()}({self.length})"

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.length}, {str(self._nullable).lower()})"


class CharType(_LengthType):
    """CHAR(length)."""


class VarCharType(_LengthType):
    """VARCHAR(length), or STRING."""

    def __init__(self, length: int = _MAX_LENGTH, nullable: bool = True) -> None:
        super().__init__(length, nullable)

    def sql_text(self) -> str:
        return "STRING" if self.length == _MAX_LENGTH else super().sql_text()


class BinaryType(_LengthType):
    """BINARY(length)."""


class VarBinaryType(_LengthType):
    """VARBINARY(length), or BYTES."""

    def __init__(self, length: int = _MAX_LENGTH, nullable: bool = True) -> None:
        super().__init__(length, nullable)

    def sql_text(self) -> str:
        return "BYTES" if self.length == _MAX_LENGTH else super().sql_text()


class BitmapType(AtomicType):
    """BITMAP; in Python the bytes of a Roaring bitmap in the portable format."""


class VariantType(AtomicType):
    """VARIANT; in Python what `json.loads` makes of its text: dicts, lists, texts, numbers, booleans."""


class DateType(AtomicType):
    """DATE."""


class _TemporalType(AtomicType):
    """A time with a number of fraction digits."""

    def __init__(self, precision: int = 6, nullable: bool = True) -> None:
        if not 0 <= precision <= 9:
            raise AssertionError(f"the precision of {self.type_name()} is 0 to 9, not {precision}")
        super().__init__(nullable)
        self.precision = precision

    def sql_text(self) -> str:
        return f"{self.type_name()}({self.precision})"

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.precision}, {str(self._nullable).lower()})"


class TimeType(_TemporalType):
    """TIME(precision)."""

    def __init__(self, precision: int = 0, nullable: bool = True) -> None:
        super().__init__(precision, nullable)


class TimestampType(_TemporalType):
    """TIMESTAMP(precision)."""


class LocalZonedTimestampType(_TemporalType):
    """TIMESTAMP_LTZ(precision)."""

    def sql_text(self) -> str:
        return f"TIMESTAMP_LTZ({self.precision})"


class ZonedTimestampType(_TemporalType):
    """TIMESTAMP(precision) WITH TIME ZONE; no table can have it."""


class IntervalType(AtomicType):
    """A length of time."""

    upper = "DAY"
    lower = "SECOND"


class DayTimeIntervalType(IntervalType):
    """Milliseconds, shown as days to seconds."""

    def __init__(
        self,
        upper: str = "DAY",
        lower: str = "SECOND",
        day_precision: int | None = 2,
        fraction: int | None = 6,
        nullable: bool = True,
    ) -> None:
        super().__init__(nullable)
        self.upper = upper
        self.lower = lower
        self.day_precision = day_precision
        self.fractional_precision = fraction

    def sql_text(self) -> str:
        upper = f"DAY({self.day_precision})" if self.upper == "DAY" and self.day_precision is not None else self.upper
        lower = f"SECOND({self.fractional_precision})" if self.lower == "SECOND" and self.fractional_precision is not None else self.lower
        if self.upper == self.lower:
            return "INTERVAL " + (lower if self.lower == "SECOND" else upper)
        return f"INTERVAL {upper} TO {lower}"

    def __repr__(self) -> str:
        return f"DayTimeIntervalType({self.sql_text()}, {str(self._nullable).lower()})"


class YearMonthIntervalType(IntervalType):
    """Months, shown as years and months."""

    def __init__(self, upper: str = "YEAR", lower: str = "MONTH", year_precision: int | None = 2, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.upper = upper
        self.lower = lower
        self.precision = year_precision

    def sql_text(self) -> str:
        upper = f"YEAR({self.precision})" if self.upper == "YEAR" and self.precision is not None else self.upper
        return "INTERVAL " + (upper if self.upper == self.lower else f"{upper} TO {self.lower}")

    def __repr__(self) -> str:
        return f"YearMonthIntervalType({self.sql_text()}, {str(self._nullable).lower()})"
