"""`thalweg cluster start|stop|status`: engines that stay up and take programs."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

from thalweg.cluster.places import DEFAULT_NAME, Cluster, known_clusters

_START_S = 20.0
_STOP_S = 30.0


def main(name: str, arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="thalweg cluster",
        description="Leaves an engine running that takes programs from `thalweg flink run`. Each program has a process of its own.",
        epilog="example: thalweg cluster start mine --jobs ~/jobs; thalweg flink run --python /jobs/main.py; thalweg cluster stop mine",
    )
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    actions = parser.add_subparsers(dest="action", required=True, metavar="start|stop|status")
    start = actions.add_parser("start", help="start one")
    start.add_argument("name", nargs="?", default=DEFAULT_NAME, help=f"its name (default {DEFAULT_NAME}); several may be up side by side")
    start.add_argument("--jobs", metavar="DIR", help="the folder of programs; /jobs/x.py is looked for in it")
    start.add_argument("--port", type=int, default=0, help="of the REST API (default: the first free one from 8081)")
    stop = actions.add_parser("stop", help="end one, and the jobs that run in it")
    stop.add_argument("name", nargs="?", default=None, help="which (default: the one that is up)")
    status = actions.add_parser("status", help="which are up, with their jobs")
    status.add_argument("name", nargs="?", default=None, help="only this one")
    options = parser.parse_args(arguments)
    if options.action == "start":
        return _start(options)
    return _stop(options.name) if options.action == "stop" else _status(options.name)


def _start(options: argparse.Namespace) -> int:
    cluster = Cluster(options.name)
    if cluster.information() is not None:
        raise ValueError(f"cluster {cluster.name} is up already; `thalweg cluster stop {cluster.name}` ends it")
    jobs = os.path.abspath(options.jobs) if options.jobs else ""
    if jobs and not os.path.isdir(jobs):
        raise ValueError(f"there is no folder {options.jobs!r}")
    os.makedirs(cluster.folder, mode=0o700, exist_ok=True)
    log_path = os.path.join(cluster.folder, "supervisor.log")
    with open(log_path, "wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "thalweg.cluster.supervisor", cluster.name, str(options.port), jobs],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd="/",
            env={**os.environ, "PYTHONPATH": _python_path()},
        )
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        information = cluster.information()
        if information is not None and information["pid"] == process.pid:
            print(f"Cluster {cluster.name} is up. REST API: http://localhost:{information['port']}")
            print(f"thalweg flink run --python {'/jobs/' if jobs else ''}main.py    submits a program" + (f" of {jobs}" if jobs else ""))
            return 0
        time.sleep(0.02)
    with open(log_path, encoding="utf-8", errors="replace") as text:
        last = text.read().strip().split("\n")[-1]
    raise ValueError(f"cluster {cluster.name} did not come up: {last or 'no word of it'}; its log is {log_path}")


def _python_path() -> str:
    """The supervisor starts in another folder: relative parts of the path would not be found there."""
    return os.pathsep.join(os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part)


def _stop(name: str | None) -> int:
    from thalweg.cluster.places import choose_cluster
    from thalweg.control.client import request

    cluster = choose_cluster(None) if name is None else Cluster(name)
    information = None if cluster is None else cluster.information()
    if cluster is None or information is None:
        print("no cluster is up" if name is None else f"cluster {name} is not up", file=sys.stderr)
        return 1
    request(cluster.socket, {"command": "leave"})
    deadline = time.monotonic() + _STOP_S
    while cluster.information() is not None:
        if time.monotonic() > deadline:
            raise ValueError(f"cluster {cluster.name} (process {information['pid']}) did not end in {_STOP_S:.0f} s")
        time.sleep(0.02)
    print(f"Cluster {cluster.name} is down.")
    return 0


def _status(name: str | None) -> int:
    from thalweg.control.client import request

    shown = 0
    for cluster in known_clusters() if name is None else [Cluster(name)]:
        information = cluster.information()
        if information is None:
            continue
        shown += 1
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(information["started"] / 1000))
        jobs = f", programs in {information['jobs_folder']}" if information["jobs_folder"] else ""
        print(f"{cluster.name}  up since {since}  REST http://localhost:{information['port']}{jobs}")
        for job in request(cluster.socket, {"command": "list"}):
            print(f"    {job['id']}  {job['state']:<10}  {job['name']}")
    if shown == 0:
        print("no cluster is up" if name is None else f"cluster {name} is not up")
    return 0 if shown or name is None else 1
