"""User functions over windows, and the forms in which the window operator calls them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.datastream.function_base import Function, KeyedStateStore, RuntimeContext

__all__ = [
    "AllWindowFunction", "InternalIterableAllWindowFunction", "InternalIterableProcessAllWindowFunction",
    "InternalIterableProcessWindowFunction", "InternalIterableWindowFunction", "InternalSingleValueAllWindowFunction",
    "InternalSingleValueProcessAllWindowFunction", "InternalSingleValueProcessWindowFunction", "InternalSingleValueWindowFunction",
    "InternalWindowFunction", "PassThroughAllWindowFunction", "PassThroughWindowFunction", "ProcessAllWindowFunction",
    "ProcessWindowFunction", "WindowFunction",
]  # fmt: skip

IN = TypeVar("IN")
OUT = TypeVar("OUT")
KEY = TypeVar("KEY")
W = TypeVar("W")
W2 = TypeVar("W2")


class WindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """What becomes of a window of one key."""

    @abstractmethod
    def apply(self, key: KEY, window: W, inputs: Iterable[IN]) -> Iterable[OUT]:
        """Yields or returns the records to send."""


class AllWindowFunction(Function, Generic[IN, OUT, W]):
    """What becomes of a window of a stream without keys."""

    @abstractmethod
    def apply(self, window: W, inputs: Iterable[IN]) -> Iterable[OUT]:
        """Yields or returns the records to send."""


class _WindowContext(ABC, Generic[W2]):
    """What is known beside the window's records; valid during the call only."""

    @abstractmethod
    def window(self) -> W2:
        """The window."""

    @abstractmethod
    def window_state(self) -> KeyedStateStore:
        """State of this key and this window; `clear` must forget what was stored in it."""

    @abstractmethod
    def global_state(self) -> KeyedStateStore:
        """State of this key, for all windows."""


class ProcessWindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """What becomes of a window of one key, with a look at the time and with state."""

    class Context(_WindowContext[W2]):
        """What is known beside the window's records."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """The clock, in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """The watermark, in milliseconds."""

    @abstractmethod
    def process(self, key: KEY, context: ProcessWindowFunction.Context[W], elements: Iterable[IN]) -> Iterable[OUT]:
        """Yields or returns the records to send."""

    def clear(self, context: ProcessWindowFunction.Context[W]) -> None:
        """The window is over: forgets what was stored in `context.window_state()`."""


class ProcessAllWindowFunction(Function, Generic[IN, OUT, W]):
    """What becomes of a window of a stream without keys, with state."""

    class Context(_WindowContext[W2]):
        """What is known beside the window's records."""

    @abstractmethod
    def process(self, context: ProcessAllWindowFunction.Context[W], elements: Iterable[IN]) -> Iterable[OUT]:
        """Yields or returns the records to send."""

    def clear(self, context: ProcessAllWindowFunction.Context[W]) -> None:
        """The window is over: forgets what was stored in `context.window_state()`."""


class PassThroughWindowFunction(WindowFunction[IN, IN, KEY, W]):
    """Sends what the window holds: a reduced value or an aggregate's result."""

    def apply(self, key: KEY, window: W, inputs: Iterable[IN]) -> Iterable[IN]:
        return inputs


class PassThroughAllWindowFunction(AllWindowFunction[IN, IN, W]):
    """Sends what the window holds."""

    def apply(self, window: W, inputs: Iterable[IN]) -> Iterable[IN]:
        return inputs


class InternalWindowFunction(Function, Generic[IN, OUT, KEY, W]):
    """How the window operator calls a window function of any kind.

    `input_data` is what the window's state holds: one value for reduced and aggregated windows, an iterable of records for others.
    """

    class InternalWindowContext(ABC):
        """Time and state."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """The clock, in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """The watermark, in milliseconds."""

        @abstractmethod
        def window_state(self) -> KeyedStateStore:
            """State of the key and window."""

        @abstractmethod
        def global_state(self) -> KeyedStateStore:
            """State of the key."""

    single_value = False  # whether input_data is one value

    def __init__(self, wrapped_function: Any) -> None:
        self._wrapped_function = wrapped_function

    def open(self, runtime_context: RuntimeContext) -> None:
        self._wrapped_function.open(runtime_context)

    def close(self) -> None:
        self._wrapped_function.close()

    @abstractmethod
    def process(self, key: KEY, window: W, context: InternalWindowContext, input_data: IN) -> Iterable[OUT]:
        """Calls the function."""

    def clear(self, window: W, context: InternalWindowContext) -> None:
        """The window is over."""


class InternalSingleValueWindowFunction(InternalWindowFunction[IN, OUT, KEY, W]):
    """A WindowFunction over one value."""

    single_value = True

    def process(self, key: KEY, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: IN) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.apply(key, window, [input_data])
        return result


class InternalSingleValueAllWindowFunction(InternalWindowFunction[IN, OUT, int, W]):
    """An AllWindowFunction over one value."""

    single_value = True

    def process(self, key: int, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: IN) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.apply(window, [input_data])
        return result


class InternalIterableWindowFunction(InternalWindowFunction[Iterable[IN], OUT, KEY, W]):
    """A WindowFunction over all records."""

    def process(
        self, key: KEY, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Iterable[IN]
    ) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.apply(key, window, input_data)
        return result


class InternalIterableAllWindowFunction(InternalWindowFunction[Iterable[IN], OUT, int, W]):
    """An AllWindowFunction over all records."""

    def process(
        self, key: int, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Iterable[IN]
    ) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.apply(window, input_data)
        return result


class InternalProcessWindowContext(ProcessWindowFunction.Context[W]):
    """The context of a ProcessWindowFunction, over that of the operator."""

    def __init__(self) -> None:
        self._underlying: Any = None
        self._window: Any = None

    def window(self) -> W:
        window: W = self._window
        return window

    def current_processing_time(self) -> int:
        return int(self._underlying.current_processing_time())

    def current_watermark(self) -> int:
        return int(self._underlying.current_watermark())

    def window_state(self) -> KeyedStateStore:
        store: KeyedStateStore = self._underlying.window_state()
        return store

    def global_state(self) -> KeyedStateStore:
        store: KeyedStateStore = self._underlying.global_state()
        return store


class InternalProcessAllWindowContext(InternalProcessWindowContext[W], ProcessAllWindowFunction.Context[W]):
    """The context of a ProcessAllWindowFunction, over that of the operator."""


class _InternalProcess(InternalWindowFunction[Any, OUT, KEY, W]):
    """Functions that get a context."""

    def __init__(self, wrapped_function: Any) -> None:
        super().__init__(wrapped_function)
        self._internal_context: InternalProcessWindowContext[W] = InternalProcessAllWindowContext()

    def _enter(self, window: W, context: InternalWindowFunction.InternalWindowContext) -> InternalProcessWindowContext[W]:
        self._internal_context._window = window
        self._internal_context._underlying = context
        return self._internal_context

    def clear(self, window: W, context: InternalWindowFunction.InternalWindowContext) -> None:
        self._wrapped_function.clear(self._enter(window, context))


class InternalSingleValueProcessWindowFunction(_InternalProcess[OUT, KEY, W]):
    """A ProcessWindowFunction over one value."""

    single_value = True

    def process(self, key: KEY, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Any) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.process(key, self._enter(window, context), [input_data])
        return result


class InternalSingleValueProcessAllWindowFunction(_InternalProcess[OUT, int, W]):
    """A ProcessAllWindowFunction over one value."""

    single_value = True

    def process(self, key: int, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Any) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.process(self._enter(window, context), [input_data])
        return result


class InternalIterableProcessWindowFunction(_InternalProcess[OUT, KEY, W]):
    """A ProcessWindowFunction over all records."""

    def process(self, key: KEY, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Any) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.process(key, self._enter(window, context), input_data)
        return result


class InternalIterableProcessAllWindowFunction(_InternalProcess[OUT, int, W]):
    """A ProcessAllWindowFunction over all records."""

    def process(self, key: int, window: W, context: InternalWindowFunction.InternalWindowContext, input_data: Any) -> Iterable[OUT]:
        result: Iterable[OUT] = self._wrapped_function.process(self._enter(window, context), input_data)
        return result


use_flink_names(globals(), "pyflink.datastream.functions")
