"""A broker with a schema registry for each test, on free ports."""

from __future__ import annotations

import os
import pathlib
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """host:port of the broker and of the registry."""
    bin_folder = pathlib.Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    port, registry_port = free_port(), free_port()
    process = subprocess.Popen(
        [bin_folder / "thalweg", "broker", "--port", str(port), "--registry-port", str(registry_port)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert "ready" in process.stdout.readline()
    try:
        yield f"localhost:{port}", f"localhost:{registry_port}"
    finally:
        process.terminate()
        process.wait(20)
