"""Where DataStreams become Tables and Tables DataStreams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg.common.typeinfo import PickledBytesTypeInfo, RowTypeInfo, TupleTypeInfo, TypeInformation, Types
from thalweg.table.changelog_mode import ChangelogMode
from thalweg.table.expression import Expression
from thalweg.table.nested_types import ArrayType, MapType, RowType
from thalweg.table.schema import Schema
from thalweg.table.simple_types import DataType
from thalweg.table.type_text import parse_type
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation, Session
    from thalweg.datastream.data_stream import DataStream
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment
    from thalweg.table.table import Table

__all__ = ["stream_of_table", "table_of_stream"]

Converter = Callable[[Any], Any]

_ROW_TIME = "$rowtime"


class _Field:
    """A field of a stream's records: its name, SQL type, and where it is (None: the record itself)."""

    def __init__(self, name: str, kind: TypeInformation, place: int | None) -> None:
        text = kind.sql_text()
        if text is None:
            raise TypeError(
                f"field '{name}' has no SQL type ({kind}): declare the type of the stream's records, by type_info of the source or by "
                "output_type of the function"
            )
        self.name = name
        self.sql_type = text
        self.place = place
        self.convert: Converter | None = kind.to_internal_type if kind.need_conversion() else None


def _fields_of(kind: TypeInformation) -> list[_Field]:
    if isinstance(kind, RowTypeInfo):
        return [_Field(name, part, i) for i, (name, part) in enumerate(zip(kind.get_field_names(), kind.get_field_types()))]
    if isinstance(kind, TupleTypeInfo):
        return [_Field(f"f{i}", part, i) for i, part in enumerate(kind.get_field_types())]
    if isinstance(kind, PickledBytesTypeInfo):
        raise TypeError(
            "a stream of untyped Python objects has no columns: declare the type of its records, by type_info of the source or by "
            "output_type of the function, such as Types.ROW_NAMED([...], [...])"
        )
    return [_Field("f0", kind, None)]


class _Layout:
    """The columns of the table that an operator makes of a stream's records; what is computed of them comes above it."""

    def __init__(self) -> None:
        self.columns: list[tuple[str, str]] = []
        self.fields: list[_Field] = []
        self.row_time: str | None = None
        self.primary_key: list[str] = []

    def add(self, name: str, sql_type: str, field: _Field) -> None:
        """A column with a field's values."""
        self.columns.append((name, sql_type))
        self.fields.append(field)

    def require(self, names: list[str]) -> None:
        """Columns of the primary key are not NULL."""
        self.columns = [
            (name, text if name not in names or text.endswith("NOT NULL") else f"{text} NOT NULL") for name, text in self.columns
        ]

    def add_row_time(self, name: str, sql_type: str) -> None:
        """The column with the records' timestamps."""
        self.columns.append((name, sql_type))
        self.row_time = name

    def relation(self, session: Session, stream: DataStream, emitted: str) -> Relation:
        """The table."""
        from thalweg.datastream.graph import Step
        from thalweg.datastream.runtime.edges import TableHost

        places = None if any(field.place is None for field in self.fields) else [field.place for field in self.fields]
        host = partial(TableHost, places, [field.convert for field in self.fields], emitted != "insert")
        step = Step(stream._env, "Records to rows", [stream._edges()], lambda _: host, None, (self.columns, self.row_time))
        step.emitted = emitted
        names = [name for name, _ in self.columns]
        step.primary_key = [names.index(name) for name in self.primary_key]
        if emitted == "upsert" and not step.primary_key:
            raise ValueError("a changelog stream of upserts needs a primary key in its schema")
        return stream._env._translate_for_tables(step, session)


def table_of_stream(session: Session, stream: DataStream, fields_or_schema: Sequence[Any], emitted: str = "insert") -> Relation:
    """The relation of from_data_stream and from_changelog_stream."""
    fields = _fields_of(stream._record_type())
    if len(fields_or_schema) == 1 and isinstance(fields_or_schema[0], Schema):
        return _by_schema(session, stream, fields, fields_or_schema[0], emitted)
    if any(given is not None for given in fields_or_schema):
        return _by_expressions(session, stream, fields, fields_or_schema, emitted)
    layout = _Layout()
    for field in fields:
        layout.add(field.name, field.sql_type, field)
    return layout.relation(session, stream, emitted)


def _by_expressions(session: Session, stream: DataStream, fields: list[_Field], given: Sequence[Any], emitted: str) -> Relation:
    """Fields by name where all names are those of fields, otherwise in their order under new names; .rowtime and .proctime add columns."""
    terms = [_term(expression) for expression in given]
    stored = [(source, name) for kind, source, name in terms if kind == "column"]
    known = {field.name: field for field in fields}
    by_name = all(source in known for source, _ in stored)
    if not by_name and len(stored) > len(fields):
        raise ValueError(f"{len(stored)} names were given for {len(fields)} fields")
    in_order = iter(fields)
    layout = _Layout()
    times: list[str] = []
    names: list[str] = []
    for kind, source, name in terms:
        names.append(name)
        if kind == "rowtime":
            layout.add_row_time(name, "TIMESTAMP(3)")
        elif kind == "proctime":
            times.append(name)
        else:
            field = known[source] if by_name else next(in_order)
            layout.add(name, field.sql_type, field)
    relation = layout.relation(session, stream, emitted)
    if not times:
        return relation
    return relation.select([("as", ("call", "PROCTIME", ()), (name,)) if name in times else ("col", name) for name in names])


def _term(expression: Any) -> tuple[str, str, str]:
    """("column" | "rowtime" | "proctime", field, name) of one of from_data_stream's expressions."""
    if isinstance(expression, str):
        return "column", expression, expression
    if not isinstance(expression, Expression):
        raise TypeError(f"columns are given as expressions or names, not {expression!r}")
    tree = expression._tree
    name = ""
    if tree[0] == "as":
        tree, (name,) = tree[1], tree[2]
    if tree[0] == "call" and tree[1] in ("$ROWTIME", "$PROCTIME") and tree[2][0][0] == "col":
        source = str(tree[2][0][1])
        return ("rowtime" if tree[1] == "$ROWTIME" else "proctime"), source, name or source
    if tree[0] == "col":
        return "column", str(tree[1]), name or str(tree[1])
    raise ValueError(f"only columns, their .alias, .rowtime and .proctime name the fields of a stream, not {expression}")


def _by_schema(session: Session, stream: DataStream, fields: list[_Field], schema: Schema, emitted: str) -> Relation:
    parts = schema._parts
    declared = [part for part in parts if part[0] == "column"]
    computed = [part for part in parts if part[0] in ("computed", "metadata")]
    watermark = next((part for part in parts if part[0] == "watermark"), None)
    layout = _Layout()
    known = {field.name: field for field in fields}
    if not declared:
        for field in fields:
            layout.add(field.name, field.sql_type, field)
    elif all(part[1] in known for part in declared):
        for part in declared:
            layout.add(part[1], part[2], known[part[1]])
        if computed:
            # Computed columns may read fields that the schema leaves out.
            listed = {part[1] for part in declared}
            for field in fields:
                if field.name not in listed:
                    layout.add(field.name, field.sql_type, field)
    elif len(declared) == len(fields):
        for part, field in zip(declared, fields):
            layout.add(part[1], part[2], field)
    else:
        raise ValueError(f"the schema's columns {[part[1] for part in declared]} are not the stream's fields {list(known)}")
    if any(part[0] == "metadata" for part in computed) or (watermark is not None and _is_source_watermark(watermark)):
        layout.add_row_time(_ROW_TIME, "TIMESTAMP_LTZ(3)")
    layout.primary_key = [name for part in parts if part[0] == "key" for name in part[2:]]
    if layout.primary_key:
        layout.require(layout.primary_key)
    relation = layout.relation(session, stream, emitted)
    items = [_item(part, watermark) for part in parts if part[0] in ("column", "computed", "metadata")]
    if not declared:
        items = [("col", field.name) for field in fields] + items
    if computed:
        relation = relation.select(items)
    if watermark is not None and not _is_source_watermark(watermark):
        relation = relation.with_watermark(watermark[1], ("sql", watermark[2]))
    return relation


def _is_source_watermark(watermark: tuple[str, ...]) -> bool:
    # Also as an expression is written by str().
    return watermark[2].replace(" ", "").replace("_", "").upper() == "SOURCEWATERMARK()"


def _item(part: tuple[str, ...], watermark: tuple[str, ...] | None) -> tuple[Any, ...]:
    """A column of a schema over the operator's table."""
    kind, name, text, *rest = part
    if kind == "column":
        return ("col", name)
    if kind == "computed":
        return ("as", ("sql", text), (name,))
    key = rest[0] or name
    if key != "rowtime":
        raise ValueError(
            f"Invalid metadata key '{key}' in column '{name}' of a DataStream. The DataStream API supports the following: rowtime"
        )
    if watermark is not None and watermark[1] == name and _is_source_watermark(watermark):
        # Stays the time attribute.
        return ("as", ("col", _ROW_TIME), (name,))
    return ("as", ("cast", ("col", _ROW_TIME), text), (name,))


def stream_of_table(env: StreamExecutionEnvironment, table: Table, changelog: bool, width: int | None = None) -> DataStream:
    """The stream of to_data_stream and to_changelog_stream: Rows with names, of the first columns, and kinds in changelogs."""
    from thalweg.datastream.data_stream import DataStream
    from thalweg.datastream.graph import Edge, RelationStep, Step
    from thalweg.datastream.runtime.edges import RowsHost

    if not changelog:
        table._relation.check_insert_only("DataStream")
    columns = table._relation.columns()[:width]
    names = [name for name, _ in columns]
    kinds = [type_info_of(parse_type(text)) for _, text in columns]
    host = partial(RowsHost, names, [kind.from_internal_type if kind.need_conversion() else None for kind in kinds])
    source = RelationStep(env, "Table", table._relation)
    step = Step(env, "Rows to records", [[Edge(source)]], lambda _: host, Types.ROW_NAMED(names, kinds))
    step.takes_changes = changelog
    env._add_step(step)
    return DataStream(Edge(step))


def table_of_changelog(session: Session, stream: DataStream, schema: Schema | None, mode: ChangelogMode | None) -> Relation:
    """The relation of from_changelog_stream; the stream has Rows."""
    if not isinstance(stream._record_type(), RowTypeInfo):
        raise TypeError(f"a changelog is a stream of Rows: declare its type by Types.ROW_NAMED(...), not {stream._record_type()}")
    emitted = "all"
    if mode is not None:
        emitted = {ChangelogMode.insert_only(): "insert", ChangelogMode.upsert(): "upsert"}.get(mode, "all")
    return table_of_stream(session, stream, () if schema is None else (schema,), emitted)


def changelog_of_table(env: StreamExecutionEnvironment, table: Table, schema: Schema | None, mode: ChangelogMode | None) -> DataStream:
    """The stream of to_changelog_stream, with the columns of `schema` where it is given."""
    if mode is not None and mode == ChangelogMode.insert_only():
        return stream_of_table(env, table, changelog=False)
    width = None
    if schema is not None and any(part[0] == "column" for part in schema._parts):
        table, width = _as_schema(table, schema)
    return stream_of_table(env, table, changelog=True, width=width)


def _as_schema(table: Table, schema: Schema) -> tuple[Table, int]:
    """A table's columns as those of `schema`, by position as for an INSERT; metadata, which gives the time of a record, comes last.

    Also how many columns a record has.
    """
    wanted = [part for part in schema._parts if part[0] == "column" or (part[0] == "metadata" and part[4] != "VIRTUAL")]
    given = [name for name, _ in table._relation.columns()]
    if len(wanted) != len(given):
        raise ValidationException(f"the target schema has the columns {[part[1] for part in wanted]}, but the table has {given}")
    pairs = list(zip(wanted, given))
    columns = [("as", ("cast", ("col", name), part[2]), (part[1],)) for part, name in pairs if part[0] == "column"]
    metadata = [("as", ("col", name), (part[1],)) for part, name in pairs if part[0] == "metadata"]
    return type(table)(table._relation.select([*columns, *metadata]), table._t_env), len(columns)


def retractions_of_table(env: StreamExecutionEnvironment, table: Table, type_info: TypeInformation) -> DataStream:
    """The stream of to_retract_stream."""

    def flagged(row: Any) -> Any:
        return row._is_accumulate_msg(), row

    return stream_of_table(env, table, changelog=True).map(flagged, output_type=Types.TUPLE([Types.BOOLEAN(), type_info]))


_BASIC: dict[str, Callable[[], TypeInformation]] = {
    "BooleanType": Types.BOOLEAN, "TinyIntType": Types.BYTE, "SmallIntType": Types.SHORT, "IntType": Types.INT, "BigIntType": Types.LONG,
    "FloatType": Types.FLOAT, "DoubleType": Types.DOUBLE, "DecimalType": Types.BIG_DEC, "CharType": Types.STRING,
    "VarCharType": Types.STRING, "DateType": Types.SQL_DATE, "TimeType": Types.SQL_TIME, "TimestampType": Types.SQL_TIMESTAMP,
    "LocalZonedTimestampType": Types.INSTANT,
}  # fmt: skip


def type_info_of(data_type: DataType) -> TypeInformation:
    """The type of a stream's field for a column of a SQL type; objects as they are where there is none."""
    if isinstance(data_type, RowType):
        return Types.ROW_NAMED(data_type.names, [type_info_of(field.data_type) for field in data_type.fields])
    if isinstance(data_type, ArrayType):
        return Types.OBJECT_ARRAY(type_info_of(data_type.element_type))
    if isinstance(data_type, MapType):
        return Types.MAP(type_info_of(data_type.key_type), type_info_of(data_type.value_type))
    if type(data_type).__name__ in ("BinaryType", "VarBinaryType", "BitmapType"):
        return Types.PRIMITIVE_ARRAY(Types.BYTE())
    make = _BASIC.get(type(data_type).__name__)
    return Types.PICKLED_BYTE_ARRAY() if make is None else make()
