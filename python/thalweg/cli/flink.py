"""`thalweg flink run|list|info|cancel|stop|savepoint`: Flink's command line, for clusters of Thalweg or in place."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

from thalweg.cluster.places import Cluster, choose_cluster
from thalweg.util.notices import notice

_USAGE = """\
usage: thalweg flink ACTION [OPTIONS]

  run        runs a program in the cluster that is up, or here when none is
  list       lists jobs (-a: ended ones too)
  info       shows the plan of a program, without running it
  cancel     ends a job now
  stop       ends a job after a savepoint
  savepoint  takes a savepoint of a job, or disposes of one (-d PATH)

`thalweg flink ACTION --help` shows the options; they are Flink's. -m NAME or -m HOST:PORT chooses a cluster.
"""
_DASHES = "\u2013\u2014\u2212"
_LONG_WITH_ONE_DASH = ("py", "pym", "pyfs", "pyarch", "pyexec", "pyclientexec", "pyreq", "rm", "sae")


def main(name: str, arguments: list[str]) -> int:
    arguments = [plain_dashes(argument) for argument in arguments]
    action = arguments[0] if arguments else "--help"
    if action in ("--help", "-h", "help"):
        print(_USAGE, end="")
        return 0
    if action in ("--version", "-v"):
        from thalweg.version import __flink_version__

        print(f"Version: {__flink_version__}")
        return 0
    if action == "run-application":
        action = "run"
    known = {"run": _run, "list": _list, "info": _info, "cancel": _cancel, "stop": _stop, "savepoint": _savepoint}
    if action not in known:
        print(f"thalweg flink: {action!r} is not a valid action.\n\n{_USAGE}", end="", file=sys.stderr)
        return 2
    return known[action](arguments[1:])


def plain_dashes(argument: str) -> str:
    """A dash that a text editor made of two hyphens is two hyphens again: an article's `\N{EN DASH}python`."""
    if not argument or argument[0] not in _DASHES:
        return argument
    rest = argument.lstrip(_DASHES)
    one = len(rest.partition("=")[0]) == 1 or rest in _LONG_WITH_ONE_DASH
    return ("-" if one else "--") + rest


def _parser(action: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"thalweg flink {action}", description=description, allow_abbrev=False)
    parser.add_argument("-m", "--jobmanager", metavar="CLUSTER", help="a cluster's name, or HOST:PORT of its REST API")
    parser.add_argument("-t", "--target", metavar="TARGET", help="`local`: run here even when a cluster is up; `remote`: only in a cluster")
    parser.add_argument("-D", dest="config", metavar="KEY=VALUE", action="append", default=[], help="a configuration key of Flink's")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    return parser


def _add_program(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-py", "--python", metavar="FILE", help="the program; the file alone does too")
    parser.add_argument("-pym", "--pyModule", metavar="MODULE", help="the program as a module, found by --pyFiles")
    parser.add_argument(
        "-pyfs", "--pyFiles", metavar="PATHS", default="", help="files, folders and zips for its imports, with commas between"
    )
    parser.add_argument("-p", "--parallelism", type=int, help="subtasks of each operator")
    for flags in (
        ("-pyexec", "--pyExecutable"),
        ("-pyclientexec", "--pyClientExecutable"),
        ("-pyarch", "--pyArchives"),
        ("-pyreq", "--pyRequirements"),
    ):
        parser.add_argument(*flags, metavar="...", help="accepted: functions run in this Python, with what is installed in it")
    parser.add_argument("-j", "--jarfile", metavar="JAR", action="append", help="accepted: connectors and formats are built in")
    parser.add_argument("-C", "--classpath", metavar="URL", action="append", help=argparse.SUPPRESS)
    parser.add_argument("-c", "--class", dest="java_class", metavar="CLASS", help=argparse.SUPPRESS)
    parser.add_argument("program", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="what the program gets")


def _run(arguments: list[str]) -> int:
    parser = _parser("run", "Runs a PyFlink program in the cluster that is up, or here when none is.")
    parser.add_argument("-d", "--detached", action="store_true", help="return when the job has been submitted")
    parser.add_argument("-s", "--fromSavepoint", metavar="PATH", help="start from a savepoint or checkpoint")
    parser.add_argument("-n", "--allowNonRestoredState", action="store_true", help="drop restored state that no operator asks for")
    parser.add_argument("-rm", "--restoreMode", metavar="MODE", help="CLAIM or NO_CLAIM")
    parser.add_argument("-sae", "--shutdownOnAttachedExit", action="store_true", help="cancel the job when this command is interrupted")
    _add_program(parser)
    options = parser.parse_args(arguments)
    request = _request(parser, options)
    if options.fromSavepoint:
        request["config"].append(f"execution.state-recovery.path={options.fromSavepoint}")
    if options.allowNonRestoredState:
        request["config"].append("execution.state-recovery.ignore-unclaimed-state=true")
    if options.restoreMode:
        request["config"].append(f"execution.state-recovery.claim-mode={options.restoreMode.upper()}")
    cluster = _cluster(options)
    if cluster is None:
        if options.target == "remote":
            raise ValueError("no cluster is up; `thalweg cluster start` starts one")
        if options.detached:
            notice("no cluster is up, so the program runs here, attached; `thalweg cluster start` starts a cluster")
        return _run_here(request)
    return _submit(cluster, request, options)


def _request(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, Any]:
    """What is to be run, from Flink's flags."""
    file, arguments = options.program, list(options.arguments)
    if options.python or options.pyModule:
        file, arguments = options.python, ([options.program] if options.program else []) + arguments
    if options.java_class or (file or "").endswith(".jar"):
        raise ValueError(
            f"{options.java_class or file}: Java programs need a JVM and Apache Flink; this engine runs PyFlink programs and SQL"
        )
    if not file and not options.pyModule:
        parser.error("which program? for example: thalweg flink run --python main.py")
    if options.python and options.pyModule:
        parser.error("give a file or a module, not both")
    for flag in ("pyExecutable", "pyClientExecutable", "pyArchives", "pyRequirements"):
        if getattr(options, flag):
            notice(f"--{flag}: functions run in this Python ({sys.executable}); what they need must be installed in it")
    if options.jarfile or options.classpath:
        notice("--jarfile, --classpath: connectors and formats are built in; no jars are needed")
    config = list(options.config)
    for pair in config:
        if "=" not in pair:
            raise ValueError(f"not a configuration: -D {pair!r}; write -D KEY=VALUE")
    if options.parallelism:
        config.append(f"parallelism.default={options.parallelism}")
    paths = [_import_path(path) for path in options.pyFiles.split(",") if path]
    return {"file": file, "module": options.pyModule, "arguments": arguments, "config": config, "paths": paths, "cwd": os.getcwd()}


def _import_path(path: str) -> str:
    """A `.py` file is found by its folder, everything else by itself."""
    path = os.path.abspath(path.removeprefix("file://"))
    if not os.path.exists(path):
        raise ValueError(f"--pyFiles: there is no {path!r}")
    return os.path.dirname(path) if path.endswith(".py") else path


def _cluster(options: argparse.Namespace) -> Cluster | None:
    if options.jobmanager == "yarn-cluster" or (options.target or "").startswith(("yarn", "kubernetes")):
        raise ValueError(f"{options.target or options.jobmanager}: clusters here are those of `thalweg cluster start`")
    return None if options.target == "local" else choose_cluster(options.jobmanager)


def _environment(config: list[str]) -> dict[str, str]:
    from thalweg._session import OVERRIDES

    before = os.environ.get(OVERRIDES)
    return {OVERRIDES: "\n".join(([before] if before else []) + config)} if config else {}


def _run_here(request: dict[str, Any]) -> int:
    """In this process: the job's output comes here."""
    from thalweg.cluster.worker import run_watched

    if request["file"] and not os.path.isfile(request["file"]):
        raise ValueError(f"there is no file {request['file']!r}")
    os.environ.update(_environment(request["config"]))

    def report(event: dict[str, Any]) -> None:
        if event["state"] == "RUNNING":
            print(f"Job has been submitted with JobID {event['job']}", flush=True)

    return run_watched(request, report)


def _submit(cluster: Cluster, request: dict[str, Any], options: argparse.Namespace) -> int:
    """To a cluster; attached, this shows what the program prints until it ends."""
    from thalweg.cli.logs import copy_from
    from thalweg.cluster.programs import ProgramRecord
    from thalweg.control.client import request as ask

    passed = {key: value for key, value in os.environ.items() if key not in ("PWD", "OLDPWD", "SHLVL", "_")}
    environment = {**passed, **_environment(request["config"])}
    started = ask(cluster.socket, {"command": "submit", "request": {**request, "environment": environment}})
    record = ProgramRecord(started["folder"])
    shown, out, err = 0, 0, 0
    try:
        while True:
            outcome = record.outcome()
            jobs = record.jobs()
            for job in jobs[shown:]:
                print(f"Job has been submitted with JobID {job['id']}", flush=True)
            shown = len(jobs)
            out = copy_from(record.path("client"), out, sys.stdout.buffer)
            err = copy_from(record.path("stderr"), err, sys.stderr.buffer)
            if outcome is not None:
                return _ended(jobs, outcome)
            if options.detached and shown:
                return 0
            time.sleep(0.03)
    except KeyboardInterrupt:
        if options.shutdownOnAttachedExit:
            for job in record.jobs():
                ask(cluster.socket, {"command": "cancel", "id": job["id"]})
        elif shown:
            print(f"\nThe job runs on in cluster {cluster.name}; `thalweg flink cancel ID` ends it.", file=sys.stderr)
        raise


def _ended(jobs: list[dict[str, Any]], outcome: dict[str, Any]) -> int:
    """What Flink says of an attached program at its end."""
    for job in jobs:
        if job["state"] == "FINISHED":
            print(f"Program execution finished\nJob with JobID {job['id']} has finished.\nJob Runtime: {job['ended'] - job['started']} ms")
        else:
            print(f"Job {job['id']} is {job['state']}" + (f": {job['error']}" if job["error"] else ""), file=sys.stderr)
    if outcome["error"]:
        print(outcome["error"], file=sys.stderr)
    print(end="", flush=True)
    return int(outcome["code"])


def _all_jobs(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The cluster's jobs; without a cluster those of all processes of this user."""
    cluster = _cluster(options)
    if cluster is not None:
        from thalweg.control.client import request

        found: list[dict[str, Any]] = request(cluster.socket, {"command": "list"})
        return found
    from thalweg.control.client import all_jobs

    return [{"id": job["id"], "name": job["name"], "state": job["status"], "started": int(job["started"] * 1000)} for job in all_jobs()]


def _list(arguments: list[str]) -> int:
    from thalweg.cluster.programs import ENDED

    parser = _parser("list", "Lists jobs: those that run, unless told otherwise.")
    parser.add_argument("-a", "--all", action="store_true", help="all")
    parser.add_argument("-r", "--running", action="store_true", help="only those that run")
    parser.add_argument("-s", "--scheduled", action="store_true", help="only those that are scheduled")
    options = parser.parse_args(arguments)
    print("Waiting for response...")
    jobs = _all_jobs(options)
    running = [job for job in jobs if job["state"] not in ENDED]
    if options.all or options.running or not options.scheduled:
        _section(" Running/Restarting Jobs ", running, "No running jobs.")
    if options.all or options.scheduled or not options.running:
        print("No scheduled jobs.")
    if options.all:
        _section(" Terminated Jobs ", [job for job in jobs if job["state"] in ENDED], "No terminated jobs.")
    return 0


def _section(title: str, jobs: list[dict[str, Any]], none: str) -> None:
    if not jobs:
        print(none)
        return
    print(title.center(62, "-"))
    for job in sorted(jobs, key=lambda job: job["started"]):
        started = time.strftime("%d.%m.%Y %H:%M:%S", time.localtime(job["started"] / 1000))
        print(f"{started} : {job['id']} : {job['name']} ({job['state']})")
    print("-" * 62)


def _steer(options: argparse.Namespace, message: dict[str, Any]) -> Any:
    """A request about one job, to its cluster or, without one, to its process."""
    from thalweg.control.client import find_job, request

    cluster = _cluster(options)
    if cluster is not None:
        return request(cluster.socket, message)
    job = find_job(message["id"])
    return request(job["path"], {**message, "id": job["id"]})


def _cancel(arguments: list[str]) -> int:
    parser = _parser("cancel", "Ends a job now.")
    parser.add_argument("-s", "--withSavepoint", nargs="?", const="", metavar="DIR", help="after a savepoint (as `stop`)")
    parser.add_argument("id", help="the job's id, or its first digits")
    options = parser.parse_args(arguments)
    if options.withSavepoint is not None:
        return _stop([*(["-p", options.withSavepoint] if options.withSavepoint else []), options.id])
    print(f"Cancelling job {options.id}.")
    _steer(options, {"command": "cancel", "id": options.id})
    print(f"Cancelled job {options.id}.")
    return 0


def _stop(arguments: list[str]) -> int:
    parser = _parser("stop", "Ends a job after a savepoint, from which it can go on.")
    parser.add_argument("-p", "--savepointPath", metavar="DIR", help="below which folder (default: the configured one)")
    parser.add_argument("-d", "--drain", action="store_true", help="let windows fire as at the end of the input")
    parser.add_argument("-type", "--type", choices=["canonical", "native"], type=str.lower, help="accepted: there is one format")
    parser.add_argument("id", help="the job's id, or its first digits")
    options = parser.parse_args(arguments)
    print(f'Suspending job "{options.id}" with a CANONICAL savepoint.')
    directory = os.path.abspath(options.savepointPath) if options.savepointPath else None
    path = _steer(options, {"command": "stop", "id": options.id, "directory": directory, "drain": options.drain})
    print(f"Savepoint completed. Path: {path}")
    return 0


def _savepoint(arguments: list[str]) -> int:
    parser = _parser("savepoint", "Takes a savepoint of a job, which goes on.")
    parser.add_argument("-d", "--dispose", metavar="PATH", help="delete a savepoint instead")
    parser.add_argument("-type", "--type", choices=["canonical", "native"], type=str.lower, help="accepted: there is one format")
    parser.add_argument("id", nargs="?", help="the job's id, or its first digits")
    parser.add_argument("directory", nargs="?", help="below which folder (default: the configured one)")
    options = parser.parse_args(arguments)
    if options.dispose:
        return _dispose(options.dispose)
    if not options.id:
        parser.error("of which job? `thalweg flink list` shows their ids")
    print(f"Triggering savepoint for job {options.id}.\nWaiting for response...")
    directory = os.path.abspath(options.directory) if options.directory else None
    path = _steer(options, {"command": "savepoint", "id": options.id, "directory": directory})
    print(f"Savepoint completed. Path: {path}\nYou can resume your program from this savepoint with the run command.")
    return 0


def _dispose(path: str) -> int:
    import shutil

    folder = path.removeprefix("file://").removeprefix("file:")
    if not os.path.isfile(os.path.join(folder, "manifest")):
        raise ValueError(f"{path} is not a savepoint")
    print(f"Disposing savepoint '{path}'.\nWaiting for response...")
    shutil.rmtree(folder)
    print(f"Savepoint '{path}' disposed.")
    return 0


def _info(arguments: list[str]) -> int:
    from thalweg.cluster.plan_only import plan_of

    parser = _parser("info", "Shows the plan of a program as JSON, without running it.")
    _add_program(parser)
    options = parser.parse_args(arguments)
    request = _request(parser, options)
    os.environ.update(_environment(request["config"]))
    plan = plan_of(request)
    if plan is None:
        raise ValueError("the program ended without starting a job")
    print(f"{' Execution Plan '.center(62, '-')}\n{plan}\n{'-' * 62}\n\nNo description provided.")
    return 0
