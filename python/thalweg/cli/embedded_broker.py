"""The embedded broker: where its binary is, and running it as a child."""

from __future__ import annotations

import os
import re
import subprocess

_NAME = "thalweg-broker"


def broker_binary() -> str:
    """The broker's path: shipped in the package, or built in the source tree."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    places = [
        os.environ.get("THALWEG_BROKER", ""),
        os.path.join(package, "_bin", _NAME),
        os.path.join(os.path.dirname(os.path.dirname(package)), "build", "broker", _NAME),
    ]
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    raise ValueError(f"the broker is not there: {places[-1]}; build it with tools/build_broker.sh, or name it in THALWEG_BROKER")


# A broker goes on without the object that started it: jobs may.
_running: set[EmbeddedBroker] = set()


class EmbeddedBroker:
    """A broker that runs as a child and ends with this process. Port 0 is any that is free; without a registry's, there is none."""

    def __init__(
        self, port: int = 0, registry_port: int | None = None, topics: list[str] | None = None, data_dir: str | None = None
    ) -> None:
        command = [broker_binary(), "--port", str(port), "--with-parent", str(os.getpid())]
        if registry_port is not None:
            command += ["--registry-port", str(registry_port)]
        for topic in topics or []:
            command += ["--topic", topic]
        if data_dir:
            command += ["--data-dir", data_dir]
        # Ctrl-C goes to the whole group of the terminal; the broker ends when we say so.
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True, text=True)
        assert self._process.stdout is not None
        ports = ready_ports(self._process.stdout.readline())
        if ports is None:
            self.stop()
            raise ValueError("the broker did not start; see above")
        self.port, self.registry_port = ports
        _running.add(self)

    @property
    def address(self) -> str:
        """host:port for bootstrap.servers."""
        return f"localhost:{self.port}"

    def stop(self) -> None:
        """Ends it and waits."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        _running.discard(self)

    def __enter__(self) -> EmbeddedBroker:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()


def ready_ports(output: str) -> tuple[int, int | None] | None:
    """The ports of the broker and of its registry, from the line that the broker prints once it listens."""
    found = re.search(r"^ready kafka=\S+:(\d+)(?: registry=\S+:(\d+))?$", output, re.MULTILINE)
    return None if found is None else (int(found[1]), None if found[2] is None else int(found[2]))
