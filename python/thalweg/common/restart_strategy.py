"""What happens after a job failed."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["RestartStrategies", "RestartStrategyConfiguration"]


def _duration(value: Any) -> str:
    """Milliseconds, a timedelta or a Time as the configuration spells a duration."""
    if hasattr(value, "to_milliseconds"):
        return f"{value.to_milliseconds()} ms"
    if hasattr(value, "total_seconds"):
        return f"{round(value.total_seconds() * 1000)} ms"
    return f"{int(value)} ms"


class RestartStrategyConfiguration:
    """A restart strategy as configuration keys."""

    def __init__(self, j_restart_strategy_configuration: dict[str, str], description: str = "") -> None:
        self._options = j_restart_strategy_configuration
        self._description = description

    def get_description(self) -> str:
        """What it does, in words."""
        return self._description

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RestartStrategyConfiguration) and self._options == other._options

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._options.items())))


class RestartStrategies:
    """The strategies of Flink."""

    class NoRestartStrategyConfiguration(RestartStrategyConfiguration):
        """The job fails for good."""

    class FixedDelayRestartStrategyConfiguration(RestartStrategyConfiguration):
        """So many attempts, with a pause before each."""

    class FailureRateRestartStrategyConfiguration(RestartStrategyConfiguration):
        """As long as failures stay rarer than a rate."""

    class FallbackRestartStrategyConfiguration(RestartStrategyConfiguration):
        """What the configuration says."""

    @staticmethod
    def no_restart() -> RestartStrategyConfiguration:
        """A job that fails has failed."""
        return RestartStrategies.NoRestartStrategyConfiguration({"restart-strategy.type": "none"}, "Restart deactivated.")

    @staticmethod
    def fall_back_restart() -> RestartStrategyConfiguration:
        """What the configuration says."""
        return RestartStrategies.FallbackRestartStrategyConfiguration({}, "Cluster level default restart strategy")

    @staticmethod
    def fixed_delay_restart(restart_attempts: int, delay_between_attempts: int) -> RestartStrategyConfiguration:
        """`delay_between_attempts` in milliseconds."""
        return RestartStrategies.FixedDelayRestartStrategyConfiguration(
            {
                "restart-strategy.type": "fixed-delay",
                "restart-strategy.fixed-delay.attempts": str(restart_attempts),
                "restart-strategy.fixed-delay.delay": _duration(delay_between_attempts),
            },
            f"Restart with fixed delay ({_duration(delay_between_attempts)}). #{restart_attempts} restart attempts.",
        )

    @staticmethod
    def failure_rate_restart(failure_rate: int, failure_interval: int, delay_interval: int) -> RestartStrategyConfiguration:
        """Intervals in milliseconds."""
        return RestartStrategies.FailureRateRestartStrategyConfiguration(
            {
                "restart-strategy.type": "failure-rate",
                "restart-strategy.failure-rate.max-failures-per-interval": str(failure_rate),
                "restart-strategy.failure-rate.failure-rate-interval": _duration(failure_interval),
                "restart-strategy.failure-rate.delay": _duration(delay_interval),
            },
            f"Failure rate restart with maximum of {failure_rate} failures within {_duration(failure_interval)}"
            f" and fixed delay {_duration(delay_interval)}.",
        )


use_flink_names(globals())
