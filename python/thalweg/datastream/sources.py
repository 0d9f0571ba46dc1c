"""Streams that begin: what the environment's from_... methods make."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg.datastream.data_stream import DataStream
from thalweg.datastream.graph import Edge, SourceStep
from thalweg.datastream.runtime.conversion import Purpose, batch_converter
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Relation, Session
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.common.watermark_strategy import WatermarkStrategy
    from thalweg.datastream.connectors.description import SourceDescription
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment

__all__ = ["collection_stream", "sequence_stream", "source_stream"]

_SHARED = frozenset([int, str, float, bool, bytes, tuple, type(None)])
"""Types of elements that no function changes: the program and the job may have the same objects."""


def source_step(
    env: StreamExecutionEnvironment,
    name: str,
    make_relation: Callable[[Session, tuple[Any, ...]], Relation],
    output_type: TypeInformation | None,
) -> DataStream:
    """A stream that begins with a source."""
    return DataStream(Edge(SourceStep(env, name, make_relation, output_type)))


def collection_stream(env: StreamExecutionEnvironment, collection: Iterable[Any], type_info: TypeInformation | None) -> DataStream:
    """The elements of a collection, as they are now."""
    from thalweg import _native

    records = [element if type(element) in _SHARED else copy.deepcopy(element) for element in collection]
    convert = batch_converter(type_info, Purpose.INPUT)
    if convert is not None:
        records = convert(records)
    stream = source_step(env, "Collection Source", lambda session, traits: _native.stream_collection(session, traits, records), type_info)
    return stream.force_non_parallel()


def sequence_stream(env: StreamExecutionEnvironment, name: str, first: int, last: int) -> DataStream:
    """The integers from `first` to `last`."""
    from thalweg import _native
    from thalweg.common.typeinfo import Types

    def make_relation(session: Session, traits: tuple[Any, ...]) -> Relation:
        return _native.stream_sequence(session, traits, first, last, traits[2])

    return source_step(env, name, make_relation, Types.LONG())


def source_stream(
    env: StreamExecutionEnvironment,
    source: Any,
    watermark_strategy: WatermarkStrategy | None,
    name: str,
    type_info: TypeInformation | None,
) -> DataStream:
    """What a connector's source reads, with the times that the strategy gives."""
    describe = getattr(source, "_description", None)
    if describe is None:
        raise TypeError(f"a source of thalweg.datastream.connectors is needed, not {type(source).__name__}")
    stream = _described(env, name, describe(), type_info)
    strategy = watermark_strategy
    if strategy is None or (strategy._max_out_of_orderness_ms is None and strategy._timestamp_assigner is None):
        return stream
    timed = stream._with_watermarks(strategy, per_split=True)
    # It runs with the source, reader by reader.
    timed._step.follows = stream._step
    return timed


def _described(env: StreamExecutionEnvironment, name: str, description: SourceDescription, type_info: TypeInformation | None) -> DataStream:
    if description.parts:
        return _of_parts(env, name, description, type_info)
    if description.connector == "sequence":
        first, last = int(description.options["start"]), int(description.options["end"])
        return sequence_stream(env, name, first, last)
    kind = type_info or description.produced_type
    if description.decode is not None:
        # What a file starts with is dropped once: by one subtask, which sees all of it.
        texts = source_step(env, name, partial(_connector_records, description, None), None).force_non_parallel()
        return texts.flat_map(description.decode, kind).force_non_parallel()
    return source_step(env, name, partial(_connector_records, description, kind), kind)


def _of_parts(env: StreamExecutionEnvironment, name: str, description: SourceDescription, type_info: TypeInformation | None) -> DataStream:
    if description.in_turn:
        return _in_turn(env, name, description, type_info)
    first, *others = [_described(env, name, part, type_info) for part in description.parts]
    return first.union(*others)


def _connector_records(description: SourceDescription, kind: TypeInformation | None, session: Session, traits: tuple[Any, ...]) -> Relation:
    """The rows of a connector's table, as records."""
    from thalweg import _native
    from thalweg.datastream.runtime.edges import ColumnsHost

    table = _native.stream_connector(session, traits, *_table_of(description))
    host = partial(ColumnsHost, description.record, _names_of(description), kind, _partition_test(description))
    return _records(session, traits, table, host)


def _records(session: Session, traits: tuple[Any, ...], table: Relation, host: Callable[[], Any]) -> Relation:
    from thalweg import _native

    return _native.stream_operator(session, (f"{traits[0]} records", "", traits[2], True), host, [(table, "auto", -1, 0)], "stream")


def _names_of(description: SourceDescription) -> list[str]:
    return [c.name for c in description.columns if c.metadata is None]


def _table_of(description: SourceDescription) -> tuple[list[tuple[str, str]], list[tuple[str, str]], dict[str, str], str]:
    """Physical columns, metadata, options and the column of time."""
    physical = [(c.name, c.sql_type) for c in description.columns if c.metadata is None]
    metadata = [(c.metadata, c.sql_type) for c in description.columns if c.metadata is not None]
    time_key = next((c.metadata or c.name for c in description.columns if c.name == description.time_column), "")
    return physical, metadata, {"connector": description.connector, **description.options}, time_key


def _in_turn(env: StreamExecutionEnvironment, name: str, description: SourceDescription, type_info: TypeInformation | None) -> DataStream:
    """The records of several sources, one source after the other."""
    parts = description.parts
    types = [[c.sql_type for c in part.columns if c.metadata is None] for part in parts]
    for part, own in zip(parts, types):
        if part.parts or part.decode is not None or part.partitions is not None:
            what = "nested sources" if part.parts else "set_partitions" if part.partitions is not None else "files of such a format"
            raise unsupported(f"source {name!r}: {what} inside a HybridSource")
        if own != types[0] or (part.connector == "sequence") != (parts[0].connector == "sequence"):
            raise ValueError(f"source {name!r}: the sources of a HybridSource give records of different types")
    kind = type_info or description.produced_type

    def make_relation(session: Session, traits: tuple[Any, ...]) -> Relation:
        from thalweg import _native
        from thalweg.datastream.runtime.edges import ColumnsHost

        if parts[0].connector == "sequence":
            bounds = [(int(part.options["start"]), int(part.options["end"])) for part in parts]
            return _native.stream_sequences_in_turn(session, traits, bounds, traits[2])
        table = _native.stream_connectors_in_turn(session, traits, [_table_of(part) for part in parts])
        return _records(session, traits, table, partial(ColumnsHost, description.record, _names_of(parts[0]), kind, None))

    return source_step(env, name, make_relation, kind)


def _partition_test(description: SourceDescription) -> tuple[int, int, frozenset[tuple[str, int]]] | None:
    """Where a row has its topic and partition, and which are wanted."""
    if description.partitions is None:
        return None
    # Metadata columns come behind the physical ones.
    ordered = [c for c in description.columns if c.metadata is None] + [c for c in description.columns if c.metadata is not None]
    places = {column.name: i for i, column in enumerate(ordered)}
    return places["topic"], places["partition"], description.partitions
