"""Data types with parts: arrays, maps, multisets, rows, views, and the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from thalweg.table.simple_types import DataType


def _flag(value: bool) -> str:
    return str(value).lower()


def sql_type(data_type: DataType) -> str:
    """The type as in a CREATE TABLE, with NOT NULL where it holds."""
    return data_type.sql_text() + ("" if data_type._nullable else " NOT NULL")


def quote(name: str) -> str:
    """A name in back quotes."""
    return "`" + name.replace("`", "``") + "`"


class ArrayType(DataType):
    """ARRAY<element>."""

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.element_type = element_type

    def need_conversion(self) -> bool:
        return self.element_type.need_conversion()

    def to_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        return [self.element_type.to_sql_type(v) for v in obj]

    def from_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        return [self.element_type.from_sql_type(v) for v in obj]

    def sql_text(self) -> str:
        return f"ARRAY<{sql_type(self.element_type)}>"

    def __repr__(self) -> str:
        return f"ArrayType({self.element_type!r}, {_flag(self._nullable)})"


class ListViewType(DataType):
    """LIST_VIEW<element>, in accumulators only."""

    def __init__(self, element_type: DataType) -> None:
        super().__init__(False)
        self._element_type = element_type

    def sql_text(self) -> str:
        return f"ARRAY<{sql_type(self._element_type)}>"

    def __repr__(self) -> str:
        return f"ListViewType({self._element_type!r})"


class MapType(DataType):
    """MAP<key, value>."""

    def __init__(self, key_type: DataType, value_type: DataType, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.key_type = key_type
        self.value_type = value_type

    def need_conversion(self) -> bool:
        return self.key_type.need_conversion() or self.value_type.need_conversion()

    def to_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        return {self.key_type.to_sql_type(k): self.value_type.to_sql_type(v) for k, v in obj.items()}

    def from_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        return {self.key_type.from_sql_type(k): self.value_type.from_sql_type(v) for k, v in obj.items()}

    def sql_text(self) -> str:
        return f"MAP<{sql_type(self.key_type)}, {sql_type(self.value_type)}>"

    def __repr__(self) -> str:
        return f"MapType({self.key_type!r}, {self.value_type!r}, {_flag(self._nullable)})"


class MapViewType(DataType):
    """MAP_VIEW<key, value>, in accumulators only."""

    def __init__(self, key_type: DataType, value_type: DataType) -> None:
        super().__init__(False)
        self._key_type = key_type
        self._value_type = value_type

    def sql_text(self) -> str:
        return f"MAP<{sql_type(self._key_type)}, {sql_type(self._value_type)}>"

    def __repr__(self) -> str:
        return f"MapViewType({self._key_type!r}, {self._value_type!r})"


class MultisetType(DataType):
    """MULTISET<element>."""

    def __init__(self, element_type: DataType, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.element_type = element_type

    def sql_text(self) -> str:
        return f"MULTISET<{sql_type(self.element_type)}>"

    def __repr__(self) -> str:
        return f"MultisetType({self.element_type!r}, {_flag(self._nullable)})"


class RowField:
    """A field of a ROW: name, type, description."""

    def __init__(self, name: str, data_type: DataType, description: str | None = None) -> None:
        self.name = name
        self.data_type = data_type
        self.description = "..." if description is None else description
        self.has_description = description is not None

    def need_conversion(self) -> bool:
        return self.data_type.need_conversion()

    def to_sql_type(self, obj: Any) -> Any:
        return self.data_type.to_sql_type(obj)

    def from_sql_type(self, obj: Any) -> Any:
        return self.data_type.from_sql_type(obj)

    def __repr__(self) -> str:
        return f"RowField({self.name}, {self.data_type!r}, {self.description})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RowField) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(repr(self))


RowField.__module__ = "pyflink.table.types"


class RowType(DataType):
    """ROW<name type, ...>."""

    def __init__(self, fields: list[RowField] | None = None, nullable: bool = True) -> None:
        super().__init__(nullable)
        self.fields = list(fields or [])
        self.names = [field.name for field in self.fields]

    def add(self, field: RowField | str, data_type: DataType | None = None) -> RowType:
        """Adds a field; the type itself is changed and given back."""
        if not isinstance(field, RowField):
            if data_type is None:
                raise ValueError("Must specify DataType if passing name of row_field to create.")
            field = RowField(field, data_type)
        self.fields.append(field)
        self.names.append(field.name)
        return self

    def field_names(self) -> list[str]:
        return list(self.names)

    def field_types(self) -> list[DataType]:
        return [field.data_type for field in self.fields]

    def need_conversion(self) -> bool:
        return any(field.need_conversion() for field in self.fields)

    def to_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        values = [obj.get(name) for name in self.names] if isinstance(obj, dict) else list(obj)
        return tuple(field.to_sql_type(value) for field, value in zip(self.fields, values))

    def from_sql_type(self, obj: Any) -> Any:
        if obj is None or not self.need_conversion():
            return obj
        from thalweg.common.types import _make_row

        return _make_row(self.names, [field.from_sql_type(value) for field, value in zip(self.fields, obj)])

    def sql_text(self) -> str:
        return "ROW<" + ", ".join(self._field_text(field) for field in self.fields) + ">"

    @staticmethod
    def _field_text(field: RowField) -> str:
        description = " '" + field.description.replace("'", "''") + "'" if field.has_description else ""
        return f"{quote(field.name)} {sql_type(field.data_type)}{description}"

    def __iter__(self) -> Iterator[RowField]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, key: str | int | slice) -> Any:
        if isinstance(key, str):
            for field in self.fields:
                if field.name == key:
                    return field
            raise KeyError(f"No RowField named {key}")
        if isinstance(key, slice):
            return RowType(self.fields[key])
        try:
            return self.fields[key]
        except IndexError:
            raise IndexError("RowType index out of range") from None

    def __repr__(self) -> str:
        return "RowType(" + ",".join(repr(field) for field in self.fields) + ")"


class StructuredType(RowType):
    """STRUCTURED<'class', name type, ...>: a row of a class's fields, as OBJECT_OF makes it."""

    def __init__(self, class_name: str, fields: list[RowField] | None = None, nullable: bool = True) -> None:
        super().__init__(fields, nullable)
        self.class_name = class_name

    def sql_text(self) -> str:
        return f"STRUCTURED<'{self.class_name}'" + "".join(", " + self._field_text(field) for field in self.fields) + ">"

    def __repr__(self) -> str:
        return f"StructuredType({self.class_name}, " + ",".join(repr(field) for field in self.fields) + ")"


class UserDefinedType(DataType):
    """A type of the user's, stored as another SQL type."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def type_name(cls) -> str:
        return cls.__name__.lower()

    @classmethod
    def sql_type(cls) -> DataType:
        """The SQL type the values are stored as."""
        raise NotImplementedError("UDT must implement sql_type().")

    @classmethod
    def module(cls) -> str:
        """The Python module of the type."""
        raise NotImplementedError("UDT must implement module().")

    @classmethod
    def java_udt(cls) -> str:
        """The class name of the Java twin; empty."""
        return ""

    def need_conversion(self) -> bool:
        return True

    def to_sql_type(self, obj: Any) -> Any:
        return None if obj is None else self.sql_type().to_sql_type(self.serialize(obj))

    def from_sql_type(self, obj: Any) -> Any:
        return None if obj is None else self.deserialize(self.sql_type().from_sql_type(obj))

    def serialize(self, obj: Any) -> Any:
        """A user object as a value of `sql_type`."""
        raise NotImplementedError("UDT must implement serialize().")

    def deserialize(self, datum: Any) -> Any:
        """A value of `sql_type` as a user object."""
        raise NotImplementedError("UDT must implement deserialize().")

    def sql_text(self) -> str:
        return self.sql_type().sql_text()


class RawType(DataType):
    """RAW: an object the engine does not look into."""

    def __init__(self) -> None:
        super().__init__(True)

    def sql_text(self) -> str:
        return "RAW('java.lang.Object', '')"
