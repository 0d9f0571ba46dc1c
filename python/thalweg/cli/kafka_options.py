"""Options of the commands that talk to a Kafka broker."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import KafkaTools

BOOTSTRAP = "THALWEG_BOOTSTRAP_SERVERS"


def add_kafka_options(parser: argparse.ArgumentParser) -> None:
    """Adds --bootstrap-server and -X."""
    parser.add_argument(
        "--bootstrap-server",
        "-b",
        metavar="HOST:PORT",
        default=os.environ.get(BOOTSTRAP, "localhost:9092"),
        help=f"the broker (default localhost:9092, or ${BOOTSTRAP})",
    )
    parser.add_argument("-X", dest="properties", metavar="KEY=VALUE", action="append", default=[], help="a property of Kafka's clients")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)


def kafka_tools(options: argparse.Namespace) -> KafkaTools:
    """A client for the broker that the options name."""
    from thalweg import _native

    properties = {"bootstrap.servers": options.bootstrap_server}
    for pair in options.properties:
        key, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"not a property: -X {pair!r}; write -X KEY=VALUE")
        properties[key] = value
    return _native.KafkaTools(properties)
