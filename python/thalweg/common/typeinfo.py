"""Types of DataStream records."""

from __future__ import annotations

import datetime
import decimal
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.types import Row

__all__ = [
    "BasicArrayTypeInfo", "BasicType", "BasicTypeInfo", "InstantTypeInfo", "ListTypeInfo", "MapTypeInfo", "ObjectArrayTypeInfo",
    "PickledBytesTypeInfo", "PrimitiveArrayTypeInfo", "RowTypeInfo", "SqlTimeTypeInfo", "TupleTypeInfo", "TypeInformation", "Types",
]  # fmt: skip


class TypeInformation:
    """The type of a stream's records; `sql_text` is what the engine takes."""

    def __init__(self) -> None:
        self._parts: tuple[Any, ...] = ()

    def get_java_type_info(self) -> TypeInformation:
        """The type itself: there is no Java side."""
        return self

    def need_conversion(self) -> bool:
        """Whether values differ inside the engine."""
        return False

    def to_internal_type(self, obj: Any) -> Any:
        """A value as the engine takes it."""
        return obj

    def from_internal_type(self, obj: Any) -> Any:
        """A value as Python shows it."""
        return obj

    def sql_text(self) -> str | None:
        """The SQL type of the records; None for objects that the engine does not look into."""
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeInformation) and type(self) is type(other) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._parts))

    def __repr__(self) -> str:
        return str(self)


class BasicType:
    """Names of the basic types."""

    STRING = "String"
    BYTE = "Byte"
    BOOLEAN = "Boolean"
    SHORT = "Short"
    INT = "Integer"
    LONG = "Long"
    FLOAT = "Float"
    DOUBLE = "Double"
    CHAR = "Character"
    BIG_INT = "BigInteger"
    BIG_DEC = "BigDecimal"


_SQL = {
    "String": "STRING", "Byte": "TINYINT", "Boolean": "BOOLEAN", "Short": "SMALLINT", "Integer": "INT", "Long": "BIGINT",
    "Float": "FLOAT", "Double": "DOUBLE", "Character": "CHAR(1)", "BigInteger": "DECIMAL(38, 0)", "BigDecimal": "DECIMAL(38, 18)",
}  # fmt: skip


class BasicTypeInfo(TypeInformation):
    """Numbers, text, booleans."""

    def __init__(self, basic_type: str) -> None:
        super().__init__()
        self._parts = (basic_type,)

    def sql_text(self) -> str | None:
        return _SQL[self._parts[0]]

    def need_conversion(self) -> bool:
        return bool(self._parts[0] == BasicType.BIG_INT)

    def to_internal_type(self, obj: Any) -> Any:
        return decimal.Decimal(obj) if obj is not None and self.need_conversion() else obj

    def from_internal_type(self, obj: Any) -> Any:
        return int(obj) if obj is not None and self.need_conversion() else obj

    def __str__(self) -> str:
        return str(self._parts[0])

    @staticmethod
    def STRING_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.STRING)

    @staticmethod
    def BOOLEAN_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.BOOLEAN)

    @staticmethod
    def BYTE_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.BYTE)

    @staticmethod
    def SHORT_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.SHORT)

    @staticmethod
    def INT_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.INT)

    @staticmethod
    def LONG_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.LONG)

    @staticmethod
    def FLOAT_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.FLOAT)

    @staticmethod
    def DOUBLE_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.DOUBLE)

    @staticmethod
    def CHAR_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.CHAR)

    @staticmethod
    def BIG_INT_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.BIG_INT)

    @staticmethod
    def BIG_DEC_TYPE_INFO() -> BasicTypeInfo:
        return BasicTypeInfo(BasicType.BIG_DEC)


class SqlTimeTypeInfo(TypeInformation):
    """Dates, times, timestamps."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._parts = (name,)

    def sql_text(self) -> str | None:
        return {"Date": "DATE", "Time": "TIME(0)", "Timestamp": "TIMESTAMP(3)"}[self._parts[0]]

    def __str__(self) -> str:
        return str(self._parts[0])


class InstantTypeInfo(TypeInformation):
    """Instants."""

    def sql_text(self) -> str | None:
        return "TIMESTAMP_LTZ(9)"

    def need_conversion(self) -> bool:
        return True

    def to_internal_type(self, obj: Any) -> Any:
        if obj is None:
            return None
        moment = datetime.datetime.fromtimestamp(obj.seconds, datetime.timezone.utc)
        return moment.replace(microsecond=obj.nanos // 1000)

    def from_internal_type(self, obj: Any) -> Any:
        from thalweg.common.time import Instant

        if obj is None:
            return None
        return Instant(int(obj.timestamp()), obj.microsecond * 1000)

    def __str__(self) -> str:
        return "Instant"


class PickledBytesTypeInfo(TypeInformation):
    """Python objects as they are."""

    def __str__(self) -> str:
        return "PickledByteArrayTypeInfo"


class _ArrayTypeInfo(TypeInformation):
    """Lists of one type."""

    def __init__(self, element_type: TypeInformation) -> None:
        super().__init__()
        self._parts = (element_type,)

    def sql_text(self) -> str | None:
        element = self._parts[0].sql_text()
        return None if element is None else f"ARRAY<{element}>"

    def need_conversion(self) -> bool:
        return bool(self._parts[0].need_conversion())

    def to_internal_type(self, obj: Any) -> Any:
        return [self._parts[0].to_internal_type(element) for element in obj] if obj is not None and self.need_conversion() else obj

    def from_internal_type(self, obj: Any) -> Any:
        return [self._parts[0].from_internal_type(element) for element in obj] if obj is not None and self.need_conversion() else obj

    def __str__(self) -> str:
        return f"{type(self).__name__}<{self._parts[0]}>"


class PrimitiveArrayTypeInfo(_ArrayTypeInfo):
    """Arrays of numbers without NULL; those of bytes are `bytes` in Python."""

    def sql_text(self) -> str | None:
        return "BYTES" if self._parts[0] == BasicTypeInfo(BasicType.BYTE) else super().sql_text()


class BasicArrayTypeInfo(_ArrayTypeInfo):
    """Arrays of basic types."""


class ObjectArrayTypeInfo(_ArrayTypeInfo):
    """Arrays of any type."""


class ListTypeInfo(_ArrayTypeInfo):
    """Lists."""


class MapTypeInfo(TypeInformation):
    """Keys and values."""

    def __init__(self, key_type_info: TypeInformation, value_type_info: TypeInformation) -> None:
        super().__init__()
        self._parts = (key_type_info, value_type_info)

    def sql_text(self) -> str | None:
        key, value = (part.sql_text() for part in self._parts)
        return None if key is None or value is None else f"MAP<{key}, {value}>"

    def need_conversion(self) -> bool:
        return any(part.need_conversion() for part in self._parts)

    def to_internal_type(self, obj: Any) -> Any:
        key, value = self._parts
        return {key.to_internal_type(k): value.to_internal_type(v) for k, v in obj.items()} if obj is not None else None

    def from_internal_type(self, obj: Any) -> Any:
        key, value = self._parts
        return {key.from_internal_type(k): value.from_internal_type(v) for k, v in obj.items()} if obj is not None else None

    def __str__(self) -> str:
        return f"MapTypeInfo<{self._parts[0]}, {self._parts[1]}>"


class RowTypeInfo(TypeInformation):
    """Rows with types, and names where given."""

    def __init__(self, field_types: list[TypeInformation], field_names: list[str] | None = None) -> None:
        super().__init__()
        names = field_names or [f"f{i}" for i in range(len(field_types))]
        self._parts = (tuple(field_types), tuple(names))

    def get_field_names(self) -> list[str]:
        """The fields' names, in order."""
        return list(self._parts[1])

    def get_field_index(self, field_name: str) -> int:
        """Where the field is; -1 where there is none."""
        names = self._parts[1]
        return names.index(field_name) if field_name in names else -1

    def get_field_types(self) -> list[TypeInformation]:
        """The fields' types, in order."""
        return list(self._parts[0])

    def sql_text(self) -> str | None:
        types = [part.sql_text() for part in self._parts[0]]
        if any(text is None for text in types):
            return None
        return "ROW<" + ", ".join(f"`{name}` {text}" for name, text in zip(self._parts[1], types)) + ">"

    def need_conversion(self) -> bool:
        return True

    def to_internal_type(self, obj: Any) -> Any:
        if obj is None:
            return None
        values = [obj.get(name) for name in self._parts[1]] if isinstance(obj, dict) else list(obj)
        return tuple(part.to_internal_type(value) for part, value in zip(self._parts[0], values))

    def from_internal_type(self, obj: Any) -> Any:
        if obj is None:
            return None
        row = Row(*[part.from_internal_type(value) for part, value in zip(self._parts[0], obj)])
        row.set_field_names(list(self._parts[1]))
        return row

    def __str__(self) -> str:
        return "RowTypeInfo(" + ", ".join(f"{name}: {part}" for name, part in zip(self._parts[1], self._parts[0])) + ")"


class TupleTypeInfo(TypeInformation):
    """Tuples."""

    def __init__(self, field_types: list[TypeInformation]) -> None:
        super().__init__()
        self._parts = tuple(field_types)

    def get_field_types(self) -> list[TypeInformation]:
        """The fields' types, in order."""
        return list(self._parts)

    def sql_text(self) -> str | None:
        return RowTypeInfo(list(self._parts)).sql_text()

    def need_conversion(self) -> bool:
        return True

    def to_internal_type(self, obj: Any) -> Any:
        return None if obj is None else tuple(part.to_internal_type(value) for part, value in zip(self._parts, obj))

    def from_internal_type(self, obj: Any) -> Any:
        return None if obj is None else tuple(part.from_internal_type(value) for part, value in zip(self._parts, obj))

    def __str__(self) -> str:
        return "TupleTypeInfo(" + ", ".join(str(part) for part in self._parts) + ")"


class Types:
    """Makes types: `Types.TUPLE([Types.STRING(), Types.INT()])`."""

    @staticmethod
    def STRING() -> TypeInformation:
        """Text."""
        return BasicTypeInfo(BasicType.STRING)

    @staticmethod
    def BYTE() -> TypeInformation:
        """Integers of one byte."""
        return BasicTypeInfo(BasicType.BYTE)

    @staticmethod
    def BOOLEAN() -> TypeInformation:
        """True and False."""
        return BasicTypeInfo(BasicType.BOOLEAN)

    @staticmethod
    def SHORT() -> TypeInformation:
        """Integers of two bytes."""
        return BasicTypeInfo(BasicType.SHORT)

    @staticmethod
    def INT() -> TypeInformation:
        """Integers of four bytes."""
        return BasicTypeInfo(BasicType.INT)

    @staticmethod
    def LONG() -> TypeInformation:
        """Integers of eight bytes."""
        return BasicTypeInfo(BasicType.LONG)

    @staticmethod
    def FLOAT() -> TypeInformation:
        """Floating point numbers of four bytes."""
        return BasicTypeInfo(BasicType.FLOAT)

    @staticmethod
    def DOUBLE() -> TypeInformation:
        """Floating point numbers of eight bytes."""
        return BasicTypeInfo(BasicType.DOUBLE)

    @staticmethod
    def CHAR() -> TypeInformation:
        """Single characters."""
        return BasicTypeInfo(BasicType.CHAR)

    @staticmethod
    def BIG_INT() -> TypeInformation:
        """Integers of any size."""
        return BasicTypeInfo(BasicType.BIG_INT)

    @staticmethod
    def BIG_DEC() -> TypeInformation:
        """Decimals."""
        return BasicTypeInfo(BasicType.BIG_DEC)

    @staticmethod
    def INSTANT() -> TypeInformation:
        """Instants."""
        return InstantTypeInfo()

    @staticmethod
    def SQL_DATE() -> TypeInformation:
        """Dates."""
        return SqlTimeTypeInfo("Date")

    @staticmethod
    def SQL_TIME() -> TypeInformation:
        """Times of day."""
        return SqlTimeTypeInfo("Time")

    @staticmethod
    def SQL_TIMESTAMP() -> TypeInformation:
        """Dates with times."""
        return SqlTimeTypeInfo("Timestamp")

    @staticmethod
    def PICKLED_BYTE_ARRAY() -> TypeInformation:
        """Any Python object."""
        return PickledBytesTypeInfo()

    @staticmethod
    def ROW(field_types: list[TypeInformation]) -> TypeInformation:
        """Rows; the fields are named f0, f1, ..."""
        return RowTypeInfo(field_types)

    @staticmethod
    def ROW_NAMED(field_names: list[str], field_types: list[TypeInformation]) -> TypeInformation:
        """Rows with names."""
        return RowTypeInfo(field_types, field_names)

    @staticmethod
    def TUPLE(field_types: list[TypeInformation]) -> TypeInformation:
        """Tuples."""
        return TupleTypeInfo(field_types)

    @staticmethod
    def PRIMITIVE_ARRAY(element_type: TypeInformation) -> TypeInformation:
        """Arrays of numbers without NULL."""
        return PrimitiveArrayTypeInfo(element_type)

    @staticmethod
    def BASIC_ARRAY(element_type: TypeInformation) -> TypeInformation:
        """Arrays of basic types."""
        return BasicArrayTypeInfo(element_type)

    @staticmethod
    def OBJECT_ARRAY(element_type: TypeInformation) -> TypeInformation:
        """Arrays of any type."""
        return ObjectArrayTypeInfo(element_type)

    @staticmethod
    def MAP(key_type_info: TypeInformation, value_type_info: TypeInformation) -> TypeInformation:
        """Dicts."""
        return MapTypeInfo(key_type_info, value_type_info)

    @staticmethod
    def LIST(element_type_info: TypeInformation) -> TypeInformation:
        """Lists."""
        return ListTypeInfo(element_type_info)


def _from_java_type(j_type_info: TypeInformation) -> TypeInformation:
    """The type itself: there is no Java side."""
    return j_type_info


use_flink_names(globals())
