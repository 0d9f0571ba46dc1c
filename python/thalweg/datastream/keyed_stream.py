"""Streams whose records have a key: functions on them have state and timers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import Types
from thalweg.datastream.data_stream import DataStream, DataStreamSink, function_or_callable
from thalweg.datastream.graph import Edge
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.windowed_stream import WindowedStream

__all__ = ["KeyedStream"]


class KeyedStream(DataStream):
    """The records of a stream, each in the subtask of its key."""

    def __init__(
        self,
        j_keyed_stream: Edge,
        original_data_type_info: TypeInformation | None,
        origin_stream: DataStream,
        key_type: TypeInformation | None = None,
    ) -> None:
        super().__init__(j_keyed_stream)
        self._key_type = key_type
        self._original_data_type_info = original_data_type_info
        self._origin_stream = origin_stream

    def get_type(self) -> TypeInformation:
        """As Flink shows it: of rows of a key and a record."""
        return Types.ROW([self._key_type or Types.PICKLED_BYTE_ARRAY(), self._record_type()])

    def _values(self) -> DataStream:
        """The records without their keys, each in the subtask of its key."""
        from thalweg.datastream.runtime.stateless import PassHost

        return self._then("_keyed_stream_values_operator", lambda step: PassHost, self._record_type())

    def map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """One record for each; a MapFunction may use keyed state."""
        from thalweg.datastream.functions import MapFunction
        from thalweg.datastream.runtime.keyed_functions import KeyedMapHost

        func = function_or_callable(func, MapFunction, "MapFunction")
        return self._then("Map", lambda step: partial(KeyedMapHost, func, output_type), output_type)

    def flat_map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """Any number of records for each; a FlatMapFunction may use keyed state."""
        from thalweg.datastream.functions import FlatMapFunction
        from thalweg.datastream.runtime.keyed_functions import KeyedFlatMapHost

        func = function_or_callable(func, FlatMapFunction, "FlatMapFunction")
        return self._then("FlatMap", lambda step: partial(KeyedFlatMapHost, func, output_type), output_type)

    def filter(self, func: Any) -> DataStream:
        """The records for which `func` is true; a FilterFunction may use keyed state."""
        from thalweg.datastream.functions import FilterFunction
        from thalweg.datastream.runtime.keyed_functions import KeyedFilterHost

        func = function_or_callable(func, FilterFunction, "FilterFunction")
        return self._then("Filter", lambda step: partial(KeyedFilterHost, func, None), self._record_type())

    def reduce(self, func: Any) -> DataStream:
        """The reduction so far of each key, for each record. `func` is a ReduceFunction or a callable of (so far, record)."""
        from thalweg.datastream.functions import ReduceFunction
        from thalweg.datastream.runtime.reducing import ReduceHost

        func = function_or_callable(func, ReduceFunction, "ReduceFunction")
        kind = self._record_type()
        return self._then("Reduce", lambda step: partial(ReduceHost, func, kind), kind)

    def _accumulate(self, position: int | str, kind: str) -> DataStream:
        from thalweg.datastream.runtime.accumulating import accumulator

        if not isinstance(position, (int, str)):
            raise TypeError(
                "The field position must be of int or str type to locate the value to calculate for min, max, min_by, max_by and sum. "
                f"The given type is: {type(position)}"
            )
        return self.reduce(accumulator(position, kind))

    def sum(self, position_to_sum: int | str = 0) -> DataStream:
        """The running sum of a field, by index or name; the other fields are those of the key's first record."""
        return self._accumulate(position_to_sum, "sum")

    def min(self, position_to_min: int | str = 0) -> DataStream:
        """The running minimum of a field; the other fields are those of the key's first record."""
        return self._accumulate(position_to_min, "min")

    def max(self, position_to_max: int | str = 0) -> DataStream:
        """The running maximum of a field; the other fields are those of the key's first record."""
        return self._accumulate(position_to_max, "max")

    def min_by(self, position_to_min_by: int | str = 0) -> DataStream:
        """The record with the smallest field so far, the first of equal ones."""
        return self._accumulate(position_to_min_by, "min_by")

    def max_by(self, position_to_max_by: int | str = 0) -> DataStream:
        """The record with the largest field so far, the first of equal ones."""
        return self._accumulate(position_to_max_by, "max_by")

    def add_sink(self, sink_func: Any) -> DataStreamSink:
        return self._values().add_sink(sink_func)

    def sink_to(self, sink: Any) -> DataStreamSink:
        return self._values().sink_to(sink)

    def key_by(self, key_selector: Any, key_type: TypeInformation | None = None) -> KeyedStream:
        return self._origin_stream.key_by(key_selector, key_type)

    def process(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """Any number of records for each, with state, timers and side outputs: `func` is a KeyedProcessFunction."""
        from thalweg.datastream.functions import KeyedProcessFunction
        from thalweg.datastream.runtime.processing import KeyedProcessHost

        if not isinstance(func, KeyedProcessFunction):
            raise TypeError("KeyedProcessFunction is required for KeyedStream.")
        return self._then("KEYED PROCESS", lambda step: partial(KeyedProcessHost, func, output_type, dict(step.side_outputs)), output_type)

    def window(self, window_assigner: Any) -> WindowedStream:
        """Windows of each key."""
        from thalweg.datastream.windowed_stream import WindowedStream

        return WindowedStream(self, window_assigner)

    def count_window(self, size: int, slide: int = 0) -> WindowedStream:
        """Windows of `size` records of each key, one after every `slide` records (0: after `size`)."""
        from thalweg.datastream.window import CountSlidingWindowAssigner, CountTumblingWindowAssigner
        from thalweg.datastream.windowed_stream import WindowedStream

        if slide == 0:
            return WindowedStream(self, CountTumblingWindowAssigner(size))
        return WindowedStream(self, CountSlidingWindowAssigner(size, slide))

    def project(self, *field_indexes: int) -> DataStream:
        return self._values().project(*field_indexes)

    def print(self, sink_identifier: str | None = None) -> DataStreamSink:
        return self._values().print(sink_identifier)

    def execute_and_collect(self, job_execution_name: str | None = None, limit: int | None = None) -> Any:
        """Runs the program and gives Rows of key and record."""
        from thalweg.datastream.runtime.keyed_functions import PairHost

        pairs = self._then("Key and value", lambda step: PairHost, None)
        return pairs.execute_and_collect(job_execution_name, limit)

    def union(self, *streams: DataStream) -> DataStream:
        return self._values().union(*streams)

    def assign_timestamps_and_watermarks(self, watermark_strategy: Any) -> DataStream:
        return self._values().assign_timestamps_and_watermarks(watermark_strategy)

    # --- what belongs to a step, and a key makes none
    def set_parallelism(self, parallelism: int) -> DataStream:
        raise Exception("Set parallelism for KeyedStream is not supported.")

    def name(self, name: str) -> DataStream:
        raise Exception("Set name for KeyedStream is not supported.")

    def get_name(self) -> str:
        raise Exception("Get name of KeyedStream is not supported.")

    def uid(self, uid: str) -> DataStream:
        raise Exception("Set uid for KeyedStream is not supported.")

    def set_uid_hash(self, uid_hash: str) -> DataStream:
        raise Exception("Set uid hash for KeyedStream is not supported.")

    def set_max_parallelism(self, max_parallelism: int) -> DataStream:
        raise Exception("Set max parallelism for KeyedStream is not supported.")

    def force_non_parallel(self) -> DataStream:
        raise Exception("Set non-parallel for KeyedStream is not supported.")

    def set_buffer_timeout(self, timeout_millis: int) -> DataStream:
        raise Exception("Set buffer timeout for KeyedStream is not supported.")

    def start_new_chain(self) -> DataStream:
        raise Exception("Start new chain for KeyedStream is not supported.")

    def disable_chaining(self) -> DataStream:
        raise Exception("Disable chaining for KeyedStream is not supported.")

    def slot_sharing_group(self, slot_sharing_group: Any) -> DataStream:
        raise Exception("Setting slot sharing group for KeyedStream is not supported.")

    def cache(self) -> Any:
        raise unsupported("KeyedStream.cache")

    def shuffle(self) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def rebalance(self) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def rescale(self) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def forward(self) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def global_(self) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def broadcast(self, *args: Any) -> Any:
        raise Exception("Cannot override partitioning for KeyedStream.")

    def partition_custom(self, partitioner: Any, key_selector: Any) -> DataStream:
        raise Exception("Cannot override partitioning for KeyedStream.")


use_flink_names(globals(), "pyflink.datastream.data_stream")
