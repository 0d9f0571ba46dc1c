"""Streams cut into windows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.data_stream import DataStream
from thalweg.datastream.functions import (
    AggregateFunction,
    AllWindowFunction,
    InternalIterableAllWindowFunction,
    InternalIterableProcessAllWindowFunction,
    InternalIterableProcessWindowFunction,
    InternalIterableWindowFunction,
    InternalSingleValueAllWindowFunction,
    InternalSingleValueProcessAllWindowFunction,
    InternalSingleValueProcessWindowFunction,
    InternalSingleValueWindowFunction,
    NullByteKeySelector,
    PassThroughAllWindowFunction,
    PassThroughWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    ReduceFunction,
    ReduceFunctionWrapper,
    WindowFunction,
)
from thalweg.datastream.state import AggregatingStateDescriptor, ListStateDescriptor, ReducingStateDescriptor, StateDescriptor
from thalweg.datastream.window import MergingWindowAssigner, WindowOperationDescriptor

if TYPE_CHECKING:
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.keyed_stream import KeyedStream
    from thalweg.datastream.output_tag import OutputTag
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment
    from thalweg.datastream.window import Evictor, Trigger, WindowAssigner

__all__ = ["AllWindowedStream", "WindowedStream"]

_STATE_NAME = "window-contents"


class _Windows:
    """What windows over keys and windows over all records have in common."""

    # Which classes the functions of the stream are, and what wraps them: over one value, over all records.
    _window_kinds: tuple[type, type]
    _single: tuple[type, type]
    _iterable: tuple[type, type]
    _pass_through: type

    def __init__(self, keyed_stream: KeyedStream, window_assigner: WindowAssigner[Any, Any]) -> None:
        self._keyed_stream = keyed_stream
        self._window_assigner = window_assigner
        self._allowed_lateness = 0
        self._late_data_output_tag: OutputTag | None = None
        self._evictor: Evictor[Any, Any] | None = None
        self._window_trigger: Trigger[Any, Any] = window_assigner.get_default_trigger(self.get_execution_environment())

    def get_execution_environment(self) -> StreamExecutionEnvironment:
        """The environment that the stream belongs to."""
        return self._keyed_stream.get_execution_environment()

    def get_input_type(self) -> TypeInformation:
        """The records' type."""
        return self._keyed_stream._record_type()

    def trigger(self, trigger: Trigger[Any, Any]) -> Any:
        """Says when windows fire, in place of the assigner's own trigger."""
        if isinstance(self._window_assigner, MergingWindowAssigner) and not trigger.can_merge():
            raise TypeError("A merging window assigner cannot be used with a trigger that does not support merging.")
        self._window_trigger = trigger
        return self

    def allowed_lateness(self, time_ms: int) -> Any:
        """Windows stay for `time_ms` after their end, and fire again for late records."""
        self._allowed_lateness = time_ms
        return self

    def side_output_late_data(self, output_tag: OutputTag) -> Any:
        """Records that are too late go to this side output."""
        self._late_data_output_tag = output_tag
        return self

    def evictor(self, evictor: Evictor[Any, Any]) -> Any:
        """Removes records from windows before or after they fire."""
        self._evictor = evictor
        return self

    def reduce(self, reduce_function: Any, window_function: Any = None, output_type: TypeInformation | None = None) -> DataStream:
        """Reduces the records of each window as they come; `window_function` gets the one value when the window fires."""
        if not isinstance(reduce_function, ReduceFunction):
            if not callable(reduce_function):
                raise TypeError("The input must be a ReduceFunction or a callable function!")
            reduce_function = ReduceFunctionWrapper(reduce_function)
        if window_function is None:
            output_type = output_type or self.get_input_type()
        state = ReducingStateDescriptor(_STATE_NAME, reduce_function, self.get_input_type())
        if self._evictor is not None:
            return self._evicting(_ReduceAll(reduce_function), window_function, output_type)
        return self._then(state, self._wrapped(window_function, self._single), output_type)

    def aggregate(
        self,
        aggregate_function: Any,
        window_function: Any = None,
        accumulator_type: TypeInformation | None = None,
        output_type: TypeInformation | None = None,
    ) -> DataStream:
        """Aggregates the records of each window as they come; `window_function` gets the result when the window fires."""
        from thalweg.common.typeinfo import Types

        if not isinstance(aggregate_function, AggregateFunction):
            raise TypeError("The input function must be an AggregateFunction!")
        if self._evictor is not None:
            return self._evicting(_AggregateAll(aggregate_function), window_function, output_type)
        state = AggregatingStateDescriptor(_STATE_NAME, aggregate_function, accumulator_type or Types.PICKLED_BYTE_ARRAY())
        return self._then(state, self._wrapped(window_function, self._single), output_type)

    def apply(self, window_function: Any, output_type: TypeInformation | None = None) -> DataStream:
        """Calls `window_function` with all records of a window when it fires."""
        if not isinstance(window_function, self._window_kinds[0]):
            raise TypeError(f"window_function should be a {self._window_kinds[0].__name__}, not {type(window_function).__name__}")
        return self._then(self._all_records(), self._wrapped(window_function, self._iterable), output_type)

    def process(self, process_window_function: Any, output_type: TypeInformation | None = None) -> DataStream:
        """As `apply`, for functions that get a context with state and time."""
        if not isinstance(process_window_function, self._window_kinds[1]):
            raise TypeError(
                f"process_window_function should be a {self._window_kinds[1].__name__}, not {type(process_window_function).__name__}"
            )
        return self._then(self._all_records(), self._wrapped(process_window_function, self._iterable), output_type)

    def _all_records(self) -> StateDescriptor:
        return ListStateDescriptor(_STATE_NAME, self.get_input_type())

    def _wrapped(self, function: Any, wrappers: tuple[type, type]) -> Any:
        """The function as the window operator calls it."""
        if function is None:
            return wrappers[0](self._pass_through())
        for kind, wrapper in zip(self._window_kinds, wrappers):
            if isinstance(function, kind):
                return wrapper(function)
        names = " or ".join(kind.__name__ for kind in self._window_kinds)
        raise TypeError(f"window_function should be a {names}, not {type(function).__name__}")

    def _evicting(self, combine: Any, window_function: Any, output_type: TypeInformation | None) -> DataStream:
        """With an evictor the records are kept, and combined when the window fires."""
        inner = self._wrapped(window_function, self._single)
        return self._then(self._all_records(), _Combining(inner, combine), output_type)

    def _then(self, state: StateDescriptor, function: Any, output_type: TypeInformation | None) -> DataStream:
        from thalweg.datastream.runtime.window_host import WindowHost

        assigner = self._window_assigner
        descriptor = WindowOperationDescriptor(
            assigner,
            self._window_trigger,
            self._allowed_lateness,
            self._late_data_output_tag,
            state,
            assigner.get_window_serializer(),
            function,
            self._evictor,
        )
        return self._keyed_stream._then(
            type(assigner).__name__, lambda step: partial(WindowHost, descriptor, output_type, dict(step.side_outputs)), output_type
        )


class WindowedStream(_Windows):
    """The windows of each key."""

    _window_kinds = (WindowFunction, ProcessWindowFunction)
    _single = (InternalSingleValueWindowFunction, InternalSingleValueProcessWindowFunction)
    _iterable = (InternalIterableWindowFunction, InternalIterableProcessWindowFunction)
    _pass_through = PassThroughWindowFunction


class AllWindowedStream(_Windows):
    """Windows over all records, in one subtask."""

    _window_kinds = (AllWindowFunction, ProcessAllWindowFunction)
    _single = (InternalSingleValueAllWindowFunction, InternalSingleValueProcessAllWindowFunction)
    _iterable = (InternalIterableAllWindowFunction, InternalIterableProcessAllWindowFunction)
    _pass_through = PassThroughAllWindowFunction

    def __init__(self, data_stream: DataStream, window_assigner: WindowAssigner[Any, Any]) -> None:
        super().__init__(data_stream.key_by(NullByteKeySelector()), window_assigner)

    def _then(self, state: StateDescriptor, function: Any, output_type: TypeInformation | None) -> DataStream:
        return super()._then(state, function, output_type).force_non_parallel()


class _ReduceAll:
    """Reduces a list of records."""

    def __init__(self, function: ReduceFunction) -> None:
        self._function = function

    def __call__(self, records: list[Any]) -> Any:
        result = records[0]
        for record in records[1:]:
            result = self._function.reduce(result, record)
        return result


class _AggregateAll:
    """Aggregates a list of records."""

    def __init__(self, function: AggregateFunction) -> None:
        self._function = function

    def __call__(self, records: list[Any]) -> Any:
        accumulator = self._function.create_accumulator()
        for record in records:
            accumulator = self._function.add(record, accumulator)
        return self._function.get_result(accumulator)


class _Combining:
    """A window function over all records in front of one over their one combined value."""

    single_value = False

    def __init__(self, inner: Any, combine: Any) -> None:
        self._inner = inner
        self._combine = combine

    def open(self, runtime_context: Any) -> None:
        """Opens the function behind."""
        self._inner.open(runtime_context)

    def close(self) -> None:
        """Closes the function behind."""
        self._inner.close()

    def clear(self, window: Any, context: Any) -> None:
        """The window is over."""
        self._inner.clear(window, context)

    def process(self, key: Any, window: Any, context: Any, records: Any) -> Any:
        """The results of the window."""
        return self._inner.process(key, window, context, self._combine(list(records)))


use_flink_names(globals(), "pyflink.datastream.data_stream")
