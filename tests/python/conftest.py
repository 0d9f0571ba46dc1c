"""What the Python tests share."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator

import pytest
from pyflink.table import EnvironmentSettings, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker


@pytest.fixture
def streaming() -> TableEnvironment:
    """A streaming environment in UTC."""
    environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    environment.get_config().set_local_timezone("UTC")
    return environment


@pytest.fixture
def batch() -> TableEnvironment:
    """A batch environment in UTC."""
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    environment.get_config().set_local_timezone("UTC")
    return environment


@pytest.fixture
def printed() -> Callable[[Callable[[], object]], str]:
    """What a call prints on sys.stdout."""

    def run(call: Callable[[], object]) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            call()
        return out.getvalue()

    return run


@pytest.fixture(scope="session")
def broker() -> Iterator[EmbeddedBroker]:
    """An embedded broker with a registry for the whole run."""
    with EmbeddedBroker(registry_port=0) as running:
        yield running
