"""`thalweg produce`: sends messages to a Kafka topic."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING

from thalweg.cli.kafka_options import add_kafka_options, kafka_tools

if TYPE_CHECKING:
    from thalweg._native import KafkaTools

_FLUSH_MS = 10_000


def main(name: str, arguments: list[str]) -> int:
    if arguments[:1] == ["sensors"]:
        return _sensors(arguments[1:])
    parser = argparse.ArgumentParser(
        prog="thalweg produce",
        description="Sends each line of standard input as a message. `thalweg produce sensors` makes readings of simulated sensors.",
        epilog="example: thalweg produce readings < readings.jsonl",
    )
    parser.add_argument("topic")
    parser.add_argument("--key-separator", metavar="TEXT", help="what stands before this in a line is the message's key")
    add_kafka_options(parser)
    options = parser.parse_args(arguments)
    tools = kafka_tools(options)
    separator = options.key_separator.encode() if options.key_separator else None
    count = 0
    for raw in sys.stdin.buffer:
        line = raw.rstrip(b"\r\n")
        key, value = (line.partition(separator)[::2]) if separator and separator in line else (None, line)
        tools.produce(options.topic, key, value)
        count += 1
    return _finish(tools, options.topic, count)


def _sensors(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg produce sensors",
        description="Sends JSON readings of simulated sensors, until Ctrl-C: device_id, co, humidity, motion, temp, ampere_hour, ts.",
    )
    parser.add_argument("--topic", default="sensor.readings", help="default sensor.readings")
    parser.add_argument("--devices", type=int, default=3, metavar="N", help="how many devices (default 3)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="equal seeds give equal readings (default 1)")
    parser.add_argument("--rate", type=float, default=10, metavar="R", help="readings a second (default 10; 0: as fast as possible)")
    parser.add_argument("--count", type=int, metavar="N", help="end after N readings")
    parser.add_argument("--seconds", type=float, metavar="T", help="end after T seconds")
    parser.add_argument("--start-ms", type=int, metavar="MS", help="ts of the first reading (default: now, as time goes)")
    parser.add_argument("--step-ms", type=int, default=100, metavar="MS", help="with --start-ms: from one reading's ts to the next")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    add_kafka_options(parser)
    options = parser.parse_args(arguments)

    from thalweg.cli.sensors import SensorFarm, paced

    tools = kafka_tools(options)
    farm = SensorFarm(options.devices, options.seed)
    progress = sys.stderr.isatty() and not options.quiet
    count, shown = 0, 0.0
    try:
        for number in paced(options.rate, options.count, options.seconds):
            now = time.time()
            stamp = int(now * 1000) if options.start_ms is None else options.start_ms + number * options.step_ms
            device, reading = farm.reading(number, stamp)
            tools.produce(options.topic, device.encode(), reading.encode())
            count = number + 1
            if progress and now - shown > 0.5:
                shown = now
                print(f"\r{count} readings sent to {options.topic}", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        if progress:
            print(file=sys.stderr)
        _finish(tools, options.topic, count)
        raise
    if progress:
        print("\r", end="", file=sys.stderr)
    return _finish(tools, options.topic, count)


def _finish(tools: KafkaTools, topic: str, count: int) -> int:
    left = tools.flush(_FLUSH_MS)
    if left:
        print(f"{left} messages could not be delivered in {_FLUSH_MS / 1000:.0f} s", file=sys.stderr)
        return 1
    print(f"{count} messages sent to {topic}", file=sys.stderr)
    return 0
