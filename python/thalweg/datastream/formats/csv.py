"""Rows as comma-separated values."""

from __future__ import annotations

import csv
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import BulkWriterFactory, DeserializationSchema, SerializationSchema
from thalweg.common.typeinfo import TypeInformation
from thalweg.datastream.connectors.description import Column, refused
from thalweg.datastream.connectors.file_system import StreamFormat
from thalweg.datastream.formats.csv_decoding import RowDecoder, joined, reader_of
from thalweg.datastream.formats.data_types import type_info_of
from thalweg.datastream.formats.description import FormatDescription, columns_of_row
from thalweg.datastream.formats.row_codecs import CsvCodec
from thalweg.table.nested_types import ArrayType, RowType
from thalweg.table.types import DataType, DataTypes

__all__ = [
    "CsvBulkWriters", "CsvReaderFormat", "CsvRowDeserializationSchema", "CsvRowSerializationSchema", "CsvSchema", "CsvSchemaBuilder",
]  # fmt: skip

_AS_LINES = "Read lines with StreamFormat.text_line_format() and take them apart in a map()."


class CsvSchema:
    """The columns of CSV files, and how values are set off from each other.

    ::

        CsvSchema.builder().add_number_column("id", DataTypes.INT()).add_string_column("name").build()
    """

    def __init__(self, j_schema: Any, row_type: RowType) -> None:
        self._settings: dict[str, Any] = dict(j_schema)
        self._row_type = row_type

    @staticmethod
    def builder() -> CsvSchemaBuilder:
        """Starts a schema."""
        return CsvSchemaBuilder()

    def get_type_info(self) -> TypeInformation:
        """The type of the records."""
        return type_info_of(self._row_type)

    def size(self) -> int:
        """How many columns there are."""
        return len(self._row_type.fields)

    def __len__(self) -> int:
        return self.size()

    def __repr__(self) -> str:
        return f"CsvSchema({self._row_type!r})"

    def _format(self, owner: str, reads: bool = False) -> FormatDescription:
        for name in self._settings.get("refused", ()):
            raise refused(f"CsvSchemaBuilder.{name}", "such setting of CSV", _AS_LINES)
        separators = self._settings["separators"]
        options = dict(self._settings["options"])
        own = len({separators.get(position) for position in self._array_positions()}) > 1
        leads = self._settings["lead"]
        if reads and (own or leads["use_header"] or leads["skip_first_data_row"]):
            columns = tuple(Column(field.name, "STRING") for field in self._row_type.fields)
            return FormatDescription("csv", options, columns, "row", self.get_type_info(), self._decoder(options))
        if leads["use_header"]:
            raise refused(f"{owner} with set_use_header", "way to write a header", "Write with a schema that has no header.")
        if separators and not own:
            options["array-element-delimiter"] = next(iter(separators.values()))
        columns = tuple(self._written(position, own) for position in range(self.size()))
        return FormatDescription("csv", options, columns, "row", self.get_type_info())

    def _array_positions(self) -> list[int]:
        return [position for position, field in enumerate(self._row_type.fields) if isinstance(field.data_type, ArrayType)]

    def _written(self, position: int, own: bool) -> Column:
        """A column as a sink has it; arrays whose separators differ are written as texts."""
        field = self._row_type.fields[position]
        if own and isinstance(field.data_type, ArrayType):
            return Column(field.name, "STRING", of=joined(self._separator(position), position))
        return Column(field.name, field.data_type.sql_text(), of=itemgetter(position))

    def _separator(self, position: int) -> str:
        separators: dict[int, str] = self._settings["separators"]
        return separators.get(position) or str(self._settings["options"].get("array-element-delimiter", ";"))

    def _decoder(self, options: dict[str, str]) -> Callable[[str], RowDecoder]:
        readers = [reader_of(field.data_type, self._separator(i)) for i, field in enumerate(self._row_type.fields)]
        names = [field.name for field in self._row_type.fields]
        quotes = options.get("disable-quote-character") != "true"
        dialect: dict[str, Any] = {"delimiter": options.get("field-delimiter", ","), "escapechar": options.get("escape-character")}
        dialect |= {"quotechar": options.get("quote-character", '"')} if quotes else {"quoting": csv.QUOTE_NONE}
        leads = self._settings["lead"]
        count = int(leads["use_header"]) + int(leads["skip_first_data_row"])
        strict = leads["use_header"] and leads["strict_headers"]
        look = {"csv": dialect, "comments": options.get("allow-comments") == "true"}
        return lambda path: RowDecoder(path, names, readers, look, count, strict)


class CsvSchemaBuilder:
    """Builds a CsvSchema: columns in order, values set off by commas, quoted where they have to be."""

    def __init__(self) -> None:
        self._fields: list[tuple[str, DataType]] = []
        self._separators: dict[int, str] = {}
        self._options: dict[str, str] = {}
        self._refused: list[str] = []
        self._lead = {"use_header": False, "strict_headers": False, "skip_first_data_row": False}

    def build(self) -> CsvSchema:
        """The schema."""
        row_type = DataTypes.ROW([DataTypes.FIELD(name, kind) for name, kind in self._fields])
        settings = {
            "options": dict(self._options),
            "separators": dict(self._separators),
            "refused": list(self._refused),
            "lead": dict(self._lead),
        }
        return CsvSchema(settings, row_type)

    def _add(self, name: str, kind: DataType) -> CsvSchemaBuilder:
        self._fields.append((name, kind))
        return self

    def add_array_column(self, name: str, separator: str = ";", element_type: DataType | None = None) -> CsvSchemaBuilder:
        """A column of arrays, their elements set off by `separator`, of STRING unless `element_type` says otherwise."""
        self._separators[len(self._fields)] = separator
        return self._add(name, DataTypes.ARRAY(DataTypes.STRING() if element_type is None else element_type))

    def add_boolean_column(self, name: str) -> CsvSchemaBuilder:
        """A column of true and false."""
        return self._add(name, DataTypes.BOOLEAN())

    def add_number_column(self, name: str, number_type: DataType | None = None) -> CsvSchemaBuilder:
        """A column of numbers, BIGINT unless `number_type` says otherwise."""
        return self._add(name, DataTypes.BIGINT() if number_type is None else number_type)

    def add_string_column(self, name: str) -> CsvSchemaBuilder:
        """A column of texts."""
        return self._add(name, DataTypes.STRING())

    def add_columns_from(self, schema: CsvSchema) -> CsvSchemaBuilder:
        """The columns of another schema."""
        first = len(self._fields)
        for position, field in enumerate(schema._row_type.fields):
            if position in schema._settings["separators"]:
                self._separators[first + position] = schema._settings["separators"][position]
            self._add(field.name, field.data_type)
        return self

    def clear_columns(self) -> CsvSchemaBuilder:
        """Takes all columns out."""
        self._fields.clear()
        self._separators.clear()
        return self

    def _option(self, key: str, value: str) -> CsvSchemaBuilder:
        self._options[key] = value
        return self

    def _setting(self, name: str, is_set: bool) -> CsvSchemaBuilder:
        self._refused = [other for other in self._refused if other != name] + ([name] if is_set else [])
        return self

    def set_allow_comments(self, allow: bool = True) -> CsvSchemaBuilder:
        """Whether lines that start with # are skipped."""
        return self._option("allow-comments", str(allow).lower())

    def set_any_property_name(self, name: str) -> CsvSchemaBuilder:
        """Where surplus values go. Refused when the schema is used: a row has no such place."""
        return self._setting("set_any_property_name", name is not None)

    def disable_array_element_separator(self) -> CsvSchemaBuilder:
        """Arrays have one element. Refused when the schema is used."""
        return self._setting("disable_array_element_separator", True)

    def remove_array_element_separator(self, index: int) -> CsvSchemaBuilder:
        """Takes the separator of column `index` back, which then is that of the schema."""
        self._separators.pop(index, None)
        return self

    def set_array_element_separator(self, separator: str) -> CsvSchemaBuilder:
        """What sets elements of arrays off where their column says nothing."""
        return self._option("array-element-delimiter", separator)

    def set_column_separator(self, char: str) -> CsvSchemaBuilder:
        """What sets values off."""
        if len(char) != 1:
            raise ValueError("Column separator must be a single char")
        return self._option("field-delimiter", char)

    def disable_escape_char(self) -> CsvSchemaBuilder:
        """No character takes the meaning from the next one."""
        self._options.pop("escape-character", None)
        return self

    def set_escape_char(self, char: str) -> CsvSchemaBuilder:
        """The character that takes the meaning from the next one."""
        if len(char) != 1:
            raise ValueError("Escape char must be a single char")
        return self._option("escape-character", char)

    def set_line_separator(self, separator: str) -> CsvSchemaBuilder:
        """What ends a line. Anything but a new line is refused when the schema is used."""
        return self._setting("set_line_separator", separator != "\n")

    def set_null_value(self, null_value: str) -> CsvSchemaBuilder:
        """The text that stands for None."""
        return self._option("null-literal", null_value)

    def disable_quote_char(self) -> CsvSchemaBuilder:
        """Quotes are plain text."""
        self._options.pop("quote-character", None)
        return self._option("disable-quote-character", "true")

    def set_quote_char(self, char: str) -> CsvSchemaBuilder:
        """What values are quoted with."""
        if len(char) != 1:
            raise ValueError("Quote char must be a single char")
        self._options.pop("disable-quote-character", None)
        return self._option("quote-character", char)

    def set_skip_first_data_row(self, skip: bool = True) -> CsvSchemaBuilder:
        """Whether the first row of each file, behind its header, is passed over. For files that end, read from paths on this machine."""
        self._lead["skip_first_data_row"] = skip
        return self

    def set_strict_headers(self, strict: bool = True) -> CsvSchemaBuilder:
        """Whether the header must name the columns in order; if it does not, the job ends with ValueError."""
        self._lead["strict_headers"] = strict
        return self

    def set_use_header(self, use: bool = True) -> CsvSchemaBuilder:
        """Whether each file's first line is a header, and no row. For reading files that end, at paths on this machine."""
        self._lead["use_header"] = use
        return self

    def size(self) -> int:
        """How many columns there are."""
        return len(self._fields)

    def __len__(self) -> int:
        return self.size()


class CsvReaderFormat(StreamFormat):
    """Reads CSV files as rows."""

    def __init__(self, j_csv_format: Any) -> None:
        super().__init__(j_csv_format)
        self._schema: CsvSchema = j_csv_format

    @staticmethod
    def for_schema(schema: CsvSchema) -> CsvReaderFormat:
        """Reads files of these columns."""
        return CsvReaderFormat(schema)

    def _format(self) -> FormatDescription:
        return self._schema._format("CsvReaderFormat", True)


class _CsvWriterFactory(BulkWriterFactory):
    """Writes rows of a schema."""

    def _format(self) -> FormatDescription:
        schema: CsvSchema = self._j_bulk_writer_factory
        return schema._format("CsvBulkWriters")


class CsvBulkWriters:
    """Writes rows as CSV files."""

    @staticmethod
    def for_schema(schema: CsvSchema) -> BulkWriterFactory:
        """Writes files of these columns; FileSink.for_bulk_format takes it."""
        return _CsvWriterFactory(schema)


class _RowSchemaBuilder:
    """What both builders have in common."""

    def __init__(self, type_info: TypeInformation) -> None:
        if not isinstance(type_info, TypeInformation):
            raise TypeError("type_info must not be None.")
        self._type_info = type_info
        self._options: dict[str, str] = {}

    def _option(self, key: str, value: str | None) -> None:
        if value is None:
            raise TypeError(f"The {key.replace('-', ' ')} must not be None.")
        self._options[key] = value


class _DeserializationBuilder(_RowSchemaBuilder):
    """Builds a CsvRowDeserializationSchema."""

    def set_field_delimiter(self, delimiter: str) -> _DeserializationBuilder:
        """What sets values off."""
        self._option("field-delimiter", delimiter)
        return self

    def set_allow_comments(self, allow_comments: bool) -> _DeserializationBuilder:
        """Whether lines that start with # are skipped."""
        self._option("allow-comments", str(allow_comments).lower())
        return self

    def set_array_element_delimiter(self, delimiter: str) -> _DeserializationBuilder:
        """What sets elements of arrays and fields of rows off."""
        self._option("array-element-delimiter", delimiter)
        return self

    def set_quote_character(self, c: str) -> _DeserializationBuilder:
        """What values are quoted with."""
        self._option("quote-character", c)
        return self

    def set_escape_character(self, c: str) -> _DeserializationBuilder:
        """The character that takes the meaning from the next one."""
        self._option("escape-character", c)
        return self

    def set_null_literal(self, null_literal: str) -> _DeserializationBuilder:
        """The text that stands for None."""
        self._option("null-literal", null_literal)
        return self

    def set_ignore_parse_errors(self, ignore_parse_errors: bool) -> _DeserializationBuilder:
        """Whether records that are not as they should be are skipped instead of ending the job."""
        self._option("ignore-parse-errors", str(ignore_parse_errors).lower())
        return self

    def build(self) -> CsvRowDeserializationSchema:
        """The schema."""
        return CsvRowDeserializationSchema((self._type_info, self._options))


class CsvRowDeserializationSchema(DeserializationSchema):
    """Reads records of comma-separated values as rows: `CsvRowDeserializationSchema.Builder(Types.ROW([...])).build()`."""

    Builder = _DeserializationBuilder

    def __init__(self, j_deserialization_schema: Any) -> None:
        self._type_info, options = j_deserialization_schema
        self._options = dict(options)
        super().__init__(CsvCodec("CsvRowDeserializationSchema", self._type_info, self._options))

    def _format(self) -> FormatDescription:
        columns = columns_of_row("CsvRowDeserializationSchema", self._type_info)
        return FormatDescription("csv", self._options, columns, "row", self._type_info)


class _SerializationBuilder(_RowSchemaBuilder):
    """Builds a CsvRowSerializationSchema."""

    def set_field_delimiter(self, c: str) -> _SerializationBuilder:
        """What sets values off."""
        self._option("field-delimiter", c)
        return self

    def set_line_delimiter(self, delimiter: str) -> _SerializationBuilder:
        """What ends a record. Records of a topic end with nothing here, as with Flink's csv format; "" is the only choice."""
        if delimiter not in ("", "\n"):
            raise refused(f"CsvRowSerializationSchema.Builder.set_line_delimiter({delimiter!r})", "such setting of CSV", "Use '\\n'.")
        return self

    def set_array_element_delimiter(self, delimiter: str) -> _SerializationBuilder:
        """What sets elements of arrays and fields of rows off."""
        self._option("array-element-delimiter", delimiter)
        return self

    def disable_quote_character(self) -> _SerializationBuilder:
        """Quotes are plain text."""
        self._option("disable-quote-character", "true")
        return self

    def set_quote_character(self, c: str) -> _SerializationBuilder:
        """What values are quoted with."""
        self._option("quote-character", c)
        return self

    def set_escape_character(self, c: str) -> _SerializationBuilder:
        """The character that takes the meaning from the next one."""
        self._option("escape-character", c)
        return self

    def set_null_literal(self, s: str) -> _SerializationBuilder:
        """The text that stands for None."""
        self._option("null-literal", s)
        return self

    def build(self) -> CsvRowSerializationSchema:
        """The schema."""
        return CsvRowSerializationSchema((self._type_info, self._options))


class CsvRowSerializationSchema(SerializationSchema):
    """Writes rows as comma-separated values: `CsvRowSerializationSchema.Builder(Types.ROW([...])).build()`."""

    Builder = _SerializationBuilder

    def __init__(self, j_csv_row_serialization_schema: Any) -> None:
        self._type_info, options = j_csv_row_serialization_schema
        self._options = dict(options)
        super().__init__(CsvCodec("CsvRowSerializationSchema", self._type_info, self._options))

    def _format(self) -> FormatDescription:
        columns = columns_of_row("CsvRowSerializationSchema", self._type_info)
        return FormatDescription("csv", self._options, columns, "row", self._type_info)


use_flink_names(globals())
