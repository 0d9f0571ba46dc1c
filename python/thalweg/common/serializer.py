"""The interface of serializers."""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names

__all__ = ["TypeSerializer"]

T = TypeVar("T")


class TypeSerializer(ABC, Generic[T]):
    """Writes and reads objects of one type."""

    @abstractmethod
    def serialize(self, element: T, stream: Any) -> None:
        """Writes `element` to `stream`."""

    @abstractmethod
    def deserialize(self, stream: Any) -> T:
        """Reads one element."""

    def _get_coder(self) -> Any:
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, self.__class__) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(type(self))


use_flink_names(globals())
