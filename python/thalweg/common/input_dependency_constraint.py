"""When a consumer of several inputs may start."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["InputDependencyConstraint"]


class InputDependencyConstraint(Enum):
    """Kept for programs that name it; the engine starts all tasks at once."""

    ANY = 0
    ALL = 1


use_flink_names(globals())
