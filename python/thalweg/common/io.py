"""Input formats."""

from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["InputFormat"]


class InputFormat:
    """Base of input formats."""

    def __init__(self, j_input_format: Any) -> None:
        self._j_input_format = j_input_format


use_flink_names(globals())
