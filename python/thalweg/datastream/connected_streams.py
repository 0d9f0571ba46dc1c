"""Two streams side by side."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.data_stream import DataStream
from thalweg.datastream.graph import Edge, Step
from thalweg.datastream.keyed_stream import KeyedStream

if TYPE_CHECKING:
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["BroadcastConnectedStream", "BroadcastStream", "ConnectedStreams"]


def _two_input_step(
    first: DataStream, second: DataStream, name: str, make_host: Callable[[Step], Callable[[], Any]], output_type: Any
) -> DataStream:
    step = Step(first._env, name, [first._edges(), second._edges()], make_host, output_type)
    first._env._add_step(step)
    return DataStream(Edge(step))


class ConnectedStreams:
    """Two streams, with keys or without, for functions of two inputs."""

    def __init__(self, stream1: DataStream, stream2: DataStream) -> None:
        self.stream1 = stream1
        self.stream2 = stream2

    def key_by(self, key_selector1: Any, key_selector2: Any, key_type: TypeInformation | None = None) -> ConnectedStreams:
        """Records of both streams with equal keys meet in one subtask and share state."""
        return ConnectedStreams(self.stream1.key_by(key_selector1, key_type), self.stream2.key_by(key_selector2, key_type))

    def _is_keyed_stream(self) -> bool:
        return isinstance(self.stream1, KeyedStream) and isinstance(self.stream2, KeyedStream)

    def map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """A CoMapFunction; on keyed streams it may use state."""
        from thalweg.datastream.functions import CoMapFunction
        from thalweg.datastream.runtime.keyed_functions import KeyedCoMapHost
        from thalweg.datastream.runtime.stateless import CoMapHost

        if not isinstance(func, CoMapFunction):
            raise TypeError("The input function must be a CoMapFunction!")
        host = KeyedCoMapHost if self._is_keyed_stream() else CoMapHost
        return self._then("Co-Map", lambda step: partial(host, func, output_type), output_type)

    def flat_map(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """A CoFlatMapFunction; on keyed streams it may use state."""
        from thalweg.datastream.functions import CoFlatMapFunction
        from thalweg.datastream.runtime.keyed_functions import KeyedCoFlatMapHost
        from thalweg.datastream.runtime.stateless import CoFlatMapHost

        if not isinstance(func, CoFlatMapFunction):
            raise TypeError("The input must be a CoFlatMapFunction!")
        host = KeyedCoFlatMapHost if self._is_keyed_stream() else CoFlatMapHost
        return self._then("Co-Flat Map", lambda step: partial(host, func, output_type), output_type)

    def process(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """A CoProcessFunction, or on keyed streams a KeyedCoProcessFunction."""
        from thalweg.datastream.functions import CoProcessFunction, KeyedCoProcessFunction
        from thalweg.datastream.runtime.processing import KeyedProcessHost, ProcessHost

        keyed = self._is_keyed_stream()
        if not isinstance(func, (CoProcessFunction, KeyedCoProcessFunction)):
            raise TypeError("The input must be a CoProcessFunction or KeyedCoProcessFunction!")
        if isinstance(func, KeyedCoProcessFunction) and not keyed:
            raise TypeError("A KeyedCoProcessFunction needs keyed streams: call key_by() on both first")
        host: Any = KeyedProcessHost if keyed else ProcessHost
        name = "Keyed Co-Process" if keyed else "Co-Process"
        return self._then(name, lambda step: partial(host, func, output_type, dict(step.side_outputs), 2), output_type)

    def _then(self, name: str, make_host: Callable[[Step], Callable[[], Any]], output_type: Any) -> DataStream:
        return _two_input_step(self.stream1, self.stream2, name, make_host, output_type)


class BroadcastStream:
    """A stream that goes to every subtask, and the descriptors of the state that is kept of it."""

    def __init__(self, input_stream: DataStream, broadcast_state_descriptors: list[Any]) -> None:
        self.input_stream = input_stream
        self.broadcast_state_descriptors = broadcast_state_descriptors


class BroadcastConnectedStream:
    """A stream, with keys or without, and a broadcast one."""

    def __init__(self, non_broadcast_stream: DataStream, broadcast_stream: BroadcastStream, broadcast_state_descriptors: list[Any]) -> None:
        self.non_broadcast_stream = non_broadcast_stream
        self.broadcast_stream = broadcast_stream
        self.broadcast_state_descriptors = broadcast_state_descriptors

    def process(self, func: Any, output_type: TypeInformation | None = None) -> DataStream:
        """A BroadcastProcessFunction, or on a keyed stream a KeyedBroadcastProcessFunction."""
        from thalweg.datastream.functions import BroadcastProcessFunction, KeyedBroadcastProcessFunction
        from thalweg.datastream.runtime.broadcasting import BroadcastHost, KeyedBroadcastHost

        keyed = isinstance(self.non_broadcast_stream, KeyedStream)
        wanted = KeyedBroadcastProcessFunction if keyed else BroadcastProcessFunction
        if not isinstance(func, wanted):
            raise TypeError(f"{wanted.__name__} is required for this stream, not {type(func).__name__}")
        host: Any = KeyedBroadcastHost if keyed else BroadcastHost
        names = [descriptor.name for descriptor in self.broadcast_state_descriptors]
        name = "Keyed Broadcast Process" if keyed else "Broadcast Process"
        return _two_input_step(
            self.non_broadcast_stream,
            self.broadcast_stream.input_stream,
            name,
            lambda step: partial(host, func, output_type, dict(step.side_outputs), names),
            output_type,
        )


use_flink_names(globals(), "pyflink.datastream.data_stream")
