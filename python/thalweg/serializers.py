"""Serializers of sequences of Python objects: four bytes of length before each, and the bytes."""

from __future__ import annotations

import pickle
import struct
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, BinaryIO, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.serializer import TypeSerializer

__all__ = ["BatchedSerializer", "PickleSerializer"]

T = TypeVar("T")
_LENGTH = struct.Struct(">i")


class SpecialLengths:
    """Lengths that mean something else."""

    END_OF_DATA_SECTION = -1
    NULL = -2


class IterableSerializer(TypeSerializer[Iterable[T]]):
    """Serializers of sequences."""

    def _get_serialize_batch_size(self) -> int:
        return 1


class VarLengthDataSerializer(IterableSerializer[T]):
    """Elements of any length, one after another."""

    def serialize(self, iterable: Iterable[T], stream: BinaryIO) -> None:  # type: ignore[override]
        """Writes the elements."""
        for element in iterable:
            data = self.dumps(element)
            if data is None:
                write_int(SpecialLengths.NULL, stream)
            else:
                write_int(len(data), stream)
                stream.write(data)

    def deserialize(self, stream: BinaryIO) -> Iterator[T]:
        """The elements up to the end of the stream."""
        while True:
            try:
                length = read_int(stream)
            except EOFError:
                return
            if length == SpecialLengths.END_OF_DATA_SECTION:
                return
            if length == SpecialLengths.NULL:
                yield None  # type: ignore[misc]
                continue
            data = stream.read(length)
            if len(data) < length:
                return
            yield self.loads(data)

    @abstractmethod
    def dumps(self, obj: T) -> bytes | None:
        """The bytes of one element."""

    @abstractmethod
    def loads(self, obj: bytes) -> T:
        """The element of these bytes."""


class PickleSerializer(VarLengthDataSerializer[Any]):
    """Pickled objects."""

    def dumps(self, obj: Any) -> bytes:
        return pickle.dumps(obj, pickle.HIGHEST_PROTOCOL)

    def loads(self, obj: bytes) -> Any:
        return pickle.loads(obj)


class BatchedSerializer(IterableSerializer[T]):
    """Elements in lists of up to `batch_size`, written by another serializer."""

    UNLIMITED_BATCH_SIZE = -1
    UNKNOWN_BATCH_SIZE = 0

    def __init__(self, serializer: VarLengthDataSerializer[Any], batch_size: int = UNLIMITED_BATCH_SIZE) -> None:
        self.serializer = serializer
        self.batch_size = batch_size

    def _batches(self, iterator: Iterable[T]) -> Iterator[list[T]]:
        if self.batch_size == self.UNLIMITED_BATCH_SIZE:
            yield list(iterator)
            return
        source = iter(iterator)
        while batch := list(islice(source, self.batch_size)):
            yield batch

    def serialize(self, iterator: Iterable[T], stream: BinaryIO) -> None:  # type: ignore[override]
        """Writes the elements."""
        self.serializer.serialize(self._batches(iterator), stream)

    def deserialize(self, stream: BinaryIO) -> Iterator[T]:
        """The elements up to the end of the stream."""
        return chain.from_iterable(self.serializer.deserialize(stream))

    def __repr__(self) -> str:
        return f"BatchedSerializer({self.serializer!r}, {self.batch_size})"


def read_int(stream: BinaryIO) -> int:
    """A signed integer of four bytes. Raises EOFError at the end of the stream."""
    data = stream.read(4)
    if len(data) < 4:
        raise EOFError
    return int(_LENGTH.unpack(data)[0])


def write_int(value: int, stream: BinaryIO) -> None:
    """Writes a signed integer of four bytes."""
    stream.write(_LENGTH.pack(value))


use_flink_names(globals())
