"""What sources and sinks have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.functions import JavaFunctionWrapper

if TYPE_CHECKING:
    from thalweg.datastream.connectors.description import SinkDescription, SourceDescription
    from thalweg.datastream.data_stream import DataStream

__all__ = ["DeliveryGuarantee", "Sink", "Source", "StreamTransformer", "SupportsPreprocessing"]


class Source(JavaFunctionWrapper):
    """What `StreamExecutionEnvironment.from_source` takes."""

    def __init__(self, source: Any) -> None:
        super().__init__(source)

    def _description(self) -> SourceDescription:
        """What the engine is to read. Raises NotImplementedError, naming the source, where it has no such connector."""
        raise NotImplementedError(f"{type(self).__name__} describes no source that Thalweg can read")


class Sink(JavaFunctionWrapper):
    """What `DataStream.sink_to` takes."""

    def __init__(self, sink: Any) -> None:
        super().__init__(sink)

    def _description(self) -> SinkDescription:
        """What the engine is to write. Raises NotImplementedError, naming the sink, where it has no such connector."""
        raise NotImplementedError(f"{type(self).__name__} describes no sink that Thalweg can write")


class StreamTransformer(ABC):
    """What a sink does to its stream first."""

    @abstractmethod
    def apply(self, ds: DataStream) -> DataStream:
        """The stream to write."""


class SupportsPreprocessing(ABC):
    """A sink that changes its stream first."""

    @abstractmethod
    def get_transformer(self) -> StreamTransformer | None:
        """What it does; None for nothing."""


class DeliveryGuarantee(Enum):
    """What a sink promises after a failure.

    EXACTLY_ONCE writes each record once, AT_LEAST_ONCE may write it again, NONE may lose it.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2


use_flink_names(globals())
