"""Files as sources and sinks."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.io import InputFormat
from thalweg.common.serialization import BulkWriterFactory, Encoder
from thalweg.common.time import Duration
from thalweg.common.typeinfo import Types
from thalweg.datastream.connectors.base import Sink, Source, StreamTransformer, SupportsPreprocessing
from thalweg.datastream.connectors.description import Column, SinkDescription, SourceDescription, refused
from thalweg.datastream.connectors.file_names import (
    BucketAssigner,
    DefaultRollingPolicy,
    FileCompactor,
    FileCompactStrategy,
    OnCheckpointRollingPolicy,
    OutputFileConfig,
    RollingPolicy,
    file_names,
)
from thalweg.datastream.formats.description import FormatDescription
from thalweg.datastream.functions import SinkFunction

__all__ = [
    "BucketAssigner", "BulkFormat", "BulkWriterFactory", "DefaultRollingPolicy", "FileCompactStrategy", "FileCompactor",
    "FileEnumeratorProvider", "FileSink", "FileSource", "FileSourceBuilder", "FileSplitAssignerProvider", "InputFormat",
    "OnCheckpointRollingPolicy", "OutputFileConfig", "RollingPolicy", "RowDataBulkWriterFactory", "StreamFormat", "StreamingFileSink",
]  # fmt: skip


# --- source


class FileEnumeratorProvider:
    """How files are found. Both kinds are the same here: below the path, names that start with '.' or '_' passed over."""

    def __init__(self, j_file_enumerator_provider: Any) -> None:
        self._j_file_enumerator_provider = j_file_enumerator_provider

    @staticmethod
    def default_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Big files may be read in parts."""
        return FileEnumeratorProvider("splittable")

    @staticmethod
    def default_non_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Each file is read by one subtask."""
        return FileEnumeratorProvider("non-splittable")


class FileSplitAssignerProvider:
    """Which subtask reads which file. Accepted: there is one machine."""

    def __init__(self, j_file_split_assigner: Any) -> None:
        self._j_file_split_assigner = j_file_split_assigner

    @staticmethod
    def locality_aware_split_assigner() -> FileSplitAssignerProvider:
        """Near files first."""
        return FileSplitAssignerProvider("locality-aware")


class StreamFormat:
    """Reads a file record by record."""

    def __init__(self, j_stream_format: Any) -> None:
        self._j_stream_format = j_stream_format

    @staticmethod
    def text_line_format(charset_name: str = "UTF-8") -> StreamFormat:
        """Each line is a record, a text."""
        return _TextLines(charset_name)

    def _format(self) -> FormatDescription:
        """The engine's format. Raises NotImplementedError, naming the format, where it has none."""
        raise NotImplementedError(f"{type(self).__name__} describes no format that Thalweg can read")


class _TextLines(StreamFormat):
    """Lines."""

    def _format(self) -> FormatDescription:
        charset = self._j_stream_format
        options = {} if charset.upper() == "UTF-8" else {"charset": charset}
        return FormatDescription("raw", options, (Column("value", "STRING"),), "value", Types.STRING())


class BulkFormat:
    """Reads a file many records at a time."""

    def __init__(self, j_bulk_format: Any) -> None:
        self._j_bulk_format = j_bulk_format

    def _format(self) -> FormatDescription:
        """The engine's format. Raises NotImplementedError, naming the format, where it has none."""
        raise NotImplementedError(f"{type(self).__name__} describes no format that Thalweg can read")


class FileSourceBuilder:
    """Builds a FileSource, which ends with the files that were there unless it monitors."""

    def __init__(self, j_file_source_builder: Any) -> None:
        self._format_object, self._paths = j_file_source_builder
        self._interval_ms: int | None = None

    def monitor_continuously(self, discovery_interval: Duration) -> FileSourceBuilder:
        """Looks for new files every `discovery_interval`; the source never ends."""
        self._interval_ms = discovery_interval.to_millis()
        return self

    def process_static_file_set(self) -> FileSourceBuilder:
        """Ends with the files that are there when it starts."""
        self._interval_ms = None
        return self

    def set_file_enumerator(self, file_enumerator: FileEnumeratorProvider) -> FileSourceBuilder:
        """Accepted: files are found in one way."""
        del file_enumerator
        return self

    def set_split_assigner(self, split_assigner: FileSplitAssignerProvider) -> FileSourceBuilder:
        """Accepted: there is one machine."""
        del split_assigner
        return self

    def build(self) -> FileSource:
        """The source."""
        return FileSource((self._format_object, self._paths, self._interval_ms))


class FileSource(Source):
    """Reads files, or all files below folders.

    ::

        FileSource.for_record_stream_format(StreamFormat.text_line_format(), "/data/in").build()
    """

    def __init__(self, j_file_source: Any) -> None:
        super().__init__(j_file_source)
        self._format_object, self._paths, self._interval_ms = j_file_source

    @staticmethod
    def for_record_stream_format(stream_format: StreamFormat, *paths: str) -> FileSourceBuilder:
        """Starts a source of a StreamFormat. Raises ValueError where no path is given."""
        return FileSource._builder(stream_format, paths)

    @staticmethod
    def for_bulk_file_format(bulk_format: BulkFormat, *paths: str) -> FileSourceBuilder:
        """Starts a source of a BulkFormat. Raises ValueError where no path is given."""
        return FileSource._builder(bulk_format, paths)

    @staticmethod
    def _builder(file_format: Any, paths: tuple[str, ...]) -> FileSourceBuilder:
        if not paths:
            raise ValueError("FileSource: at least one path is needed")
        return FileSourceBuilder((file_format, tuple(str(path) for path in paths)))

    def _description(self) -> SourceDescription:
        found: FormatDescription = self._format_object._format()
        options = found.prefixed()
        if self._interval_ms is not None:
            options["source.monitor-interval"] = f"{self._interval_ms} ms"
        paths = [_local(path) for path in self._paths]
        if found.decoder is not None:
            if self._interval_ms is not None:
                raise refused(f"{type(self._format_object).__name__} with a header", "way to watch for such files", "Leave out the header.")
            paths = [file for path in paths for file in _files(path)]
        parts = tuple(
            SourceDescription(
                "filesystem",
                {**options, "path": path},
                found.columns,
                found.record,
                found.produced_type,
                bounded=self._interval_ms is None,
                decode=None if found.decoder is None else found.decoder(path),
            )
            for path in paths
        )
        return parts[0] if len(parts) == 1 else replace(parts[0], parts=parts)


def _files(path: str) -> list[str]:
    """The files that the engine finds at a path."""
    if not os.path.isdir(path):
        return [path]
    found = []
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        found += [os.path.join(folder, name) for name in sorted(files) if not name.startswith((".", "_"))]
    if not found:
        raise FileNotFoundError(f"FileSource: there are no files in {path}")
    return found


def _local(path: str) -> str:
    """A path without its `file:` scheme."""
    if path.startswith("file:"):
        return "/" + path.removeprefix("file:").lstrip("/")
    return path


# --- sinks


class RowDataBulkWriterFactory(BulkWriterFactory):
    """A writer of rows of a type."""

    def __init__(self, j_bulk_writer_factory: Any, row_type: Any) -> None:
        super().__init__(j_bulk_writer_factory)
        self._row_type = row_type

    def get_row_type(self) -> Any:
        """The type."""
        return self._row_type


Builder = TypeVar("Builder", bound="_SinkBuilder")


class _SinkBuilder:
    """What the builders of file sinks have in common; `made_of` is (base path, encoder or writer factory)."""

    def __init__(self, made_of: Any) -> None:
        self._path, self._writer = made_of
        self._assigner = BucketAssigner.date_time_bucket_assigner()
        self._policy: RollingPolicy | None = None
        self._names: OutputFileConfig | None = None
        self._compaction: FileCompactStrategy | None = None

    def with_bucket_check_interval(self: Builder, interval: int) -> Builder:
        """Accepted: intervals are checked with each batch. In milliseconds."""
        del interval
        return self

    def with_bucket_assigner(self: Builder, bucket_assigner: BucketAssigner) -> Builder:
        """Which folder a record goes to; by default one an hour."""
        self._assigner = bucket_assigner
        return self

    def with_rolling_policy(self: Builder, rolling_policy: RollingPolicy) -> Builder:
        """When a file is closed and the next one begun."""
        self._policy = rolling_policy
        return self

    def with_output_file_config(self: Builder, output_file_config: OutputFileConfig) -> Builder:
        """What files are called."""
        self._names = output_file_config
        return self

    def enable_compact(self: Builder, strategy: FileCompactStrategy, compactor: FileCompactor) -> Builder:
        """Merges small files. Refused when the sink is used."""
        del compactor
        self._compaction = strategy
        return self

    def disable_compact(self: Builder) -> Builder:
        """Does not merge small files."""
        self._compaction = None
        return self

    def _describe(self, owner: str) -> SinkDescription:
        if self._compaction is not None:
            raise refused(f"{owner}.enable_compact", "merging of small files", "Leave it out, or roll files by size.")
        options = {"path": _local(str(self._path)), **(self._policy._options() if self._policy is not None else {})}
        files = file_names(self._names, self._assigner)
        if isinstance(self._writer, Encoder):
            charset = self._writer._charset
            options["format"] = "raw"
            if charset.upper() != "UTF-8":
                options["raw.charset"] = charset
            return SinkDescription("filesystem", options, (Column("value", "STRING"),), files)
        written: FormatDescription = self._writer._format()
        return SinkDescription("filesystem", {**options, **written.prefixed()}, written.columns, files)


class _RowFormatBuilder(_SinkBuilder):
    """Builds a FileSink that writes records one by one."""

    def build(self) -> FileSink:
        """The sink."""
        return FileSink(self)


class _BulkFormatBuilder(_SinkBuilder):
    """Builds a FileSink that writes whole files."""

    def build(self) -> FileSink:
        """The sink."""
        return FileSink(self)


class FileSink(Sink, SupportsPreprocessing):
    """Writes files below a path. A file is visible once it is complete: with a checkpoint, or when the job ends.

    ::

        FileSink.for_row_format("/data/out", Encoder.simple_string_encoder()).build()
    """

    RowFormatBuilder = _RowFormatBuilder
    BulkFormatBuilder = _BulkFormatBuilder

    def __init__(self, j_file_sink: Any, transformer: StreamTransformer | None = None) -> None:
        super().__init__(j_file_sink)
        self._transformer = transformer

    def get_transformer(self) -> StreamTransformer | None:
        """None: the engine needs no other stream."""
        return self._transformer

    @staticmethod
    def for_row_format(base_path: str, encoder: Encoder) -> _RowFormatBuilder:
        """Starts a sink that writes each record by `encoder`."""
        return _RowFormatBuilder((base_path, encoder))

    @staticmethod
    def for_bulk_format(base_path: str, writer_factory: BulkWriterFactory) -> _BulkFormatBuilder:
        """Starts a sink that writes files by `writer_factory`."""
        return _BulkFormatBuilder((base_path, writer_factory))

    def _description(self) -> SinkDescription:
        builder: _SinkBuilder = self._j_function
        return builder._describe("FileSink")


class _StreamingBuilder(_SinkBuilder):
    """Builds a StreamingFileSink."""

    def build(self) -> StreamingFileSink:
        """The sink."""
        return StreamingFileSink(self)


class _DefaultRowFormatBuilder(_StreamingBuilder):
    """Records one by one."""


class _DefaultBulkFormatBuilder(_StreamingBuilder):
    """Whole files."""


class StreamingFileSink(SinkFunction):
    """Writes files below a path, for `add_sink`. Older than FileSink, which does the same."""

    DefaultRowFormatBuilder = _DefaultRowFormatBuilder
    DefaultBulkFormatBuilder = _DefaultBulkFormatBuilder

    def __init__(self, j_obj: Any) -> None:
        super().__init__(j_obj)

    @staticmethod
    def for_row_format(base_path: str, encoder: Encoder) -> _DefaultRowFormatBuilder:
        """Starts a sink that writes each record by `encoder`."""
        return _DefaultRowFormatBuilder((base_path, encoder))

    @staticmethod
    def for_bulk_format(base_path: str, writer_factory: BulkWriterFactory) -> _DefaultBulkFormatBuilder:
        """Starts a sink that writes files by `writer_factory`."""
        return _DefaultBulkFormatBuilder((base_path, writer_factory))

    def _description(self) -> SinkDescription:
        builder: _SinkBuilder = self._j_function
        return builder._describe("StreamingFileSink")


use_flink_names(globals())
