"""Streams that end in a connector or a function."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg.datastream.data_stream import DataStream, DataStreamSink
from thalweg.datastream.graph import ConnectorSinkStep, Edge

if TYPE_CHECKING:
    from thalweg._native import Relation, Session
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.connectors.description import SinkDescription

__all__ = ["attach_sink"]


def attach_sink(stream: DataStream, sink: Any) -> DataStreamSink:
    """The end of `stream` in a connector's sink, or in an object of this process: `_collector(type)` gives what takes its records."""
    collector = getattr(sink, "_collector", None)
    if collector is not None:
        return _into_function(stream, collector(stream._record_type()))
    describe = getattr(sink, "_description", None)
    if describe is None:
        raise TypeError(f"a sink of thalweg.datastream.connectors is needed, not {type(sink).__name__}")
    description = describe()
    kind = stream._record_type()
    rows = stream._then(f"{type(sink).__name__} rows", lambda step: partial(_records_host, description, kind), None)
    columns = [(c.name, c.sql_type) for c in description.columns]
    rows._step.output = ([*columns, _BUCKET] if _has_bucket(description) else columns, None)
    step = ConnectorSinkStep(stream._env, type(sink).__name__, Edge(rows._step), partial(_connector_sink, description))
    stream._env._add_step(step)
    return DataStreamSink(step)


def _records_host(description: SinkDescription, kind: TypeInformation) -> Any:
    from thalweg.datastream.runtime.display import java_text
    from thalweg.datastream.runtime.edges import RecordsHost

    bucket = None
    if description.files is not None and description.files.bucket is not None:
        bucket = description.files.bucket, description.files.zone
    columns = [column.of for column in description.columns]
    if description.files is not None and columns == [None]:
        # Lines of text files: what Java's toString makes of the records.
        columns = [java_text(kind)]
    return RecordsHost(columns, bucket)


_BUCKET = ("$bucket", "STRING NOT NULL")


def _has_bucket(description: SinkDescription) -> bool:
    return description.files is not None and description.files.bucket is not None


def _connector_sink(description: SinkDescription, session: Session, traits: tuple[Any, ...], rows: Relation) -> Relation:
    from thalweg import _native

    metadata = [column.metadata for column in description.columns if column.metadata is not None]
    options = {"connector": description.connector, **description.options}
    if description.files is not None:
        options["sink.part-file.prefix"] = description.files.prefix
        options["sink.part-file.suffix"] = description.files.suffix
        options["sink.partition-names"] = "false"
    partitions = [_BUCKET[0]] if _has_bucket(description) else []
    return _native.stream_connector_sink(session, traits, rows, metadata, partitions, options)


def _into_function(stream: DataStream, collect: Any) -> DataStreamSink:
    from thalweg.datastream.runtime.printing import FunctionSinkHost

    sink = stream._then("Unnamed", lambda step: partial(FunctionSinkHost, collect), None)
    sink._step.pact = "Data Sink"
    return DataStreamSink(sink._step)
