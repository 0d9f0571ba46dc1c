"""Asks something outside for each record without waiting for the answer before the next one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.async_functions import AsyncFunction, AsyncFunctionDescriptor, AsyncRetryStrategy
from thalweg.datastream.data_stream import DataStream

if TYPE_CHECKING:
    from thalweg.common.time import Time
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["AsyncDataStream"]

_Mode = AsyncFunctionDescriptor.OutputMode


class AsyncDataStream:
    """Makes streams of the results of AsyncFunctions."""

    @staticmethod
    def unordered_wait(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time,
        capacity: int = 100,
        output_type: TypeInformation | None = None,
    ) -> DataStream:
        """Results in the order in which they come; up to `capacity` records at a time, each for at most `timeout`."""
        return AsyncDataStream.unordered_wait_with_retry(
            data_stream, async_function, timeout, AsyncRetryStrategy.no_restart(), capacity, output_type
        )

    @staticmethod
    def unordered_wait_with_retry(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time,
        async_retry_strategy: AsyncRetryStrategy[Any],
        capacity: int = 100,
        output_type: TypeInformation | None = None,
    ) -> DataStream:
        """As unordered_wait; what fails is tried again as the strategy says, within `timeout`."""
        return _waiting(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, _Mode.UNORDERED)

    @staticmethod
    def ordered_wait(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time,
        capacity: int = 100,
        output_type: TypeInformation | None = None,
    ) -> DataStream:
        """Results in the order of the records; up to `capacity` records at a time, each for at most `timeout`."""
        return AsyncDataStream.ordered_wait_with_retry(
            data_stream, async_function, timeout, AsyncRetryStrategy.no_restart(), capacity, output_type
        )

    @staticmethod
    def ordered_wait_with_retry(
        data_stream: DataStream,
        async_function: AsyncFunction[Any, Any],
        timeout: Time,
        async_retry_strategy: AsyncRetryStrategy[Any],
        capacity: int = 100,
        output_type: TypeInformation | None = None,
    ) -> DataStream:
        """As ordered_wait; what fails is tried again as the strategy says, within `timeout`."""
        return _waiting(data_stream, async_function, timeout, async_retry_strategy, capacity, output_type, _Mode.ORDERED)


def _waiting(
    stream: DataStream,
    function: AsyncFunction[Any, Any],
    timeout: Time,
    strategy: AsyncRetryStrategy[Any],
    capacity: int,
    output_type: TypeInformation | None,
    mode: Any,
) -> DataStream:
    from thalweg.datastream.runtime.async_host import AsyncHost

    if not isinstance(function, AsyncFunction):
        raise TypeError("The input async_function must be an AsyncFunction")
    if capacity < 1:
        raise ValueError(f"The capacity must be at least 1, not {capacity}")
    descriptor = AsyncFunctionDescriptor(function, timeout, capacity, strategy, mode)
    return stream._then("async wait operator", lambda step: partial(AsyncHost, descriptor, output_type), output_type)


use_flink_names(globals())
