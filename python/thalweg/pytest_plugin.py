"""Fixtures for tests of pipelines: tables fed by hand, a clock in hand, a broker.

The wheel registers them with pytest; in a source tree say `pytest_plugins = ["thalweg.pytest_plugin"]` in conftest.py.
See docs/how-to/testing-pipelines.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from thalweg.testing.changelog import ChangelogExpectation
    from thalweg.testing.hand_driven import Clock, Feed, HandDrivenEnvironment


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("thalweg", "Thalweg: brokers for tests")
    group.addoption("--kafka", metavar="HOST:PORT", help="kafka_broker is this one, not an embedded one (also THALWEG_KAFKA)")
    group.addoption("--schema-registry", metavar="URL", help="schema_registry is this one (also THALWEG_SCHEMA_REGISTRY)")


@pytest.fixture
def t_env() -> HandDrivenEnvironment:
    """A streaming TableEnvironment in UTC, whose clock is `clock` and whose tables of the connector test-stream `feed` feeds."""
    from thalweg.testing.hand_driven import HandDrivenEnvironment

    return HandDrivenEnvironment()


@pytest.fixture
def clock(t_env: HandDrivenEnvironment) -> Clock:
    """The clock of `t_env`: it stands still at 1970-01-01 00:00:00 UTC until it is moved."""
    return t_env.clock


@pytest.fixture
def feed(t_env: HandDrivenEnvironment) -> Feed:
    """Gives rows to a table of `t_env`: `feed("orders", (1, 9.5), (2, 7.0))`."""
    return t_env.feed


@pytest.fixture
def expect_changelog(t_env: HandDrivenEnvironment) -> Iterator[ChangelogExpectation]:
    """Compares what a query gave since it was last looked at: `expect_changelog(table, "+I[1, 9.5]")`."""
    from thalweg.testing.changelog import ChangelogExpectation

    expectation = ChangelogExpectation(t_env)
    yield expectation
    expectation.close()


@pytest.fixture(scope="session")
def _broker(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    kafka = request.config.getoption("--kafka") or os.environ.get("THALWEG_KAFKA")
    registry = request.config.getoption("--schema-registry") or os.environ.get("THALWEG_SCHEMA_REGISTRY")
    if kafka and registry:
        yield kafka, registry
        return
    from thalweg.cli.embedded_broker import EmbeddedBroker

    with EmbeddedBroker(registry_port=0) as broker:
        yield kafka or broker.address, registry or f"http://localhost:{broker.registry_port}"


@pytest.fixture
def kafka_broker(_broker: tuple[str, str]) -> str:
    """host:port of a Kafka broker for the whole run: an embedded one, unless --kafka names a real one."""
    return _broker[0]


@pytest.fixture
def schema_registry(_broker: tuple[str, str]) -> str:
    """The URL of a schema registry for the whole run, beside `kafka_broker`."""
    return _broker[1]
