"""`thalweg up` and `thalweg down`: a broker and a schema registry in the background."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time

from thalweg._session import state_folder
from thalweg.cli.embedded_broker import broker_binary, ready_ports

_PORTS = (9092, 8081)
_START_S = 15


def state_file() -> str:
    """Where it is noted what runs."""
    return os.path.join(state_folder(), "services.json")


def main(name: str, arguments: list[str]) -> int:
    return _up(arguments) if name == "up" else _down(arguments)


def _up(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg up",
        description="Starts a Kafka broker and a schema registry in the background, in place of a tutorial's docker compose. "
        "Programs and SQL that name broker:9092 or http://schema-registry:8081 find them under these names.",
    )
    parser.add_argument("--port", type=int, default=_PORTS[0], help="of the broker (default 9092; 0: any that is free)")
    parser.add_argument("--registry-port", type=int, default=_PORTS[1], help="of the registry (default 8081; 0: any that is free)")
    parser.add_argument("--data-dir", metavar="DIR", help="keep topics and schemas (default: in memory until `thalweg down`)")
    parser.add_argument("--real", action="store_true", help="Apache Kafka and a real registry instead of the embedded ones (needs Java)")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.real and 0 in (options.port, options.registry_port):
        parser.error("--real needs ports other than 0")
    running = running_services()
    if running:
        print(f"already up: broker at {running['broker']}, schema registry at {running['registry']}; `thalweg down` ends them")
        return 0
    services = _start_real(options) if options.real else _start_embedded(options)
    os.makedirs(os.path.dirname(state_file()), exist_ok=True)
    with open(state_file(), "w", encoding="utf-8") as file:
        json.dump(services, file)
    print(f"broker           {services['broker']}   (in programs: broker:9092)")
    print(f"schema registry  {services['registry']}   (in programs: http://schema-registry:8081)")
    print("`thalweg down` ends both")
    return 0


def _start_embedded(options: argparse.Namespace) -> dict[str, object]:
    command = [broker_binary(), "--port", str(options.port), "--registry-port", str(options.registry_port)]
    if options.data_dir:
        command += ["--data-dir", options.data_dir]
    log_path = state_file().replace("services.json", "broker.log")
    os.makedirs(os.path.dirname(log_path), exist_ok=True)
    with open(log_path, "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        with open(log_path, encoding="utf-8") as log:
            ports = ready_ports(log.read())
        if ports is not None:
            options.port, options.registry_port = ports
            return _services(options, [process.pid])
        time.sleep(0.05)
    with open(log_path, encoding="utf-8") as log:
        raise ValueError(f"the broker did not start: {log.read().strip()[-500:]}")


def _start_real(options: argparse.Namespace) -> dict[str, object]:
    """Through the scripts that the tests use; they download what is missing."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    scripts = os.path.join(os.path.dirname(os.path.dirname(package)), "tools", "services")
    if not os.path.isdir(scripts):
        raise ValueError("--real needs the source tree: it starts what tools/services installs")
    environment = {**os.environ, "KAFKA_PORT": str(options.port), "SCHEMA_REGISTRY_PORT": str(options.registry_port)}
    for script, name in (("kafka.sh", "Apache Kafka"), ("schema_registry.sh", "the schema registry")):
        if subprocess.run([os.path.join(scripts, script), "start"], check=False, stdout=sys.stderr, env=environment).returncode != 0:
            _stop_real(scripts, environment)
            raise ValueError(f"{name} did not start (see above); without --real the embedded ones are started, which need no Java")
    # Both listen on IPv4 alone, so it is named.
    registry = f"http://127.0.0.1:{options.registry_port}/apis/ccompat/v7"
    return {
        **_services(options, []),
        "broker": f"127.0.0.1:{options.port}",
        "registry": registry,
        "scripts": scripts,
        "ports": [options.port, options.registry_port],
    }


def _stop_real(scripts: str, environment: dict[str, str]) -> None:
    for script in ("schema_registry.sh", "kafka.sh"):
        subprocess.run([os.path.join(scripts, script), "stop"], check=False, stdout=sys.stderr, env=environment)


def _services(options: argparse.Namespace, pids: list[int]) -> dict[str, object]:
    return {"broker": f"localhost:{options.port}", "registry": f"http://localhost:{options.registry_port}", "pids": pids}


def running_services() -> dict[str, object] | None:
    """What `thalweg up` started and still runs."""
    try:
        with open(state_file(), encoding="utf-8") as file:
            services: dict[str, object] = json.load(file)
    except (OSError, ValueError):
        return None
    pids = services.get("pids")
    assert isinstance(pids, list)
    return services if services.get("scripts") or any(_is_broker(pid) for pid in pids) else None


def _is_broker(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return b"thalweg-broker" in file.read()
    except OSError:
        return False


def _down(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="thalweg down", description="Ends what `thalweg up` started.")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    parser.parse_args(arguments)
    services = running_services()
    if services is None:
        print("nothing is up")
        return 0
    if services.get("scripts"):
        ports = services["ports"]
        assert isinstance(ports, list)
        _stop_real(str(services["scripts"]), {**os.environ, "KAFKA_PORT": str(ports[0]), "SCHEMA_REGISTRY_PORT": str(ports[1])})
    pids = services["pids"]
    assert isinstance(pids, list)
    for pid in pids:
        if _is_broker(pid):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _START_S
    while any(_is_broker(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.unlink(state_file())
    print("down")
    return 0
