"""Options that `run` and `sql` share: configuration, restore, address aliases."""

from __future__ import annotations

import argparse
import os

from thalweg._session import ALIASES, OVERRIDES, parse_aliases


def add_session_options(parser: argparse.ArgumentParser) -> None:
    """Adds -D, -s, --alias and --verbose."""
    parser.add_argument("-D", dest="config", metavar="KEY=VALUE", action="append", default=[], help="a configuration key of Flink's")
    parser.add_argument("-s", "--fromSavepoint", dest="restore", metavar="PATH", help="start from a savepoint or checkpoint; `latest` too")
    parser.add_argument(
        "--alias",
        action="append",
        default=[],
        metavar="A=B",
        help="use address B for A, which the program names: broker:9092=localhost:9097 (URLs too; also in thalweg.toml)",
    )
    parser.add_argument("--verbose", action="store_true", help="show full tracebacks")


def apply_session_options(options: argparse.Namespace) -> None:
    """Hands the options to the sessions of this process and of processes it starts."""
    config = list(options.config)
    for pair in config:
        if "=" not in pair:
            raise ValueError(f"not a configuration: -D {pair!r}; write -D KEY=VALUE")
    if options.restore:
        config.append(f"execution.state-recovery.path={options.restore}")
    if options.alias:
        parse_aliases(options.alias)
        before = os.environ.get(ALIASES)
        os.environ[ALIASES] = ",".join(([before] if before else []) + options.alias)
    if config:
        before = os.environ.get(OVERRIDES)
        os.environ[OVERRIDES] = "\n".join(([before] if before else []) + config)
