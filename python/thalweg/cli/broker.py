"""`thalweg broker`: the embedded Kafka-protocol broker alone."""

from __future__ import annotations

import argparse
import os

from thalweg.cli.embedded_broker import broker_binary


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg broker",
        description="Runs a Kafka-protocol broker (and a schema registry) for development and tests, until Ctrl-C. It creates "
        "topics on first use, with one partition, and prints a line with `ready` when it listens.",
        epilog="example: thalweg broker --port 9097 --registry-port 8097 --topic readings:3",
    )
    parser.add_argument("--port", type=int, default=9092, help="where it listens (default 9092; 0: any that is free)")
    parser.add_argument("--registry-port", type=int, metavar="PORT", help="also a schema registry, there (0: any that is free)")
    parser.add_argument("--topic", action="append", default=[], metavar="NAME:PARTITIONS", help="create a topic; repeatable")
    parser.add_argument("--data-dir", metavar="DIR", help="keep topics and schemas in a folder (default: in memory only)")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    command = [broker_binary(), "--port", str(options.port)]
    if options.registry_port is not None:
        command += ["--registry-port", str(options.registry_port)]
    for topic in options.topic:
        command += ["--topic", topic]
    if options.data_dir:
        command += ["--data-dir", options.data_dir]
    print(end="", flush=True)
    os.execv(command[0], command)
    return 1
