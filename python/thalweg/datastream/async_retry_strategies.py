"""Ways to try an async call again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.datastream.async_functions import AsyncRetryPredicate, AsyncRetryStrategy

__all__ = ["ExponentialBackoffDelayRetryStrategy", "FixedDelayRetryStrategy", "NoRetryStrategy", "RetryPredicate"]

OUT = TypeVar("OUT")

_OnResult = Callable[[list[Any]], bool]
_OnException = Callable[[Exception], bool]


class RetryPredicate(AsyncRetryPredicate[OUT], Generic[OUT]):
    """A condition on results and one on exceptions."""

    def __init__(self, result_predicate: _OnResult | None, exception_predicate: _OnException | None) -> None:
        self._result_predicate = result_predicate
        self._exception_predicate = exception_predicate

    def result_predicate(self) -> _OnResult | None:
        return self._result_predicate

    def exception_predicate(self) -> _OnException | None:
        return self._exception_predicate


class NoRetryStrategy(AsyncRetryStrategy[OUT], Generic[OUT]):
    """One try."""

    def can_retry(self, current_attempts: int) -> bool:
        return False

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        return -1

    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        return RetryPredicate(None, None)


class FixedDelayRetryStrategy(AsyncRetryStrategy[OUT], Generic[OUT]):
    """Tries again after the same wait each time."""

    def __init__(
        self,
        max_attempts: int,
        backoff_time_millis: int,
        result_predicate: _OnResult | None,
        exception_predicate: _OnException | None,
    ) -> None:
        self._max_attempts = max_attempts
        self._backoff_time_millis = backoff_time_millis
        self._predicate: RetryPredicate[OUT] = RetryPredicate(result_predicate, exception_predicate)

    def can_retry(self, current_attempts: int) -> bool:
        return current_attempts <= self._max_attempts

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        return self._backoff_time_millis

    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        return self._predicate


class ExponentialBackoffDelayRetryStrategy(AsyncRetryStrategy[OUT], Generic[OUT]):
    """Tries again after waits that grow."""

    def __init__(
        self,
        max_attempts: int,
        initial_delay: int,
        max_retry_delay: int,
        multiplier: float,
        result_predicate: _OnResult | None,
        exception_predicate: _OnException | None,
    ) -> None:
        self._max_attempts = max_attempts
        self._initial_delay = initial_delay
        self._max_retry_delay = max_retry_delay
        self._multiplier = multiplier
        self._predicate: RetryPredicate[OUT] = RetryPredicate(result_predicate, exception_predicate)

    def can_retry(self, current_attempts: int) -> bool:
        return current_attempts <= self._max_attempts

    def get_backoff_time_millis(self, current_attempts: int) -> int:
        """The wait after the first try is the initial delay."""
        delay = self._initial_delay * self._multiplier ** max(current_attempts - 1, 0)
        return int(min(delay, self._max_retry_delay))

    def get_retry_predicate(self) -> AsyncRetryPredicate[OUT]:
        return self._predicate


NO_RETRY_STRATEGY: NoRetryStrategy[Any] = NoRetryStrategy()

use_flink_names(globals())
