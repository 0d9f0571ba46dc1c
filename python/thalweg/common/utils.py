"""The base of classes that wrap an object of Java in Flink; here it is whatever the class was made with."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["JavaObjectWrapper"]


class JavaObjectWrapper:
    """Keeps what it was made with."""

    def __init__(self, j_object: Any) -> None:
        self._j_object = j_object

    def get_java_object(self) -> Any:
        """What was given to the constructor: there is no Java side."""
        return self._j_object


use_flink_names(globals())
