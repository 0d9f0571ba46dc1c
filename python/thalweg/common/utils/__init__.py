"""Wrappers of Java objects, of which there are none here: the class is there for programs that derive from it."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["JavaObjectWrapper"]


class JavaObjectWrapper:
    """Holds what a caller gave as `j_object`."""

    def __init__(self, j_object: Any) -> None:
        self._j_object = j_object

    def get_java_object(self) -> Any:
        """The object that was given."""
        return self._j_object


use_flink_names(globals())
