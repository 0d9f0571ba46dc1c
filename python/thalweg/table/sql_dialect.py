"""Dialects of SQL."""

from thalweg._flink_names import use_flink_names

__all__ = ["SqlDialect"]


class SqlDialect:
    """DEFAULT is Flink SQL. HIVE is known by name only."""

    DEFAULT = 0
    HIVE = 1


use_flink_names(globals())
