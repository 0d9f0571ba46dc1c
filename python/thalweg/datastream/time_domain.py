"""Kinds of time."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["TimeDomain"]


class TimeDomain(Enum):
    """Whose time a timer runs on."""

    EVENT_TIME = 0
    PROCESSING_TIME = 1


use_flink_names(globals())
