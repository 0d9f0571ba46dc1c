"""What the DataStream programs here share: a source of numbers, and a sink that forgets."""

from __future__ import annotations

import sys

from pyflink.common import WatermarkStrategy
from pyflink.datastream import DataStream, StreamExecutionEnvironment
from pyflink.datastream.connectors.number_seq import NumberSequenceSource


def sequence() -> tuple[StreamExecutionEnvironment, DataStream]:
    """An environment, and the numbers from 1 to as many as the program was told."""
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(1)
    source = NumberSequenceSource(1, int(sys.argv[1]))
    return env, env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "numbers")


def forget(stream: DataStream) -> None:
    """Looks at each record and passes none on."""
    stream.filter(lambda record: False).print()
