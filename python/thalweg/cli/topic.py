"""`thalweg topic`: creates, lists, describes and deletes Kafka topics."""

from __future__ import annotations

import argparse

from thalweg.cli.kafka_options import add_kafka_options, kafka_tools


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="thalweg topic", description="Creates, lists, describes and deletes Kafka topics.")
    actions = parser.add_subparsers(dest="action", required=True)
    for action, text in (
        ("create", "create a topic"),
        ("list", "list topics and their partitions"),
        ("describe", "show the partitions of a topic with their offsets"),
        ("delete", "delete a topic and its messages"),
    ):
        command = actions.add_parser(action, help=text)
        if action != "list":
            command.add_argument("topic")
        if action == "create":
            command.add_argument("--partitions", type=int, default=1)
            command.add_argument("--config", action="append", default=[], metavar="KEY=VALUE", help="a topic's setting; repeatable")
        add_kafka_options(command)
    options = parser.parse_args(arguments)
    tools = kafka_tools(options)
    if options.action == "create":
        config = dict(pair.partition("=")[::2] for pair in options.config)
        tools.create_topic(options.topic, options.partitions, config)
        print(f"created topic {options.topic} with {options.partitions} partition{'s' if options.partitions != 1 else ''}")
    elif options.action == "delete":
        tools.delete_topic(options.topic)
        print(f"deleted topic {options.topic}")
    elif options.action == "list":
        for topic, partitions in tools.topics():
            print(f"{topic}\t{partitions}")
    else:
        print("partition\tfirst offset\tnext offset\tmessages")
        for partition, _, first, following in tools.describe_topic(options.topic):
            print(f"{partition}\t{first}\t{following}\t{following - first}")
    return 0
