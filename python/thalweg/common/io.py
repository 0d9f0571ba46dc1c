"""Input formats."""

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.utils import JavaObjectWrapper

__all__ = ["InputFormat"]


class InputFormat(JavaObjectWrapper):
    """Base of input formats."""

    def __init__(self, j_input_format: Any) -> None:
        super().__init__(j_input_format)
        self._j_input_format = j_input_format


use_flink_names(globals())
