"""A broker with a schema registry for each test, on free ports."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

import pytest
from thalweg.cli.embedded_broker import ready_ports


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """host:port of the broker and of the registry."""
    bin_folder = pathlib.Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{bin_folder}{os.pathsep}{os.environ['PATH']}")
    command = [bin_folder / "thalweg", "broker", "--port", "0", "--registry-port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port, registry_port = ready_ports(process.stdout.readline()) or (None, None)
            assert port, "the broker did not start"
            yield f"localhost:{port}", f"localhost:{registry_port}"
        finally:
            process.terminate()
