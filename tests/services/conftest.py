"""What the tests against real services share. `tools/test_services.sh` starts the services and names them."""

from __future__ import annotations

import json
import os
import pathlib
import time
import urllib.request
import uuid
from collections.abc import Iterator

import pytest

from thalweg import _native

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without the services every test is passed over, and says so."""
    if "THALWEG_TEST_KAFKA" not in os.environ:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="needs a real Kafka: run tools/test_services.sh"))


@pytest.fixture
def kafka() -> str:
    """The address of a real Kafka."""
    return os.environ["THALWEG_TEST_KAFKA"]


@pytest.fixture
def registry() -> str:
    """The URL of a real schema registry."""
    return os.environ["THALWEG_TEST_REGISTRY"]


class Topic:
    """A fresh topic, written and read as bytes."""

    def __init__(self, address: str, name: str, partitions: int = 1) -> None:
        self.address = address
        self.name = name
        self.tools = _native.KafkaTools({"bootstrap.servers": address, "isolation.level": "read_committed"})
        self.tools.create_topic(name, partitions, {})

    def send(self, records: list[tuple[bytes | None, bytes | None]]) -> None:
        for key, value in records:
            self.tools.produce(self.name, key, value)
        assert self.tools.flush(30_000) == 0

    def read(self, expected: int) -> list[tuple[int, bytes | None, bytes | None]]:
        """The first `expected` records as (partition, key, value)."""
        found: list[tuple[int, bytes | None, bytes | None]] = []

        def take(partition: int, offset: int, timestamp: int, key: bytes | None, value: bytes | None) -> bool:
            found.append((partition, key, value))
            return len(found) < expected

        if expected > 0:
            self.tools.consume(self.name, True, take)
        return found


@pytest.fixture
def topic(kafka: str) -> Iterator[Topic]:
    """A topic with one partition, deleted afterwards."""
    made = Topic(kafka, f"test-{uuid.uuid4().hex[:12]}")
    yield made
    made.tools.delete_topic(made.name)


class Registry:
    """Confluent's REST API, as far as the tests need it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def ask(self, path: str, body: object = None) -> dict:  # type: ignore[type-arg]
        request = urllib.request.Request(
            self.url + path,
            None if body is None else json.dumps(body).encode(),
            {"Content-Type": "application/vnd.schemaregistry.v1+json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)  # type: ignore[no-any-return]

    def register(self, subject: str, schema: object) -> int:
        return int(self.ask(f"/subjects/{subject}/versions", {"schema": json.dumps(schema)})["id"])

    def schema(self, schema_id: int) -> object:
        return json.loads(self.ask(f"/schemas/ids/{schema_id}")["schema"])


@pytest.fixture
def schemas(registry: str) -> Registry:
    return Registry(registry)


def wait_until(condition, seconds: float = 60.0, what: str = "it") -> None:  # type: ignore[no-untyped-def]
    """Waits until `condition()` is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen in {seconds} s"
        time.sleep(0.1)
