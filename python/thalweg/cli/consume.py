"""`thalweg consume`: shows messages of a Kafka topic."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from thalweg.cli.kafka_options import add_kafka_options, kafka_tools


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg consume",
        description="Shows the messages of a topic as they come, until Ctrl-C.",
        epilog="example: thalweg consume device.charge --from-beginning --max 10",
    )
    parser.add_argument("topic")
    parser.add_argument("--from-beginning", action="store_true", help="the messages that are there already too")
    parser.add_argument("--max", type=int, metavar="N", help="end after N messages")
    parser.add_argument("--print-key", action="store_true", help="show the key before each value, with a tab between")
    parser.add_argument("--print-timestamp", action="store_true", help="show the message's time (ms since 1970) first")
    parser.add_argument("--print-offset", action="store_true", help="show partition:offset first")
    parser.add_argument("--value-format", choices=["text", "hex", "avro-confluent"], default="text", help="how values are shown")
    parser.add_argument("--key-format", choices=["text", "hex", "int", "long"], default="text", help="how keys are shown")
    parser.add_argument("--registry", default="http://localhost:8081", metavar="URL", help="schema registry, for avro-confluent")
    add_kafka_options(parser)
    options = parser.parse_args(arguments)
    show_value = _value_format(options.value_format, options.registry)
    show_key = _key_format(options.key_format)
    shown = 0

    def on_message(partition: int, offset: int, timestamp: int, key: bytes | None, value: bytes | None) -> bool:
        nonlocal shown
        parts = []
        if options.print_timestamp:
            parts.append(str(timestamp))
        if options.print_offset:
            parts.append(f"{partition}:{offset}")
        if options.print_key:
            parts.append("null" if key is None else show_key(key))
        parts.append("null" if value is None else show_value(value))
        print("\t".join(parts) + "\n", end="", flush=True)
        shown += 1
        return options.max is None or shown < options.max

    if options.max == 0:
        return 0
    kafka_tools(options).consume(options.topic, options.from_beginning, on_message)
    return 0


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _key_format(name: str) -> Callable[[bytes], str]:
    if name == "hex":
        return bytes.hex
    if name in ("int", "long"):
        return lambda data: str(int.from_bytes(data, "big", signed=True))
    return _text


def _value_format(name: str, registry: str) -> Callable[[bytes], str]:
    if name == "hex":
        return bytes.hex
    if name == "avro-confluent":
        from thalweg.cli.avro_text import ConfluentAvro

        return ConfluentAvro(registry).text
    return _text
