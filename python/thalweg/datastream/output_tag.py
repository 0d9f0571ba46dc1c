"""Names of side outputs."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["OutputTag"]


class OutputTag:
    """A side output's name and type."""

    def __init__(self, tag_id: str, type_info: Any = None) -> None:
        if not tag_id:
            raise ValueError("tag_id cannot be None or empty string")
        self.tag_id = tag_id
        self.type_info = type_info

    def get_java_output_tag(self) -> OutputTag:
        """The tag itself: there is no Java side."""
        return self


use_flink_names(globals())
