"""Helpers of the DataStream API that Flink's programs name."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import TypeInformation

__all__ = ["ResultTypeQueryable"]


class ResultTypeQueryable(ABC):
    """What knows the type of the records it makes."""

    @abstractmethod
    def get_produced_type(self) -> TypeInformation:
        """The type."""


def create_hadoop_configuration(config: dict[str, str] | None) -> dict[str, str]:
    """The settings themselves: there is no Hadoop."""
    return {} if config is None else dict(config)


def create_java_properties(config: dict[str, str] | None) -> dict[str, str]:
    """The settings themselves: there is no Java side."""
    return {} if config is None else dict(config)


def convert_to_python_obj(data: Any, type_info: TypeInformation) -> Any:
    """A value of the engine as Python shows it."""
    return type_info.from_internal_type(data) if type_info.need_conversion() else data


def pickled_bytes_to_python_obj(data: Any, type_info: TypeInformation) -> Any:
    """The value that `data` is the pickle of."""
    return convert_to_python_obj(pickle.loads(data), type_info)


use_flink_names(globals())
