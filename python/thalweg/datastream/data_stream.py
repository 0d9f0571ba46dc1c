"""Streams of records and what can be done with them.

A stream is a view of a step of the program (graph.py); nothing runs before `StreamExecutionEnvironment.execute`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import TupleTypeInfo, TypeInformation, Types
from thalweg.datastream.graph import Edge, Step
from thalweg.util.exceptions import illegal_argument
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Result
    from thalweg.common.execution_config import ExecutionConfig
    from thalweg.common.watermark_strategy import WatermarkStrategy
    from thalweg.datastream.connected_streams import BroadcastConnectedStream, BroadcastStream, ConnectedStreams
    from thalweg.datastream.keyed_stream import KeyedStream
    from thalweg.datastream.output_tag import OutputTag
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment
    from thalweg.datastream.windowed_stream import AllWindowedStream, WindowedStream

__all__ = [
    "AllWindowedStream", "BroadcastConnectedStream", "BroadcastStream", "CloseableIterator", "ConnectedStreams", "DataStream",
    "DataStreamSink", "KeyedStream", "WindowedStream",
]  # fmt: skip


def function_or_callable(function: Any, kind: type, what: str) -> Any:
    """`function`, when it is of the class or callable, with the variables that it sees now."""
    from thalweg.datastream.runtime.function_copy import bound_now

    if not isinstance(function, kind) and not callable(function):
        raise TypeError(f"The input must be a {what} or a callable function")
    return bound_now(function)


class DataStream:
    """Records of one type."""

    def __init__(self, j_data_stream: Edge) -> None:
        self._edge = j_data_stream
        self._extra_edges: list[Edge] = []

    @property
    def _step(self) -> Step:
        return self._edge.step

    @property
    def _env(self) -> StreamExecutionEnvironment:
        return self._step.env

    def _values(self) -> DataStream:
        """The records without keys."""
        return self

    def _edges(self) -> list[Edge]:
        """Several for a union."""
        return [self._edge, *self._extra_edges]

    def _then(
        self, name: str, make_host: Callable[[Step], Callable[[], Any]], output_type: TypeInformation | None, output: str = "stream"
    ) -> DataStream:
        """A step behind this stream."""
        step = Step(self._env, name, [self._edges()], make_host, output_type, output)
        self._env._add_step(step)
        return DataStream(Edge(step))

    # --- the step that gives the records
    def get_name(self) -> str:
        """The step's name."""
        return self._step.name

    def name(self, name: str) -> DataStream:
        """Names the step."""
        self._step.name = name
        return self

    def uid(self, uid: str) -> DataStream:
        """Names the step's state in savepoints, so that it is found again after the program has changed."""
        self._step.uid = uid
        return self

    def set_uid_hash(self, uid_hash: str) -> DataStream:
        """As `uid`, by 32 hex digits."""
        self._step.uid = uid_hash
        return self

    def set_parallelism(self, parallelism: int) -> DataStream:
        """How many subtasks the step has."""
        self._step.set_parallelism(parallelism)
        return self

    def set_max_parallelism(self, max_parallelism: int) -> DataStream:
        """The highest parallelism the job may be restarted with; the engine's is 128."""
        if max_parallelism < 1:
            raise illegal_argument("The maximum parallelism must be greater than 0.")
        self._step.max_parallelism = max_parallelism
        return self

    def force_non_parallel(self) -> DataStream:
        """One subtask, whatever the environment says."""
        self._step.set_parallelism(1)
        self._step.is_parallelism_fixed = True
        return self

    def set_buffer_timeout(self, timeout_millis: int) -> DataStream:
        """Accepted: partial batches wait as long as the environment says."""
        if timeout_millis < -1:
            raise illegal_argument(f"A buffer's timeout must be -1 or more, not {timeout_millis}")
        return self

    def start_new_chain(self) -> DataStream:
        """Runs on a thread of its own, with the steps behind it."""
        self._step.may_chain = False
        return self

    def disable_chaining(self) -> DataStream:
        """Runs on a thread of its own."""
        self._step.may_chain = False
        return self

    def slot_sharing_group(self, slot_sharing_group: Any) -> DataStream:
        """Accepted: there are no slots."""
        del slot_sharing_group
        return self

    def set_description(self, description: str) -> DataStream:
        """What the plan says about the step."""
        self._step.description = description
        return self

    def get_type(self) -> TypeInformation:
        """The records' type."""
        return self._record_type()

    def _record_type(self) -> TypeInformation:
        if self._edge.tag is not None:
            return self._edge.tag.type_info or Types.PICKLED_BYTE_ARRAY()
        return self._step.output_type or Types.PICKLED_BYTE_ARRAY()

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment that the stream belongs to."""
        return self._env

    def get_execution_config(self) -> ExecutionConfig:
        """The environment's settings."""
        return self._env.get_config()

    # --- functions
    def map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """One record for each: `func` is a MapFunction or a callable of one value."""
        from thalweg.datastream.functions import MapFunction
        from thalweg.datastream.runtime.stateless import MapHost

        func = function_or_callable(func, MapFunction, "MapFunction")
        return self._then("Map", lambda step: partial(MapHost, func, output_type), output_type)

    def flat_map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """Any number of records for each: `func` is a FlatMapFunction or a callable that yields or returns them."""
        from thalweg.datastream.functions import FlatMapFunction
        from thalweg.datastream.runtime.stateless import FlatMapHost

        func = function_or_callable(func, FlatMapFunction, "FlatMapFunction")
        return self._then("FlatMap", lambda step: partial(FlatMapHost, func, output_type), output_type)

    def filter(self, func: Any) -> DataStream:
        """The records for which `func`, a FilterFunction or a callable, is true."""
        from thalweg.datastream.functions import FilterFunction
        from thalweg.datastream.runtime.stateless import FilterHost

        func = function_or_callable(func, FilterFunction, "FilterFunction")
        return self._then("Filter", lambda step: partial(FilterHost, func, None), self._record_type())

    def process(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """Any number of records for each, with a look at time, and side outputs: `func` is a ProcessFunction."""
        from thalweg.datastream.functions import ProcessFunction
        from thalweg.datastream.runtime.processing import ProcessHost

        if not isinstance(func, ProcessFunction):
            raise TypeError(f"ProcessFunction is required for process(), not {type(func).__name__}")
        return self._then("PROCESS", lambda step: partial(ProcessHost, func, output_type, dict(step.side_outputs)), output_type)

    def project(self, *field_indexes: int) -> DataStream:
        """Tuples of the named fields of tuples, in the order given."""
        kind = self._record_type()
        if not isinstance(kind, TupleTypeInfo):
            raise Exception("Only Tuple DataStreams can be projected.")
        arity = len(kind.get_field_types())
        for index in field_indexes:
            if not 0 <= index < arity:
                raise ValueError(f"field index must be between 0 and {arity - 1}, not {index}")
        output_type = Types.TUPLE([kind.get_field_types()[index] for index in field_indexes])
        return self.map(lambda value: tuple([value[index] for index in field_indexes]), output_type).name("Projection")

    def key_by(self, key_selector: Any, key_type: TypeInformation | None = None) -> KeyedStream:
        """Records with equal keys meet in one subtask. `key_selector` is a KeySelector or a callable of one value."""
        from thalweg.datastream.functions import KeySelector
        from thalweg.datastream.keyed_stream import KeyedStream
        from thalweg.datastream.runtime.stateless import KeyHost

        if not isinstance(key_selector, KeySelector) and not callable(key_selector):
            raise TypeError("Parameter key_selector should be type of KeySelector or a callable function.")
        selector = function_or_callable(key_selector, KeySelector, "KeySelector")
        keyed = self._then("_stream_key_by_map_operator", lambda step: partial(KeyHost, selector, key_type), self._record_type(), "key")
        keyed._step.follows = self._step
        return KeyedStream(Edge(keyed._step, "hash"), self._record_type(), self, key_type)

    def window_all(self, window_assigner: Any) -> AllWindowedStream:
        """Windows over all records, in one subtask."""
        from thalweg.datastream.windowed_stream import AllWindowedStream

        return AllWindowedStream(self, window_assigner)

    def assign_timestamps_and_watermarks(self, watermark_strategy: WatermarkStrategy) -> DataStream:
        """Gives each record its event time, and the stream its watermarks."""
        return self._with_watermarks(watermark_strategy, per_split=False)

    def _with_watermarks(self, strategy: WatermarkStrategy, per_split: bool) -> DataStream:
        from thalweg.datastream.runtime.watermarking import WatermarkHost

        interval = self._env._watermark_interval()
        return self._then("Timestamps/Watermarks", lambda step: partial(WatermarkHost, strategy, interval, per_split), self._record_type())

    # --- several streams
    def union(self, *streams: DataStream) -> DataStream:
        """The records of all streams, which have one type, in no order."""
        for stream in streams:
            if stream._record_type() != self._record_type():
                raise illegal_argument(f"Cannot union streams of different types: {self._record_type()} and {stream._record_type()}")
        plain = [stream._values() for stream in (self, *streams)]
        first, *others = [edge for stream in plain for edge in stream._edges()]
        result = DataStream(first)
        result._extra_edges = others
        return result

    def connect(self, ds: DataStream | BroadcastStream) -> Any:
        """Both streams side by side, for functions of two inputs; a BroadcastStream gives a BroadcastConnectedStream."""
        from thalweg.datastream.connected_streams import BroadcastConnectedStream, BroadcastStream, ConnectedStreams

        if isinstance(ds, BroadcastStream):
            return BroadcastConnectedStream(self, ds, ds.broadcast_state_descriptors)
        return ConnectedStreams(self, ds)

    def get_side_output(self, output_tag: OutputTag) -> DataStream:
        """The records that the function of this stream's step yielded as `(output_tag, value)`."""
        self._step.tag_number(output_tag)
        return DataStream(Edge(self._step, "auto", output_tag))

    # --- how records travel to the next step
    def _travelling(self, distribution: str, partitioner: tuple[Any, Any] | None = None) -> DataStream:
        first, *others = [Edge(edge.step, distribution, edge.tag, partitioner) for edge in self._edges()]
        result = DataStream(first)
        result._extra_edges = others
        return result

    def shuffle(self) -> DataStream:
        """Each record to any subtask."""
        return self._travelling("shuffle")

    def rebalance(self) -> DataStream:
        """To all subtasks in turn."""
        return self._travelling("rebalance")

    def rescale(self) -> DataStream:
        """To some neighbouring subtasks in turn."""
        return self._travelling("rescale")

    def forward(self) -> DataStream:
        """To the subtask of the same number; both steps must have one parallelism."""
        return self._travelling("forward")

    def global_(self) -> DataStream:
        """All records to the first subtask."""
        return self._travelling("global")

    def broadcast(self, broadcast_state_descriptor: Any = None, *other_broadcast_state_descriptors: Any) -> Any:
        """Each record to every subtask. With MapStateDescriptors: a BroadcastStream, for `connect`."""
        from thalweg.datastream.connected_streams import BroadcastStream

        stream = self._travelling("broadcast")
        if broadcast_state_descriptor is None:
            return stream
        return BroadcastStream(stream, [broadcast_state_descriptor, *other_broadcast_state_descriptors])

    def partition_custom(self, partitioner: Any, key_selector: Any) -> DataStream:
        """To the subtask that `partitioner`, a Partitioner or a callable of (key, number of subtasks), chooses for a record's key."""
        from thalweg.datastream.functions import KeySelector, Partitioner

        partitioner = function_or_callable(partitioner, Partitioner, "Partitioner")
        if not isinstance(key_selector, KeySelector) and not callable(key_selector):
            raise TypeError("Parameter key_selector should be type of KeySelector or a callable function.")
        selector = function_or_callable(key_selector, KeySelector, "KeySelector")
        return self._travelling("custom", (partitioner, selector))

    # --- ends
    def print(self, sink_identifier: str | None = None) -> DataStreamSink:
        """Prints each record on a line, behind `sink_identifier> ` where given; `N> ` where there are several subtasks."""
        from thalweg.datastream.runtime.display import line_text
        from thalweg.datastream.runtime.printing import PrintHost

        text = line_text(self._record_type())
        sink = self._then("Print to Std. Out", lambda step: partial(PrintHost, text, sink_identifier), None)
        sink._step.pact = "Data Sink"
        return DataStreamSink(sink._step)

    def add_sink(self, sink_func: Any) -> DataStreamSink:
        """Writes the records by a SinkFunction."""
        return self._env._attach_sink(self, sink_func)

    def sink_to(self, sink: Any) -> DataStreamSink:
        """Writes the records by a Sink: KafkaSink, FileSink."""
        return self._env._attach_sink(self, sink)

    def execute_and_collect(self, job_execution_name: str | None = None, limit: int | None = None) -> CloseableIterator | list[Any]:
        """Runs the program and gives this stream's records: as they come, or with `limit` the first ones as a list."""
        result = self._env._start(job_execution_name or "DataStream Collect", self)
        records = CloseableIterator(result, self._record_type())
        if limit is None:
            return records
        with records:
            return [record for record, _ in zip(records, range(limit))]

    def cache(self) -> Any:
        """Refused: results of a run are not kept for the next one."""
        raise unsupported("DataStream.cache")

    def iterate(self, *args: Any) -> Any:
        """Refused: a program is a graph without cycles, as Flink 2 has it."""
        del args
        raise unsupported("DataStream.iterate")

    def _align_output_type(self) -> DataStream:
        return self


class DataStreamSink:
    """The end of a stream."""

    def __init__(self, j_data_stream_sink: Step) -> None:
        self._step = j_data_stream_sink

    def name(self, name: str) -> DataStreamSink:
        """Names the sink."""
        self._step.name = name
        return self

    def uid(self, uid: str) -> DataStreamSink:
        """Names the sink's state in savepoints."""
        self._step.uid = uid
        return self

    def set_uid_hash(self, uid_hash: str) -> DataStreamSink:
        """As `uid`, by 32 hex digits."""
        self._step.uid = uid_hash
        return self

    def set_parallelism(self, parallelism: int) -> DataStreamSink:
        """How many subtasks the sink has."""
        self._step.set_parallelism(parallelism)
        return self

    def set_description(self, description: str) -> DataStreamSink:
        """What the plan says about the sink."""
        self._step.description = description
        return self

    def disable_chaining(self) -> DataStreamSink:
        """Runs on a thread of its own."""
        self._step.may_chain = False
        return self

    def slot_sharing_group(self, slot_sharing_group: Any) -> DataStreamSink:
        """Accepted: there are no slots."""
        del slot_sharing_group
        return self


class CloseableIterator:
    """The records of a running program, as they come. Close it, or use it in a `with`, to end a job that does not end by itself."""

    def __init__(self, j_closeable_iterator: Result, type_info: TypeInformation | None = None) -> None:
        self._result = j_closeable_iterator
        self._type_info = type_info
        self._records: Iterator[Any] = iter(())
        self._ended = False

    def __iter__(self) -> CloseableIterator:
        return self

    def __next__(self) -> Any:
        return self.next()

    def next(self) -> Any:
        """The next record; waits for it. StopIteration after the last."""
        while True:
            for _, values in self._records:
                return values[0]
            if self._ended:
                raise StopIteration
            fetched = self._result.next_rows(1024)
            self._ended = fetched is None
            self._records = iter(fetched or ())

    def close(self) -> None:
        """Ends the job, where it still runs."""
        self._ended = True
        self._records = iter(())
        self._result.close()

    def __enter__(self) -> CloseableIterator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def __getattr__(name: str) -> Any:
    """The other classes of this module, from where they stand."""
    home = {
        "AllWindowedStream": "windowed_stream",
        "BroadcastConnectedStream": "connected_streams",
        "BroadcastStream": "connected_streams",
        "ConnectedStreams": "connected_streams",
        "KeyedStream": "keyed_stream",
        "WindowedStream": "windowed_stream",
    }.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"thalweg.datastream.{home}"), name)


use_flink_names(globals())
