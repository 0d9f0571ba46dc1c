"""`thalweg jobs`, `cancel`, `stop` and `savepoint`: jobs of all processes of this user."""

from __future__ import annotations

import argparse
import os
import time


def main(name: str, arguments: list[str]) -> int:
    return {"jobs": _jobs, "cancel": _cancel, "stop": _stop, "savepoint": _savepoint}[name](arguments)


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"thalweg {name}", description=description)
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    return parser


def _jobs(arguments: list[str]) -> int:
    from thalweg.control.client import all_jobs

    parser = _parser("jobs", "Lists the jobs of all Thalweg processes of this user.")
    parser.add_argument("-a", "--all", action="store_true", help="ended ones too")
    options = parser.parse_args(arguments)
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
