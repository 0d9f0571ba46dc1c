"""User functions of the DataStream API.

The functions that get a context with each record are in process_functions.py, broadcast_functions.py and window_functions.py, those of
async I/O in async_functions.py; all of them are names of this module.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.async_functions import AsyncFunction, AsyncFunctionDescriptor, AsyncRetryPredicate, AsyncRetryStrategy
from thalweg.datastream.broadcast_functions import (
    BaseBroadcastProcessFunction,
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
)
from thalweg.datastream.function_base import Function, KeyedStateStore, RuntimeContext
from thalweg.datastream.process_functions import CoProcessFunction, KeyedCoProcessFunction, KeyedProcessFunction, ProcessFunction
from thalweg.datastream.timerservice import TimerService
from thalweg.datastream.window_functions import (
    AllWindowFunction,
    InternalIterableAllWindowFunction,
    InternalIterableProcessAllWindowFunction,
    InternalIterableProcessWindowFunction,
    InternalIterableWindowFunction,
    InternalSingleValueAllWindowFunction,
    InternalSingleValueProcessAllWindowFunction,
    InternalSingleValueProcessWindowFunction,
    InternalSingleValueWindowFunction,
    InternalWindowFunction,
    PassThroughAllWindowFunction,
    PassThroughWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)

__all__ = [
    "AggregateFunction", "AllWindowFunction", "AsyncFunction", "AsyncFunctionDescriptor", "AsyncRetryPredicate", "AsyncRetryStrategy",
    "BaseBroadcastProcessFunction", "BroadcastProcessFunction", "CoFlatMapFunction", "CoMapFunction", "CoProcessFunction",
    "FilterFunction", "FlatMapFunction", "Function", "FunctionWrapper", "InternalIterableAllWindowFunction",
    "InternalIterableProcessAllWindowFunction", "InternalIterableProcessWindowFunction", "InternalIterableWindowFunction",
    "InternalSingleValueAllWindowFunction", "InternalSingleValueProcessAllWindowFunction", "InternalSingleValueProcessWindowFunction",
    "InternalSingleValueWindowFunction", "InternalWindowFunction", "JavaFunctionWrapper", "KeySelector",
    "KeyedBroadcastProcessFunction", "KeyedCoProcessFunction", "KeyedProcessFunction", "KeyedStateStore", "MapFunction",
    "NullByteKeySelector", "Partitioner", "PassThroughAllWindowFunction", "PassThroughWindowFunction", "ProcessAllWindowFunction",
    "ProcessFunction", "ProcessWindowFunction", "ReduceFunction", "ReduceFunctionWrapper", "RuntimeContext", "SinkFunction",
    "SourceFunction", "TimerService", "WindowFunction",
]  # fmt: skip


class MapFunction(Function):
    """One record out for each record in; a callable of one value does as well."""

    @abstractmethod
    def map(self, value: Any) -> Any:
        """The record to send."""


class CoMapFunction(Function):
    """`map` over two connected streams."""

    @abstractmethod
    def map1(self, value: Any) -> Any:
        """The record to send for one of the first stream; None sends nothing."""

    @abstractmethod
    def map2(self, value: Any) -> Any:
        """The record to send for one of the second stream; None sends nothing."""


class FlatMapFunction(Function):
    """Any number of records out for each record in."""

    @abstractmethod
    def flat_map(self, value: Any) -> Any:
        """Yields or returns the records to send."""


class CoFlatMapFunction(Function):
    """`flat_map` over two connected streams."""

    @abstractmethod
    def flat_map1(self, value: Any) -> Any:
        """Yields or returns the records to send for one of the first stream."""

    @abstractmethod
    def flat_map2(self, value: Any) -> Any:
        """Yields or returns the records to send for one of the second stream."""


class ReduceFunction(Function):
    """Combines two records into one of the same type."""

    @abstractmethod
    def reduce(self, value1: Any, value2: Any) -> Any:
        """`value1` is what there is so far, `value2` the new record."""


class AggregateFunction(Function):
    """Aggregates records in an accumulator. The function keeps nothing itself: one object serves every key."""

    @abstractmethod
    def create_accumulator(self) -> Any:
        """An accumulator without records."""

    @abstractmethod
    def add(self, value: Any, accumulator: Any) -> Any:
        """The accumulator with `value` added; may be the same object."""

    @abstractmethod
    def get_result(self, accumulator: Any) -> Any:
        """The result of what was added."""

    @abstractmethod
    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        """Both accumulators in one; session windows need it."""


class KeySelector(Function):
    """The key of a record."""

    @abstractmethod
    def get_key(self, value: Any) -> Any:
        """The key: the same for the same record, always."""


class NullByteKeySelector(KeySelector):
    """One key for all records: how streams without keys are windowed."""

    def get_key(self, value: Any) -> int:
        return 0


class FilterFunction(Function):
    """Keeps some records."""

    @abstractmethod
    def filter(self, value: Any) -> bool:
        """Whether to keep `value`, which must not be changed."""


class Partitioner(Function):
    """Chooses the subtask that gets a record."""

    @abstractmethod
    def partition(self, key: Any, num_partitions: int) -> int:
        """A number from 0 to num_partitions - 1."""


class FunctionWrapper(Function):
    """Base of functions made from a callable."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self._func = func


class ReduceFunctionWrapper(FunctionWrapper, ReduceFunction):
    """A ReduceFunction made from a callable of two values."""

    def reduce(self, value1: Any, value2: Any) -> Any:
        """Calls the callable."""
        return self._func(value1, value2)


class JavaFunctionWrapper:
    """Base of sources and sinks that Flink implements in Java; the engine has its own behind the same names."""

    def __init__(self, j_function: Any) -> None:
        self._j_function = j_function

    def get_java_function(self) -> Any:
        """What was given to the constructor: there is no Java side."""
        return self._j_function


class SourceFunction(JavaFunctionWrapper):
    """Base of the sources that `StreamExecutionEnvironment.add_source` takes."""

    def __init__(self, source_func: Any) -> None:
        super().__init__(source_func)


class SinkFunction(JavaFunctionWrapper):
    """Base of the sinks that `DataStream.add_sink` takes."""

    def __init__(self, sink_func: Any) -> None:
        super().__init__(sink_func)


use_flink_names(globals())
