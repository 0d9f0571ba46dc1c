"""The environment that all examples share."""

from __future__ import annotations

import os

from pyflink.table import TableEnvironment
from pyflink.table.confluent import ConfluentSettings


def environment() -> TableEnvironment:
    """Runs in this process, unless the environment (or the file that FLINK_PROPERTIES names) gives another endpoint."""
    os.environ.setdefault("REST_ENDPOINT", "local")
    return TableEnvironment.create(ConfluentSettings.from_global_variables())
