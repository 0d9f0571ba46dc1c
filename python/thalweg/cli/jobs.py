"""`thalweg jobs`, `cancel`, `stop` and `savepoint`: jobs of all processes of this user."""

from __future__ import annotations

import argparse
import os
import time
from datetime import datetime, timezone
from typing import Any


def main(name: str, arguments: list[str]) -> int:
    return {"jobs": _jobs, "cancel": _cancel, "stop": _stop, "savepoint": _savepoint}[name](arguments)


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"thalweg {name}", description=description)
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    return parser


def _jobs(arguments: list[str]) -> int:
    from thalweg.control.client import all_jobs

    parser = _parser("jobs", "Lists the jobs of all Thalweg processes of this user; with an id, the operators of one job.")
    parser.add_argument("id", nargs="?", help="a job's id, or its first digits")
    parser.add_argument("-a", "--all", action="store_true", help="ended ones too")
    parser.add_argument("--state", metavar="OPERATOR", type=int, help="with an id: the state that an operator keeps, by its number")
    parser.add_argument("--key", metavar="TEXT", help="with --state: only of this key")
    options = parser.parse_args(arguments)
    if options.id is not None:
        return _one_job(options)
    if options.state is not None or options.key is not None:
        parser.error("--state and --key need the id of a job, and --key needs --state")
    jobs = [job for job in all_jobs() if options.all or job["status"] not in ("FINISHED", "FAILED", "CANCELED")]
    if not jobs:
        print("no jobs are running")
        return 0
    for job in sorted(jobs, key=lambda job: job["started"]):
        started = time.strftime("%H:%M:%S", time.localtime(job["started"]))
        print(f"{job['id']}  {job['status']:<10}  since {started}  {job['program']} (process {job['pid']})  {job['name']}")
        print(f"    {job['summary'].partition(': ')[2]}")
        if job["why_silent"]:
            print(f"    no output so far: {job['why_silent']}")
    return 0


def _one_job(options: argparse.Namespace) -> int:
    from thalweg.control.client import find_job, request

    job = find_job(options.id)
    if options.state is not None:
        message = {"command": "state", "id": job["id"], "operator": options.state, "key": options.key}
        _show_state(request(job["path"], message))
        return 0
    print(f"{job['id']}  {job['status']}  {job['name']}")
    for operator in request(job["path"], {"command": "operators", "id": job["id"]}):
        inputs = ", ".join(str(number) for number in operator["inputs"])
        print(f"{operator['id']:>4}  {operator['name']}  (parallelism {operator['parallelism']}{f', behind {inputs}' if inputs else ''})")
    return 0


def _show_state(listing: dict[str, Any]) -> None:
    if not listing["asked"]:
        print("the operator does not run")
    elif listing["answered"] < listing["asked"]:
        print(f"{listing['answered']} of {listing['asked']} subtasks answered; the others are busy")
    elif not listing["tables"]:
        print("the operator keeps no state by key")
    for table in listing["tables"]:
        print(f"{table['name']}: {table['record_count']} records, {table['byte_size']} bytes")
        for record in table["records"]:
            window = "" if record["namespace"] is None else f" until {_time(record['namespace'])}"
            fields = ", ".join(f"{name}={value}" for name, value in zip(table["fields"], record["fields"], strict=True))
            print(f"  [{', '.join(record['key'])}]{window}: {fields}")


def _time(ms: int) -> str:
    try:
        return datetime.fromtimestamp(ms / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError):
        return str(ms)


def _cancel(arguments: list[str]) -> int:
    from thalweg.control.client import find_job, request

    parser = _parser("cancel", "Ends a job now.")
    parser.add_argument("id", help="the job's id, or its first digits")
    job = find_job(parser.parse_args(arguments).id)
    request(job["path"], {"command": "cancel", "id": job["id"]})
    print(f"Cancelled job {job['id']}.")
    return 0


def _stop(arguments: list[str]) -> int:
    from thalweg.control.client import find_job, request

    parser = _parser("stop", "Ends a job after a savepoint, from which it can go on.")
    parser.add_argument("id", help="the job's id, or its first digits")
    parser.add_argument("-p", "--savepointPath", metavar="DIR", help="below which folder (default: the configured one)")
    parser.add_argument("-d", "--drain", action="store_true", help="let windows fire as at the end of the input")
    options = parser.parse_args(arguments)
    job = find_job(options.id)
    directory = os.path.abspath(options.savepointPath) if options.savepointPath else None
    path = request(job["path"], {"command": "stop", "id": job["id"], "directory": directory, "drain": options.drain})
    print(f"Savepoint completed. Path: {path}")
    return 0


def _savepoint(arguments: list[str]) -> int:
    from thalweg.control.client import find_job, request

    parser = _parser("savepoint", "Takes a savepoint of a job, which goes on. `thalweg run -s PATH` starts from it.")
    parser.add_argument("id", help="the job's id, or its first digits")
    parser.add_argument("directory", nargs="?", help="below which folder (default: the configured one)")
    options = parser.parse_args(arguments)
    job = find_job(options.id)
    directory = os.path.abspath(options.directory) if options.directory else None
    path = request(job["path"], {"command": "savepoint", "id": job["id"], "directory": directory})
    print(f"Savepoint completed. Path: {path}")
    return 0
