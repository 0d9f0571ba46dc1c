"""User functions that wait for something outside: async I/O."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.time import Time
from thalweg.datastream.function_base import Function

__all__ = ["AsyncFunction", "AsyncFunctionDescriptor", "AsyncRetryPredicate", "AsyncRetryStrategy"]

IN = TypeVar("IN")
OUT = TypeVar("OUT")


class AsyncRetryPredicate(ABC, Generic[OUT]):
    """When to try again."""

    @abstractmethod
    def result_predicate(self) -> Callable[[list[OUT]], bool] | None:
        """True for a result that is worth another try; None where no result is."""

    @abstractmethod
    def exception_predicate(self) -> Callable[[Exception], bool] | None:
        """True for an exception that is worth another try; None where none is."""


class AsyncRetryStrategy(ABC, Generic[OUT]):
    """Whether, when and how often to try again."""

    @abstractmethod
    def can_retry(self, current_attempts: int) -> bool:
        """Whether there may be another try after so many."""

    @abstractmethod
    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """How long to wait before it, in milliseconds."""

    @abstractmethod
    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        """When to try again."""

    @staticmethod
    def no_restart() -> AsyncRetryStrategy[Any]:
        """One try."""
        from thalweg.datastream.async_retry_strategies import NO_RETRY_STRATEGY

        return NO_RETRY_STRATEGY

    @staticmethod
    def fixed_delay(
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: Callable[[list[Any]], bool] | None,
        exception_predicate: Callable[[Exception], bool] | None,
    ) -> AsyncRetryStrategy[Any]:
        """Up to `max_attempts` tries, `backoff_time_millis` apart."""
        from thalweg.datastream.async_retry_strategies import FixedDelayRetryStrategy

        return FixedDelayRetryStrategy(max_attempts, backoff_time_millis, result_predicate, exception_predicate)

    @staticmethod
    def exponential_backoff(
        max_attempts: int,
        initial_delay: int,
        max_retry_delay: int,
        multiplier: float,
        result_predicate: Callable[[list[Any]], bool] | None,
        exception_predicate: Callable[[Exception], bool] | None,
    ) -> AsyncRetryStrategy[Any]:
        """Up to `max_attempts` tries; the wait, in milliseconds, grows by `multiplier` up to `max_retry_delay`."""
        from thalweg.datastream.async_retry_strategies import ExponentialBackoffDelayRetryStrategy

        return ExponentialBackoffDelayRetryStrategy(
            max_attempts, initial_delay, max_retry_delay, multiplier, result_predicate, exception_predicate
        )


class AsyncFunction(Function, Generic[IN, OUT]):
    """Asks something outside for each record, many records at a time.

    ::

        class Look(AsyncFunction):
            async def async_invoke(self, value):
                return [await client.get(value)]
    """

    @abstractmethod
    async def async_invoke(self, value: IN) -> list[OUT]:
        """The records to send; an exception ends the job or is tried again, as the retry strategy says."""

    def timeout(self, value: IN) -> list[OUT]:
        """The records to send when it took too long. Raises TimeoutError unless overridden."""
        raise TimeoutError(f"Async function call has timed out for input: {value}")


class _OutputMode(Enum):
    """Whether results keep the order of their records."""

    ORDERED = 0
    UNORDERED = 1


class AsyncFunctionDescriptor:
    """An AsyncFunction and how it is to be called: what AsyncDataStream hands to the runtime."""

    OutputMode = _OutputMode

    def __init__(
        self,
        async_function: AsyncFunction[Any, Any],
        timeout: Time,
        capacity: int,
        async_retry_strategy: AsyncRetryStrategy[Any],
        output_mode: _OutputMode,
    ) -> None:
        self.async_function = async_function
        self.timeout = timeout
        self.capacity = capacity
        self.async_retry_strategy = async_retry_strategy
        self.output_mode = output_mode


use_flink_names(globals(), "pyflink.datastream.functions")
